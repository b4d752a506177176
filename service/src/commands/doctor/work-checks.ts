import { findDeployment } from '#compose/deployment/deployment-store.ts';
import { ALL_NETWORKS, networkNamed } from '#compose/networks.ts';
import { findOpenRestore } from '#database/restores/restore-store.ts';
import { settingsWithoutRelease } from '#lib/bank/bank-settings.ts';
import { countText } from '#lib/words/count-text.ts';
import { countOpenWithoutPayment } from '#payment-requests/network/gauge-store.ts';
import {
  type Checks,
  examplesIn,
  examplesOf,
  fault,
  fine,
  verdictOf,
  verdictOnFound,
  warning,
} from './verdict.ts';
import { findOverdueSteps, findUnpayable, findUnwatched } from './work-store.ts';

/** The loops run every second; five minutes are for a restart, a backlog or a large file. */
const OVERDUE_SECONDS = 300;
const OPEN = 'open payment request';
/** A reader follows up the newest gaps and files first. */
const MOST_GAPS = 5;
const DAY_SECONDS = 86_400;
/** Money waits for the statement of its day, over a weekend at most; the alert has this number. */
const LONGEST_WAIT_SECONDS = 3 * DAY_SECONDS;

/** The work of the loops, of the network and of its banks. */
export const WORK_CHECKS = {
  /** Every loop does the work that is due. */
  async 'overdue steps'({ db }) {
    return verdictOnFound(
      await findOverdueSteps(db, OVERDUE_SECONDS),
      'No step is overdue.',
      (examples) =>
        `Due for more than ${OVERDUE_SECONDS} s: ${examples}. ` +
        'Does a process with the background role run?',
    );
  },
  /** Every open payment request that the network knows can be paid, and is watched by the loop. */
  async 'network payments'({ db }) {
    const unpayable = await findUnpayable(db);
    if (unpayable.count > 0) {
      return fault(
        `The payment at the network is over of ${countText(unpayable.count, OPEN)}, and nobody ` +
          `can pay them: ${examplesIn(unpayable)}. Open each link once: ` +
          'the next look at the network repairs it. Does a process with the background role run?',
      );
    }
    const unwatched = await findUnwatched(db, OVERDUE_SECONDS);
    if (unwatched.count > 0) {
      return fault(
        `The network is not asked any more for ${countText(unwatched.count, OPEN)}: ` +
          `${examplesIn(unwatched)}. Does a process with the ` +
          'background role run?',
      );
    }
    const renewed = await countOpenWithoutPayment(db);
    if (renewed === 0) return fine('Every open payment request can be paid.');
    return fine(
      `Every open payment request can be paid; ${renewed} of them when the link is opened again, ` +
        'with a new payment at the network.',
    );
  },
  /** The bank's statements arrive, follow each other, and add up (bank-transfer §4). */
  async statements({ db, bank, approvals }) {
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
      const sentence = `The statement of ${day} (account …${accountEnd}) ${words}.`;
      // A day can have several statements.
      if (!warnings.includes(sentence)) warnings.push(sentence);
    }
    const unsigned = settingsWithoutRelease(bank);
    if (approvals.isOn && unsigned.length > 0) {
      warnings.push(
        'APPROVALS is on, and payment files leave without a person: is bank meant in ' +
          `${unsigned.join(', ')}, and does the bank ask for signatures?`,
      );
    }
    const refused = await statements.countRefused(db);
    if (refused > 0) {
      warnings.push(`Files that were refused in the last 30 days: ${refused}. See payreq bank.`);
    }
    warnings.push(...(await statements.findWithheld(db, MOST_GAPS)));
    warnings.push(...(await statements.findUnread(db)));
    const failing = await statements.findFailing(db);
    warnings.push(...failing);
    const isBad = silent.length > 0 || failing.length > 0;
    const [faults, others] = isBad ? [warnings, []] : [[], warnings];
    return verdictOf(faults, 'The statements of the bank follow each other.', others);
  },
  /** Money of an early message is confirmed by the statement of its day (bank-transfer §3). */
  async 'waiting money'({ db }) {
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
  },
  /** Refunds do not wait for an operator who has forgotten a restore (decision 0063). */
  async restore({ db }) {
    const restore = await findOpenRestore(db);
    if (restore === null) return fine('No restore holds refunds.');
    return warning(
      `The database was restored to ${restore.endsAt.toISOString()}, and refunds are held: ` +
        'run payreq restore-check, then payreq restore-check --release.',
    );
  },
} satisfies Checks;
