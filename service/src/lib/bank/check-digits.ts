/** The letters of ISO 7064 count from 10 on: A is 10, Z is 35. */
const asDigits = (text: string): string =>
  text.replaceAll(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));

/** Seven digits at a time stay below 2^53. */
const CHUNK_DIGITS = 7;

/** The remainder of ISO 7064 MOD 97-10 of digits and capital letters, as IBAN and RF use it. */
export function mod97(text: string): number {
  const digits = asDigits(text);
  let remainder = 0;
  for (let at = 0; at < digits.length; at += CHUNK_DIGITS) {
    remainder = Number(`${remainder}${digits.slice(at, at + CHUNK_DIGITS)}`) % 97;
  }
  return remainder;
}

/** The two check digits that stand before `body`: `mod97(body + prefix + digits)` is then 1. */
export function checkDigits97(body: string, prefix: string): string {
  return String(98 - mod97(`${body}${prefix}00`)).padStart(2, '0');
}

/** The table of the recursive modulo 10 of Swiss QR references. */
const MOD10_TABLE = [0, 9, 4, 6, 8, 2, 7, 1, 3, 5] as const;

/** The check digit of a Swiss QR reference: modulo 10, recursive. */
export function checkDigit10(digits: string): string {
  let carry = 0;
  for (const digit of digits) carry = MOD10_TABLE[(carry + Number(digit)) % 10] ?? 0;
  return String((10 - carry) % 10);
}
