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

export function connectService({ databaseUrl }: ServiceUnderTest): Database {
  return connectDatabase({ url: databaseUrl, poolSize: 4 });
}

export interface CommittedEvents {
  readonly paymentRequestIds: readonly string[];
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
    const atMs = performance.timeOrigin + performance.now();
    return { paymentRequestIds, atMs };
  });
}

export function resourceOf(paymentRequestId: string): string {
  return JSON.stringify({ id: paymentRequestId, amount: 10, note: NOTE });
}
