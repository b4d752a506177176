import { randomPoolBytes } from '#lib/random-pool.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The code opens the payer's page, so nobody may guess the code: 62^16 is 95 bits. */
const LENGTH = 16;

/** The largest multiple of 62 in a byte: higher bytes would make the first letters likelier. */
const BOUND = 248;

/** A new short code: 16 characters base62 from a CSPRNG (contract §4). */
export function newShortCode(): string {
  let code = '';
  // A byte counts with 97 % chance: two codes in five need a second draw, hardly any a fourth.
  while (code.length < LENGTH) {
    for (const byte of randomPoolBytes(LENGTH - code.length)) {
      if (byte < BOUND) code += BASE62[byte % BASE62.length];
    }
  }
  return code;
}

/** Whether a text has the form of a short code; the database is asked for no other text. */
export function isShortCode(text: string): boolean {
  return /^[0-9A-Za-z]{16}$/.test(text);
}

/** Marks behind a link in a sentence, a bracket or a quotation, and blanks without a width. */
const MARKS = String.raw`\s.,;:!?'"()<>[\]{}*_~/«»…‘’“”\u200b-\u200d\u2060\ufeff`;
/** A few marks: a longer tail is no mistake of pasting. */
const PASTED = new RegExp(`^([0-9A-Za-z]{16})[${MARKS}]{0,8}$`);

/** The short code of a link that was pasted with such marks behind it; null: there is none. */
export function readPastedCode(text: string): string | null {
  return PASTED.exec(text)?.[1] ?? null;
}
