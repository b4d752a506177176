import type { Visit } from '#console/shell/visit.ts';
import type { BookDay } from '#e-transfer/network-books.ts';
import { dateBefore, isDate, nextDate, startOfDate } from '#ledger/model/day.ts';

/** `sent` is the text of the address, for the form. */
export type AskedDay = ReturnType<typeof readDay>;

const EARLIEST_DATE = /^2\d{3}-\d{2}-\d{2}$/;

/** The day that the address asks for; without one the day before the present one. */
export function readDay({ query, now, bookZone }: Visit) {
  const sent = query.get('date')?.trim() ?? '';
  const isFaulty = sent !== '' && !(EARLIEST_DATE.test(sent) && isDate(sent));
  const date = sent === '' || isFaulty ? dateBefore(now, bookZone) : sent;
  return { date, isFaulty, sent: sent === '' ? date : sent };
}

/** The date before a date. */
export function dayBefore(date: string): string {
  return dateBefore(new Date(`${date}T12:00:00Z`), 'UTC');
}

export { nextDate as dayAfter };

/** A day with its instants, for the ledger of one merchant or of all. */
export function bookDay({ bookZone }: Visit, date: string, merchantId: string | null): BookDay {
  return {
    date,
    startsAt: startOfDate(date, bookZone),
    endsAt: startOfDate(nextDate(date), bookZone),
    merchantId,
  };
}
