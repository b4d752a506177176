import type { Executor } from '#database/database.ts';
import type { DeliveryAttempt } from '#webhooks/deliveries/list-store.ts';
import { readDelivery } from '#webhooks/deliveries/read-delivery.ts';
import { shownHeaders } from '#webhooks/https/webhook-headers.ts';
import { findSentBody } from './sent-store.ts';

export interface ShownAttempt extends DeliveryAttempt {
  /** The headers as sent; credentials and signatures stand blanked. */
  readonly headers: Readonly<Record<string, string>>;
}

export type SentWebhook = Awaited<ReturnType<typeof readSentWebhook>>;

/**
 * A delivery with its attempts as they were sent: method, headers and body of the request, and what
 * was answered.
 *
 * @throws Problem WEBHOOK_DELIVERY_NOT_FOUND, also for another merchant's
 */
export async function readSentWebhook(db: Executor, merchantId: string, id: string) {
  const { delivery, attempts } = await readDelivery(db, merchantId, id);
  const sent = await findSentBody(db, merchantId, delivery.eventId);
  return {
    delivery,
    attempts: attempts.map((attempt) => ({
      ...attempt,
      headers: shownHeaders({
        id: delivery.eventId,
        url: delivery.url,
        body: sent?.body ?? '',
        traceparent: sent?.traceparent ?? null,
        startedAt: writtenAt(attempt),
      }),
    })),
    /** Equal in every attempt; null: the event is no longer kept. */
    body: sent?.body ?? null,
    sequence: sent?.sequence ?? 0,
  };
}

/** The signature covers the instant at which the connection stood. */
function writtenAt({ startedAt, dnsMs, connectMs, tlsMs }: DeliveryAttempt): Date {
  return new Date(startedAt.getTime() + (dnsMs ?? 0) + (connectMs ?? 0) + (tlsMs ?? 0));
}
