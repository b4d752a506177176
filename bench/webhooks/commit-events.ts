import { randomUUID } from 'node:crypto';
import { connectDatabase, type Database } from '../../service/src/database/database.ts';
import { enqueueWebhookEvents } from '../../service/src/webhooks/events/outbox.ts';
import type { ServiceUnderTest } from '../service/service-under-test.ts';

/** The receiver of an event. */
export interface Target {
  readonly merchantId: string;
  /** null: the merchant's endpoint receives the event. */
  readonly webhookUrl: string | null;
}

/** Makes the body about as long as a payment request with all its fields. */
const NOTE = 'x'.repeat(1_000);

/**
 * A probe of the unique index for each event. A join reads all events there are, once a connection
 * has planned it for a table that was nearly empty. The inner SELECT keeps one plan for all calls.
 */
const FIND_EVENTS = {
  name: 'bench-events',
  text: `SELECT found.id
         FROM unnest((SELECT $1::uuid[])) AS asked (payment_request_id), LATERAL (
           SELECT id FROM webhook_events e
           WHERE e.payment_request_id = asked.payment_request_id AND e.sequence = 1
           LIMIT 1) found`,
};

export function connectService({ databaseUrl }: ServiceUnderTest): Database {
  return connectDatabase({ url: databaseUrl, poolSize: 4 });
}

export interface CommittedEvents {
  readonly paymentRequestIds: readonly string[];
  /** The webhook-ids of the events. */
  readonly ids: readonly string[];
  /** The instant before COMMIT, in milliseconds since 1970: the wait for the disk counts. */
  readonly atMs: number;
}

/** Commits an event for each target, in a single transaction. */
export async function commitEvents(
  db: Database,
  targets: readonly Target[],
): Promise<CommittedEvents> {
  const paymentRequestIds = targets.map(() => randomUUID());
  const events = targets.map(({ merchantId, webhookUrl }, index) => ({
    merchantId,
    paymentRequestId: paymentRequestIds[index] as string,
    sequence: 1,
    eventType: 'PAYMENT-COMPLETED' as const,
    message: 'The payer completed the transaction.',
    resource: resourceOf(paymentRequestIds[index] as string),
    webhookUrl,
    createdAt: new Date(),
  }));
  return db.transaction(async (tx) => {
    await enqueueWebhookEvents(tx, events);
    const rows = await tx.query<{ id: string }>(FIND_EVENTS, [paymentRequestIds]);
    const atMs = performance.timeOrigin + performance.now();
    return { paymentRequestIds, ids: rows.map(({ id }) => id), atMs };
  });
}

export function resourceOf(paymentRequestId: string): string {
  return JSON.stringify({ id: paymentRequestId, amount: 10, note: NOTE });
}
