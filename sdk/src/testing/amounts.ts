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

/** Reads an amount by its own digits, which JSON.parse would lose. */
export function readAmount(
  body: string,
  field: string,
  { least, mostCents }: { readonly least: 0 | 1; readonly mostCents: number },
): number | Fault | null {
  const [, source] = new RegExp(`"${field}"\\s*:\\s*(-?[\\d.eE+-]+)`).exec(body) ?? [];
  return source === undefined ? null : amountOf(source, field, least, mostCents);
}

export function amountOf(
  source: string,
  field: string,
  least: 0 | 1 = 1,
  mostCents = Number.MAX_SAFE_INTEGER,
): number | Fault {
  const value = Number(source);
  if (Number.isNaN(value)) return fault(field, 'INVALID_TYPE', 'as a number');
  if (value === 0 && least === 0) return 0;
  if (!(value > 0)) return fault(field, 'TOO_LOW', `as at least 0.0${least}`);
  const [, decimals = ''] = source.split('.');
  if (/[1-9]/.test(decimals.slice(2))) {
    return fault(field, 'TOO_MANY_DECIMALS', 'with at most two decimals');
  }
  const cents = Math.round(value * 100);
  if (cents <= mostCents) return cents;
  return fault(field, 'TOO_HIGH', `as at most ${centsToAmount(mostCents)}`);
}
