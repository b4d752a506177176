import { Problem } from '#lib/problem.ts';
import type { Refund } from '#refunds/model/refund.ts';
import { completeRefund, failRefund, lockRefund } from '#refunds/operator/fail-for-operator.ts';
import { lockRefundedPayment, refundForPerson } from '#refunds/operator/refund-for-person.ts';
import type { ActType } from './act-type.ts';

export const REFUND: ActType<'REFUND'> = {
  targetOf: ({ paymentRequestId }) => `payment-request:${paymentRequestId}`,
  async lockFacts(tx, { merchantId, paymentRequestId, amountCents }) {
    const payment = await lockRefundedPayment(tx, merchantId, paymentRequestId);
    if (!payment) throw new Problem('PAYMENT_REQUEST_NOT_FOUND');
    const { isPaid, receivedCents, returnedCents, refundingCents, refundedCents } = payment;
    const { availableCents } = payment;
    return {
      ...{ merchantId, amountCents },
      facts: {
        ...{ paymentRequestId, isPaid, receivedCents, returnedCents },
        ...{ refundingCents, refundedCents, availableCents },
      },
    };
  },
  /** The refunds before count, too: a sum in two halves is the same sum. */
  needsApproval({ amountCents }, { refundingCents, refundedCents }, { refundsAboveCents }) {
    return amountCents + Number(refundingCents) + Number(refundedCents) > refundsAboveCents;
  },
  async act(tx, { refund: deps }, { id, params, actor }) {
    const done = await refundForPerson(tx, deps, { ...params, id, actor });
    const { refund, isRepeated, publish } = done;
    const { paymentRequestId, amountCents } = refund;
    return {
      ...{ result: refund, isRepeated, publish },
      audited: { refundId: refund.id, paymentRequestId, amountCents },
      changedIds: [refund.id, paymentRequestId],
    };
  },
};

const ABOUT_REFUND: Pick<ActType<'REFUND_FAIL' | 'REFUND_COMPLETE'>, 'targetOf' | 'lockFacts'> = {
  targetOf: ({ refundId }) => `refund:${refundId}`,
  async lockFacts(tx, { refundId }) {
    const { status, merchantId, amountCents, paymentRequestId } = await lockRefund(tx, refundId);
    const facts = { refundId, paymentRequestId, refundStatus: status, refundCents: amountCents };
    return { merchantId, amountCents, facts };
  },
};

function ended(refund: Refund) {
  const { id: refundId, paymentRequestId, amountCents } = refund;
  return {
    result: refund,
    audited: { refundId, paymentRequestId, amountCents },
    changedIds: [refundId, paymentRequestId],
  };
}

export const REFUND_FAIL: ActType<'REFUND_FAIL'> = {
  ...ABOUT_REFUND,
  async act(tx, { clock, settings }, { params: { refundId, note }, actor }) {
    return ended(await failRefund(tx, { clock, settings, actor }, refundId, note));
  },
};

export const REFUND_COMPLETE: ActType<'REFUND_COMPLETE'> = {
  ...ABOUT_REFUND,
  async act(tx, { clock, settings, refund }, { params: { refundId, bankReference }, actor }) {
    const deps = { clock, settings, actor, timeZone: refund.timeZone };
    return ended(await completeRefund(tx, deps, refundId, bankReference));
  },
};
