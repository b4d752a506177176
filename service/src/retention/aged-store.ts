import type { Executor, Statement } from '#database/database.ts';

const IS_CASE_OPEN = (reference: string) => `EXISTS (SELECT FROM operator_cases c
    WHERE (c.details ->> 'networkReference' = ${reference}
           OR c.details -> 'networkReferences' ? ${reference}) AND c.closed_at IS NULL)`;

/**
 * Rows that belong to no payment request and go by their own age, in this order: each kind may be
 * named by rows of those before it. `$1` is the horizon.
 */
const AGED = {
  proposal_approvals: `t.proposal_id IN (
    SELECT id FROM proposals WHERE ended_at <= $1::timestamptz)`,
  proposals: `t.ended_at <= $1::timestamptz
    AND NOT EXISTS (SELECT FROM proposal_approvals a WHERE a.proposal_id = t.id)`,
  operator_cases: `t.payment_request_id IS NULL AND t.closed_at <= $1::timestamptz
    AND NOT EXISTS (SELECT FROM refunds r WHERE r.operator_case_id = t.id)`,
  // A movement can name a payment request that is gone.
  bank_entries: `t.matched_at <= $1::timestamptz AND t.statement_id IN (
      SELECT s.id FROM bank_statements s WHERE ${isStatementOld('s')})
    AND (t.movement_id IS NULL OR EXISTS (SELECT FROM bank_movements m WHERE m.id = t.movement_id
      AND ${isMovementOver('m')}))`,
  bank_movements: `${isMovementOver('t')}
    AND NOT EXISTS (SELECT FROM bank_entries e WHERE e.movement_id = t.id)
    AND NOT EXISTS (SELECT FROM bank_movements r WHERE r.returned_id = t.id)`,
  bank_statements: `${isStatementOld('t')}
    AND NOT EXISTS (SELECT FROM bank_entries e WHERE e.statement_id = t.id)`,
} as const;

/** The index of days finds the statements, and with them their entries. */
function isStatementOld(s: string): string {
  return `(${s}.day <= $1::date OR ${s}.day IS NULL) AND ${s}.created_at <= $1::timestamptz`;
}

function isMovementOver(m: string): string {
  return `(${m}.booking_date <= $1::date OR ${m}.booking_date IS NULL)
    AND ${m}.created_at <= $1::timestamptz AND ${m}.outcome <> 'WAITING'
    AND ${m}.reported_at <= $1::timestamptz
    AND NOT EXISTS (SELECT FROM payment_requests p WHERE p.id = ${m}.payment_request_id)
    AND NOT EXISTS (SELECT FROM ledger_entries l
      WHERE l.network_reference = ${m}.network_reference AND l.type = 'ASSIGNED')
    AND NOT ${IS_CASE_OPEN(`${m}.network_reference`)}`;
}

export type AgedTable = keyof typeof AGED;

export const AGED_TABLES = Object.keys(AGED) as AgedTable[];

const deleteAged = (table: AgedTable): Statement => ({
  name: `retention-delete-aged-${table}`,
  text: `WITH gone AS (DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
           SELECT t.ctid FROM ${table} t WHERE ${AGED[table]} LIMIT $2 FOR UPDATE SKIP LOCKED))
         RETURNING 1) SELECT count(*)::int AS count FROM gone`,
});

const countAged = (table: AgedTable): Statement => ({
  name: `retention-count-aged-${table}`,
  text: `SELECT count(*)::int AS count FROM ${table} t WHERE ${AGED[table]}`,
});

/** Deletes up to `limit` rows of before the horizon. @returns how many */
export async function deleteAgedRows(
  tx: Executor,
  table: AgedTable,
  horizon: Date,
  limit: number,
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(deleteAged(table), [horizon, limit]);
  return row?.count ?? 0;
}

/** How many rows are old enough at the moment. */
export async function countAgedRows(
  db: Executor,
  table: AgedTable,
  horizon: Date,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(countAged(table), [horizon]);
  return row?.count ?? 0;
}
