import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { AccessToken } from '#access/token/verify.ts';
import { readSingleHeader } from '#http/headers/read-single-header.ts';
import { Problem } from '#lib/problem.ts';
import type { Merchant } from '#merchants/merchant.ts';
import { covers, type Scope } from '#merchants/scopes.ts';
import type { KnownApiKey } from './access-store.ts';
import { challengeOf } from './bearer-challenge.ts';
import type { Access } from './create-access.ts';
import type { SignIn } from './sign-in.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The merchant that calls; set by `requireMerchant` before anything of the body is read. */
    merchant: Merchant;
    /**
     * Makes the same check again, for calls whose answer takes long: access that has ended ends
     * within 5 s, an open call included (contract §3). Throws Problem 401 or 403.
     */
    checkMerchantAgain: () => Promise<void>;
  }
}

/** A call of which nothing is known yet. */
const NO_CLAIM: SignIn = { call: 'api', username: null, merchantId: null };

/** Gives every request the place that `requireMerchant` fills; once for the whole application. */
export function declareMerchant(app: FastifyInstance): void {
  app.decorateRequest('merchant');
  app.decorateRequest('checkMerchantAgain');
}

/** Whether a call has passed `requireMerchant`. */
export function isOfMerchant({ merchant }: { readonly merchant?: Merchant }): boolean {
  return merchant !== undefined && merchant !== null;
}

/**
 * The check of every merchant's call, in the order of contract §4: API key, token, same merchant,
 * scope. Sets `request.merchant`, as it was at most 2 s ago.
 *
 * @param scopes the call needs one of these; `payment_request/all` covers each
 * @returns an `onRequest` hook that throws Problem 401 or 403
 */
export function requireMerchant(
  access: Access,
  scopes: readonly Scope[],
): onRequestAsyncHookHandler {
  async function checkMerchant(request: FastifyRequest): Promise<void> {
    request.signIn = NO_CLAIM;
    const known = await checkApiKey(access, request);
    const token = await checkToken(access, request);
    request.signIn = { call: 'api', username: token.username, merchantId: known.merchant.id };
    if (token.merchantId !== known.merchant.id) throw new Problem('CREDENTIAL_MISMATCH');
    if (known.merchant.status === 'SUSPENDED') throw new Problem('MERCHANT_SUSPENDED');
    if (wasEndedBySuspension(token, known)) throw tokenInvalid();
    if (!scopes.some((scope) => covers(token.scopes, scope))) {
      throw new Problem('INSUFFICIENT_SCOPE', { headers: challengeOf('insufficient_scope') });
    }
    request.merchant = known.merchant;
  }

  return async (request) => {
    await checkMerchant(request);
    // Not in one line: V8 puts a function that is written straight into a property among the old
    // objects, where it keeps its request alive until these are collected.
    const again = () => checkMerchant(request);
    request.checkMerchantAgain = again;
  };
}

async function checkApiKey(access: Access, request: FastifyRequest): Promise<KnownApiKey> {
  const apiKey = readSingleHeader(request, 'x-api-key');
  if (apiKey === undefined) throw new Problem('API_KEY_MISSING', { headers: challengeOf() });
  const found = apiKey === null ? undefined : await access.findMerchantOfApiKey(apiKey);
  if (found) request.signIn = { ...NO_CLAIM, merchantId: found.known.merchant.id };
  if (!found?.isLive) throw new Problem('API_KEY_INVALID', { headers: challengeOf() });
  return found.known;
}

async function checkToken(access: Access, request: FastifyRequest): Promise<AccessToken> {
  const header = readSingleHeader(request, 'authorization');
  if (header === null) throw tokenInvalid();
  const token = /^bearer +(.+)$/i.exec(header ?? '')?.[1];
  if (token === undefined) throw new Problem('ACCESS_TOKEN_MISSING', { headers: challengeOf() });
  const verified = await access.verifyAccessToken(token);
  if (!(await access.isCredentialLive(verified.username))) throw tokenInvalid();
  return verified;
}

/** `iat` counts whole seconds; a token of the suspension's own second is taken as older. */
function wasEndedBySuspension(token: AccessToken, { suspendedAt }: KnownApiKey): boolean {
  return suspendedAt !== null && token.issuedAtSeconds <= suspendedAt.getTime() / 1_000;
}

function tokenInvalid(): Problem {
  return new Problem('ACCESS_TOKEN_INVALID', {
    headers: challengeOf('invalid_token', 'The access token is not valid'),
  });
}
