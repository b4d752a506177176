import type { Executor } from '#database/database.ts';
import type { BookDay, ClosedStatement, DayMoney } from '../../network-books.ts';
import { caseOfReference } from '../matching/case-of-reference.ts';

/** A statement (camt.053) of the day, or with lines of the day. */
export type StatementOfDay = Omit<
  ClosedStatement,
  'oursCount' | 'oursCents' | 'othersCents' | 'differenceCents'
>;

/** Sums of one statement, or of the ledger alone, in one currency. */
export interface DaySums {
  /** null: entries of the ledger that stand on no statement of the day. */
  readonly statementId: string | null;
  readonly currency: string;
  readonly statementCount: number;
  readonly statementCents: number;
  readonly ledgerCount: number;
  readonly ledgerCents: number;
  /** Lines that only the statement has, or only the ledger. */
  readonly differences: number;
}

/** The statements that have lines of the day: some cover several days, or close on a later one. */
const FOUND = `found AS (
    SELECT id FROM bank_statements WHERE day = $1::date
    UNION SELECT e.statement_id FROM bank_movements m JOIN bank_entries e ON e.movement_id = m.id
    WHERE m.booking_date = $1::date
    UNION SELECT statement_id FROM bank_entries
    WHERE booking_date = $1::date AND outcome IN ('REFUND', 'BATCH_SUM'))`;

/**
 * A bank may send a statement again: the later one counts. A merchant sees a statement only when
 * all of its entries are on the merchant's own accounts.
 */
const KEPT = `${FOUND}, kept AS MATERIALIZED (
    SELECT DISTINCT ON (s.account, s.day, coalesce(s.sequence_number, s.bank_id, s.id::text)) s.*
    FROM bank_statements s JOIN bank_files f ON f.id = s.file_id
    WHERE (s.account, s.day) IN (
        SELECT account, day FROM bank_statements WHERE id IN (SELECT id FROM found))
      AND s.kind = 'camt.053' AND f.state IN ('STAGED', 'COMPLETE')
      AND ($2::text IS NULL OR (
        (EXISTS (SELECT FROM creditor_account_keys i WHERE i.key = s.account AND i.merchant_id = $2)
         OR EXISTS (SELECT FROM bank_entries e JOIN creditor_account_keys i ON i.key = e.account
                    WHERE e.statement_id = s.id AND i.merchant_id = $2))
        AND NOT EXISTS (SELECT FROM bank_entries e JOIN creditor_account_keys i ON i.key = e.account
                        WHERE e.statement_id = s.id AND i.merchant_id <> $2)))
    ORDER BY s.account, s.day, coalesce(s.sequence_number, s.bank_id, s.id::text),
      f.received_at DESC)`;

const signed = (row: string) =>
  `CASE ${row}.direction WHEN 'DEBIT' THEN -${row}.amount_cents ELSE ${row}.amount_cents END`;

/**
 * Payments that a notice lists one by one, and the statement as one sum, count as listed. Charges
 * stand beside a payment as a line of their own, and inside the line of a refund. A payment counts
 * on the day on which the ledger has it, also where the statement lists it on another day.
 */
const ON_STATEMENT = `on_payments AS (
    SELECT k.id AS statement_id, k.account, ${signed('e')} AS cents, e.fee_cents,
      e.outcome = 'REFUND' AS is_refund, e.currency, e.bank_reference, m.outcome,
      m.network_reference, m.payment_request_id
    FROM kept k JOIN bank_entries e ON e.statement_id = k.id
    LEFT JOIN bank_movements m ON m.id = e.movement_id
    WHERE e.outcome IN ('MOVEMENT', 'REFUND')
      AND coalesce(m.booking_date, e.booking_date) = $1::date
    UNION ALL
    SELECT k.id, k.account, ${signed('m')}, m.fee_cents, false, m.currency, m.bank_reference,
      m.outcome, m.network_reference, m.payment_request_id
    FROM kept k JOIN bank_entries e ON e.statement_id = k.id AND e.outcome = 'BATCH_SUM'
    JOIN bank_movements m ON m.account = e.account AND NOT m.is_in_statement
      AND m.outcome <> 'WAITING' AND m.booking_date = e.booking_date
      AND (m.batch_reference = e.batch_reference OR m.entry_reference = e.bank_reference)
    WHERE e.booking_date = $1::date),
  on_statement AS (
    SELECT statement_id, account,
      CASE WHEN is_refund THEN cents - fee_cents ELSE cents END AS cents, currency, bank_reference,
      outcome, network_reference, payment_request_id
    FROM on_payments
    UNION ALL
    SELECT statement_id, account, -fee_cents, currency, bank_reference, outcome, network_reference,
      payment_request_id
    FROM on_payments WHERE fee_cents > 0 AND NOT is_refund)`;

const ENTRY = `merchant_id, type, amount_cents AS cents, currency, bank_reference,
      network_reference, payment_request_id, refund_id`;

/**
 * An operator's decision moves no money: its two entries are left out. So are an earlier booking
 * and the ADJUSTMENT that takes it out: the later statement of the day lists the corrected one.
 * Refunds of one booking and its charges are one line, as on the statement.
 */
const IN_LEDGER = `moved AS (
    SELECT l.* FROM merchants m CROSS JOIN LATERAL (
      SELECT ${ENTRY} FROM ledger_entries
      WHERE merchant_id = m.id AND booking_date IS NOT NULL AND booking_date = $1::date
        AND type <> 'ASSIGNED'
      UNION ALL
      SELECT ${ENTRY} FROM ledger_entries
      WHERE merchant_id = m.id AND booking_date IS NULL AND type <> 'ASSIGNED'
        AND created_at >= $3::timestamptz AND created_at < $4::timestamptz) l
    WHERE $2::text IS NULL OR m.id = $2
    UNION ALL
    SELECT ${ENTRY} FROM ledger_entries
    WHERE $2::text IS NULL AND merchant_id IS NULL AND type <> 'ASSIGNED'
      AND (booking_date IS NOT NULL AND booking_date = $1::date
        OR booking_date IS NULL AND created_at >= $3::timestamptz
          AND created_at < $4::timestamptz)),
  in_books AS (SELECT * FROM moved b WHERE refund_id IS NOT NULL
    OR b.type <> 'ADJUSTMENT' AND NOT EXISTS (SELECT FROM ledger_entries a
      WHERE a.type = 'ADJUSTMENT' AND a.network_reference = b.network_reference)),
  in_ledger AS (
    SELECT merchant_id, type, cents, currency, bank_reference, network_reference,
      payment_request_id, refund_id FROM in_books WHERE refund_id IS NULL
    UNION ALL
    SELECT merchant_id, CASE WHEN came_back THEN 'REFUND_RETURN' ELSE 'REFUND' END,
      sum(cents)::bigint, currency, bank_reference, min(network_reference),
      (array_agg(payment_request_id))[1], (array_agg(refund_id))[1]
    FROM (SELECT *, type = 'REFUND_RETURN' OR coalesce(network_reference, '') LIKE '%-CREDIT'
            AS came_back FROM in_books WHERE refund_id IS NOT NULL) booked
    GROUP BY merchant_id, currency, came_back, bank_reference,
      coalesce(bank_reference, refund_id::text))`;

/** A refund stands in the ledger under a reference of the service: the bank's reference joins. */
const refundKey = `'refund ' || coalesce(bank_reference, '-') || ' ' || cents`;
const moneyKey = `'money ' || coalesce(network_reference, '-') || ' ' || cents`;
const numbered = (from: string, isRefund: string) => `SELECT *,
      row_number() OVER (PARTITION BY key) AS n FROM (
        SELECT *, CASE WHEN ${isRefund} THEN ${refundKey} ELSE ${moneyKey} END AS key
        FROM ${from}) keyed`;

const REFUND_LINE = "outcome IS NULL OR outcome = 'REFUNDED_OUTSIDE'";
const REFUND_ENTRY = "type IN ('REFUND', 'REFUND_RETURN')";

const COMPARED = `WITH ${KEPT}, ${ON_STATEMENT}, ${IN_LEDGER},
    s AS MATERIALIZED (${numbered('on_statement', REFUND_LINE)}),
    l AS MATERIALIZED (${numbered('in_ledger', REFUND_ENTRY)}),
    compared AS MATERIALIZED (
      SELECT s.statement_id, s.account, s.outcome, s.cents AS s_cents, l.cents AS l_cents, l.type,
        coalesce(s.currency, l.currency) AS currency,
        coalesce(s.bank_reference, l.bank_reference) AS bank_reference,
        coalesce(l.payment_request_id, s.payment_request_id) AS payment_request_id,
        coalesce(s.network_reference, l.network_reference) AS network_reference,
        l.refund_id, l.merchant_id
      FROM s FULL JOIN l ON l.key = s.key AND l.n = s.n)`;

const LIST_STATEMENTS = `WITH ${KEPT}
    SELECT k.id::text, k.account, k.sequence_number AS "sequenceNumber", k.currency,
      k.opening_cents AS "openingCents", k.closing_cents AS "closingCents",
      k.entries_cents AS "entriesCents",
      (SELECT count(*)::int FROM bank_entries e
       WHERE e.statement_id = k.id AND e.outcome IN ('ORDINARY', 'BATCH_SUM')) AS "otherCount"
    FROM kept k ORDER BY k.account, k.sequence_number LIMIT $3`;

const SUM = `${COMPARED}
    SELECT statement_id::text AS "statementId", currency,
      count(s_cents)::int AS "statementCount",
      coalesce(sum(s_cents), 0)::bigint AS "statementCents",
      count(l_cents)::int AS "ledgerCount", coalesce(sum(l_cents), 0)::bigint AS "ledgerCents",
      count(*) FILTER (WHERE s_cents IS NULL OR l_cents IS NULL)::int AS differences
    FROM compared GROUP BY 1, 2 ORDER BY 1, 2`;

const LIST = `${COMPARED}
    SELECT account, coalesce(s_cents, l_cents) AS "amountCents", currency,
      bank_reference AS "bankReference", s_cents IS NOT NULL AS "isOnStatement", type, outcome,
      payment_request_id::text AS "paymentRequestId", refund_id::text AS "refundId",
      coalesce(merchant_id, (
        SELECT i.merchant_id FROM creditor_account_keys i WHERE i.key = account))
        AS "merchantId",
      ${caseOfReference('compared.network_reference')} AS "caseId"
    FROM compared
    ORDER BY s_cents IS NOT NULL AND l_cents IS NOT NULL, account, bank_reference, s_cents
    LIMIT $5`;

/** Statements of a day that a person reads; the sums count all. */
const MOST_STATEMENTS = 1_000;

/** The statements have no name, so that PostgreSQL plans them for one merchant or for all. */
export function listStatementsOfDay(
  db: Executor,
  { date, merchantId }: BookDay,
): Promise<StatementOfDay[]> {
  const values = [date, merchantId, MOST_STATEMENTS];
  return db.query<StatementOfDay>({ name: '', text: LIST_STATEMENTS }, values);
}

export function sumDayMoney(
  db: Executor,
  { date, merchantId, startsAt, endsAt }: BookDay,
): Promise<DaySums[]> {
  return db.query<DaySums>({ name: '', text: SUM }, [date, merchantId, startsAt, endsAt]);
}

/** The money of the day, differences first. */
export function listDayMoney(
  db: Executor,
  { date, merchantId, startsAt, endsAt }: BookDay,
  limit: number,
): Promise<DayMoney[]> {
  const values = [date, merchantId, startsAt, endsAt, limit];
  return db.query<DayMoney>({ name: '', text: LIST }, values);
}
