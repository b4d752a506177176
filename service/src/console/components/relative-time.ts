import { html } from 'ghtml';
import type { Visit } from '#console/shell/visit.ts';
import { LOCALES } from '#http/negotiation/choose-language.ts';
import { localizedInstant } from '#http/negotiation/localized-values.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The largest unit of which there are at least two, so that a countdown says something. */
const UNITS = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
] as const;

/** How far an instant is from now, as `in 23 hours` or `2 days ago`: plain text. */
export function relativeText({ language, now }: Pick<Visit, 'language' | 'now'>, at: Date): string {
  const distanceMs = at.getTime() - now.getTime();
  const found = UNITS.find(([, ms]) => Math.abs(distanceMs) >= 2 * ms);
  const [unit, unitMs] = found ?? (['minute', MINUTE_MS] as const);
  const format = new Intl.RelativeTimeFormat(LOCALES[language], { numeric: 'auto' });
  return format.format(Math.trunc(distanceMs / unitMs), unit);
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
