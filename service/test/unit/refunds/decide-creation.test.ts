import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Problem } from '#lib/problem.ts';
import {
  type AskedCreation,
  type CreationFacts,
  decideCreation,
  type NewRefund,
} from '#refunds/create/decide-creation.ts';
import type { Refund, RefundedPayment } from '#refunds/model/refund.ts';

const ID = '01890000-0000-7000-8000-00000000000a';
const PAYMENT: RefundedPayment = {
  id: ID,
  merchantId: 'mer_1',
  isPaid: true,
  receivedCents: 1_000,
  returnedCents: 100,
  refundedCents: 200,
  refundingCents: 300,
  webhookSequence: 1,
  sendsReceipts: false,
};
const NEW: NewRefund = {
  amountCents: 400,
  expectedAvailableCents: null,
  reason: 'OTHER',
  message: null,
  webhookUrl: null,
};
const ASKED: AskedCreation = {
  paymentRequestId: ID,
  bodyHash: Buffer.alloc(32, 1),
  validated: NEW,
};
const FACTS: CreationFacts = {
  payment: PAYMENT,
  known: null,
  isSpent: false,
  limitCents: 500,
  countedCents: 100,
  isSupported: true,
};
const REFUND = { id: 'r', paymentRequestId: ID, amountCents: 400 } as Refund;

/** The amount of a new refund, REPEATED, or the code of the refusal. */
function decide(asked: Partial<NewRefund> = {}, facts: Partial<CreationFacts> = {}) {
  return outcomeOf({ ...ASKED, validated: { ...NEW, ...asked } }, { ...FACTS, ...facts });
}

function outcomeOf(asked: AskedCreation, facts: CreationFacts) {
  try {
    const decision = decideCreation(asked, facts);
    return decision.kind === 'NEW' ? decision.amountCents : decision.kind;
  } catch (error) {
    assert.ok(error instanceof Problem);
    return error.code;
  }
}

describe('a new refund', () => {
  it('may take what was neither returned nor given back, and no cent more', () => {
    assert.equal(decide(), 400);
    assert.equal(decide({ amountCents: 401 }), 'REFUND_AMOUNT_EXCEEDED');
    assert.equal(decide({ amountCents: null }), 400);
    for (const sum of ['returnedCents', 'refundedCents', 'refundingCents'] as const) {
      const payment = { ...PAYMENT, [sum]: PAYMENT[sum] + 1 };
      assert.equal(decide({}, { payment }), 'REFUND_AMOUNT_EXCEEDED');
    }
  });

  it('is refused when nothing is left, also without an amount', () => {
    const payment = { ...PAYMENT, returnedCents: 5_000 };
    assert.equal(decide({ amountCents: null }, { payment }), 'REFUND_AMOUNT_EXCEEDED');
    assert.equal(decide({ amountCents: 1 }, { payment }), 'REFUND_AMOUNT_EXCEEDED');
  });

  it('may reach the limit of the day, and no cent more', () => {
    assert.equal(decide({}, { countedCents: 100 }), 400);
    assert.equal(decide({}, { countedCents: 101 }), 'REFUND_LIMIT_REACHED');
    assert.equal(decide({}, { limitCents: 0 }), 'REFUNDS_DISABLED');
  });

  it('is refused for an unknown payment, one that is not PAID, and without a network for it', () => {
    assert.equal(decide({}, { payment: null }), 'PAYMENT_REQUEST_NOT_FOUND');
    assert.equal(decide({}, { payment: { ...PAYMENT, isPaid: false } }), 'NOT_PAID');
    assert.equal(decide({}, { isSupported: false }), 'REFUNDS_NOT_SUPPORTED');
  });

  it('is held to the amount available that the caller expects', () => {
    assert.equal(decide({ expectedAvailableCents: 400 }), 400);
    assert.equal(decide({ expectedAvailableCents: 399 }), 'REFUND_AMOUNT_MISMATCH');
    assert.equal(decide({ expectedAvailableCents: 0 }), 'REFUND_AMOUNT_MISMATCH');
  });

  it('tells how much is available', () => {
    const detailOf = (asked: Partial<NewRefund>, payment = PAYMENT) => {
      try {
        decideCreation({ ...ASKED, validated: { ...NEW, ...asked } }, { ...FACTS, payment });
      } catch (error) {
        return error instanceof Problem ? error.detail : String(error);
      }
      return 'no refusal';
    };
    assert.equal(
      detailOf({ expectedAvailableCents: 1 }),
      '4.00 is available, not expectedAmountAvailable.',
    );
    assert.equal(
      detailOf({ amountCents: 401 }),
      'The refund is above the 4.00 that is available of the payment.',
    );
    assert.equal(
      detailOf({ amountCents: 1 }, { ...PAYMENT, returnedCents: 500 }),
      'Nothing of the payment is available for a refund.',
    );
  });

  it('is refused with the first fault of its fields', () => {
    const validated = new Problem('VALIDATION_ERROR');
    assert.equal(outcomeOf({ ...ASKED, validated }, FACTS), 'VALIDATION_ERROR');
  });
});

describe('a merchantRefundId that was used', () => {
  const known = { refund: REFUND, bodyHash: ASKED.bodyHash };

  it('answers an equal body before anything refuses it', () => {
    const facts = { ...FACTS, known, limitCents: 0, payment: null };
    assert.equal(outcomeOf(ASKED, facts), 'REPEATED');
    assert.equal(
      outcomeOf({ ...ASKED, validated: new Problem('VALIDATION_ERROR') }, facts),
      'REPEATED',
    );
    const spelled = { ...ASKED, paymentRequestId: ID.toUpperCase() };
    assert.equal(outcomeOf(spelled, facts), 'REPEATED');
  });

  it('refuses another body, and another payment request', () => {
    const facts = { ...FACTS, known };
    const body = { ...ASKED, bodyHash: Buffer.alloc(32, 2) };
    assert.equal(outcomeOf(body, facts), 'DUPLICATE_MERCHANT_REFUND_ID');
    const other = { ...ASKED, paymentRequestId: ID.replace(/a$/, 'b') };
    assert.equal(outcomeOf(other, facts), 'DUPLICATE_MERCHANT_REFUND_ID');
  });

  it('refuses every body when retention has deleted its refund', () => {
    assert.equal(decide({}, { isSpent: true }), 'DUPLICATE_MERCHANT_REFUND_ID');
    assert.equal(outcomeOf(ASKED, { ...FACTS, known, isSpent: true }), 'REPEATED');
  });
});
