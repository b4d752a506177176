import type { Executor } from '#database/database.ts';
import { type Loop, startLoop } from '#lib/loop.ts';
import type { Log } from '#telemetry/log/log.ts';
import type { Metrics } from '#telemetry/metrics/metrics.ts';
import { findLatestFile } from './day-store.ts';
import { isSilent } from './file-silence.ts';

/** Working days pass slowly: ten minutes are exact enough, and cost one short statement. */
const INTERVAL_MS = 600_000;
const NAME = 'watch-bank-files';
const WARNING =
  'No bank statement has come for two working days: payments cannot be seen. ' +
  'Look at the program that fetches the files.';

export interface SilenceWatchDeps {
  readonly db: Executor;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'loopFailed'>;
}

/** Notices that the bank's files stay away (bank-transfer §4). */
export interface SilenceWatch {
  /** A sentence for operators; null: files come. */
  warning(): string | null;
  start(): Loop;
}

export function createSilenceWatch({ db, log, metrics }: SilenceWatchDeps): SilenceWatch {
  let isQuiet = false;
  return {
    warning: () => (isQuiet ? WARNING : null),
    start: () =>
      startLoop({
        name: NAME,
        intervalMs: INTERVAL_MS,
        async run() {
          const { since, now } = await findLatestFile(db);
          const wasQuiet = isQuiet;
          isQuiet = isSilent(since, now);
          if (isQuiet && !wasQuiet) log.warn('bank statements: no file for two working days');
          return false;
        },
        onError(error) {
          metrics.loopFailed(NAME);
          log.error({ err: error, loop: NAME }, 'background loop failed');
        },
      }),
  };
}
