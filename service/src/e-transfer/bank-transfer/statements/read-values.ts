import type { XmlElement } from './xml-element.ts';
import { elementAt, faultAt, requiredTextAt, textAt } from './xml-element.ts';

const DECIMAL = /^\+?(\d*)(?:\.(\d*))?$/;
/** 10^13 cents is far above any payment and far below 2^53. */
const LONGEST_WHOLE_DIGITS = 11;
const CURRENCY = /^[A-Z]{3}$/;
const DATE = /^(\d{4}-\d{2}-\d{2})(?:Z|[+-]\d{2}:\d{2})?$/;
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}(?:\.\d+)?(Z|[+-]\d{2}:\d{2})?$/;

/** An amount with its currency: `<Amt Ccy="EUR">8.85</Amt>` is 885. */
export function readAmount(amount: XmlElement): { amountCents: number; currency: string } {
  const currency = amount.attributes.Ccy ?? '';
  if (!CURRENCY.test(currency)) throw faultAt(amount, 'has no currency of three letters');
  return { amountCents: readCents(amount), currency };
}

/** Zeros after the second decimal are fine, as in `8.850`; money is never rounded. */
function readCents(amount: XmlElement): number {
  const match = DECIMAL.exec(amount.text);
  const [, leading = '', fraction = ''] = match ?? [];
  if (!match || leading + fraction === '') throw faultAt(amount, 'is not a decimal number');
  if (/[1-9]/.test(fraction.slice(2))) throw faultAt(amount, 'has more than two decimals');
  const whole = leading.replace(/^0+/, '');
  if (whole.length > LONGEST_WHOLE_DIGITS) throw faultAt(amount, 'is too high');
  return Number(whole + fraction.slice(0, 2).padEnd(2, '0'));
}

/** `CdtDbtInd` of an entry, a balance or a detail. */
export function readDirection(element: XmlElement): 'CREDIT' | 'DEBIT' {
  const text = requiredTextAt(element, 'CdtDbtInd');
  if (text === 'CRDT') return 'CREDIT';
  if (text === 'DBIT') return 'DEBIT';
  throw faultAt(element, 'has a CdtDbtInd that is neither CRDT nor DBIT');
}

/** @returns the day as the bank writes it, and the instant where time and zone are given */
export function readDay(
  element: XmlElement,
  name: string,
): { date: string | null; instant: Date | null } {
  const found = elementAt(element, name);
  if (!found) return { date: null, instant: null };
  const day = textAt(found, 'Dt');
  const date = day === null ? null : DATE.exec(day)?.[1];
  const time = textAt(found, 'DtTm');
  const [, timeDate, zone] = time === null ? [] : (DATE_TIME.exec(time) ?? []);
  const shown = date ?? timeDate;
  if (!shown || !isCalendarDate(shown)) throw faultAt(found, 'is not a date');
  return { date: shown, instant: time !== null && zone ? new Date(time) : null };
}

/** The day with which a text begins, as in `2026-03-01T10:00:00`; null: it begins with none. */
export function dayIn(text: string): string | null {
  const day = text.slice(0, 10);
  return isCalendarDate(day) ? day : null;
}

function isCalendarDate(date: string): boolean {
  const instant = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(date);
}
