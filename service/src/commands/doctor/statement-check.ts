import {
  LONGEST_WAIT_SECONDS,
  nameOf,
  watchAccounts,
} from '#e-transfer/bank-transfer/reconciliation/account-silence.ts';
import { findLongestWait } from '#e-transfer/bank-transfer/reconciliation/account-silence-store.ts';
import { countText } from '#lib/words/count-text.ts';
import { findStatementGaps, findStatementState } from './statement-store.ts';
import { type CheckDeps, examplesOf, fault, fine, type Verdict, warning } from './verdict.ts';

/** A reader follows up the newest gaps first. */
const MOST_GAPS = 5;

/** The bank's statements arrive, follow each other, and add up (bank-transfer §4). */
export async function checkStatements({ db }: CheckDeps): Promise<Verdict> {
  const { network, refused } = await findStatementState(db);
  if (network !== 'bank-transfer') return fine('No network of this deployment has statements.');
  const silent = (await watchAccounts(db)).filter(({ isSilent }) => isSilent);
  const warnings: string[] = [];
  if (silent.length > 0) {
    const named = silent.map(
      (each) => `${nameOf(each)} for ${countText(each.workingDays, 'working day')}`,
    );
    const accounts = examplesOf(named);
    warnings.push(`No statement has come of account ${accounts}: is the download running?`);
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
  if (silent.length > 0) return fault(warnings.join(' '));
  if (warnings.length > 0) return warning(warnings.join(' '));
  return fine('The statements of the bank follow each other.');
}

const DAY_SECONDS = 86_400;

/** Money of an early message is confirmed by the statement of its day (bank-transfer §3). */
export async function checkWaitingMoney({ db }: CheckDeps): Promise<Verdict> {
  const found = await findLongestWait(db);
  if (found === null || found.seconds <= LONGEST_WAIT_SECONDS) {
    return fine('No money waits for the statement of its day for more than 3 days.');
  }
  const { account, bookingDay, seconds } = found;
  const days = countText(Math.floor(seconds / DAY_SECONDS), 'day');
  const ofDay = bookingDay === null ? '' : ` of ${bookingDay}`;
  return fault(
    `A movement on account …${account.slice(-4)} has waited for ${days} for the ` +
      `statement${ofDay}: fetch that camt.053 from the bank. See payreq bank reconcile.`,
  );
}
