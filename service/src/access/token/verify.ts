import { hash, type KeyObject } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { JWTExpired } from 'jose/errors';
import { jwtVerify } from 'jose/jwt/verify';
import { challengeOf } from '#access/bearer-challenge.ts';
import { ACCESS_TOKEN_LIFETIME_SECONDS } from '#access/lifetimes.ts';
import { DatabaseUnavailable } from '#database/database.ts';
import { ownText } from '#lib/cells/cell-mark.ts';
import { Problem } from '#lib/problem.ts';
import { TOKEN_ALGORITHM, TOKEN_TYPE, type TokenDeps } from './issue.ts';

/** Tokens of this service have about 600 characters; longer texts are refused unread. */
const LONGEST_TOKEN = 4_096;
/**
 * An entry takes about 0.5 KB, so the cache takes at most 10 MB. Beyond it, the token that was
 * verified first is verified again.
 */
const MOST_REMEMBERED = 20_000;
/** Processes whose clocks differ by more are not ready. */
const MOST_CLOCK_DIFFERENCE_SECONDS = 30;
const COMPACT_JWS = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** The claims of a valid token. */
export interface AccessToken {
  readonly merchantId: string;
  readonly username: string;
  readonly scopes: readonly string[];
  readonly issuedAtSeconds: number;
}

interface Remembered extends AccessToken {
  readonly keyId: string;
  readonly expiresAtSeconds: number;
}

/**
 * Creates the check of access tokens (contract §3): exactly EdDSA, a key of this deployment,
 * issuer, audience, type, cell and expiry. The token's SHA-256 caches a verified signature, because
 * verifying costs 0.4 ms. Expiry and the state of the key are checked each time.
 */
export function createTokenVerifier(deps: TokenDeps) {
  const { signingKeys, clock } = deps;
  const remembered = new Map<string, Remembered>();
  const isOver = ({ expiresAtSeconds }: Remembered) =>
    expiresAtSeconds <= Math.floor(clock.now().getTime() / 1_000);

  async function verifyAccessToken(token: string): Promise<AccessToken> {
    if (token.length > LONGEST_TOKEN) throw invalid();
    const digest = hash('sha256', token, 'base64');
    let known = remembered.get(digest);
    if (known && !(await signingKeys.verifier(known.keyId))) throw invalid();
    if (!known) {
      if (!COMPACT_JWS.test(token)) throw invalid(undefined, NO_TOKEN);
      if (!isCanonical(token)) throw invalid();
      known = await verify(deps, token);
      for (const oldest of remembered.keys()) {
        if (remembered.size < MOST_REMEMBERED) break;
        remembered.delete(oldest);
      }
      remembered.set(digest, known);
    }
    if (isOver(known)) {
      remembered.delete(digest);
      throw expired();
    }
    return known;
  }

  return {
    /** Throws Problem ACCESS_TOKEN_EXPIRED or ACCESS_TOKEN_INVALID. */
    verify: verifyAccessToken,
    /** The result of `verify` for a token that the caches alone decide; null: it needs more. */
    recall(token: string) {
      if (token.length > LONGEST_TOKEN) return null;
      const known = remembered.get(hash('sha256', token, 'base64'));
      if (!known || isOver(known) || !signingKeys.isKnownVerifier(known.keyId)) return null;
      return known;
    },
  };
}

async function verify(
  { signingKeys, clock, cell, publicAuthUrl, publicApiUrl }: TokenDeps,
  token: string,
): Promise<Remembered> {
  let keyId = '';
  const findKey = async (header: { readonly kid?: string }): Promise<KeyObject> => {
    keyId = typeof header.kid === 'string' ? header.kid : '';
    const key = await signingKeys.verifier(keyId);
    if (!key) throw invalid();
    return key;
  };
  try {
    const { payload } = await jwtVerify(token, findKey, {
      algorithms: [TOKEN_ALGORITHM],
      typ: TOKEN_TYPE,
      issuer: publicAuthUrl,
      audience: publicApiUrl,
      currentDate: clock.now(),
    });
    const claims = readClaims(payload, keyId);
    // Cells may share issuer and audience, and a copied database holds another cell's keys.
    if (ownText(cell, claims.username) === null) throw invalid();
    const nowSeconds = clock.now().getTime() / 1_000;
    if (claims.issuedAtSeconds > nowSeconds + MOST_CLOCK_DIFFERENCE_SECONDS) throw invalid();
    const lifetimeSeconds = claims.expiresAtSeconds - claims.issuedAtSeconds;
    if (lifetimeSeconds > ACCESS_TOKEN_LIFETIME_SECONDS) throw invalid();
    return claims;
  } catch (error) {
    if (error instanceof DatabaseUnavailable || error instanceof Problem) throw error;
    throw error instanceof JWTExpired ? expired(error) : invalid(error);
  }
}

/** The spare bits of a signature's last character are zero, so that a token has one spelling. */
function isCanonical(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1);
  return Buffer.from(signature, 'base64url').toString('base64url') === signature;
}

function readClaims(payload: JWTPayload, keyId: string): Remembered {
  const { sub, client_id: username, scope, jti, iat, exp } = payload;
  if (
    typeof sub !== 'string' ||
    typeof username !== 'string' ||
    typeof scope !== 'string' ||
    typeof jti !== 'string' ||
    typeof iat !== 'number' ||
    typeof exp !== 'number'
  ) {
    throw invalid();
  }
  return {
    merchantId: sub,
    username,
    scopes: scope.split(' '),
    issuedAtSeconds: iat,
    keyId,
    expiresAtSeconds: exp,
  };
}

const NO_TOKEN =
  'The text behind Bearer is no access token. Send the access_token of the token call as it is, ' +
  'without quotation marks.';

function invalid(cause?: unknown, detail?: string): Problem {
  return new Problem('ACCESS_TOKEN_INVALID', {
    ...(detail !== undefined && { detail }),
    headers: challengeOf('invalid_token', { description: 'The access token is not valid' }),
    cause,
  });
}

function expired(cause?: unknown): Problem {
  return new Problem('ACCESS_TOKEN_EXPIRED', {
    headers: challengeOf('invalid_token', { description: 'The access token expired' }),
    cause,
  });
}
