import type { LoopWork } from '#lib/loop.ts';
import type { Log } from '#telemetry/log/log.ts';
import { deliverPaymentFiles } from './deliver-files.ts';
import { areRefundsHeld } from './notice-restore.ts';
import { removeOldFileBytes } from './payment-file-store.ts';
import { createPaymentFiles, type SendRefundsDeps } from './send-refunds.ts';

/** A person signs each file at most banks: a file an hour is enough, one a minute a nuisance. */
const INTERVAL_MS = 3_600_000;
/** Up to 100 files, each with a statement or two and a write that reaches the disk. */
const LONGEST_RUN_MS = 120_000;

const HELD_LINE =
  'refunds: held, as the database was restored to an earlier moment; see payreq restore-check';

export interface RefundLoopDeps extends SendRefundsDeps {
  readonly log: Log;
  /** BANK_REFUNDS_DIR; null: an operator writes the files (`payreq bank refunds`). */
  readonly folder: string | null;
  /** BANK_FILES_KEEP */
  readonly keepDays: number;
}

/** Writes the pending refunds into payment files, and forgets the bytes of old ones. */
export function refundLoop(deps: RefundLoopDeps): LoopWork {
  const { db, log, folder, keepDays } = deps;
  return {
    name: 'write-refund-files',
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
    failure: 'refunds: no payment file could be written',
  };
}
