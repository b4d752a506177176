import { isAbsolute } from 'node:path';
import { parseAmountCents } from '#lib/money.ts';

/** A year; nothing here lasts longer. */
const MOST_SECONDS = 31_536_000;

/** Reads a text of a closed list. */
export function oneOf<const Values extends readonly string[]>(values: Values) {
  return (text: string): Values[number] => {
    if (!values.includes(text)) throw new Error(`must be ${values.join(' or ')}, not "${text}"`);
    return text;
  };
}

const readYesOrNo = oneOf(['yes', 'no']);

/** Reads a switch. */
export function yesOrNo(text: string): boolean {
  return readYesOrNo(text) === 'yes';
}

/** Reads a whole number in plain digits, within both ends. */
export function wholeNumber(least: number, most: number) {
  return (text: string): number => {
    const value = /^(0|[1-9]\d{0,14})$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= least && value <= most)) {
      const range = `from ${least} to ${most}`;
      throw new Error(`must be a whole number ${range} in plain digits, not "${text}"`);
    }
    return value;
  };
}

/** Reads the name of a role that needs no quotes; PostgreSQL's longest name is 63 bytes. */
export function roleName(text: string): string {
  if (!/^[a-z_][a-z0-9_$]{0,62}$/.test(text)) {
    throw new Error(`must be a role's name in small letters, not "${text}"`);
  }
  return text;
}

/** Reads texts that commas separate. */
export function list<Value>(read: (text: string) => Value) {
  return (text: string): readonly Value[] =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map(read);
}

/** Reads an ISO 4217 code with two decimals. */
export function currency(text: string): string {
  if (!Intl.supportedValuesOf('currency').includes(text)) {
    throw new Error(`must be an ISO 4217 code such as CAD, not "${text}"`);
  }
  // Amounts are stored as hundredths everywhere.
  const digits = new Intl.NumberFormat('en', { style: 'currency', currency: text });
  if (digits.resolvedOptions().maximumFractionDigits !== 2) {
    throw new Error(`must be a currency with two decimals; ${text} is not`);
  }
  return text;
}

/** Reads an amount above zero, in cents. */
export function amount(text: string): number {
  const isPlain = /^(0|[1-9]\d*)(\.\d{1,2})?$/.test(text);
  const cents = isPlain ? parseAmountCents(text, Number.MAX_SAFE_INTEGER) : null;
  if (typeof cents !== 'number') {
    throw new Error(`must be an amount above zero such as 10000.00, not "${text}"`);
  }
  return cents;
}

/** Reads an amount that may be zero, in cents. */
export function amountOrZero(text: string): number {
  return /^0(\.0{1,2})?$/.test(text) ? 0 : amount(text);
}

/** Reads waits in seconds. */
export function schedule(text: string): readonly number[] {
  const seconds = list(wholeNumber(0, MOST_SECONDS))(text);
  if (seconds.length === 0) throw new Error('must name at least one wait, in seconds');
  return seconds;
}

/** Reads the path of a file or folder; it must not depend on the folder of the start. */
export function absolutePath(text: string): string {
  if (!isAbsolute(text)) throw new Error(`must be an absolute path, not "${text}"`);
  return text;
}
