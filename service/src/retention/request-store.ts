import type { Executor, Statement } from '#database/database.ts';
import { allRows, firstValue } from '#database/statements.ts';
import { STATUS_FACTS, sqlListOf } from '#payment-requests/model/statuses.ts';
import { isRefundOpen, sqlListOfRefunds } from '#refunds/model/statuses.ts';

/** The place of the last payment request that a run looked at. */
export interface RequestPlace {
  /** Empty: before all merchants. */
  readonly merchantId: string;
  /** With all its digits: an instant of the database has microseconds. */
  readonly reachedAt: string;
  readonly reachedId: string;
}

/** A call that sends an event again waits, and then finds no event. */
const LOCK_DELIVERIES: Statement = {
  name: 'retention-lock-deliveries',
  text: `SELECT FROM webhook_events e LEFT JOIN webhook_deliveries d ON d.event_id = e.id
         WHERE e.payment_request_id = ANY ($1::uuid[]) FOR UPDATE OF e`,
};

/**
 * The last instant at which something happened to a payment request `p`. Deliveries count by their
 * event: an attempt tells nothing new.
 */
const LAST_EVENT = `greatest(p.created_at, p.payment_completed_at,
      (SELECT max(occurred_at) FROM payment_request_moves WHERE payment_request_id = p.id),
      (SELECT max(occurred_at) FROM payment_request_timeline WHERE payment_request_id = p.id),
      (SELECT max(e.occurred_at) FROM refunds r JOIN refund_events e ON e.refund_id = r.id
       WHERE r.payment_request_id = p.id),
      (SELECT max(greatest(opened_at, closed_at)) FROM operator_cases
       WHERE payment_request_id = p.id),
      (SELECT max(created_at) FROM ledger_entries WHERE payment_request_id = p.id),
      (SELECT max(created_at) FROM bank_movements WHERE payment_request_id = p.id),
      (SELECT max(created_at) FROM webhook_events WHERE payment_request_id = p.id))`;

/** Open matters of a payment request `p`: each keeps it at any age (contract §10). */
const OPEN_MATTERS = [
  `refunds r WHERE r.payment_request_id = p.id
     AND (r.status IN (${sqlListOfRefunds(isRefundOpen)}) OR r.next_poll_at IS NOT NULL)`,
  'operator_cases c WHERE c.payment_request_id = p.id AND c.closed_at IS NULL',
  `webhook_events e JOIN webhook_deliveries d ON d.event_id = e.id
   WHERE e.payment_request_id = p.id AND d.status = 'PENDING'`,
  `messages g WHERE g.payment_request_id = p.id AND g.status = 'SCHEDULED'`,
  'sandbox_steps s WHERE s.payment_request_id = p.id AND s.done_at IS NULL',
  'network_requests n WHERE n.payment_request_id = p.id AND n.next_look_at IS NOT NULL',
  `gateway_payments g WHERE g.payment_request_id = p.id
     AND (g.report_due_at IS NOT NULL OR g.returns_at IS NOT NULL)`,
  `bank_refunds b WHERE b.payment_request_id = p.id AND b.state IN ('QUEUED', 'SENT')`,
  `bank_movements m WHERE m.payment_request_id = p.id
     AND (m.outcome = 'WAITING' OR m.reported_at IS NULL)`,
  // Money is recognised by its reference for 13 months after the end (bank-transfer §2).
  `bank_transfer_requests t WHERE t.payment_request_id = p.id
     AND t.expires_at > service_now() - interval '13 months'`,
  // Rows of another payment request would lose what they name.
  `operator_cases c JOIN refunds r ON r.operator_case_id = c.id
   WHERE c.payment_request_id = p.id AND r.payment_request_id <> p.id`,
  `bank_movements m JOIN bank_movements r ON r.returned_id = m.id
   WHERE m.payment_request_id = p.id AND r.payment_request_id IS DISTINCT FROM p.id`,
];

const OVER = sqlListOf((status) => STATUS_FACTS[status].isOver);

const FIND_OVER: Statement = {
  name: 'retention-find-over',
  text: `SELECT p.id FROM payment_requests p
         WHERE p.id = ANY ($1::uuid[]) AND p.status IN (${OVER})
           AND ${LAST_EVENT} <= $2::timestamptz
           ${OPEN_MATTERS.map((open) => `AND NOT EXISTS (SELECT FROM ${open})`).join('\n')}`,
};

const REFUNDS = '(SELECT id FROM refunds WHERE payment_request_id = ANY ($1::uuid[]))';
const MOVEMENTS = '(SELECT id FROM bank_movements WHERE payment_request_id = ANY ($1::uuid[]))';
const EVENTS = '(SELECT id FROM webhook_events WHERE payment_request_id = ANY ($1::uuid[]))';

/**
 * The tables of a payment request but for the ledger, each before those that its rows name. A test
 * compares them with the tables of the database. Attempts go with their deliveries, sessions with
 * their payments.
 */
export const TABLES_OF_REQUEST = {
  messages: 'payment_request_id = ANY ($1::uuid[])',
  webhook_deliveries: `event_id IN ${EVENTS}`,
  webhook_events: 'payment_request_id = ANY ($1::uuid[])',
  bank_refunds: 'payment_request_id = ANY ($1::uuid[])',
  gateway_refunds: `refund_id IN ${REFUNDS}`,
  refund_events: `refund_id IN ${REFUNDS}`,
  refunds: 'payment_request_id = ANY ($1::uuid[])',
  operator_cases: 'payment_request_id = ANY ($1::uuid[])',
  bank_entries: `movement_id IN ${MOVEMENTS}`,
  bank_movements: 'payment_request_id = ANY ($1::uuid[])',
  bank_transfer_requests: 'payment_request_id = ANY ($1::uuid[])',
  gateway_payments: 'payment_request_id = ANY ($1::uuid[])',
  network_requests: 'payment_request_id = ANY ($1::uuid[])',
  sandbox_steps: 'payment_request_id = ANY ($1::uuid[])',
  sandbox_advances: 'payment_request_id = ANY ($1::uuid[])',
  payer_erasures: 'payment_request_id = ANY ($1::uuid[])',
  payment_request_texts: 'payment_request_id = ANY ($1::uuid[])',
  payment_request_timeline: 'payment_request_id = ANY ($1::uuid[])',
  payment_request_moves: 'payment_request_id = ANY ($1::uuid[])',
  payment_requests: 'id = ANY ($1::uuid[])',
} as const;

type Table = keyof typeof TABLES_OF_REQUEST;

/**
 * The next merchant with payment requests of before the horizon; null: there is none.
 *
 * An index gives the oldest payment requests of each merchant.
 */
export const findNextMerchant = firstValue<string | null, [merchantId: string, horizon: Date]>(
  'retention-find-next-merchant',
  `SELECT m.id FROM merchants m WHERE m.id > $1 AND EXISTS (
     SELECT FROM payment_requests p WHERE p.merchant_id = m.id AND p.created_at <= $2)
   ORDER BY m.id LIMIT 1`,
  null,
);

/**
 * Locks up to `limit` payment requests of a merchant from before the horizon, after a place.
 *
 * The next old payment requests of a merchant. Their locks stop refunds, cases and notes of them
 * until the transaction ends. A payment request that something else locks is left to the next run.
 */
export const lockOldRequests = allRows<
  { readonly id: string; readonly reachedAt: string },
  [place: RequestPlace, horizon: Date, limit: number]
>(
  'retention-lock-requests',
  `SELECT id, created_at::text AS "reachedAt" FROM payment_requests
   WHERE merchant_id = $1 AND (created_at, id) > ($2::timestamptz, $3::uuid)
     AND created_at <= $4
   ORDER BY created_at, id LIMIT $5 FOR UPDATE SKIP LOCKED`,
  ({ merchantId, reachedAt, reachedId }, horizon, limit) => [
    merchantId,
    reachedAt,
    reachedId,
    horizon,
    limit,
  ],
);

/**
 * The ones of these locked payment requests that are over: nothing has happened to them since the
 * horizon, and nothing of them is open.
 */
export async function findOver(
  tx: Executor,
  ids: readonly string[],
  horizon: Date,
): Promise<string[]> {
  await tx.query(LOCK_DELIVERIES, [ids]);
  const rows = await tx.query<{ id: string }>(FIND_OVER, [ids, horizon]);
  return rows.map(({ id }) => id);
}

/** Deletes locked payment requests with their rows of every table. @returns how many of each */
export async function deleteRequests(
  tx: Executor,
  ids: readonly string[],
): Promise<Partial<Record<Table, number>>> {
  const counts: Partial<Record<Table, number>> = {};
  for (const [table, condition] of Object.entries(TABLES_OF_REQUEST)) {
    const statement = {
      name: `retention-delete-${table}`,
      text: `WITH gone AS (DELETE FROM ${table} WHERE ${condition} RETURNING 1)
             SELECT count(*)::int AS count FROM gone`,
    };
    const [row] = await tx.query<{ count: number }>(statement, [ids]);
    counts[table as Table] = row?.count ?? 0;
  }
  return counts;
}
