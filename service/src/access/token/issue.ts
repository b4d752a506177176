import { type KeyObject, randomUUID, sign } from 'node:crypto';
import { ACCESS_TOKEN_LIFETIME_SECONDS } from '#access/lifetimes.ts';
import type { Signer, SigningKeys } from '#access/signing-keys/signing-keys.ts';
import type { Clock } from '#lib/clock.ts';

/** The only algorithm that makes and checks tokens. */
export const TOKEN_ALGORITHM = 'EdDSA';
/** RFC 9068: no other kind of JWT can pass for an access token. */
export const TOKEN_TYPE = 'at+jwt';

export interface TokenDeps {
  readonly signingKeys: SigningKeys;
  readonly clock: Clock;
  /** `CELL`: a token names it by the mark of its username. */
  readonly cell: number;
  /** {auth_url}: the issuer. */
  readonly publicAuthUrl: string;
  /** {base_url}: the audience. */
  readonly publicApiUrl: string;
}

export interface TokenSubject {
  readonly merchantId: string;
  readonly username: string;
}

/** Creates a signed access token of the RFC 9068 profile, valid for one hour (contract §3). */
export function issueAccessToken(
  { clock, publicAuthUrl, publicApiUrl }: TokenDeps,
  { keyId, privateKey }: Signer,
  { merchantId, username }: TokenSubject,
  scopes: readonly string[],
): string {
  const issuedAtSeconds = Math.floor(clock.now().getTime() / 1_000);
  const claims = {
    client_id: username,
    scope: scopes.join(' '),
    iss: publicAuthUrl,
    aud: publicApiUrl,
    sub: merchantId,
    iat: issuedAtSeconds,
    exp: issuedAtSeconds + ACCESS_TOKEN_LIFETIME_SECONDS,
    jti: randomUUID(),
  };
  return signCompact(headerOf(keyId), claims, privateKey);
}

/** The header of the latest key: one key signs for weeks. */
let latestHeader = { keyId: '', text: '' };

function headerOf(keyId: string): string {
  if (latestHeader.keyId !== keyId) {
    const members = { alg: TOKEN_ALGORITHM, typ: TOKEN_TYPE, kid: keyId };
    latestHeader = { keyId, text: base64url(members) };
  }
  return latestHeader.text;
}

/**
 * RFC 7515 §7.1, for Ed25519. A library checks tokens. This function makes them, because the
 * library's way through WebCrypto costs as much again as the signature.
 */
function signCompact(header: string, claims: object, key: KeyObject): string {
  const signed = `${header}.${base64url(claims)}`;
  return `${signed}.${sign(null, Buffer.from(signed, 'latin1'), key).toString('base64url')}`;
}

function base64url(members: object): string {
  return Buffer.from(JSON.stringify(members)).toString('base64url');
}
