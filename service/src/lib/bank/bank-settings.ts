import type { BankCalendar } from './bank-calendar.ts';
import type { BankConnection } from './bank-connection.ts';

/** The settings `BANK_…` of the bank-transfer network (bank-transfer §3). */
export interface BankSettings {
  /** BANK_FILES_DIR, an absolute path; null: connections or programs bring all statements. */
  readonly filesDir: string | null;
  /** BANK_FILES_KEEP */
  readonly keepDays: number;
  /** BANK_MAX_AUTOMATIC: money above it waits for a person. */
  readonly maxAutomaticCents: number;
  /** BANK_REFUNDS_DIR, an absolute path; null: an operator writes the files of refunds. */
  readonly refundsDir: string | null;
  /** BANK_SFTP_… */
  readonly connections: readonly BankConnection[];
  /** BANK_PROGRAM_RELEASE: `person` lets each payment file that programs take leave. */
  readonly programRelease: 'person' | 'bank';
  /** BANK_CALENDAR */
  readonly calendar: BankCalendar;
  /** BANK_DEMO: the database is, or becomes, a demo. */
  readonly isDemo: boolean;
}

/** The settings by which payment files leave without a person. */
export function settingsWithoutRelease({
  connections,
  programRelease,
}: Pick<BankSettings, 'connections' | 'programRelease'>): string[] {
  const unsigned = connections.filter(
    ({ payments, release }) => payments !== null && release === 'bank',
  );
  const names = unsigned.map(
    ({ number }) => `BANK_SFTP_${number === 1 ? '' : `${number}_`}RELEASE`,
  );
  return programRelease === 'bank' ? [...names, 'BANK_PROGRAM_RELEASE'] : names;
}
