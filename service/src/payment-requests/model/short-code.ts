import { randomPoolBytes } from '#lib/random-pool.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 62^16 is 95 bits: whoever holds the code can open the payer's page, so it cannot be guessed. */
const LENGTH = 16;

/** The largest multiple of 62 in a byte: what lies beyond would make the first letters likelier. */
const BOUND = 248;

/** A new short code: 16 characters base62 from a CSPRNG (contract §4). */
export function newShortCode(): string {
  let code = '';
  // Each byte counts with 97 % chance: two codes in five take a second lot, hardly any a fourth.
  while (code.length < LENGTH) {
    for (const byte of randomPoolBytes(LENGTH - code.length)) {
      if (byte < BOUND) code += BASE62[byte % BASE62.length];
    }
  }
  return code;
}

/** Whether a text has the shape of a short code; anything else needs no look into the database. */
export function isShortCode(text: string): boolean {
  return /^[0-9A-Za-z]{16}$/.test(text);
}
