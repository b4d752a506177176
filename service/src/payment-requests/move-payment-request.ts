import type { Database, Executor } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import { newId } from '#lib/new-id.ts';
import { enqueueWebhookEvent } from '#webhooks/webhook-outbox.ts';
import { type Cause, isExpiryDue, type PaymentRequest, reasonOf } from './payment-request.ts';
import { type PublicAddresses, renderPaymentRequest } from './payment-request-body.ts';
import { findTransition, type Transition } from './payment-request-states.ts';
import { lockPaymentRequest, openOperatorCase, saveMove } from './payment-request-store.ts';

export interface MoveDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly addresses: PublicAddresses;
  /** Told after the commit, when a webhook event was written: the senders should look. */
  readonly wakeSenders: () => void;
  /** Told after the commit, for metrics and for those who wait for the request to change. */
  readonly onMoved: (move: Move) => void;
}

export interface Move {
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

export type MoveResult =
  | { readonly outcome: 'MOVED'; readonly paymentRequest: PaymentRequest }
  /** The table has no move for this cause in this status: nothing was changed. */
  | { readonly outcome: 'REFUSED'; readonly paymentRequest: PaymentRequest }
  /** Money came whose amount is not the one asked for: an operator's case, never PAID. */
  | { readonly outcome: 'HELD_FOR_OPERATOR'; readonly paymentRequest: PaymentRequest };

/**
 * The one door for a change of status (contract §5): locks the payment request, looks the move up
 * in the table, and writes status, event and owed webhook in one transaction. A report that comes
 * twice or too late is refused by the table and harmless.
 *
 * @returns what became of it, with the payment request as it is now; null for an unknown id.
 */
export async function movePaymentRequest(
  deps: MoveDeps,
  id: string,
  cause: Cause,
): Promise<MoveResult | null> {
  const moves: Move[] = [];
  let owesWebhook = false;
  const result = await deps.db.transaction(async (tx) => {
    const found = await lockPaymentRequest(tx, id);
    if (!found) return null;
    const apply = async (from: PaymentRequest, by: Cause, row: Transition, at: Date) => {
      const moved = moveBy(from, by, row, at);
      await saveMove(tx, moved, by.name);
      if (row.webhook) await enqueue(tx, deps, moved, row.webhook);
      moves.push({ id, from: from.status, to: moved.status });
      owesWebhook ||= row.webhook !== null;
      return moved;
    };
    return decide(tx, deps, found, cause, apply);
  });
  for (const move of moves) deps.onMoved(move);
  if (owesWebhook) deps.wakeSenders();
  return result;
}

type Apply = (
  from: PaymentRequest,
  by: Cause,
  row: Transition,
  at: Date,
) => Promise<PaymentRequest>;

async function decide(
  tx: Executor,
  { clock }: MoveDeps,
  found: PaymentRequest,
  cause: Cause,
  apply: Apply,
): Promise<MoveResult> {
  const now = clock.now();
  let current = found;
  const expiry = findTransition(current.status, 'EXPIRY_PASSED');
  // An expiry that has passed happened first, though no timer has written it yet.
  if (expiry && isExpiryDue(current, now)) {
    current = await apply(current, { name: 'EXPIRY_PASSED' }, expiry, current.expiresAt);
    if (cause.name === 'EXPIRY_PASSED') return { outcome: 'MOVED', paymentRequest: current };
  }
  const row = findTransition(current.status, cause.name);
  if (!row || cause.name === 'EXPIRY_PASSED')
    return { outcome: 'REFUSED', paymentRequest: current };
  if (cause.name === 'PAYMENT_SUCCEEDED' && cause.amountCents !== current.amountCents) {
    await openOperatorCase(tx, {
      id: newId(),
      kind: 'AMOUNT_MISMATCH',
      paymentRequestId: current.id,
      details: {
        askedCents: current.amountCents,
        arrivedCents: cause.amountCents,
        networkReference: cause.networkReference,
      },
      openedAt: now,
    });
    return { outcome: 'HELD_FOR_OPERATOR', paymentRequest: current };
  }
  return { outcome: 'MOVED', paymentRequest: await apply(current, cause, row, now) };
}

/** The payment request after a move. Pure. */
function moveBy(from: PaymentRequest, cause: Cause, row: Transition, at: Date): PaymentRequest {
  const last = from.events.at(-1)?.occurredAt ?? at;
  // Two machines' clocks may differ by a little; a list of events never runs backwards.
  const occurredAt = at < last ? last : at;
  return {
    ...from,
    status: row.to,
    statusReason: reasonOf(cause),
    paidLate: row.paidLate ?? false,
    payment:
      cause.name === 'PAYMENT_SUCCEEDED'
        ? {
            institution: cause.institution,
            networkReference: cause.networkReference,
            completedAt: cause.completedAt,
          }
        : null,
    version: from.version + 1,
    webhookSequence: from.webhookSequence + (row.webhook ? 1 : 0),
    events: [...from.events, { status: row.to, occurredAt }],
  };
}

async function enqueue(
  tx: Executor,
  { addresses, clock }: MoveDeps,
  moved: PaymentRequest,
  eventType: NonNullable<Transition['webhook']>,
): Promise<void> {
  await enqueueWebhookEvent(tx, {
    merchantId: moved.merchant.id,
    paymentRequestId: moved.id,
    sequence: moved.webhookSequence,
    eventType,
    message: moved.statusReason?.message ?? 'The payer completed the transaction.',
    resource: renderPaymentRequest(moved, addresses),
    webhookUrl: moved.webhook?.url ?? null,
    createdAt: clock.now(),
  });
}
