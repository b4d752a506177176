import { findDeployment } from '#compose/deployment/deployment-store.ts';
import { ALL_NETWORKS, networkNamed } from '#compose/networks.ts';
import { countText } from '#lib/words/count-text.ts';
import { type CheckDeps, examplesOf, fault, fine, type Verdict, warning } from './verdict.ts';

/** A reader follows up the newest gaps first. */
const MOST_GAPS = 5;

/** The bank's statements arrive, follow each other, and add up (bank-transfer §4). */
export async function checkStatements({ db, bank, approvals }: CheckDeps): Promise<Verdict> {
  const { statements } = networkNamed((await findDeployment(db)).network) ?? {};
  if (!statements) return fine('No network of this deployment has statements.');
  const silent = await statements.findSilent(db, bank.calendar);
  const warnings: string[] = [];
  if (silent.length > 0) {
    const named = silent.map(
      ({ name, workingDays }) => `${name} for ${countText(workingDays, 'working day')}`,
    );
    const accounts = examplesOf(named);
    warnings.push(`No statement has come of account ${accounts}: is the download running?`);
  }
  for (const { accountEnd, day, isUnbalanced } of await statements.findGaps(db, MOST_GAPS)) {
    const words = isUnbalanced
      ? 'has entries that do not lead to its closing balance'
      : 'does not begin with the balance of the statement before it: a statement is missing';
    warnings.push(`The statement of ${day} (account …${accountEnd}) ${words}.`);
  }
  const unsigned = bank.connections.filter(
    ({ payments, release }) => payments !== null && release === 'bank',
  );
  if (approvals.isOn && unsigned.length > 0) {
    const numbers = unsigned.map(({ number }) => number).join(', ');
    warnings.push(
      `APPROVALS is on, and payment files leave without a person by connection ${numbers}: is ` +
        'BANK_SFTP_RELEASE=bank meant, and does the bank ask for signatures?',
    );
  }
  const refused = await statements.countRefused(db);
  if (refused > 0) {
    warnings.push(`Files that were refused in the last 30 days: ${refused}. See payreq bank.`);
  }
  const failing = await statements.findFailing(db);
  warnings.push(...failing);
  if (silent.length > 0 || failing.length > 0) return fault(warnings.join(' '));
  if (warnings.length > 0) return warning(warnings.join(' '));
  return fine('The statements of the bank follow each other.');
}

const DAY_SECONDS = 86_400;
/** Money waits for the statement of its day, over a weekend at most; the alert has this number. */
const LONGEST_WAIT_SECONDS = 3 * DAY_SECONDS;

/** Money of an early message is confirmed by the statement of its day (bank-transfer §3). */
export async function checkWaitingMoney({ db }: CheckDeps): Promise<Verdict> {
  const waiting = await Promise.all(
    ALL_NETWORKS.map((each) => each.statements?.findLongestWait(db)),
  );
  const found = waiting.find((each) => each && each.seconds > LONGEST_WAIT_SECONDS);
  if (!found) {
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
