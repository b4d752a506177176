import type { Executor, Statement } from '#database/database.ts';
import { allValues } from '#database/statements.ts';
import { isUnfinished, sqlListOf } from '#payment-requests/model/statuses.ts';
import { isRefundOpen, sqlListOfRefunds } from '#refunds/model/statuses.ts';

/**
 * The most rows of one kind that a finding lists: some pages of a terminal. The count includes
 * further rows.
 */
export const MOST_LISTED = 1_000;

const FIND_UNDELIVERED: Statement = {
  name: 'restore-check-undelivered',
  text: `SELECT d.event_id::text AS "eventId", e.event_type AS "eventType",
      d.merchant_id AS "merchantId", d.payment_request_id::text AS "paymentRequestId", d.attempts,
      count(*) OVER ()::int AS count
    FROM webhook_deliveries d JOIN webhook_events e ON e.id = d.event_id
    WHERE d.status = 'PENDING' AND d.created_at <= $1 ORDER BY d.created_at, d.id LIMIT $2`,
};

/** The network is asked about these while the service runs, too. */
const FIND_OPEN: Statement = {
  name: 'restore-check-open-payment-requests',
  text: `SELECT p.id::text, p.status, count(*) OVER ()::int AS count
    FROM network_requests n JOIN payment_requests p ON p.id = n.payment_request_id
    WHERE n.next_look_at IS NOT NULL AND p.status IN (${sqlListOf(isUnfinished)})
    ORDER BY n.next_look_at, p.id LIMIT $1`,
};

const FIND_OPEN_REFUNDS: Statement = {
  name: 'restore-check-open-refunds',
  text: `SELECT id::text, payment_request_id::text AS "paymentRequestId", status,
      amount_cents AS "amountCents", created_at AS "createdAt", count(*) OVER ()::int AS count
    FROM refunds WHERE status IN (${sqlListOfRefunds(isRefundOpen)}) AND next_poll_at IS NOT NULL
    ORDER BY created_at, id LIMIT $1`,
};

export interface UndeliveredWebhook {
  readonly eventId: string;
  readonly eventType: string;
  readonly merchantId: string;
  readonly paymentRequestId: string;
  readonly attempts: number;
}

export interface OpenPaymentRequest {
  readonly id: string;
  readonly status: 'CREATED' | 'PROCESSING';
}

export interface OpenRefund {
  readonly id: string;
  readonly paymentRequestId: string;
  readonly status: 'CREATED' | 'PROCESSING';
  readonly amountCents: number;
  readonly createdAt: Date;
}

/** At most MOST_LISTED rows, and how many there are. */
export interface Listed<Row> {
  readonly count: number;
  readonly data: readonly Row[];
}

/** Webhooks of events up to an instant that the database holds for not acknowledged. */
export async function listUndelivered(
  db: Executor,
  until: Date,
): Promise<Listed<UndeliveredWebhook>> {
  return listed(
    await db.query<Counted<UndeliveredWebhook>>(FIND_UNDELIVERED, [until, MOST_LISTED]),
  );
}

/** Payment requests that the network knows and that are not over. */
export async function listOpen(db: Executor): Promise<Listed<OpenPaymentRequest>> {
  return listed(await db.query<Counted<OpenPaymentRequest>>(FIND_OPEN, [MOST_LISTED]));
}

/** Refunds that are not over. */
export async function listOpenRefunds(db: Executor): Promise<Listed<OpenRefund>> {
  return listed(await db.query<Counted<OpenRefund>>(FIND_OPEN_REFUNDS, [MOST_LISTED]));
}

/** Cases of refunds that left without this database, since an instant. */
export const listOpenRefundCases = allValues<string, [since: Date]>(
  'restore-check-open-cases',
  `SELECT id::text FROM operator_cases
   WHERE kind = 'REFUNDED_OUTSIDE' AND closed_at IS NULL AND payment_request_id IS NOT NULL
     AND opened_at >= $1 ORDER BY opened_at LIMIT 100`,
);

type Counted<Row> = Row & { readonly count: number };

function listed<Row extends object>(rows: readonly Counted<Row>[]): Listed<Row> {
  const data = rows.map(({ count: _, ...row }) => row as unknown as Row);
  return { count: rows[0]?.count ?? 0, data };
}
