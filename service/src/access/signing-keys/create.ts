import { generateKeyPairSync } from 'node:crypto';
import type { JWK } from 'jose';
import { calculateJwkThumbprint } from 'jose/jwk/thumbprint';
import type { RotatingKey } from '#lib/secret-key.ts';
import { encryptSecret } from '#lib/secrets/secret-box.ts';
import type { StoredSigningKey } from './key-store.ts';

/** Creates an Ed25519 key pair with an encrypted private half; stores nothing. */
export async function createSigningKey(
  secretsKey: RotatingKey,
  signsFrom: Date,
  createdAt: Date,
): Promise<Omit<StoredSigningKey, 'removedAt'>> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const publicJwk = publicKey.export({ format: 'jwk' }) as JWK;
  const keyId = await calculateJwkThumbprint(publicJwk);
  // A command line would take such an id for an option. Every 64th id begins so; create another.
  if (keyId.startsWith('-')) return createSigningKey(secretsKey, signsFrom, createdAt);
  const privateJwk = JSON.stringify(privateKey.export({ format: 'jwk' }));
  const privateKeyEncrypted = encryptSecret(secretsKey, privateJwk, signingKeyContext(keyId));
  return { keyId, publicJwk, privateKeyEncrypted, signsFrom, createdAt };
}

/** The context of an encrypted private key. */
export function signingKeyContext(keyId: string): string {
  return `signing-key:${keyId}`;
}
