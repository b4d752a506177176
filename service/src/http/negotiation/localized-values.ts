import { type Language, LOCALES } from './choose-language.ts';

/**
 * Formats are made once for each language and currency or time zone. A deployment has one currency
 * and the zones of its merchants and people, of which the latest 100 formats are kept. Each holds
 * tens of kilobytes outside the heap, which the collector does not see: made for each page, a
 * process under load took a gigabyte, and half its time went into making them.
 */
const amountFormats = new Map<string, Intl.NumberFormat>();
const instantFormats = new Map<string, Intl.DateTimeFormat>();
const MOST_INSTANT_FORMATS = 100;

/** An amount in cents as its language writes it, with the currency: `$10.00`, `10,00 $`. */
export function localizedAmount(language: Language, cents: number, currency: string): string {
  const options = { style: 'currency', currency } as const;
  return formatOf(language, options, `${language} ${currency}`).format(cents / 100);
}

/** An amount in cents with the decimal mark of its language, to be typed elsewhere: `10,00`. */
export function localizedDecimal(language: Language, cents: number): string {
  const options = { minimumFractionDigits: 2, useGrouping: false };
  return formatOf(language, options, language).format(cents / 100);
}

function formatOf(language: Language, options: Intl.NumberFormatOptions, name: string) {
  const format = amountFormats.get(name) ?? new Intl.NumberFormat(LOCALES[language], options);
  amountFormats.set(name, format);
  return format;
}

/**
 * A date and time of day in a time zone, which it names. No line ends within the time of day: a
 * French hour has spaces in it.
 */
export function localizedInstant(language: Language, at: Date, timeZone: string): string {
  const name = `${language} ${timeZone}`;
  let format = instantFormats.get(name);
  if (!format) {
    format = new Intl.DateTimeFormat(LOCALES[language], {
      year: 'numeric',
      month: 'long',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      timeZone,
      timeZoneName: 'short',
    });
    if (instantFormats.size >= MOST_INSTANT_FORMATS) instantFormats.clear();
    instantFormats.set(name, format);
  }
  const parts = format.formatToParts(at);
  const hour = parts.findIndex(({ type }) => type === 'hour');
  const text = (some: typeof parts) => some.map(({ value }) => value).join('');
  return text(parts.slice(0, hour)) + text(parts.slice(hour)).replaceAll(' ', '\u00a0');
}
