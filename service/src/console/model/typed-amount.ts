import { parseAmountCents } from '#lib/money.ts';

/** Spaces between thousands, also those that do not break a line. */
const SPACES = /\s/g;
const COMMA_DECIMALS = /^\d+,\d{1,2}$/;

/**
 * The decimal that a person typed, as calls write it: with a point, without spaces. Any other text
 * stays as it is, and the validation of the amount refuses it: `1,000` has two meanings.
 */
export function readTypedAmount(text: string): string {
  const tight = text.replace(SPACES, '');
  return COMMA_DECIMALS.test(tight) ? tight.replace(',', '.') : tight;
}

/**
 * The cents of an amount that a person typed with two decimals at most.
 *
 * @returns null: another text, nothing, or more than `mostCents`
 */
export function readTypedCents(typed: string, mostCents: number): number | null {
  const text = readTypedAmount(typed);
  if (!/^\d{1,13}(\.\d{1,2})?$/.test(text)) return null;
  const cents = parseAmountCents(text.replace(/^0+(?=\d)/, ''), mostCents);
  return typeof cents === 'number' ? cents : null;
}
