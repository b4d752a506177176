import type { Meter } from '@opentelemetry/api';

/** Faults in the files of a bank that an operator must look at (bank-transfer §4). */
export const BANK_ALERTS = [
  /** A file is refused as a whole. */
  'FILE_REFUSED',
  /** Entries of an account that the sender of a file may not bring do not count. */
  'ENTRIES_WITHHELD',
  /** Opening balance and entries are not the closing balance. */
  'BALANCE_MISMATCH',
  /** The number of a statement is missing. */
  'STATEMENT_GAP',
  /** A camt.052 or camt.054 told of money that the camt.053 of its day does not have. */
  'MISSING_IN_STATEMENT',
  /** A batch has a sum, and no message lists its payments. */
  'BATCH_WITHOUT_PAYMENTS',
  /** A bank's server shows a key that is not configured. */
  'HOST_KEY_CHANGED',
  /** A bank may have a payment file or not. */
  'PAYMENT_FILE_UNCLEAR',
  /** A released payment file has a refund that ended meanwhile. */
  'PAYMENT_FILE_HELD',
] as const;
export type BankAlert = (typeof BANK_ALERTS)[number];

/** The measurements of bank statements. */
export type BankMetrics = ReturnType<typeof measureBank>;

export function measureBank(meter: Meter) {
  const alerts = meter.createCounter('bank_alerts_total', {
    description: 'Faults in the files of a bank that an operator must look at, by kind.',
  });
  // Start at 0, so that Prometheus sees the first alert as an increase.
  for (const alert of BANK_ALERTS) alerts.add(0, { alert });
  const entries = meter.createCounter('bank_entries_total', {
    description: 'Entries of bank statements, by the outcome of their matching.',
  });
  const rounds = meter.createCounter('bank_connection_rounds_total', {
    description: 'Rounds of SFTP connections to banks, by outcome: GOOD, or the kind of fault.',
  });
  const files = meter.createCounter('bank_connection_files_total', {
    description: 'Files of banks’ servers, by verdict.',
  });
  return {
    /** A round of an SFTP connection: GOOD, or the kind of its fault. */
    bankConnectionRound: (outcome: string) => rounds.add(1, { outcome }),
    /** A file of a bank's server: TAKEN, PART, REFUSED or FAILED. */
    bankConnectionFile: (verdict: string) => files.add(1, { verdict }),
    bankAlert: (alert: BankAlert) => alerts.add(1, { alert }),
    /** Entries of statements, by the outcome of their matching. */
    bankEntriesMatched: (outcome: string, count: number) => entries.add(count, { outcome }),
  };
}
