import { dateBefore, nextDate, startOfDate } from '#ledger/model/day.ts';

/** The spans of time that the overview shows, each in slots of hours or days. */
export const SPANS = { '24h': 24, '7d': 7, '30d': 30 } as const;
export type SpanName = keyof typeof SPANS;

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

export interface Slots {
  readonly unit: 'hour' | 'day';
  /** The beginning of each slot, oldest first. */
  readonly starts: readonly Date[];
  /** The end of the last slot, which has not come yet. */
  readonly to: Date;
  /** The beginning of today. */
  readonly today: Date;
}

/** The slots of a span up to now, by the hours and dates of a time zone. */
export function slotsOf(span: SpanName, now: Date, timeZone: string): Slots {
  const today = nextDate(dateBefore(now, timeZone));
  const days = daysUntil(today, span === '24h' ? 1 : SPANS[span], timeZone);
  const start = days.at(-1) ?? now;
  const to = startOfDate(nextDate(today), timeZone);
  if (span !== '24h') return { unit: 'day', starts: days, to, today: start };
  const hour = startOfHour(now, start);
  const starts = Array.from(
    { length: SPANS[span] },
    (_, index) => new Date(hour - (SPANS[span] - 1 - index) * HOUR_MS),
  );
  return { unit: 'hour', starts, to: new Date(hour + HOUR_MS), today: start };
}

/** The beginnings of so many days, the last of which is `date`. */
function daysUntil(date: string, count: number, timeZone: string): Date[] {
  const last = Date.parse(`${date}T00:00:00Z`);
  return Array.from({ length: count }, (_, index) => {
    const at = new Date(last - (count - 1 - index) * 24 * HOUR_MS);
    return startOfDate(at.toISOString().slice(0, 10), timeZone);
  });
}

/** Hours of a zone begin at one minute past UTC's hours, which its midnight shows. */
function startOfHour(now: Date, midnight: Date): number {
  const minutes = Math.floor((midnight.getTime() % HOUR_MS) / MINUTE_MS) * MINUTE_MS;
  return Math.floor((now.getTime() - minutes) / HOUR_MS) * HOUR_MS + minutes;
}
