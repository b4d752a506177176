import type { Executor } from '#database/database.ts';
import type { MoneyMovement } from '#e-transfer/network-money.ts';
import { newId } from '#lib/new-id.ts';
import { Problem } from '#lib/problem.ts';
import { availableCents, type Refund, type RefundedPayment } from '#refunds/model/refund.ts';
import type { RefundReason } from '#refunds/model/statuses.ts';
import {
  type ChangeRefundDeps,
  insertExecutedRefund,
  insertRefunds,
  type WrittenRefunds,
} from '#refunds/status/change-refund-status.ts';
import { lockPaymentsById } from '#refunds/status/lock-store.ts';

export interface OperatorRefund {
  readonly paymentRequestId: string;
  readonly amountCents: number;
  /**
   * Whether the amount is taken from the amount available of the payment request. false: money of
   * an operator's case, which is no part of it.
   */
  readonly isOfPayment: boolean;
  /** The network reference of the one movement to give back; null: those of the payment. */
  readonly movementReference: string | null;
  readonly operatorCaseId: string | null;
  readonly reason?: RefundReason;
  readonly message?: string | null;
}

/**
 * Creates a refund for an operator, in the caller's transaction: no status, limit of a day or
 * setting of the merchant refuses it. The network is handed the refund within a second. The caller
 * writes the audit log.
 *
 * @returns the refund as the only one of `refunds`
 * @throws Problem PAYMENT_REQUEST_NOT_FOUND; REFUND_AMOUNT_EXCEEDED for a refund of the payment
 */
export async function createOperatorRefund(
  tx: Executor,
  deps: ChangeRefundDeps,
  asked: OperatorRefund,
): Promise<WrittenRefunds> {
  const payment = await lockPayment(tx, asked.paymentRequestId);
  if (asked.isOfPayment && asked.amountCents > availableCents(payment)) {
    throw new Problem('REFUND_AMOUNT_EXCEEDED');
  }
  const refund = newRefund(deps, payment, asked);
  const row = { refund, bodyHash: null, firstPollSeconds: 0, requestId: null };
  const written = await insertRefunds(tx, deps, [row]);
  return { ...written, refunds: [refund], isChanged: [true] };
}

export interface OutsideRefund extends OperatorRefund {
  /** The movement out, as the bank booked it. */
  readonly movement: Omit<MoneyMovement, 'amountCents'>;
  readonly completedAt: Date;
}

/**
 * Records a refund that the merchant's bank has executed without this service, COMPLETED from the
 * start, in the caller's transaction. States a fact: no amount refuses it.
 *
 * @returns the refund as the only one of `refunds`
 * @throws Problem PAYMENT_REQUEST_NOT_FOUND
 */
export async function recordOutsideRefund(
  tx: Executor,
  deps: ChangeRefundDeps,
  { movement, completedAt, ...asked }: OutsideRefund,
): Promise<WrittenRefunds> {
  const payment = await lockPayment(tx, asked.paymentRequestId);
  const refund = newRefund(deps, payment, asked);
  return insertExecutedRefund(tx, deps, { payment, refund, movement, completedAt });
}

async function lockPayment(tx: Executor, id: string): Promise<RefundedPayment> {
  const payment = (await lockPaymentsById(tx, [id])).get(id);
  if (!payment) throw new Problem('PAYMENT_REQUEST_NOT_FOUND');
  return payment;
}

function newRefund(
  { clock }: ChangeRefundDeps,
  { id: paymentRequestId, merchantId }: RefundedPayment,
  asked: OperatorRefund,
): Refund {
  const createdAt = clock.now();
  return {
    id: newId(),
    paymentRequestId,
    merchantId,
    merchantRefundId: null,
    amountCents: asked.amountCents,
    status: 'CREATED',
    statusReasonCode: null,
    reason: asked.reason ?? 'OTHER',
    message: asked.message ?? null,
    webhookUrl: null,
    isOfPayment: asked.isOfPayment,
    movementReference: asked.movementReference,
    operatorCaseId: asked.operatorCaseId,
    payment: null,
    countedOn: null,
    traceparent: null,
    version: 1,
    createdAt,
    events: [{ status: 'CREATED', occurredAt: createdAt }],
  };
}
