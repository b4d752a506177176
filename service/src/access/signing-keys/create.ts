import { generateKeyPairSync } from 'node:crypto';
import { calculateJwkThumbprint, type JWK } from 'jose';
import type { RotatingKey } from '#lib/secret-key.ts';
import { encryptSecret } from '#merchants/secret-box.ts';
import type { StoredSigningKey } from './key-store.ts';

/** Makes an Ed25519 key pair, its private half boxed; nothing is stored yet. */
export async function createSigningKey(
  secretsKey: RotatingKey,
  signsFrom: Date,
  createdAt: Date,
): Promise<Omit<StoredSigningKey, 'removedAt'>> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const publicJwk = publicKey.export({ format: 'jwk' }) as JWK;
  const keyId = await calculateJwkThumbprint(publicJwk);
  // On a command line it would be taken for an option. One in 64 begins so: try another.
  if (keyId.startsWith('-')) return createSigningKey(secretsKey, signsFrom, createdAt);
  const privateJwk = JSON.stringify(privateKey.export({ format: 'jwk' }));
  const privateKeyEncrypted = encryptSecret(secretsKey, privateJwk, signingKeyContext(keyId));
  return { keyId, publicJwk, privateKeyEncrypted, signsFrom, createdAt };
}

/** The place a boxed private key belongs to. */
export function signingKeyContext(keyId: string): string {
  return `signing-key:${keyId}`;
}
