import {
  type MatchEntriesDeps,
  matchNextEntries,
} from '#e-transfer/bank-transfer/matching/match-entries.ts';
import { reportNextAbsent } from '#e-transfer/bank-transfer/matching/report-absent.ts';
import {
  type ReportMovementsDeps,
  reportNextMovements,
} from '#e-transfer/bank-transfer/matching/report-movements.ts';
import type { BankAlert } from '#telemetry/metrics/bank-metrics.ts';
import { findOpenFiles, markFileComplete, type StoredFile } from './file-store.ts';
import {
  type ImportFileDeps,
  type ImportOutcome,
  importFile,
  PART_BYTES,
  resumeFile,
} from './import-file.ts';
import { findStatementFaults } from './statement-check-store.ts';

/** Unfinished files that one look takes; few are ever unfinished. */
const FILES_AT_ONCE = 20;

export type ProcessFilesDeps = ImportFileDeps & MatchEntriesDeps & ReportMovementsDeps;

/**
 * Imports the bytes of a file, matches all its entries and reports the money: the one staging of
 * every way by which files come. `accounts` as in `importFile`.
 */
export async function processFile(
  deps: ProcessFilesDeps,
  bytes: Buffer,
  accounts: StoredFile['accounts'] = null,
): Promise<ImportOutcome> {
  const inside: string[] = [];
  const imported = await importFile(deps, bytes, accounts, inside);
  for (const fileId of inside) await matchFile(deps, fileId);
  if (!imported.isRefused) await matchFile(deps, imported.fileId);
  return imported;
}

/**
 * Continues what a stop of a process left unfinished: files first, then reports. A file that fails
 * holds up neither another file nor the reports.
 *
 * @throws the first failure, at the end
 */
export async function resumeProcessing(
  deps: ProcessFilesDeps,
  signal?: AbortSignal,
): Promise<void> {
  const failures: unknown[] = [];
  for (const file of await findOpenFiles(deps.db, FILES_AT_ONCE, PART_BYTES)) {
    if (signal?.aborted) return;
    await resumeOne(deps, file).catch((error) => failures.push(error));
  }
  await reportAll(deps, signal);
  if (failures.length > 0) throw failures[0];
}

async function resumeOne(deps: ProcessFilesDeps, file: StoredFile): Promise<void> {
  if (file.state === 'RECEIVED') {
    const resumed = await resumeFile(deps, file);
    if (!resumed || resumed.isRefused) return;
  }
  await matchFile(deps, file.id);
}

/** Matches the entries of a staged file, and marks the file when none is left. */
async function matchFile(deps: ProcessFilesDeps, fileId: string): Promise<void> {
  while (await matchNextEntries(deps, fileId)) await reportNextMovements(deps);
  if (await markFileComplete(deps.db, fileId)) await checkStatements(deps, fileId);
  await reportAll(deps);
  while (await reportNextAbsent(deps));
}

async function reportAll(deps: ReportMovementsDeps, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted && (await reportNextMovements(deps)));
}

/**
 * Looks for what a complete file leaves open: a camt.053 is the truth, so its balances and numbers
 * must fit, and it must have the money of every earlier message of its day (bank-transfer §4).
 * Faults are alerts: they never refuse a file.
 */
async function checkStatements(
  { db, log, metrics }: ProcessFilesDeps,
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
