import { createHash } from 'node:crypto';
import type { Executor } from '#database/database.ts';
import { recordAct } from '#merchants/audit-log-store.ts';
import { lockKnownMerchant } from '#merchants/known-merchant.ts';
import { Refusal } from '#merchants/operator-fault.ts';
import { type CreateRefundsDeps, createRefunds } from '#refunds/create/create-refunds.ts';
import { lockRefundsOfMerchants } from '#refunds/create/limit-store.ts';
import { findRefund } from '#refunds/lookup/find-store.ts';
import { availableCents, type Refund, type RefundedPayment } from '#refunds/model/refund.ts';
import type { RefundReason } from '#refunds/model/statuses.ts';
import { lockPaymentsOfMerchants } from '#refunds/status/lock-store.ts';

export interface PersonsRefund {
  /** Also the refund's id: a form that is sent twice makes one refund. */
  readonly id: string;
  readonly merchantId: string;
  readonly paymentRequestId: string;
  readonly amountCents: number;
  /** The amount available that the person saw. */
  readonly expectedAvailableCents: number;
  readonly reason: RefundReason;
  /** The actor of the audit log. */
  readonly actor: string;
}

export interface RefundOfPerson {
  readonly refund: Refund;
  readonly isRepeated: boolean;
  /** Wakes senders and waiters; due after the commit. */
  readonly publish: () => void;
}

/**
 * Creates a refund for a person of the merchant, by the rules of the merchant's own call (contract
 * §11) and in the caller's transaction. The audit log names the person.
 *
 * @throws Problem as `createRefunds`; OperatorFault for a suspended merchant and a used id
 */
export async function refundForPerson(
  tx: Executor,
  deps: CreateRefundsDeps,
  { id, actor, merchantId, paymentRequestId, ...asked }: PersonsRefund,
): Promise<RefundOfPerson> {
  const { amountCents, expectedAvailableCents, reason } = asked;
  const merchant = await lockKnownMerchant(tx, merchantId);
  await lockRefundsOfMerchants(tx, [merchantId]);
  const known = await findRefund(tx, id);
  if (known) return repeated(known, { merchantId, paymentRequestId, amountCents });
  if (merchant.status !== 'ACTIVE') throw new Refusal('merchant.suspended');
  const validated = {
    ...{ amountCents, expectedAvailableCents, reason },
    ...{ message: null, webhookUrl: null },
  };
  const { results, publish } = await createRefunds(tx, deps, [
    {
      ...{ merchant, paymentRequestId, validated, merchantRefundId: null },
      // No merchantRefundId finds the refund by the hash of a body.
      bodyHash: createHash('sha256').update(id).digest(),
      identity: { id, requestId: null, traceparent: null },
    },
  ]);
  const [result] = results;
  if (!result) throw new Error('no result of the refund');
  if (result.kind === 'REFUSED') throw result.problem;
  await recordAct(tx, { clock: deps.clock, actor }, 'REFUND_CREATED', merchantId, {
    ...{ refundId: id, paymentRequestId, amountCents, reason },
    availableBeforeCents: expectedAvailableCents,
    availableAfterCents: expectedAvailableCents - amountCents,
  });
  return { refund: result.refund, isRepeated: false, publish };
}

/**
 * Locks a merchant's payment request with all its refunds, in the order of `refundForPerson`.
 *
 * @returns null: the merchant has no such payment request
 */
export async function lockRefundedPayment(
  tx: Executor,
  merchantId: string,
  paymentRequestId: string,
): Promise<(RefundedPayment & { readonly availableCents: number }) | null> {
  await lockKnownMerchant(tx, merchantId);
  await lockRefundsOfMerchants(tx, [merchantId]);
  const locked = await lockPaymentsOfMerchants(tx, [paymentRequestId], [merchantId]);
  const payment = locked.get(paymentRequestId);
  return payment ? { ...payment, availableCents: availableCents(payment) } : null;
}

function repeated(
  refund: Refund,
  asked: Pick<PersonsRefund, 'merchantId' | 'paymentRequestId' | 'amountCents'>,
): RefundOfPerson {
  const isEqual =
    refund.merchantId === asked.merchantId &&
    refund.paymentRequestId === asked.paymentRequestId &&
    refund.amountCents === asked.amountCents;
  if (!isEqual) throw new Refusal('refund.otherForm');
  return { refund, isRepeated: true, publish() {} };
}
