import { createHmac, timingSafeEqual } from 'node:crypto';
import { keyOf, type RotatingKey } from '#lib/secret-key.ts';

/** The length of a hash, for a stand-in without a stored hash. */
export const SECRET_HASH_BYTES = 32;

/**
 * The keyed hash under which a password or an API key is stored: HMAC-SHA-256 with the server's
 * pepper (contract §3). A fast hash is enough: a secret has 256 random bits and cannot be guessed.
 */
export function hashSecret(pepper: Buffer, secret: string): Buffer {
  return createHmac('sha256', keyOf(pepper)).update(secret, 'utf8').digest();
}

/** A secret as this deployment stores it now. */
export interface StoredHash {
  readonly secretHash: Buffer;
  /** Names the pepper of the hash; reveals nothing of the pepper. */
  readonly pepperId: Buffer;
}

/** Hashes a secret under the current pepper. */
export function storedHash({ current }: RotatingKey, secret: string): StoredHash {
  return { secretHash: hashSecret(current, secret), pepperId: pepperId(current) };
}

/** A secret's hash under each accepted pepper, the current one first. */
export function hashesOf({ current, previous }: RotatingKey, secret: string): Buffer[] {
  const peppers = previous === null ? [current] : [current, previous];
  return peppers.map((pepper) => hashSecret(pepper, secret));
}

/** No password and no API key can be this text: theirs begin with sbx_ or prd_. */
const PEPPER_NAME = 'pepper id';
/** Two peppers of a deployment have the same id once in 2^64. */
const PEPPER_ID_BYTES = 8;

/** The ids of the peppers of this process: each token call asks for one. */
const pepperIds = new WeakMap<Buffer, Buffer>();

/** The name of a pepper in the database: the first bytes of the hash of a known text. */
export function pepperId(pepper: Buffer): Buffer {
  const known = pepperIds.get(pepper);
  if (known) return known;
  const id = hashSecret(pepper, PEPPER_NAME).subarray(0, PEPPER_ID_BYTES);
  pepperIds.set(pepper, id);
  return id;
}

/** Compares two hashes of the same length in constant time. */
export function hashesEqual(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}
