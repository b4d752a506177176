import { columnsOf } from '#database/columns.ts';
import type { Executor } from '#database/database.ts';
import { execute } from '#database/statements.ts';
import { newId } from '#lib/new-id.ts';
import { noticeMerchant } from '#merchants/notices/notice-merchant.ts';
import { EVENT_TYPE_FACTS, type WebhookEventType } from '#webhooks/model/event-types.ts';
import { renderWebhookMessage } from '#webhooks/model/message.ts';
import type { WebhookMisbehaviour } from '#webhooks/model/misbehaviour.ts';
import { noticeOfEvent } from './notice-of-event.ts';
import { passesFilter } from './type-filter-store.ts';

/** The channel that senders listen on; a notification only wakes them, the table is the truth. */
export const SENDERS_CHANNEL = 'webhook_deliveries';

/**
 * Takes any number of events, so that callers may batch them. An endpoint gets an event when its
 * filter matches or its URL is the resource's own; a paused one too, which holds it.
 * The credentials are those of the endpoint wherever the URL is an endpoint's.
 */
const enqueue = execute<[columns: readonly unknown[]]>(
  'webhook-enqueue',
  `
    WITH incoming AS (
      SELECT * FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::int[], $5::text[], $6::text[],
                           $7::timestamptz[], $8::text[], $9::text[], $10::text[],
                           $11::text[], $12::text[])
        AS e (id, merchant_id, payment_request_id, sequence, event_type, body, created_at,
              url, sent_url, destination, misbehaviour, trace_parent)
    ), all_targets AS (
      SELECT i.id, i.merchant_id, i.payment_request_id, i.sequence,
             e.id AS endpoint_id, e.url, e.id::text AS destination
      FROM incoming i
      JOIN webhook_endpoints e ON e.merchant_id = i.merchant_id AND e.deleted_at IS NULL
      WHERE ${passesFilter('e.event_types', 'i.event_type')}
         OR e.url IN (i.url, i.sent_url)
      UNION ALL
      SELECT i.id, i.merchant_id, i.payment_request_id, i.sequence, NULL, i.url, i.destination
      FROM incoming i
      WHERE i.url IS NOT NULL AND NOT EXISTS (
        SELECT FROM webhook_endpoints e
        WHERE e.merchant_id = i.merchant_id AND e.deleted_at IS NULL
          AND e.url IN (i.url, i.sent_url))
    ), targets AS MATERIALIZED (
      SELECT * FROM all_targets
      WHERE id NOT IN (SELECT id FROM incoming WHERE misbehaviour = 'NO_WEBHOOK')
    ), owed AS (
      SELECT id, count(*) AS deliveries FROM targets GROUP BY id
    ), written AS (
      INSERT INTO webhook_events
        (id, merchant_id, payment_request_id, sequence, event_type, body, created_at,
         misbehaviour, trace_parent, owed_deliveries)
      SELECT i.id, merchant_id, payment_request_id, sequence, event_type, body, created_at,
             misbehaviour, trace_parent, coalesce(owed.deliveries, 0)
      FROM incoming i LEFT JOIN owed ON owed.id = i.id
    )
    INSERT INTO webhook_deliveries
      (id, event_id, merchant_id, payment_request_id, sequence, endpoint_id, url, destination)
    SELECT time_ordered_uuid(), id, merchant_id, payment_request_id, sequence, endpoint_id, url,
           destination
    FROM targets`,
  (columns) => columns,
);

export interface NewWebhookEvent {
  readonly merchantId: string;
  readonly paymentRequestId: string;
  /** Counts the events of this payment request of every type, its refunds' too, from 1. */
  readonly sequence: number;
  readonly eventType: WebhookEventType;
  readonly message: string;
  /** The payment request, or for the types of refunds the refund, as reading answers it: JSON. */
  readonly resource: string;
  /** The own `webhookUrl` of that payment request or refund, as it was sent. */
  readonly webhookUrl: string | null;
  readonly createdAt: Date;
  /** The W3C trace that the webhook goes on with. */
  readonly traceparent?: string | null;
  /** In the sandbox only. */
  readonly misbehaviour?: WebhookMisbehaviour | null;
}

/**
 * Writes an event and one delivery for every distinct URL it is for, in the transaction that moves
 * the status (delivery §2). Without any URL there is still the event.
 */
export function enqueueWebhookEvent(tx: Executor, event: NewWebhookEvent): Promise<void> {
  return enqueueWebhookEvents(tx, [event]);
}

/**
 * Does as `enqueueWebhookEvent`, for several events in one statement. Returned money and failed
 * refunds also go to the merchant by e-mail.
 */
export async function enqueueWebhookEvents(
  tx: Executor,
  events: readonly NewWebhookEvent[],
): Promise<void> {
  const rows = events.map(toRow);
  const columns = columnsOf(rows);
  await enqueue(tx, [
    ...columns('id', 'merchantId', 'paymentRequestId', 'sequence', 'eventType', 'body'),
    ...columns('createdAt', 'url', 'sentUrl', 'destination', 'misbehaviour', 'traceparent'),
  ]);
  for (const event of events) {
    const notice = noticeOfEvent(event);
    if (notice) await noticeMerchant(tx, notice);
  }
}

/**
 * Wakes every process that sends. Run after the commit: inside it, NOTIFY makes commits queue.
 *
 * `payload`: the signal whose own sender has claimed already and passes over the notification, and
 * the payment requests that may have something due; none: all.
 */
export const notifySenders = execute<[payload?: string]>(
  'webhook-notify-senders',
  `SELECT pg_notify('${SENDERS_CHANNEL}', $1)`,
  (payload = '') => [payload],
);

function toRow(event: NewWebhookEvent) {
  const id = newId();
  const body = renderWebhookMessage({ ...event, id });
  // The guard accepted it when it was saved; should it not parse, the sender says so.
  const ownUrl = EVENT_TYPE_FACTS[event.eventType].goesToOwnUrl ? event.webhookUrl : null;
  const parsed = ownUrl === null ? null : URL.parse(ownUrl);
  return {
    id,
    merchantId: event.merchantId,
    paymentRequestId: event.paymentRequestId,
    sequence: event.sequence,
    eventType: event.eventType,
    body,
    createdAt: event.createdAt,
    url: parsed?.href ?? ownUrl,
    sentUrl: ownUrl,
    destination: `${event.merchantId} ${parsed?.origin ?? 'no origin'}`,
    misbehaviour: event.misbehaviour ?? null,
    traceparent: event.traceparent ?? null,
  };
}
