import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { AccessToken } from '#access/token/verify.ts';
import { readSingleHeader } from '#http/headers/read-single-header.ts';
import { Problem } from '#lib/problem.ts';
import type { Merchant } from '#merchants/merchant.ts';
import { covers, type Scope } from '#merchants/scopes.ts';
import type { KnownApiKey } from './access-store.ts';
import { challengeOf } from './bearer-challenge.ts';
import type { Access, Recalled } from './create-access.ts';
import type { SignIn } from './sign-in.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The calling merchant; `requireMerchant` sets it before the body is read. */
    merchant: Merchant;
    /**
     * Repeats the check for calls with a long answer: ended access ends within 5 s, also in an open
     * call (contract §3). Throws Problem 401 or 403.
     */
    checkMerchantAgain: () => Promise<void>;
  }
}

/** A call before its check. */
const NO_CLAIM: SignIn = { call: 'api', username: null, merchantId: null };

/** Declares the request property that `requireMerchant` sets; once for the whole application. */
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
 * scope. Sets `request.merchant`, which is at most 2 s old.
 *
 * @param scopes the call needs one of these; `payment_request/all` covers each
 * @returns an `onRequest` hook that refuses with Problem 401 or 403
 */
export function requireMerchant(access: Access, scopes: readonly Scope[]): onRequestHookHandler {
  async function checkMerchant(request: FastifyRequest): Promise<void> {
    request.signIn = NO_CLAIM;
    const known = await checkApiKey(access, request);
    const token = await checkToken(access, request);
    admit(request, { known, token }, scopes);
  }

  return (request, _reply, done) => {
    // A named constant: V8 allocates a function that is written straight into a property in its old
    // space, where the function retains its request until a major collection.
    const again = () => checkMerchant(request);
    request.checkMerchantAgain = again;
    const recalled = recall(access, request);
    if (recalled) {
      admit(request, recalled, scopes);
      done();
    } else checkMerchant(request).then(() => done(), done);
  };
}

/** The checks that need both credentials, in their order; sets `request.merchant`. */
function admit(
  request: FastifyRequest,
  { known, token }: Recalled,
  scopes: readonly Scope[],
): void {
  request.signIn = { call: 'api', username: token.username, merchantId: known.merchant.id };
  if (token.merchantId !== known.merchant.id) throw new Problem('CREDENTIAL_MISMATCH');
  if (known.merchant.status === 'SUSPENDED') throw new Problem('MERCHANT_SUSPENDED');
  if (wasEndedBySuspension(token, known)) throw tokenInvalid();
  if (!scopes.some((scope) => covers(token.scopes, scope))) throw scopeMissing(scopes);
  request.merchant = known.merchant;
}

/** Null for credentials that `checkMerchant` refuses or has to look up. */
function recall(access: Access, request: FastifyRequest): Recalled | null {
  const apiKey = readSingleHeader(request, 'x-api-key');
  const token = bearerToken(readSingleHeader(request, 'authorization'));
  return apiKey && token ? access.recall(apiKey, token) : null;
}

const SCHEME = /^bearer +/i;

/** Each call has this header: an expression for all of it would walk the whole token. */
function bearerToken(header: string | null | undefined): string | undefined {
  const scheme = SCHEME.exec(header ?? '')?.[0];
  return scheme === undefined ? undefined : header?.slice(scheme.length) || undefined;
}

async function checkApiKey(access: Access, request: FastifyRequest): Promise<KnownApiKey> {
  const apiKey = readSingleHeader(request, 'x-api-key');
  if (apiKey === undefined) throw new Problem('API_KEY_MISSING', { headers: challengeOf() });
  if (apiKey === null) throw repeated('API_KEY_INVALID', 'x-api-key');
  const found = await access.findMerchantOfApiKey(apiKey);
  if (found) request.signIn = { ...NO_CLAIM, merchantId: found.known.merchant.id };
  if (!found?.isLive) throw new Problem('API_KEY_INVALID', { headers: challengeOf() });
  return found.known;
}

async function checkToken(access: Access, request: FastifyRequest): Promise<AccessToken> {
  const header = readSingleHeader(request, 'authorization');
  if (header === null) throw repeated('ACCESS_TOKEN_INVALID', 'Authorization');
  const token = bearerToken(header);
  if (token === undefined) throw new Problem('ACCESS_TOKEN_MISSING', { headers: challengeOf() });
  const verified = await access.verifyAccessToken(token);
  if (!(await access.isCredentialLive(verified.username))) throw tokenInvalid();
  return verified;
}

/** `iat` counts whole seconds; a token of the suspension's own second counts as older. */
function wasEndedBySuspension(token: AccessToken, { suspendedAt }: KnownApiKey): boolean {
  return suspendedAt !== null && token.issuedAtSeconds <= suspendedAt.getTime() / 1_000;
}

/** A header that must be sent once came more often, with one value or with several. */
function repeated(code: 'API_KEY_INVALID' | 'ACCESS_TOKEN_INVALID', name: string): Problem {
  const { headers } = code === 'API_KEY_INVALID' ? { headers: challengeOf() } : tokenInvalid();
  return new Problem(code, {
    detail: `The request has more than one ${name} header; send exactly one.`,
    headers,
  });
}

/** RFC 6750 §3: `scope` names what the call needs; any one of them is enough. */
function scopeMissing(scopes: readonly Scope[]): Problem {
  return new Problem('INSUFFICIENT_SCOPE', {
    detail:
      `The access token does not have the scope ${scopes.join(' or ')}. ` +
      'Request a token with that scope; the credentials must have the scope too.',
    headers: challengeOf('insufficient_scope', { scope: scopes.join(' ') }),
  });
}

function tokenInvalid(): Problem {
  return new Problem('ACCESS_TOKEN_INVALID', {
    headers: challengeOf('invalid_token', { description: 'The access token is not valid' }),
  });
}
