import { columnsOf } from '#database/columns.ts';
import { allRows, execute } from '#database/statements.ts';
import { currentCall } from '#lib/call-context.ts';
import type {
  MessageReason,
  MessageStatus,
} from '#payment-requests/model/messages/link-message.ts';
import type { MoneyNote } from '#payment-requests/model/plan-change.ts';
import type { CauseName, Status, StatusReasonCode } from '#payment-requests/model/statuses.ts';
import type { OperatorCaseKind } from '#telemetry/metrics/network-metrics.ts';
import type { TimelinePosition } from './position.ts';

/** An entry that is neither a status change nor a webhook attempt. */
export type NewTimelineEntry = {
  readonly paymentRequestId: string;
  readonly occurredAt: Date;
} & (
  | { readonly type: 'PAYER_STEP'; readonly details: { readonly step: string } }
  | {
      readonly type: 'CANCELLATION_REQUESTED';
      readonly details: {
        readonly reason?: string;
        readonly comment?: string;
        readonly requestedBy?: 'OPERATOR';
      };
    }
  | { readonly type: 'UPDATED'; readonly details: { readonly fields: readonly string[] } }
  | MoneyNote
);

/** A status that a refund of the payment request has reached. */
interface RefundChange {
  readonly type: 'REFUND_CHANGED';
  readonly details: {
    readonly refundId: string;
    readonly merchantRefundId: string | null;
    readonly amountCents: number;
    readonly status: string;
    /** null: the status is not FAILED. */
    readonly reasonCode: string | null;
  };
}

/** A status that a message to the payer has reached. */
interface MessageChange {
  readonly type: 'MESSAGE_CHANGED';
  readonly details: {
    readonly messageId: string;
    readonly kind: string;
    readonly channel: string;
    readonly status: MessageStatus;
    readonly reason: MessageReason | null;
  };
}

/** An entry as it is stored, with its place in the order. */
export type StoredTimelineEntry = TimelinePosition & {
  /** The call that did it; null: no single call, or one before the service kept it. */
  readonly requestId: string | null;
} & (
    | {
        readonly type: 'STATUS_CHANGED';
        readonly details: {
          readonly status: Status;
          readonly cause: CauseName;
          readonly reasonCode: StatusReasonCode | null;
        };
      }
    | { readonly type: 'LINK_OPENED'; readonly details: object }
    | RefundChange
    | MessageChange
    | Pick<Extract<NewTimelineEntry, { type: 'PAYER_STEP' }>, 'type' | 'details'>
    | Pick<Extract<NewTimelineEntry, { type: 'CANCELLATION_REQUESTED' }>, 'type' | 'details'>
    | Pick<Extract<NewTimelineEntry, { type: 'UPDATED' }>, 'type' | 'details'>
    | MoneyNote
    | {
        /** Read from the case itself. */
        readonly type: 'CASE_SETTLED';
        readonly details: { readonly kind: OperatorCaseKind; readonly settlement: string };
      }
  );

/** Adds entries of the running call, in the transaction of what they tell of. */
export const insertTimelineEntries = execute(
  'timeline-insert',
  `INSERT INTO payment_request_timeline
     (payment_request_id, type, occurred_at, details, request_id)
   SELECT *, $5 FROM unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::jsonb[])`,
  (entries: readonly NewTimelineEntry[]) => [
    ...columnsOf(entries)('paymentRequestId', 'type', 'occurredAt'),
    entries.map(({ details }) => JSON.stringify(details)),
    currentCall()?.requestId ?? null,
  ],
);

/** A payer's act; it is written outside of other transactions. */
export interface TimelineNote {
  readonly paymentRequestId: string;
  readonly type: 'LINK_OPENED' | 'PAYER_STEP';
  readonly occurredAt: Date;
  readonly details: object;
  readonly requestId: string | null;
}

export interface BoundedNote extends TimelineNote {
  /** The note is left out if the payment request has so many of its type. */
  readonly most: number;
}

/**
 * Adds notes, within the bound of each.
 *
 * Counting costs one look into an index that holds as many entries as are kept, at most.
 */
export const insertTimelineNotes = execute(
  'timeline-insert-notes',
  `INSERT INTO payment_request_timeline
     (payment_request_id, type, occurred_at, details, request_id)
   SELECT n.id, n.type, n.at, n.details, n.request_id
   FROM (SELECT *, row_number() OVER (PARTITION BY id, type ORDER BY at, place) AS nth
         FROM unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::jsonb[], $5::int[],
                     $6::text[])
           WITH ORDINALITY AS noted (id, type, at, details, most, request_id, place)) n
   WHERE n.nth + (SELECT count(*) FROM payment_request_timeline t
                  WHERE t.payment_request_id = n.id AND t.type = n.type) <= n.most
   ORDER BY n.at, n.place`,
  (notes: readonly BoundedNote[]) => [
    ...columnsOf(notes)('paymentRequestId', 'type', 'occurredAt'),
    notes.map(({ details }) => JSON.stringify(details)),
    ...columnsOf(notes)('most', 'requestId'),
  ],
);

/**
 * The first entries after a position, but for webhook attempts; in the timeline's order.
 *
 * The ranks are those of `timeline/position.ts`.
 */
export const findTimelineEntries = allRows<
  StoredTimelineEntry,
  [paymentRequestId: string, after: TimelinePosition | null, limit: number]
>(
  'timeline-find',
  `SELECT type, at AS "occurredAt", rank, key, details, request_id AS "requestId" FROM (
     SELECT 'STATUS_CHANGED' AS type, date_trunc('milliseconds', occurred_at) AS at,
            CASE position WHEN 1 THEN 0 ELSE 2 END AS rank,
            lpad(position::text, 20, '0') COLLATE "C" AS key,
            jsonb_build_object('status', status, 'cause', cause, 'reasonCode', reason_code)
              AS details,
            CASE position WHEN 1 THEN (SELECT p.request_id FROM payment_requests p
                                       WHERE p.id = payment_request_id)
                          ELSE request_id END AS request_id
     FROM payment_request_events WHERE payment_request_id = $1
     UNION ALL
     SELECT type, date_trunc('milliseconds', occurred_at), 1,
            lpad(id::text, 20, '0') COLLATE "C", details, request_id
     FROM payment_request_timeline WHERE payment_request_id = $1
     UNION ALL
     SELECT 'CASE_SETTLED', date_trunc('milliseconds', closed_at), 1, id::text COLLATE "C",
            jsonb_build_object('kind', kind, 'settlement', settlement), NULL
     FROM operator_cases WHERE payment_request_id = $1 AND settlement IS NOT NULL
     UNION ALL
     SELECT 'MESSAGE_CHANGED', date_trunc('milliseconds', s.at), 2,
            (g.id || '-' || s.place) COLLATE "C",
            jsonb_build_object('messageId', g.id, 'kind', g.kind, 'channel', g.channel,
              'status', s.status, 'reason', s.reason), NULL
     FROM messages g
       CROSS JOIN LATERAL (VALUES (1, 'SENT', g.sent_at, NULL), (2, g.status, g.ended_at, g.reason),
         (3, 'SUPPRESSED', g.refused_at, 'RECIPIENT_REFUSED')) AS s (place, status, at, reason)
     WHERE g.payment_request_id = $1 AND s.at IS NOT NULL
     UNION ALL
     SELECT 'REFUND_CHANGED', date_trunc('milliseconds', e.occurred_at), 2,
            (r.id || '-' || e.position) COLLATE "C",
            jsonb_build_object('refundId', r.id, 'merchantRefundId', r.merchant_refund_id,
              'amountCents', r.amount_cents, 'status', e.status, 'reasonCode',
              CASE e.status WHEN 'FAILED' THEN r.status_reason_code END), e.request_id
     FROM refunds r JOIN refund_events e ON e.refund_id = r.id
     WHERE r.payment_request_id = $1
   ) entries
   WHERE $2::timestamptz IS NULL OR (at, rank, key) > ($2, $3::int, $4::text)
   ORDER BY at, rank, key LIMIT $5`,
  (paymentRequestId, after, limit) => [
    paymentRequestId,
    after?.occurredAt ?? null,
    after?.rank ?? null,
    after?.key ?? null,
    limit,
  ],
);
