import { randomUUID } from 'node:crypto';
import { connectDatabase, type Database } from '../../service/src/database/database.ts';
import { enqueueWebhookEvents } from '../../service/src/webhooks/events/outbox.ts';
import type { Stage } from '../service/service-under-test.ts';

/** Whom an event is for. */
export interface Target {
  readonly merchantId: string;
  /** null: the merchant's endpoint. */
  readonly webhookUrl: string | null;
}

/** About as long as a payment request with all its fields. */
const NOTE = 'x'.repeat(1_000);

const FIND_EVENTS = {
  name: 'bench-events',
  text: 'SELECT id FROM webhook_events WHERE payment_request_id = ANY ($1::uuid[])',
};

export function connectStage({ databaseUrl }: Stage): Database {
  return connectDatabase({ url: databaseUrl, poolSize: 4 });
}

export interface CommittedEvents {
  /** Their webhook-ids. */
  readonly ids: readonly string[];
  /** When the commit was asked for, in milliseconds since 1970: what waits for the disk counts. */
  readonly atMs: number;
}

/** Commits one event for each target, together. */
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
    return { ids: rows.map(({ id }) => id), atMs };
  });
}

export function resourceOf(paymentRequestId: string): string {
  return JSON.stringify({ id: paymentRequestId, amount: 10, note: NOTE });
}
