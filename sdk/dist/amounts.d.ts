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
export declare function amountToCents(amount: Amount): number;
/**
 * Writes cents as an amount with two decimals.
 *
 * @throws InvalidArgumentError unless `cents` is a whole number, zero or more
 * @example
 * const total = centsToAmount(3 * 850);
 * console.log(total === '25.50');
 */
export declare function centsToAmount(cents: number): string;
