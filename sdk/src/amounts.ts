import { InvalidArgumentError } from './errors/invalid-argument-error.ts';

/** 13 digits of units are 15 digits of cents; a double is exact up to 2^53, about 16 digits. */
const DECIMAL = /^(\d{1,13})(?:\.(\d{1,2}))?$/;

/**
 * An amount of money: a decimal string such as `'25.50'`, or a number with at most two decimals.
 * A number counts by its written form: `25.5` is valid; `0.1 + 0.2` is 0.30000000000000004.
 */
export type Amount = string | number;

/**
 * Reads an amount exactly, without arithmetic on fractions, and never rounds.
 *
 * @returns whole cents
 * @throws InvalidArgumentError `INVALID_AMOUNT` for a value that is no amount with two decimals
 * @example
 * const cents = amountToCents('25.50');
 * console.log(cents === 2550, amountToCents(25.5) === cents);
 */
export function amountToCents(amount: Amount): number {
  const [, units = '', decimals = ''] = DECIMAL.exec(String(amount)) ?? [];
  if (units === '') {
    throw new InvalidArgumentError(
      `${JSON.stringify(amount)} is not an amount: give a decimal string with at most two ` +
        "decimals, as in '25.50'.",
      'INVALID_AMOUNT',
    );
  }
  return Number(units) * 100 + Number(decimals.padEnd(2, '0'));
}

/**
 * Writes cents as an amount with two decimals.
 *
 * @throws InvalidArgumentError unless `cents` is a whole number, zero or more
 * @example
 * const total = centsToAmount(3 * 850);
 * console.log(total === '25.50');
 */
export function centsToAmount(cents: number): string {
  if (!Number.isSafeInteger(cents) || cents < 0) {
    throw new InvalidArgumentError(`${cents} is not a whole number of cents.`, 'INVALID_AMOUNT');
  }
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
