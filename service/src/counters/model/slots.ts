import { dateIn, datesUntil, nextDate, offsetMinutes, startOfDate } from '#ledger/model/day.ts';

/** The spans of time that the overview shows, each in slots of hours or days. */
export const SPANS = { '24h': 24, '7d': 7, '30d': 30 } as const;
export type SpanName = keyof typeof SPANS;

const MINUTE_MS = 60_000;
/** Counters count quarters of an hour: midnights of all time zones lie between two quarters. */
const QUARTER_MS = 15 * MINUTE_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export interface Slots {
  readonly unit: 'hour' | 'day';
  /** The beginning of each slot, oldest first. */
  readonly starts: readonly Date[];
  /** The end of the last slot, which has not come yet. */
  readonly to: Date;
  /** The beginning of today, and that of the day before. */
  readonly today: Date;
  readonly yesterday: Date;
  /** The present time of day, on the day before; the last quarter that has begun. */
  readonly sameTime: Date;
}

/** The slots of a span up to now, by the hours and dates of a time zone. */
export function slotsOf(span: SpanName, now: Date, timeZone: string): Slots {
  const date = dateIn(now, timeZone);
  const isDays = span !== '24h';
  const days = datesUntil(date, isDays ? SPANS[span] : 2).map((each) =>
    startOfDate(each, timeZone),
  );
  const [yesterday = now, today = now] = days.slice(-2);
  const quarter = Math.floor(now.getTime() / QUARTER_MS) * QUARTER_MS;
  const shared = {
    today,
    yesterday,
    sameTime: dayEarlier(quarter, { yesterday, today }, timeZone),
  };
  if (isDays)
    return { ...shared, unit: 'day', starts: days, to: startOfDate(nextDate(date), timeZone) };
  const hours = hoursAround(quarter, timeZone);
  const to = hours.find((hour) => hour.getTime() > quarter) ?? now;
  return { ...shared, unit: 'hour', starts: hours.filter((hour) => hour < to), to };
}

/** The beginnings of the hours of a zone in the day before a quarter, and in the hour after it. */
function hoursAround(quarter: number, timeZone: string): Date[] {
  const [from, to] = [quarter - DAY_MS, quarter + HOUR_MS];
  const offset = offsetMinutes(from, timeZone);
  // A look at each quarter takes half a millisecond together.
  const isFixed = offset === offsetMinutes(to, timeZone);
  /** Tells the hours of a zone apart, also the two of one name when the clocks go back. */
  const hourAt = (at: number) => {
    const own = isFixed ? offset : offsetMinutes(at, timeZone);
    return `${own} ${Math.floor((at + own * MINUTE_MS) / HOUR_MS)}`;
  };
  const hours: Date[] = [];
  let before = hourAt(from);
  for (let at = from + QUARTER_MS; at <= to; at += QUARTER_MS) {
    const hour = hourAt(at);
    if (hour !== before) hours.push(new Date(at));
    before = hour;
  }
  return hours;
}

/** A time of day on the day before; the end of that day where its clocks left the time out. */
function dayEarlier(
  at: number,
  { yesterday, today }: Pick<Slots, 'yesterday' | 'today'>,
  timeZone: string,
): Date {
  const changed = offsetMinutes(at, timeZone) - offsetMinutes(at - DAY_MS, timeZone);
  const same = at - DAY_MS + changed * MINUTE_MS;
  return new Date(Math.min(Math.max(same, yesterday.getTime()), today.getTime()));
}
