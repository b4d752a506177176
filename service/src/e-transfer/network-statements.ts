import type { Executor } from '#database/database.ts';
import type { BankCalendar } from '#lib/bank/bank-calendar.ts';

export interface StatementGap {
  /** The last four characters of the IBAN. */
  readonly accountEnd: string;
  readonly day: string;
  /** The entries do not lead from the opening to the closing balance. */
  readonly isUnbalanced: boolean;
}

/** A movement that no statement of its day has confirmed. */
export interface WaitingMovement {
  readonly account: string;
  readonly bookingDay: string | null;
  /** Since the first message about the money. */
  readonly seconds: number;
}

export interface KnownStatement {
  /** The last four characters of the IBAN. */
  readonly accountEnd: string;
  /** YYYY-MM-DD; null: no statement has come. */
  readonly lastDay: string | null;
}

/** A debit that matched nothing, and may be the refund with charges of the bank. */
export interface NearDebit {
  readonly amountCents: number;
  readonly currency: string;
  readonly bookingDate: string | null;
  readonly bankReference: string | null;
}

/**
 * The statements of a bank, by which alone a network learns of money: asking it again tells
 * nothing new. The doctor, the check after a restore, and refunds that fail read them.
 */
export interface NetworkStatements {
  /** The accounts that need statements and get none, as operators know them. */
  findSilent(
    db: Executor,
    calendar: BankCalendar,
  ): Promise<readonly { readonly name: string; readonly workingDays: number }[]>;
  /** The newest gaps between statements, and statements whose entries do not add up. */
  findGaps(db: Executor, most: number): Promise<readonly StatementGap[]>;
  /** Refused files of the last 30 days. */
  countRefused(db: Executor): Promise<number>;
  /** A sentence for each of the newest files of 30 days of which entries do not count. */
  findWithheld(db: Executor, most: number): Promise<readonly string[]>;
  /** The movement that waits for the longest time; null: none does. */
  findLongestWait(db: Executor): Promise<WaitingMovement | null>;
  /** A sentence for each connection to a bank, or file on its way there, that fails. */
  findFailing(db: Executor): Promise<readonly string[]>;
  /** A sentence for each connection to a bank that no process looks at any more. */
  findUnread(db: Executor): Promise<readonly string[]>;
  /** The last complete statement of each account. */
  list(db: Executor): Promise<readonly KnownStatement[]>;
  /** Debits of nearly the refund's amount since its payment file, which matched nothing. */
  findNearDebits(db: Executor, refundId: string): Promise<readonly NearDebit[]>;
}
