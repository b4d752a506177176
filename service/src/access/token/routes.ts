import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { REALM } from '#access/bearer-challenge.ts';
import type { Access } from '#access/create-access.ts';
import { ACCESS_TOKEN_LIFETIME_SECONDS } from '#access/lifetimes.ts';
import { FORM_TYPE } from '#http/forms/read-forms.ts';
import { readSingleHeader } from '#http/headers/read-single-header.ts';
import { Problem } from '#lib/problem.ts';
import { FULL_SCOPE, grantScopes, SCOPES } from '#merchants/scopes.ts';
import type { FailureLimit } from '#rate-limits/failure-limit.ts';
import type { MerchantBudget } from '#rate-limits/merchant-budget.ts';
import { spendBudget } from '#rate-limits/spend-budget.ts';
import { authenticateClient } from './authenticate-client.ts';
import { type TokenFault, tokenErrorAnswer } from './errors.ts';
import { issueAccessToken, type TokenDeps } from './issue.ts';
import { TOKEN_OPERATION } from './operation.ts';
import { readTokenRequest } from './read-request.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
/** Four short fields, with some space for fields that a client adds. */
const LARGEST_BODY_BYTES = 8_192;

/** The window in which failures are counted. */
const FAILURE_PAUSE_SECONDS = '1';

export type TokenRoutesDeps = Pick<
  Access,
  'db' | 'findClient' | 'credentialsPepper' | 'uses' | 'environment'
> &
  TokenDeps & { readonly tokenLimits: TokenLimits };

export interface TokenLimits {
  readonly budget: MerchantBudget;
  readonly failures: FailureLimit;
}

/**
 * The token call (interface §4; contract §3), at the path of `PUBLIC_AUTH_URL`. It is a plugin,
 * because its body rules differ from the other calls.
 */
export function registerTokenRoutes(app: FastifyInstance, deps: TokenRoutesDeps): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(FORM_TYPE, { parseAs: 'string' }, (_request, body, done) =>
      done(null, body),
    );
    scope.addHook('onRequest', (_request, reply, done) => {
      reply.header('cache-control', 'no-store').header('pragma', 'no-cache');
      done();
    });
    scope.setErrorHandler(createBodyRefusal(deps));
    scope.post(
      new URL(deps.publicAuthUrl).pathname,
      { bodyLimit: LARGEST_BODY_BYTES, schema: TOKEN_OPERATION },
      (request, reply) => answerTokenCall(deps, request, reply),
    );
  });
}

async function answerTokenCall(
  deps: TokenRoutesDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const form = typeof request.body === 'string' ? request.body : undefined;
  const asked = readTokenRequest(form, readSingleHeader(request, 'authorization'));
  const refuse = (fault: TokenFault | 'CLIENT_REFUSED') => {
    sendError(deps, reply, fault);
  };
  if (typeof asked === 'string') return refuse(asked);
  const { known, client } = await authenticateClient(deps, asked.credentials);
  request.signIn = { call: 'token', username: known.username, merchantId: known.merchantId };
  if (!client) {
    const username = asked.credentials?.username;
    if (!deps.tokenLimits.failures.count({ address: request.ip, username })) {
      throw new Problem('RATE_LIMITED', { headers: { 'retry-after': FAILURE_PAUSE_SECONDS } });
    }
    reply.header('www-authenticate', `Basic realm="${REALM}"`);
    return refuse('CLIENT_REFUSED');
  }
  const counting = spendBudget(reply, deps.tokenLimits.budget, client.merchantId);
  if (counting) await counting;
  if (asked.grantType === undefined) return refuse('GRANT_TYPE_MISSING');
  if (asked.grantType !== 'client_credentials') return refuse('GRANT_TYPE_UNSUPPORTED');
  const scopes = grantScopes(asked.scope, client.scopes);
  if (!scopes) return refuse(grantScopes(asked.scope, SCOPES) ? 'SCOPE_NOT_HELD' : 'SCOPE_UNKNOWN');
  const signer = deps.signingKeys.knownSigner() ?? (await deps.signingKeys.signer());
  const token = issueAccessToken(deps, signer, client, scopes);
  // In the next microtask: all calls of a batch are signed before any is answered. A client that
  // the first answer wakes then finds the others at once: a write that wakes its reader costs most.
  await undefined;
  // RFC 6749 §5.1: the answer must name a scope that differs from the requested scope.
  const isNarrower = asked.scope === undefined && !scopes.includes(FULL_SCOPE);
  reply.type(JSON_TYPE).send(renderToken(token, isNarrower ? scopes : null));
}

/** Neither a token nor a scope has a character that JSON escapes. */
function renderToken(token: string, scopes: readonly string[] | null): string {
  const scope = scopes === null ? '' : `,"scope":"${scopes.join(' ')}"`;
  const lifetime = ACCESS_TOKEN_LIFETIME_SECONDS;
  return `{"access_token":"${token}","expires_in":${lifetime},"token_type":"Bearer"${scope}}`;
}

function sendError(
  { environment }: Pick<TokenRoutesDeps, 'environment'>,
  reply: FastifyReply,
  fault: TokenFault | 'CLIENT_REFUSED',
): FastifyReply {
  const { status, body } = tokenErrorAnswer(fault, environment);
  return reply.code(status).send(body);
}

/**
 * This call answers a wrong or too large body in its own form; other errors go to the error
 * handler.
 */
function createBodyRefusal(deps: TokenRoutesDeps) {
  return (error: FastifyError, _request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (!error.code?.startsWith('FST_ERR_CTP_')) throw error;
    const isTooLarge = error.code === 'FST_ERR_CTP_BODY_TOO_LARGE';
    return sendError(deps, reply, isTooLarge ? 'TOO_LARGE' : 'NOT_A_FORM');
  };
}
