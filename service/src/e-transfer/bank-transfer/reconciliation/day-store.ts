import type { Executor, Statement } from '#database/database.ts';
import { allRows } from '#database/statements.ts';

/**
 * MATCHED: money of a payment request or a refund. CASE: an operator decides, or has decided.
 * UNMATCHED: an ordinary entry of the account. MISSING: an earlier message told of the money, and
 * no camt.053 has it.
 */
export type DayState = 'MATCHED' | 'CASE' | 'UNMATCHED' | 'MISSING';

/** Money of a day, without names and texts. */
export interface DayLine {
  readonly account: string;
  readonly state: DayState;
  readonly direction: 'CREDIT' | 'DEBIT';
  readonly amountCents: number;
  readonly currency: string;
  readonly bankReference: string | null;
  /** The network's word for the match; null: an ordinary entry. */
  readonly outcome: string | null;
  readonly paymentRequestId: string | null;
  readonly refundId: string | null;
}

/** The statement of an account for a day, and whether it adds up. */
export interface DayStatement {
  readonly account: string;
  readonly sequenceNumber: string | null;
  readonly openingCents: number | null;
  readonly closingCents: number | null;
  readonly entriesCents: number;
}

/** A movement without a camt.053 is missing, also when it is matched. */
const LIST_MOVEMENTS: Statement = {
  name: 'bank-day-list-movements',
  text: `SELECT m.account, CASE WHEN NOT m.is_in_statement THEN 'MISSING'
        WHEN m.outcome IN ('EXACT', 'PART', 'RETURNED') THEN 'MATCHED' ELSE 'CASE' END AS state,
      m.direction, m.amount_cents AS "amountCents", m.currency,
      coalesce(m.bank_reference, m.entry_reference) AS "bankReference", m.outcome,
      m.payment_request_id AS "paymentRequestId", NULL::uuid AS "refundId"
    FROM bank_movements m WHERE m.booking_date = $1::date
    ORDER BY m.account, m.position LIMIT $2`,
};

/**
 * An entry comes once for each message that carries it: one line for equal entries. The ledger
 * knows the refund; a matched entry forgets the EndToEndId, into which payers may write.
 */
const LIST_ENTRIES: Statement = {
  name: 'bank-day-list-entries',
  text: `WITH refunds_of_day AS MATERIALIZED (
      SELECT refund_id, bank_reference, amount_cents FROM ledger_entries
      WHERE booking_date = $1::date AND type IN ('REFUND', 'REFUND_RETURN'))
    SELECT DISTINCT ON (s.account, e.fingerprint, e.outcome) s.account,
      CASE e.outcome WHEN 'REFUND' THEN 'MATCHED' ELSE 'UNMATCHED' END AS state, e.direction,
      e.amount_cents AS "amountCents", e.currency,
      coalesce(e.bank_reference, e.entry_reference) AS "bankReference",
      CASE e.outcome WHEN 'REFUND' THEN 'REFUND' END AS outcome,
      NULL::uuid AS "paymentRequestId",
      r.refund_id AS "refundId"
    FROM bank_entries e JOIN bank_statements s ON s.id = e.statement_id
    LEFT JOIN refunds_of_day r ON e.outcome = 'REFUND'
      AND r.bank_reference = coalesce(e.bank_reference, e.entry_reference)
      AND sign(r.amount_cents) = CASE e.direction WHEN 'DEBIT' THEN -1 ELSE 1 END
    WHERE e.booking_date = $1::date AND e.outcome IN ('REFUND', 'ORDINARY')
    ORDER BY s.account, e.fingerprint, e.outcome LIMIT $2`,
};

/** Money that was booked on the day, of all accounts. */
export async function listDayLines(
  db: Executor,
  day: string,
  limit: number,
): Promise<readonly DayLine[]> {
  const movements = await db.query<DayLine>(LIST_MOVEMENTS, [day, limit]);
  const entries = await db.query<DayLine>(LIST_ENTRIES, [day, limit]);
  return [...movements, ...entries];
}

export const listDayStatements = allRows<DayStatement, [day: string, limit: number]>(
  'bank-day-list-statements',
  `SELECT account, sequence_number AS "sequenceNumber", opening_cents AS "openingCents",
     closing_cents AS "closingCents", entries_cents AS "entriesCents"
   FROM bank_statements s JOIN bank_files f ON f.id = s.file_id
   WHERE s.day = $1::date AND s.kind = 'camt.053' AND f.state IN ('STAGED', 'COMPLETE')
   ORDER BY account, sequence_number LIMIT $2`,
);
