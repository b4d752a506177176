import type { Executor } from '#database/database.ts';
import { type BankCalendar, isWorkingDay, workingDaysBetween } from '#lib/bank/bank-calendar.ts';
import {
  type AccountRow,
  findExpectedAccounts,
  findExpectedBetween,
} from './account-silence-store.ts';

/** A statement comes each working day; a holiday of a region makes it two. */
const LONGEST_SILENCE_WORKING_DAYS = 2;
const DAY_MS = 86_400_000;

/** An account that needs statements: a payer may pay, money waits, or a refund is under way. */
export interface WatchedAccount extends AccountRow {
  /** Whole working days since the last statement, else since a payer saw the account. */
  readonly workingDays: number;
  readonly isSilent: boolean;
}

/**
 * The accounts that need statements, and their silence (bank-transfer §4, decision 0100). Metrics,
 * readiness, `payreq doctor` and `payreq bank reconcile` have no other source.
 */
export async function watchAccounts(
  db: Executor,
  calendar: BankCalendar,
): Promise<WatchedAccount[]> {
  const rows = await findExpectedAccounts(db);
  return rows.map((row) => {
    const workingDays = workingDaysBetween(calendar, row.since, row.now);
    return { ...row, workingDays, isSilent: workingDays >= LONGEST_SILENCE_WORKING_DAYS };
  });
}

/**
 * The accounts of which a statement of the day should have come: none of a day without bank
 * business, and none of a day that is not over (UTC).
 *
 * @param day YYYY-MM-DD
 */
export async function accountsOfDay(
  db: Executor,
  calendar: BankCalendar,
  day: string,
  now: Date,
): Promise<readonly AccountRow[]> {
  const start = new Date(`${day}T00:00:00Z`);
  const end = new Date(start.getTime() + DAY_MS);
  if (!isWorkingDay(calendar, start) || end > now) return [];
  return findExpectedBetween(db, start, end);
}

/** An account as operators know it: the end of its IBAN, and the label of its metrics. */
export const nameOf = ({ account, key }: Pick<AccountRow, 'account' | 'key'>): string =>
  `…${account.slice(-4)} (${key})`;
