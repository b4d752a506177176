import { type Loop, startLoop } from '#lib/loop.ts';
import type { Log } from '#telemetry/log/log.ts';
import type { Metrics } from '#telemetry/metrics/metrics.ts';
import { deliverPaymentFiles } from './deliver-files.ts';
import { areRefundsHeld } from './notice-restore.ts';
import { removeOldFileBytes } from './payment-file-store.ts';
import { createPaymentFiles, type SendRefundsDeps } from './send-refunds.ts';

/** A person signs each file at most banks: a file an hour is enough, one a minute a nuisance. */
const INTERVAL_MS = 3_600_000;
/** Up to 100 files, each with a statement or two and a write that reaches the disk. */
const LONGEST_RUN_MS = 120_000;
const NAME = 'write-refund-files';

const HELD_LINE =
  'refunds: held, as the database was restored to an earlier moment; see payreq restore-check';

export interface RefundLoopDeps extends SendRefundsDeps {
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'loopFailed'>;
  /** BANK_REFUNDS_DIR; null: an operator writes the files (`payreq bank refunds`). */
  readonly folder: string | null;
  /** BANK_FILES_KEEP */
  readonly keepDays: number;
}

/** Writes the pending refunds into payment files, and forgets the bytes of old ones. */
export function startRefundLoop(deps: RefundLoopDeps): Loop {
  const { db, log, metrics, folder, keepDays } = deps;
  return startLoop({
    name: NAME,
    intervalMs: INTERVAL_MS,
    longestRunMs: LONGEST_RUN_MS,
    async run() {
      await removeOldFileBytes(db, keepDays);
      if (folder === null) return false;
      if (await areRefundsHeld(db, folder)) {
        log.error(HELD_LINE);
        return false;
      }
      await createPaymentFiles(deps);
      for (const { refunds } of await deliverPaymentFiles(deps, folder)) {
        log.info({ count: refunds }, 'refunds: payment file written');
      }
      return false;
    },
    onError(error) {
      metrics.loopFailed(NAME);
      log.error({ err: error, loop: NAME }, 'refunds: no payment file could be written');
    },
  });
}
