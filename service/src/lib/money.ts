/** Cents are kept as integers; 10^13 cents is far above any MAX_AMOUNT and far below 2^53. */
const LARGEST_MAGNITUDE_DIGITS = 11;

export type AmountFault = 'INVALID_TYPE' | 'TOO_LOW' | 'TOO_HIGH' | 'TOO_MANY_DECIMALS';

const JSON_NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * Reads an amount from the source text of a JSON number, never through a float (contract §4). The
 * value counts, not the spelling: `10`, `10.000` and `1e1` are all 1000 cents.
 *
 * @returns the amount in cents, or the reason of the refusal: not a number, not above zero, more
 * than two decimals, or above `maxAmountCents`.
 */
export function parseAmountCents(source: string, maxAmountCents: number): number | AmountFault {
  const match = JSON_NUMBER.exec(source);
  if (!match) return 'INVALID_TYPE';
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = match;
  const padded = (whole + fraction).replace(/^0+/, '');
  const digits = withoutTrailingZeros(padded);
  if (digits === '' || sign === '-') return 'TOO_LOW';
  const exponent = Number(exponentText) - fraction.length + (padded.length - digits.length);
  if (exponent < -2) return 'TOO_MANY_DECIMALS';
  if (digits.length + exponent > LARGEST_MAGNITUDE_DIGITS) return 'TOO_HIGH';
  const cents = Number(digits + '0'.repeat(exponent + 2));
  return cents > maxAmountCents ? 'TOO_HIGH' : cents;
}

/**
 * A loop, because `/0+$/` tries again at every zero, which takes seconds for a body full of zeros.
 */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits.charAt(end - 1) === '0') end -= 1;
  return digits.slice(0, end);
}

/** Writes cents as a decimal with exactly two places: 1000 → `10.00`, -5 → `-0.05`. */
export function formatAmount(amountCents: number): string {
  const text = String(Math.abs(amountCents)).padStart(3, '0');
  return `${amountCents < 0 ? '-' : ''}${text.slice(0, -2)}.${text.slice(-2)}`;
}

/** TypeScript does not know JSON.rawJSON yet; it writes a number's text exactly as given. */
const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown };

/** Cents as a JSON number with two decimals. */
export function amountNumber(cents: number): unknown {
  return rawJSON(formatAmount(cents));
}
