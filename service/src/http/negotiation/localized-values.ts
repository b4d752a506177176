import { type Language, LOCALES } from './choose-language.ts';

/**
 * Formats are made once for each language and currency, of which a deployment has one. Each holds
 * tens of kilobytes outside the heap, which the collector does not see: made for each page, a
 * process under load took a gigabyte, and half its time went into making them.
 */
const amountFormats = new Map<string, Intl.NumberFormat>();
const instantFormats = new Map<Language, Intl.DateTimeFormat>();

/** An amount in cents as its language writes it, with the currency: `$10.00`, `10,00 $`. */
export function localizedAmount(language: Language, cents: number, currency: string): string {
  const name = `${language} ${currency}`;
  let format = amountFormats.get(name);
  if (!format) {
    format = new Intl.NumberFormat(LOCALES[language], { style: 'currency', currency });
    amountFormats.set(name, format);
  }
  return format.format(cents / 100);
}

/** A date and time of day. In UTC, and saying so: nobody here knows where a payer is. */
export function localizedInstant(language: Language, at: Date): string {
  let format = instantFormats.get(language);
  if (!format) {
    format = new Intl.DateTimeFormat(LOCALES[language], {
      year: 'numeric',
      month: 'long',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      timeZone: 'UTC',
      timeZoneName: 'short',
    });
    instantFormats.set(language, format);
  }
  return format.format(at);
}
