import type { Executor, Statement } from '#database/database.ts';
import { currentCall } from '#lib/call-context.ts';
import { formatInstant } from '#lib/instant.ts';
import type { PlannedRefundChange } from '#refunds/model/plan-change.ts';
import type { Refund } from '#refunds/model/refund.ts';
import { isRefundOpen, sqlListOfRefunds, sumOf } from '#refunds/model/statuses.ts';

const OPEN = sqlListOfRefunds(isRefundOpen);
const REFUNDED = sqlListOfRefunds((status) => sumOf(status) === 'refunded');

/**
 * The database's own trigger reserves the amounts of open refunds in their payment requests' sums.
 * Those that were executed already count here: they state what has happened.
 */
const INSERT: Statement = {
  name: 'refund-insert',
  text: `WITH inserted AS (
      INSERT INTO refunds (id, payment_request_id, merchant_id, merchant_refund_id, body_hash,
        amount_cents, status, reason, message, webhook_url, is_of_payment, movement_reference,
        operator_case_id, payment_network_reference, payment_completed_at, counted_on,
        trace_parent, version, created_at, next_poll_at)
      SELECT id, payment_request_id, merchant_id, merchant_refund_id, decode(body_hash, 'hex'),
        amount_cents, status, reason, message, webhook_url, is_of_payment, movement_reference,
        operator_case_id, network_reference, completed_at, counted_on, trace_parent, version,
        created_at, service_now() + make_interval(secs => first_poll_seconds)
      FROM json_to_recordset($1::json) AS asked (
        id uuid, payment_request_id uuid, merchant_id text, merchant_refund_id text,
        body_hash text, amount_cents bigint, status text, reason text, message text,
        webhook_url text, is_of_payment boolean, movement_reference text, operator_case_id uuid,
        network_reference text, completed_at timestamptz, counted_on date, trace_parent text,
        version int, created_at timestamptz, first_poll_seconds float8)
      RETURNING payment_request_id, merchant_id, amount_cents, status, is_of_payment, counted_on),
    events AS (
      INSERT INTO refund_events (refund_id, position, status, cause, occurred_at, request_id)
      SELECT * FROM json_to_recordset($2::json) AS event (refund_id uuid, position smallint,
        status text, cause text, occurred_at timestamptz, request_id text)),
    days AS (
      INSERT INTO refund_days AS d (merchant_id, day, cents)
      SELECT merchant_id, counted_on, sum(amount_cents) FROM inserted
      WHERE counted_on IS NOT NULL GROUP BY merchant_id, counted_on
      -- In order, so that two transactions with several merchants cannot deadlock.
      ORDER BY merchant_id COLLATE "C", counted_on
      ON CONFLICT (merchant_id, day) DO UPDATE SET cents = d.cents + excluded.cents)
    UPDATE payment_requests p SET
      refunded_cents = p.refunded_cents + s.refunded,
      webhook_sequence = p.webhook_sequence + s.events,
      version = p.version + (s.refunded > 0)::int
    FROM (SELECT payment_request_id AS id, count(*) AS events,
            coalesce(sum(amount_cents) FILTER (WHERE is_of_payment), 0) AS refunded
          FROM inserted WHERE status IN (${REFUNDED}) GROUP BY payment_request_id) s
    WHERE p.id = s.id`,
};

const SAVE_MOVES: Statement = {
  name: 'refund-save-moves',
  text: `WITH moved AS (
      UPDATE refunds r SET status = m.status, status_reason_code = m.reason_code,
        payment_network_reference = m.network_reference, payment_completed_at = m.completed_at,
        version = m.version,
        -- The outcome is known: nothing is left to ask.
        next_poll_at = CASE WHEN m.status IN (${OPEN}) THEN r.next_poll_at END
      FROM json_to_recordset($1::json) AS m (id uuid, status text, reason_code text,
        network_reference text, completed_at timestamptz, version int)
      WHERE r.id = m.id),
    events AS (
      INSERT INTO refund_events (refund_id, position, status, cause, occurred_at, request_id)
      SELECT * FROM json_to_recordset($2::json) AS event (refund_id uuid, position smallint,
        status text, cause text, occurred_at timestamptz, request_id text)),
    locked_days AS MATERIALIZED (
      SELECT d.merchant_id, d.day, f.cents AS failed
      FROM refund_days d
      JOIN json_to_recordset($4::json) AS f (merchant_id text, day date, cents bigint)
        ON d.merchant_id = f.merchant_id COLLATE "C" AND d.day = f.day
      ORDER BY d.merchant_id, d.day FOR UPDATE OF d),
    days AS (
      UPDATE refund_days d SET cents = greatest(0, d.cents - l.failed)
      FROM locked_days l WHERE d.merchant_id = l.merchant_id AND d.day = l.day)
    UPDATE payment_requests p SET
      refunding_cents = p.refunding_cents + s.refunding,
      refunded_cents = p.refunded_cents + s.refunded,
      webhook_sequence = p.webhook_sequence + s.events,
      version = p.version + (s.refunding <> 0 OR s.refunded <> 0)::int
    FROM json_to_recordset($3::json) AS s (id uuid, refunding bigint, refunded bigint, events int)
    WHERE p.id = s.id`,
};

export interface NewRefundRow {
  readonly refund: Refund;
  /** SHA-256 of the body as sent; null: no merchantRefundId. */
  readonly bodyHash: Buffer | null;
  /** When the network is first handed the refund; null: never. */
  readonly firstPollSeconds: number | null;
  /** The call that creates it; null: no call. */
  readonly requestId: string | null;
  /** The cause of each event of the refund, in order. */
  readonly causes: readonly string[];
}

/** Writes new refunds in one statement. Only change-refund-status.ts may call this function. */
export async function insertRefundRows(tx: Executor, rows: readonly NewRefundRow[]): Promise<void> {
  if (rows.length === 0) return;
  const refunds = rows.map(({ refund, bodyHash, firstPollSeconds }) => ({
    id: refund.id,
    payment_request_id: refund.paymentRequestId,
    merchant_id: refund.merchantId,
    merchant_refund_id: refund.merchantRefundId,
    body_hash: refund.merchantRefundId === null ? null : bodyHash?.toString('hex'),
    amount_cents: refund.amountCents,
    status: refund.status,
    reason: refund.reason,
    message: refund.message,
    webhook_url: refund.webhookUrl,
    is_of_payment: refund.isOfPayment,
    movement_reference: refund.movementReference,
    operator_case_id: refund.operatorCaseId,
    network_reference: refund.payment?.networkReference ?? null,
    completed_at: refund.payment && formatInstant(refund.payment.completedAt),
    counted_on: refund.countedOn,
    trace_parent: refund.traceparent,
    version: refund.version,
    created_at: formatInstant(refund.createdAt),
    first_poll_seconds: firstPollSeconds,
  }));
  const events = rows.flatMap(({ refund, causes, requestId }) =>
    refund.events.map(({ status, occurredAt }, index) => ({
      refund_id: refund.id,
      position: index + 1,
      status,
      cause: causes[index],
      occurred_at: formatInstant(occurredAt),
      request_id: requestId,
    })),
  );
  await tx.query(INSERT, [JSON.stringify(refunds), JSON.stringify(events)]);
}

/** Changes of a payment request: signed sums in cents, and the number of webhook events. */
export interface SumChange {
  readonly id: string;
  readonly refunding: number;
  readonly refunded: number;
  readonly events: number;
}

export interface DayChange {
  readonly merchantId: string;
  readonly day: string;
  readonly cents: number;
}

/**
 * Writes changes of refunds with their sums, in one statement. Only change-refund-status.ts may
 * call this function.
 */
export async function saveRefundChanges(
  tx: Executor,
  changes: readonly PlannedRefundChange[],
  sums: readonly SumChange[],
  days: readonly DayChange[],
): Promise<void> {
  const requestId = currentCall()?.requestId ?? null;
  const latest = new Map(changes.map(({ after }) => [after.id, after]));
  const moves = [...latest.values()].map((after) => ({
    id: after.id,
    status: after.status,
    reason_code: after.statusReasonCode,
    network_reference: after.payment?.networkReference ?? null,
    completed_at: after.payment && formatInstant(after.payment.completedAt),
    version: after.version,
  }));
  const events = changes.map(({ after, cause }) => ({
    refund_id: after.id,
    position: after.events.length,
    status: after.status,
    cause: cause.name,
    occurred_at: formatInstant(after.events.at(-1)?.occurredAt ?? after.createdAt),
    request_id: requestId,
  }));
  await tx.query(SAVE_MOVES, [
    JSON.stringify(moves),
    JSON.stringify(events),
    JSON.stringify(sums),
    JSON.stringify(
      days.map(({ merchantId, day, cents }) => ({ merchant_id: merchantId, day, cents })),
    ),
  ]);
}
