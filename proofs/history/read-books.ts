import pg from 'pg';
import type {
  Books,
  StoredAct,
  StoredEntry,
  StoredEvent,
  StoredPaymentRequest,
  StoredRefund,
} from './books.ts';

/** Each statement reads the rows of one run: some ten thousand. */
const STATEMENT_MS = 60_000;

const PAYMENT_REQUESTS = `
  SELECT p.id, p.merchant_id AS "merchantId", p.merchant_transaction_id AS "transactionId",
         p.amount_cents::float8 AS "amountCents", p.status,
         (extract(epoch FROM p.created_at) * 1000)::float8 AS "createdAtMs",
         array(SELECT e.status FROM payment_request_events e
               WHERE e.payment_request_id = p.id ORDER BY e.position) AS statuses,
         p.received_cents::float8 AS "receivedCents",
         p.refunded_cents::float8 AS "refundedCents",
         p.refunding_cents::float8 AS "refundingCents"
  FROM payment_requests p WHERE p.merchant_id = ANY ($1) ORDER BY p.id`;

const EVENTS = `
  SELECT w.id, w.merchant_id AS "merchantId", w.payment_request_id AS "paymentRequestId",
         w.sequence, w.event_type AS type,
         encode(sha256(convert_to(w.body, 'UTF8')), 'hex') AS "bodyHash",
         array(SELECT d.status FROM webhook_deliveries d WHERE d.event_id = w.id) AS deliveries
  FROM webhook_events w WHERE w.merchant_id = ANY ($1) AND NOT w.is_test
  ORDER BY w.transaction_id, w.feed_position`;

const REFUNDS = `
  SELECT r.id, r.merchant_id AS "merchantId", r.payment_request_id AS "paymentRequestId",
         r.merchant_refund_id AS "merchantRefundId", r.amount_cents::float8 AS "amountCents",
         r.status, array(SELECT e.status FROM refund_events e
                         WHERE e.refund_id = r.id ORDER BY e.position) AS statuses
  FROM refunds r WHERE r.merchant_id = ANY ($1) ORDER BY r.id`;

const LEDGER = `
  SELECT l.id, l.merchant_id AS "merchantId", l.type, l.amount_cents::float8 AS "amountCents",
         l.payment_request_id AS "paymentRequestId", l.refund_id AS "refundId"
  FROM ledger_entries l WHERE l.merchant_id = ANY ($1)
  ORDER BY l.transaction_id, l.position`;

/** Signing out concerns no merchant. */
const AUDIT = `
  SELECT a.actor, a.action, a.merchant_id AS "merchantId", a.details FROM audit_log a
  WHERE a.actor LIKE 'console (%' AND (a.merchant_id IS NULL OR a.merchant_id = ANY ($1))
  ORDER BY a.id`;

/** Work that is left, by what it is called in a verdict. */
const OPEN = `
  SELECT (SELECT count(*) FROM webhook_deliveries WHERE status = 'PENDING')::int AS deliveries,
         (SELECT count(*) FROM webhook_deliveries WHERE lease_token IS NOT NULL)::int AS leases,
         (SELECT count(*) FROM sandbox_steps WHERE done_at IS NULL)::int AS "sandbox steps",
         (SELECT count(*) FROM refunds WHERE status IN ('CREATED', 'PROCESSING'))::int AS refunds`;

/** Reads from the database what is stored of these merchants. */
export async function readBooks(
  databaseUrl: string,
  merchantIds: readonly string[],
): Promise<Books> {
  return withClient(databaseUrl, async (client) => {
    const read = async <Row>(text: string): Promise<Row[]> =>
      (await client.query(text, [merchantIds])).rows as Row[];
    return {
      paymentRequests: await read<StoredPaymentRequest>(PAYMENT_REQUESTS),
      events: await read<StoredEvent>(EVENTS),
      refunds: await read<StoredRefund>(REFUNDS),
      ledger: await read<StoredEntry>(LEDGER),
      audit: await read<StoredAct>(AUDIT),
      open: await readOpen(client),
    };
  });
}

/** The work that is left, by name. */
export async function readOpen(client: pg.Client): Promise<Record<string, number>> {
  return (await client.query(OPEN)).rows[0];
}

/** Connects, works and disconnects. */
export async function withClient<Result>(
  connectionString: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: 10_000,
    query_timeout: STATEMENT_MS,
  });
  // A connection that breaks fails the next query.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
