import { randomPoolBytes } from '#lib/random-pool.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The largest multiple of 62 in a byte: higher bytes would make the first letters likelier. */
const BOUND = 248;

/** Base62 characters from the CSPRNG: no code looks like a text with the mark of a cell. */
export function randomCode(length: number): string {
  let code = '';
  // A byte counts with 97 % chance: two codes in five need a second draw, hardly any a fourth.
  while (code.length < length) {
    for (const byte of randomPoolBytes(length - code.length)) {
      if (byte < BOUND) code += BASE62[byte % BASE62.length];
    }
  }
  return code;
}
