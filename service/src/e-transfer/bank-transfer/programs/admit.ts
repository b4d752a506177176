import type { IncomingHttpHeaders } from 'node:http';
import type { Executor } from '#database/database.ts';
import { bearerOf } from '#http/headers/is-bearer.ts';
import { isWithin } from '#http/headers/is-within.ts';
import type { TokenScope } from '../../network-connection.ts';
import { hashOfToken } from '../tokens/change-token.ts';
import { type UsedToken, useToken } from '../tokens/token-store.ts';
import { ProgramRefusal } from './program-refusal.ts';

/** A look each minute: banks write less often. */
const MOST_CALLS_AN_HOUR = 60;
/** A call with one of them has passed a proxy, also where its connection is one of this machine. */
const HEADERS_OF_PROXIES = ['x-forwarded-proto', 'x-forwarded-for', 'forwarded', 'via'];
const LOOPBACK = ['127.0.0.0/8', '::1/128'];

export interface AdmitDeps {
  readonly db: Executor;
  /** TRUSTED_PROXIES */
  readonly trustedProxies: readonly string[];
}

/**
 * Finds the token of a call. The listener of operators has no TLS: a token comes over loopback, or
 * through a proxy of ours that received it by TLS.
 *
 * @param peer the address of the connection
 * @throws ProgramRefusal
 */
export async function admit(
  { db, trustedProxies }: AdmitDeps,
  scope: TokenScope,
  headers: IncomingHttpHeaders,
  peer: string,
): Promise<UsedToken> {
  const source = sourceOf(peer, headers, trustedProxies);
  if (source === null) {
    throw new ProgramRefusal(
      403,
      'INSECURE_TRANSPORT',
      'Call over loopback, or through a proxy of TRUSTED_PROXIES that sends ' +
        'X-Forwarded-Proto: https. Others may know a token that came another way: revoke it.',
    );
  }
  const secret = bearerOf(headers.authorization);
  const token = secret && (await useToken(db, hashOfToken(secret), MOST_CALLS_AN_HOUR));
  if (!token) {
    const sentence =
      'Authorization needs Bearer and a token of payreq token create, which is neither expired ' +
      'nor revoked, and approved where two people must stand behind it.';
    throw new ProgramRefusal(401, 'TOKEN_INVALID', sentence);
  }
  if (token.scope !== scope) {
    throw new ProgramRefusal(403, 'INSUFFICIENT_SCOPE', `The call needs the scope ${scope}.`);
  }
  if (token.sources.length > 0 && !isWithin(source, token.sources)) {
    throw new ProgramRefusal(403, 'SOURCE_NOT_ALLOWED', 'The token is not for this address.');
  }
  if (token.waitSeconds !== null) {
    const sentence = `A token is for ${MOST_CALLS_AN_HOUR} calls an hour: wait for Retry-After.`;
    throw new ProgramRefusal(429, 'RATE_LIMITED', sentence, token.waitSeconds);
  }
  return token;
}

/** The address of the program; null: nothing says that TLS protected the token. */
function sourceOf(
  peer: string,
  headers: IncomingHttpHeaders,
  trusted: readonly string[],
): string | null {
  const protocol = headers['x-forwarded-proto'];
  const hops = `${headers['x-forwarded-for'] ?? ''}`.split(',').map((hop) => hop.trim());
  const isForwarded = HEADERS_OF_PROXIES.some((name) => headers[name] !== undefined);
  if (!isForwarded) return isWithin(peer, LOOPBACK) ? peer : null;
  const isSecure = /^https( *, *https)*$/i.test(`${protocol}`);
  if (!isSecure || !isWithin(peer, trusted)) return null;
  // Each proxy appends the address before it: only those of ours are believed.
  return hops.findLast((hop) => hop !== '' && !isWithin(hop, trusted)) ?? peer;
}
