import { randomUUID } from 'node:crypto';
import { enqueueWebhookEvents, notifySenders } from '#webhooks/events/outbox.ts';
import type { SenderFleet } from './sender-fleet.ts';

/** The number of payment requests that are batched into one commit. */
const PAYMENT_REQUESTS_PER_COMMIT = 5;
const MOST_EVENTS_OF_ONE = 3;
const ROLLED_BACK_SHARE = 0.05;

/**
 * Commits at least so many events, of one to three for a payment request, a few in a transaction;
 * some transactions are rolled back.
 *
 * @returns the ids of the events that were committed, and of none else
 */
export async function commitEvents(
  { database: { db, sql }, merchantIds, listenerUrl }: SenderFleet,
  count: number,
): Promise<ReadonlySet<string>> {
  const { committed: before } = await countEvents();
  for (let made = before; made < before + count; ) {
    const events = Array.from({ length: PAYMENT_REQUESTS_PER_COMMIT }, newEvents).flat();
    const isRolledBack = Math.random() < ROLLED_BACK_SHARE;
    await db
      .transaction(async (tx) => {
        await enqueueWebhookEvents(tx, events);
        if (isRolledBack) throw new RolledBack();
      })
      .catch((error: unknown) => {
        if (!(error instanceof RolledBack)) throw error;
      });
    if (!isRolledBack) made += events.length;
    const named = new Set(events.map(({ paymentRequestId }) => paymentRequestId));
    await notifySenders(db, ['', ...named].join(' '));
  }
  const rows = await sql<{ id: string }>('SELECT id FROM webhook_events');
  return new Set(rows.map(({ id }) => id));

  async function countEvents() {
    const [row] = await sql<{ committed: number }>(
      'SELECT count(*)::int AS committed FROM webhook_events',
    );
    return row ?? { committed: 0 };
  }

  function newEvents() {
    const paymentRequestId = randomUUID();
    const merchantId = merchantIds[Math.floor(Math.random() * merchantIds.length)] ?? '';
    const length = 1 + Math.floor(Math.random() * MOST_EVENTS_OF_ONE);
    return Array.from({ length }, (_, index) => ({
      merchantId,
      paymentRequestId,
      sequence: index + 1,
      eventType: 'PAYMENT-COMPLETED' as const,
      message: 'The payer completed the transaction.',
      resource: `{"id":"${paymentRequestId}","amount":10.00}`,
      webhookUrl: listenerUrl,
      createdAt: new Date(),
    }));
  }
}

class RolledBack extends Error {}
