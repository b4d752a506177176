import { type Language, LOCALES } from './choose-language.ts';

/** An amount in cents as its language writes it, with the currency: `$10.00`, `10,00 $`. */
export function localizedAmount(language: Language, cents: number, currency: string): string {
  return new Intl.NumberFormat(LOCALES[language], { style: 'currency', currency }).format(
    cents / 100,
  );
}

/** A date and time of day. In UTC, and saying so: nobody here knows where a payer is. */
export function localizedInstant(language: Language, at: Date): string {
  return new Intl.DateTimeFormat(LOCALES[language], {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: 'UTC',
    timeZoneName: 'short',
  }).format(at);
}
