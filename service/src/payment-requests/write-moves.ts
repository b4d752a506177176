import type { Executor } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import { enqueueWebhookEvents } from '#webhooks/webhook-outbox.ts';
import { type PublicAddresses, renderPaymentRequest } from './payment-request-body.ts';
import { saveMoves } from './payment-request-move-store.ts';
import type { PlannedMove } from './plan-move.ts';

export interface WriteMovesDeps {
  readonly clock: Clock;
  readonly addresses: PublicAddresses;
}

/**
 * Writes moves of different payment requests, whose rows the transaction has locked: status, event
 * and owed webhook, in two statements however many there are. Only move-payment-request.ts and
 * expire-payment-requests.ts call this: nothing else changes a status.
 */
export async function writeMoves(
  tx: Executor,
  { clock, addresses }: WriteMovesDeps,
  moves: readonly PlannedMove[],
): Promise<void> {
  await saveMoves(tx, moves);
  const createdAt = clock.now();
  const owed = moves.flatMap(({ row, moved }) =>
    row.webhook === null
      ? []
      : {
          merchantId: moved.merchant.id,
          paymentRequestId: moved.id,
          sequence: moved.webhookSequence,
          eventType: row.webhook,
          message: moved.statusReason?.message ?? 'The payer completed the transaction.',
          resource: renderPaymentRequest(moved, addresses),
          webhookUrl: moved.webhook?.url ?? null,
          createdAt,
        },
  );
  if (owed.length > 0) await enqueueWebhookEvents(tx, owed);
}
