import type { Executor } from '#database/database.ts';
import type { BankCalendar } from '#lib/bank/bank-calendar.ts';
import type { Log } from '#telemetry/log/log.ts';
import { findFailing, findUnread } from '../connection/find-failing.ts';
import { nameOf, type WatchedAccount, watchAccounts } from './account-silence.ts';

/** Working days pass slowly: ten minutes are exact enough, and cost one short statement. */
const INTERVAL_MS = 600_000;
/** A warning stays readable; the metrics have every account. */
const MOST_NAMED = 5;

export interface SilenceWatchDeps {
  readonly db: Executor;
  readonly log: Log;
  readonly calendar: BankCalendar;
}

/** Notices that statements stay away (bank-transfer §4), and that a connection fails. */
export type SilenceWatch = ReturnType<typeof createSilenceWatch>;

export function createSilenceWatch({ db, log, calendar }: SilenceWatchDeps) {
  let silent: readonly WatchedAccount[] = [];
  let failing: readonly string[] = [];
  return {
    /** A sentence for operators; null: the statements of every account come. */
    warning: () =>
      [...(silent.length > 0 ? [warningOf(silent)] : []), ...failing].join(' ') || null,
    loop: {
      name: 'watch-bank-files',
      intervalMs: INTERVAL_MS,
      async run() {
        failing = [...(await findFailing(db)), ...(await findUnread(db))];
        const known = new Set(silent.map(({ key }) => key));
        silent = (await watchAccounts(db, calendar)).filter(({ isSilent }) => isSilent);
        if (silent.some(({ key }) => !known.has(key))) {
          const faults = silent.slice(0, MOST_NAMED).map(nameOf);
          log.warn({ faults }, 'bank statements: no file for two working days');
        }
        return false;
      },
    },
  };
}

function warningOf(silent: readonly WatchedAccount[]): string {
  const named = silent.slice(0, MOST_NAMED).map(nameOf).join(', ');
  const rest = silent.length > MOST_NAMED ? ` and ${silent.length - MOST_NAMED} more` : '';
  return (
    `No bank statement has come for two working days, of account ${named}${rest}: payments ` +
    'cannot be seen. Look at the program that fetches the files.'
  );
}
