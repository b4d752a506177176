import { html } from 'ghtml';
import type { Visit } from '#console/shell/visit.ts';
import { type ConsoleLanguage, LOCALES } from '#http/negotiation/choose-language.ts';
import { localizedAmount, localizedInstant } from '#http/negotiation/localized-values.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { shownAccount } from '#lib/bank/account-number.ts';
import type { NamedRequest } from '#payment-requests/lookup/search-payment-requests.ts';
import type { ConsoleField } from '#payment-requests/model/field-lists.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';

/** An amount in cents as the language writes it, with a true minus, as plain text. */
export function amountText(
  visit: Pick<Visit, 'language' | 'currency'>,
  cents: number,
  currency = visit.currency,
): string {
  return localizedAmount(visit.language, cents, currency).replace('-', '−');
}

/** An amount in cents as HTML; left out: in the currency of the deployment. */
export function amount(visit: Visit, cents: number, currency?: string): string {
  return html`<span class="amount">${amountText(visit, cents, currency)}</span>`;
}

/** An amount that may be absent. */
export function amountOrNone(visit: Visit, cents: number | null, currency: string): string {
  return cents === null ? '–' : amount(visit, cents, currency);
}

/** An account or reference as it is printed: IBANs and references in groups of four. */
export function inGroups(text: string): string {
  return html`<span class="mono">${shownAccount(text)}</span>`;
}

/** A calendar date in few words: no instant, so that it is the same in every zone. */
export function day({ language }: Pick<Visit, 'language'>, date: string | null): string {
  return date === null
    ? '–'
    : html`<span class="day">${shownDate(language, date, 'medium')}</span>`;
}

/** The payer's bank; null: its statement named none. */
export function institutionOf({ payment }: Pick<PaymentRequest, 'payment'>): string | null {
  return payment && payment.institution !== 'UNKNOWN' ? payment.institution : null;
}

/** The longest code that a card of a phone holds on a line. */
const LONGEST_WHOLE = 24;

/** A code such as an invoice number: a short one does not break at its hyphens. */
export function whole(code: string): string {
  return code.length > LONGEST_WHOLE ? html`${code}` : html`<span class="whole">${code}</span>`;
}

/** The address of a payment request's page. */
export function requestPath(merchantId: string, id: string): string {
  return `/console/m/${encodeURIComponent(merchantId)}/payment-requests/${id}`;
}

/** The first characters of an identifier, which tell people two of them apart. */
export function shortId(id: string): string {
  return html`<span class="mono" title="${id}">${id.slice(0, 8)}…${id.slice(-4)}</span>`;
}

/**
 * An instant in the time zone of the page, with UTC on hover. The page script `shown-times` writes
 * it as the browser does.
 */
export function instant({ language, timeZone }: Visit, at: Date | null): string {
  if (at === null) return '–';
  const utc = at.toISOString();
  const text = localizedInstant(language, at, timeZone);
  return html`<time datetime="${utc}" title="${utc}">${text}</time>`;
}

/** How far an instant is from now, as `in 23 hours` or `2 days ago`: plain text. */
export function relativeText({ language, now }: Pick<Visit, 'language' | 'now'>, at: Date): string {
  const distance = (at.getTime() - now.getTime()) / 1_000;
  const { unit, seconds } = unitOf(Math.max(Math.abs(distance), 2 * MINUTE));
  const known = distances.get(language);
  const format = known ?? new Intl.RelativeTimeFormat(LOCALES[language], { numeric: 'auto' });
  distances.set(language, format);
  return format.format(Math.trunc(distance / seconds), unit);
}

/**
 * An instant by its distance from now, with its full form on hover. The page script `shown-times`
 * keeps the distance true.
 */
export function relativeTime(visit: Visit, at: Date): string {
  const full = localizedInstant(visit.language, at, visit.timeZone);
  return html`<time class="relative" datetime="${at.toISOString()}" title="${full}"
>${relativeText(visit, at)}</time>`;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A time is shown in the largest unit of which it has two, so that a countdown says something. */
const UNITS = [
  { unit: 'day', seconds: DAY },
  { unit: 'hour', seconds: HOUR },
  { unit: 'minute', seconds: MINUTE },
] as const;
const unitOf = (length: number) =>
  UNITS.find(({ seconds }) => length >= 2 * seconds) ?? ({ unit: 'second', seconds: 1 } as const);

/** Formats are made once: each holds tens of kilobytes outside the heap. 50 of zones are kept. */
const MOST_DATES = 50;
const numbers = new Map<string, Intl.NumberFormat>();
const dates = new Map<string, Intl.DateTimeFormat>();
const distances = new Map<ConsoleLanguage, Intl.RelativeTimeFormat>();

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
  const { unit, seconds: length } = unitOf(seconds);
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
  const parts =
    unit === 'hour'
      ? ({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const)
      : ({ day: 'numeric', month: 'short' } as const);
  return dateFormat(language, unit, { timeZone, ...parts }).format(at);
}

/** A calendar date in words, the same in every zone: with its weekday, or in few words. */
export function shownDate(
  language: ConsoleLanguage,
  date: string,
  dateStyle: 'full' | 'medium',
): string {
  const format = dateFormat(language, dateStyle, { dateStyle, timeZone: 'UTC' });
  return format.format(new Date(`${date}T00:00:00Z`));
}

function dateFormat(
  language: ConsoleLanguage,
  kind: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const name = `${language} ${kind} ${options.timeZone}`;
  const found = dates.get(name);
  if (found) return found;
  if (dates.size >= MOST_DATES) dates.clear();
  const made = new Intl.DateTimeFormat(LOCALES[language], options);
  dates.set(name, made);
  return made;
}

/** @param kind the name of the options: those of one name are equal */
export function numberFormat(
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

const FIELD_TEXTS = pageTexts('console.fields');

/** The label of a field that merchants set, the same in the form, on the page and in the list. */
export function fieldWord(language: ConsoleLanguage, name: ConsoleField): string {
  return FIELD_TEXTS[language].text(`field.${name}`);
}

/** A payment request as people know it: payer and invoice, where it has them. Plain text. */
export function requestName(
  { id, payer, invoiceNumber }: Pick<NamedRequest, 'id' | 'payer' | 'invoiceNumber'>,
  mayName = true,
): string {
  const known = [mayName && payer.name, invoiceNumber].filter(Boolean);
  return known.length > 0 ? known.join(' · ') : `${id.slice(0, 8)}…${id.slice(-4)}`;
}

/** On pages about cases, operators who settle none see no payer. */
export function mayNamePayer({ merchant, can }: Pick<Visit, 'merchant' | 'can'>): boolean {
  return merchant !== null || can('operator.cases.settle');
}
