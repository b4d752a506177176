import { centsToAmount } from '../amounts.ts';
import { type Fault, fault } from './find-faults.ts';

/** Stands in a text of JSON before an amount, which JSON.stringify alone would shorten. */
const MARK = crypto.randomUUID();

/** An amount for `writeJson`, with its two decimals. */
export function decimal(cents: number): string {
  return MARK + centsToAmount(cents);
}

/** Writes JSON with amounts as the service writes them: 10.00, not 10. */
export function writeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(new RegExp(`"${MARK}([\\d.]+)"`, 'g'), '$1');
}

/**
 * Reads an amount of a body or a query. Digits beyond those of a number are not seen.
 * @returns in cents; null: it is absent
 */
export function amountOf(
  value: unknown,
  field: string,
  least: 0 | 1 = 1,
  mostCents = Number.MAX_SAFE_INTEGER,
): number | Fault | null {
  if (value === undefined) return null;
  const amount = Number(value);
  if (Number.isNaN(amount)) return fault(field, 'INVALID_TYPE', 'as a number');
  if (amount === 0 && least === 0) return 0;
  if (amount <= 0) return fault(field, 'TOO_LOW', `as at least 0.0${least}`);
  if (Number(amount.toFixed(2)) !== amount) {
    return fault(field, 'TOO_MANY_DECIMALS', 'with at most two decimals');
  }
  const cents = Math.round(amount * 100);
  if (cents <= mostCents) return cents;
  return fault(field, 'TOO_HIGH', `as at most ${centsToAmount(mostCents)}`);
}

/** The faults among amounts. */
export function amountFaults(...amounts: ReturnType<typeof amountOf>[]): Fault[] {
  return amounts.filter((each) => typeof each === 'object' && each !== null);
}
