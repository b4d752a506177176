import type { RotatingKey } from '#lib/secret-key.ts';
import { pepperId, type StoredHash, storedHash } from '#merchants/credentials/secret-hash.ts';
import type { HashInUse } from './access-store.ts';

/**
 * Renews the hash of a secret that a call has just proven, where another pepper made the hash: a
 * hash cannot be made anew without the secret. A renewal that fails is left to the secret's next
 * use, since the call itself is right.
 *
 * @param save replaces the hash in use
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
