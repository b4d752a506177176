import type { RotatingKey } from '#lib/secret-key.ts';
import { pepperId, type StoredHash, storedHash } from '#merchants/credentials/secret-hash.ts';
import type { HashInUse } from './access-store.ts';

/**
 * Renews the hash of a secret that a call has just proven, if the hash has another pepper. A hash
 * cannot be renewed without the secret. A renewal that fails is left to the next use of the secret,
 * since the call itself is right.
 *
 * @param save replaces the current hash
 */
export async function renewHash(
  pepper: RotatingKey,
  secret: string,
  inUse: HashInUse,
  save: (renewed: StoredHash) => Promise<void>,
): Promise<void> {
  if (inUse.pepperId?.equals(pepperId(pepper.current))) return;
  try {
    await save(storedHash(pepper, secret));
  } catch {
    // `payreq secrets rewrap` counts the hashes that still need a replaced pepper.
  }
}
