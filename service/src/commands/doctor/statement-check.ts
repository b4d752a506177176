import { findStatementGaps, findStatementState } from './statement-store.ts';
import { type CheckDeps, fine, type Verdict, warning } from './verdict.ts';

/** A reader follows up the newest gaps first. */
const MOST_GAPS = 5;
/** Banks write no statement on Saturdays and Sundays (bank-transfer §4). */
const LONGEST_SILENCE_WORKING_DAYS = 2;
const DAY_MS = 86_400_000;

/** The bank's statements arrive, follow each other, and add up (bank-transfer §4). */
export async function checkStatements({ db, clock }: CheckDeps): Promise<Verdict> {
  const { network, lastFileAt, firstAt, refused } = await findStatementState(db);
  if (network !== 'bank-transfer') return fine('No network of this deployment has statements.');
  const warnings: string[] = [];
  const since = lastFileAt ?? firstAt;
  const days = since ? workingDaysBetween(since, clock.now()) : 0;
  if (days > LONGEST_SILENCE_WORKING_DAYS) {
    warnings.push(`No statement has come for ${days} working days: is the download running?`);
  }
  for (const { accountEnd, day, isUnbalanced } of await findStatementGaps(db, MOST_GAPS)) {
    const words = isUnbalanced
      ? 'has entries that do not lead to its closing balance'
      : 'does not begin with the balance of the statement before it: a statement is missing';
    warnings.push(`The statement of ${day} (account …${accountEnd}) ${words}.`);
  }
  if (refused > 0) {
    warnings.push(`Files that were refused in the last 30 days: ${refused}. See payreq bank.`);
  }
  if (warnings.length > 0) return warning(warnings.join(' '));
  return fine('The statements of the bank follow each other.');
}

/** Whole days from Monday to Friday, UTC, that have passed since an instant. */
export function workingDaysBetween(from: Date, to: Date): number {
  let days = 0;
  for (let at = from.getTime() + DAY_MS; at <= to.getTime(); at += DAY_MS) {
    const weekday = new Date(at).getUTCDay();
    if (weekday !== 0 && weekday !== 6) days += 1;
  }
  return days;
}
