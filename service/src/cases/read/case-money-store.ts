import type { Executor, Statement } from '#database/database.ts';
import { allRows } from '#database/statements.ts';
import type { EntryType } from '#ledger/model/entry.ts';
import { sqlListOfRefunds, takesNoMoney } from '#refunds/model/statuses.ts';

/** A movement as the ledger has it. */
export interface LedgerMoney {
  readonly networkReference: string;
  readonly type: EntryType;
  /** Signed: negative for money that went out. */
  readonly amountCents: number;
  readonly currency: string;
  readonly bankReference: string | null;
  readonly bookingDate: string | null;
  readonly createdAt: Date;
}

/** Each part reads an index of its own. */
const FIND: Statement = {
  name: 'cases-find-money',
  text: `WITH asked AS MATERIALIZED (
      SELECT value AS reference FROM json_array_elements_text($1::json))
    SELECT network_reference AS "networkReference", type, amount_cents AS "amountCents", currency,
      bank_reference AS "bankReference", booking_date AS "bookingDate", created_at AS "createdAt"
    FROM (
      SELECT * FROM ledger_entries
      WHERE network_reference IN (SELECT reference FROM asked)
        AND type IN ('PAYMENT', 'LATE_PAYMENT', 'PART_PAYMENT', 'SECOND_PAYMENT', 'UNMATCHED')
      UNION ALL
      SELECT * FROM ledger_entries
      WHERE network_reference IN (SELECT reference FROM asked) AND type = 'RETURN'
    ) found ORDER BY position`,
};

/** The movements of money under these network references; an unknown one is left out. */
export async function findLedgerMoney(
  db: Executor,
  networkReferences: readonly string[],
): Promise<LedgerMoney[]> {
  if (networkReferences.length === 0) return [];
  return db.query<LedgerMoney>(FIND, [JSON.stringify(networkReferences)]);
}

export interface CaseRefundFacts {
  readonly id: string;
  readonly amountCents: number;
  readonly status: string;
}

/** The refund by which a case gives its money back; parts have further ones without the case. */
export const findRefundsOfCase = allRows<CaseRefundFacts, [caseId: string]>(
  'cases-find-refunds',
  `SELECT id::text, amount_cents AS "amountCents", status FROM refunds
   WHERE operator_case_id = $1 AND status NOT IN (${sqlListOfRefunds(takesNoMoney)})`,
);
