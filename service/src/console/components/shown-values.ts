import { type ConsoleLanguage, LOCALES } from '#http/negotiation/choose-language.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A time is shown in the largest unit of which it has two. */
const UNITS = [
  { unit: 'day', seconds: DAY },
  { unit: 'hour', seconds: HOUR },
  { unit: 'minute', seconds: MINUTE },
  { unit: 'second', seconds: 1 },
] as const;

/** Formats are made once: each holds tens of kilobytes outside the heap. 50 of zones are kept. */
const MOST_DATES = 50;
const numbers = new Map<string, Intl.NumberFormat>();
const dates = new Map<string, Intl.DateTimeFormat>();

/** A count, as the language groups its digits. */
export function shownNumber(language: ConsoleLanguage, value: number): string {
  return numberFormat(language, 'number', {}).format(value);
}

/** An amount in cents in as few characters as an axis has place for: `$1.2K`. */
export function shownAxisAmount(
  language: ConsoleLanguage,
  cents: number,
  currency: string,
): string {
  const options = { style: 'currency', currency, notation: 'compact' } as const;
  const format = { ...options, trailingZeroDisplay: 'stripIfInteger' } as const;
  return numberFormat(language, `axis ${currency}`, format).format(cents / 100);
}

/** A share in whole per cent; nothing of nothing is a dash. */
export function shownShare(language: ConsoleLanguage, part: number, whole: number): string {
  if (whole === 0) return '–';
  return numberFormat(language, 'percent', { style: 'percent' }).format(part / whole);
}

/** A length of time in one unit; null is a dash. */
export function shownDuration(language: ConsoleLanguage, seconds: number | null): string {
  if (seconds === null) return '–';
  const { unit, seconds: length } =
    UNITS.find((each) => seconds >= 2 * each.seconds) ?? ({ unit: 'second', seconds: 1 } as const);
  // Canada writes `13 mins`; the plain language writes the sign of the unit, `13 min`.
  const options = { style: 'unit', unit, unitDisplay: 'short' } as const;
  return numberFormat(language, unit, options, language).format(Math.round(seconds / length));
}

/** The hour or the day that begins at an instant of a time zone. */
export function shownSlot(
  language: ConsoleLanguage,
  unit: 'hour' | 'day',
  at: Date,
  timeZone: string,
): string {
  const name = `${language} ${unit} ${timeZone}`;
  let format = dates.get(name);
  if (!format) {
    const parts =
      unit === 'hour'
        ? ({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const)
        : ({ day: 'numeric', month: 'short' } as const);
    format = new Intl.DateTimeFormat(LOCALES[language], { timeZone, ...parts });
    if (dates.size >= MOST_DATES) dates.clear();
    dates.set(name, format);
  }
  return format.format(at);
}

/** A calendar date in words, the same in every zone. */
export function shownDate(language: ConsoleLanguage, date: string): string {
  const format = new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'full', timeZone: 'UTC' });
  return format.format(new Date(`${date}T00:00:00Z`));
}

function numberFormat(
  language: ConsoleLanguage,
  kind: string,
  options: Intl.NumberFormatOptions,
  locale: string = LOCALES[language],
): Intl.NumberFormat {
  const name = `${language} ${kind}`;
  const found = numbers.get(name) ?? new Intl.NumberFormat(locale, options);
  numbers.set(name, found);
  return found;
}
