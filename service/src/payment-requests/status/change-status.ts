import type { Database, Executor } from '#database/database.ts';
import { newId } from '#lib/new-id.ts';
import type { Cause, PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { openOperatorCase } from './operator-case-store.ts';
import { type PlannedMove, planExpiry, planMove } from './plan-change.ts';
import { lockPaymentRequest } from './status-store.ts';
import { type WriteMovesDeps, writeMovesInOrder } from './write-changes.ts';

export interface MoveDeps extends WriteMovesDeps {
  readonly db: Database;
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

/** What was written in a transaction that has yet to commit; then `tellOfMoves` is due. */
export interface UncommittedMove<Result = MoveResult> {
  readonly result: Result;
  readonly moves: readonly PlannedMove[];
}

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
  const { result, moves } = await deps.db.transaction((tx) =>
    moveInTransaction(tx, deps, id, cause),
  );
  tellOfMoves(deps, moves);
  return result;
}

/** The same within a transaction of the caller, who tells of the moves after its commit. */
export async function moveInTransaction(
  tx: Executor,
  deps: WriteMovesDeps,
  id: string,
  cause: Cause,
): Promise<UncommittedMove<MoveResult | null>> {
  const locked = await lockPaymentRequest(tx, id);
  return locked ? moveLocked(tx, deps, locked, cause) : { result: null, moves: [] };
}

/** The same for a payment request that the transaction has locked already. */
export async function moveLocked(
  tx: Executor,
  deps: WriteMovesDeps,
  locked: PaymentRequest,
  cause: Cause,
): Promise<UncommittedMove> {
  const planned = await planLocked(tx, deps, locked, cause);
  await writeMovesInOrder(tx, deps, planned.moves);
  return planned;
}

/** What `moveLocked` would do, and the moves still to be written in the same transaction. */
export async function planLocked(
  tx: Executor,
  { clock }: Pick<WriteMovesDeps, 'clock'>,
  locked: PaymentRequest,
  cause: Cause,
): Promise<UncommittedMove> {
  const now = clock.now();
  // An expiry that has passed happened first, though no timer has written it yet.
  const expiry = planExpiry(locked, now);
  const current = expiry?.moved ?? locked;
  const moves = expiry ? [expiry] : [];
  const isAsked = expiry !== null && cause.name === 'EXPIRY_PASSED';
  if (isAsked) return { result: { outcome: 'MOVED', paymentRequest: current }, moves };
  const planned = planMove(current, cause, now);
  if (!planned) return { result: { outcome: 'REFUSED', paymentRequest: current }, moves };
  if (await isHeldForOperator(tx, current, cause, now)) {
    return { result: { outcome: 'HELD_FOR_OPERATOR', paymentRequest: current }, moves };
  }
  const result = { outcome: 'MOVED', paymentRequest: planned.moved } as const;
  return { result, moves: [...moves, planned] };
}

/** Tells those who wait and measure of moves whose transaction has been committed. */
export function tellOfMoves(
  { onMoved, wakeSenders }: Pick<MoveDeps, 'onMoved' | 'wakeSenders'>,
  moves: readonly PlannedMove[],
): void {
  for (const { from, moved } of moves) {
    onMoved({ id: moved.id, from: from.status, to: moved.status });
  }
  if (moves.some(({ row }) => row.webhook !== null)) wakeSenders();
}

/** Money whose amount is not the one asked for is a person's affair (contract §5). */
async function isHeldForOperator(
  tx: Executor,
  paymentRequest: PaymentRequest,
  cause: Cause,
  now: Date,
): Promise<boolean> {
  if (cause.name !== 'PAYMENT_SUCCEEDED') return false;
  if (cause.amountCents === paymentRequest.amountCents) return false;
  await openOperatorCase(tx, {
    id: newId(),
    kind: 'AMOUNT_MISMATCH',
    paymentRequestId: paymentRequest.id,
    details: {
      askedCents: paymentRequest.amountCents,
      arrivedCents: cause.amountCents,
      networkReference: cause.networkReference,
    },
    openedAt: now,
  });
  return true;
}
