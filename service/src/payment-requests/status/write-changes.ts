import type { Executor } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import { type PublicAddresses, renderPaymentRequest } from '#payment-requests/model/render-json.ts';
import { enqueueWebhookEvents } from '#webhooks/events/outbox.ts';
import type { WebhookMisbehaviour } from '#webhooks/model/misbehaviour.ts';
import type { PlannedMove } from './plan-change.ts';
import { saveMoves } from './status-store.ts';

export interface WriteMovesDeps {
  readonly clock: Clock;
  readonly addresses: PublicAddresses;
  /** In the sandbox: how the webhooks misbehave where the payer has this name. */
  readonly misbehaviourOf?: (payerName: string) => WebhookMisbehaviour | null;
}

/**
 * Writes moves of different payment requests, whose rows the transaction has locked: status, event
 * and owed webhook, in two statements however many there are. Only move-payment-request.ts,
 * expire-payment-requests.ts, take-network-report.ts and take-reports-together.ts call what is
 * here: nothing else changes a status.
 */
export async function writeMoves(
  tx: Executor,
  { clock, addresses, misbehaviourOf }: WriteMovesDeps,
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
          traceparent: moved.traceparent,
          misbehaviour: misbehaviourOf?.(moved.payer.name) ?? null,
        },
  );
  if (owed.length > 0) await enqueueWebhookEvents(tx, owed);
}

/** The same for moves in their order, of which several may be of one payment request. */
export async function writeMovesInOrder(
  tx: Executor,
  deps: WriteMovesDeps,
  moves: readonly PlannedMove[],
): Promise<void> {
  let rest = moves;
  while (rest.length > 0) {
    const first = new Map<string, PlannedMove>();
    for (const move of rest) if (!first.has(move.moved.id)) first.set(move.moved.id, move);
    await writeMoves(tx, deps, [...first.values()]);
    rest = rest.filter((move) => first.get(move.moved.id) !== move);
  }
}
