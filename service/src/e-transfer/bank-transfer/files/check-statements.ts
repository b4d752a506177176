import type { Database } from '#database/database.ts';
import type { Log } from '#telemetry/log/log.ts';
import type { BankAlert, BankMetrics } from '#telemetry/metrics/bank-metrics.ts';
import { findStatementFaults } from './statement-check-store.ts';

export interface CheckStatementsDeps {
  readonly db: Database;
  readonly log: Log;
  readonly metrics: BankMetrics;
}

/**
 * Looks for what a complete file leaves open: a camt.053 is the truth, so its balances and numbers
 * must fit, and it must have the money of every earlier message of its day (bank-transfer §4).
 * Faults are alerts: they never refuse a file.
 */
export async function checkStatements(
  { db, log, metrics }: CheckStatementsDeps,
  fileId: string,
): Promise<void> {
  for (const { statementId, ...faults } of await findStatementFaults(db, fileId)) {
    const found: readonly (readonly [BankAlert, boolean])[] = [
      ['BALANCE_MISMATCH', faults.isUnbalanced],
      ['STATEMENT_GAP', faults.hasGap],
      ['MISSING_IN_STATEMENT', faults.missing > 0],
    ];
    for (const [alert, isFound] of found) {
      if (!isFound) continue;
      metrics.bankAlert(alert);
      log.warn({ fileId, statementId, kind: alert }, 'bank statement does not add up');
    }
  }
}
