import type { RotatingKey } from '#lib/secret-key.ts';
import { pepperId, type StoredHash, storedHash } from '#merchants/credentials/secret-hash.ts';
import type { HashInUse } from './access-store.ts';

/** Whether a hash has the current pepper. */
export function isHashCurrent(pepper: RotatingKey, inUse: HashInUse): boolean {
  return inUse.pepperId.equals(pepperId(pepper.current));
}

/**
 * Renews a hash with another pepper, of a secret that a call has just proven. A hash
 * cannot be renewed without the secret. A renewal that fails is left to the next use of the secret,
 * since the call itself is right.
 *
 * @param save replaces the current hash
 */
export async function renewHash(
  pepper: RotatingKey,
  secret: string,
  save: (renewed: StoredHash) => Promise<void>,
): Promise<void> {
  try {
    await save(storedHash(pepper, secret));
  } catch {
    // `payreq secrets rewrap` counts the hashes that still need a replaced pepper.
  }
}
