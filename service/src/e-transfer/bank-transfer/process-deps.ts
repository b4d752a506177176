import type { BankSettings } from '#lib/bank/bank-settings.ts';
import type { NetworkSurroundings } from '../e-transfer-network.ts';
import type { ProcessFilesDeps } from './files/process-files.ts';
import { applyRejections } from './refunds-out/apply-rejections.ts';
import { createRefundMatcher } from './refunds-out/match-refund-entries.ts';

/** The needs of everything that takes bank files: the loop, and commands of operators. */
export function processDepsOf(
  surroundings: NetworkSurroundings,
  { maxAutomaticCents }: Pick<BankSettings, 'maxAutomaticCents'>,
): ProcessFilesDeps {
  const { db, clock, log, metrics, listener, secretsKey, timeZone } = surroundings;
  return {
    db,
    clock,
    log,
    metrics,
    listener,
    secretsKey,
    timeZone,
    maxAutomaticCents,
    matchRefundEntries: createRefundMatcher({ ...listener, db }),
    readPaymentStatus: async (bytes, accounts) => {
      await applyRejections({ db, reportRefunds: listener.reportRefunds }, bytes, accounts);
    },
  };
}
