import { createHmac, timingSafeEqual } from 'node:crypto';
import { keyOf } from '#lib/secret-key.ts';

/** Length of what `hashSecret` gives, for a stand-in where there is no stored hash. */
export const SECRET_HASH_BYTES = 32;

/**
 * The keyed hash under which a password or an API key is stored: HMAC-SHA-256 with the server's
 * pepper (contract §3). Fast on purpose: our secrets carry 256 random bits, nobody guesses them.
 */
export function hashSecret(pepper: Buffer, secret: string): Buffer {
  return createHmac('sha256', keyOf(pepper)).update(secret, 'utf8').digest();
}

/** Compares two hashes of the same length in constant time. */
export function hashesEqual(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}
