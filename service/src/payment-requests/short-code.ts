import { randomInt } from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 62^16 is 95 bits: whoever holds the code can open the payer's page, so it cannot be guessed. */
const LENGTH = 16;

/** A new short code: 16 characters base62 from a CSPRNG (contract §4). */
export function newShortCode(): string {
  return Array.from({ length: LENGTH }, () => BASE62[randomInt(BASE62.length)]).join('');
}

/** Whether a text has the shape of a short code; anything else needs no look into the database. */
export function isShortCode(text: string): boolean {
  return /^[0-9A-Za-z]{16}$/.test(text);
}
