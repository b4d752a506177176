import { generateKeyPairSync } from 'node:crypto';
import { calculateJwkThumbprint, type JWK } from 'jose';
import { encryptSecret } from '../merchants/secret-box.ts';
import type { StoredSigningKey } from './signing-key-store.ts';

/** Makes an Ed25519 key pair, its private half boxed; nothing is stored yet. */
export async function createSigningKey(
  secretsKey: Buffer,
  signsFrom: Date,
  createdAt: Date,
): Promise<Omit<StoredSigningKey, 'removedAt'>> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const publicJwk = publicKey.export({ format: 'jwk' }) as JWK;
  const keyId = await calculateJwkThumbprint(publicJwk);
  const privateJwk = JSON.stringify(privateKey.export({ format: 'jwk' }));
  const privateKeyEncrypted = encryptSecret(secretsKey, privateJwk, signingKeyContext(keyId));
  return { keyId, publicJwk, privateKeyEncrypted, signsFrom, createdAt };
}

/** The place a boxed private key belongs to. */
export function signingKeyContext(keyId: string): string {
  return `signing-key:${keyId}`;
}
