import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Cause } from '#payment-requests/model/cause.ts';
import { bareMovement, paymentEntries } from '#payment-requests/model/money/movements.ts';
import {
  hasPartCase,
  planChange,
  planExpiry,
  planPassedExpiry,
  planSums,
} from '#payment-requests/model/plan-change.ts';
import type { Status } from '#payment-requests/model/statuses.ts';
import { ASKED, created, NOW } from '../../support/payment-requests/report-decisions.ts';

const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);

function paid(amountCents: number, isAccepted = false): Cause {
  return {
    name: 'PAYMENT_SUCCEEDED',
    amountCents,
    institution: 'A Bank',
    networkReference: 'N1',
    completedAt: NOW,
    ...(isAccepted && { isAccepted: true as const }),
  };
}

const sums = (receivedCents: number, rest = {}) => ({
  receivedCents,
  returnedCents: 0,
  refundedCents: 0,
  refundingCents: 0,
  ...rest,
});

describe('money for a payment request', () => {
  it('makes PAID with the exact amount, which is one entry of the ledger', () => {
    const plan = planChange(created(), paid(ASKED), NOW);
    assert.equal(plan.outcome, 'CHANGED');
    assert.equal(plan.paymentRequest.status, 'PAID');
    assert.equal(plan.paymentRequest.sums.receivedCents, ASKED);
    assert.deepEqual(
      plan.entries.map(({ type, amountCents, networkReference }) => [
        type,
        amountCents,
        networkReference,
      ]),
      [['PAYMENT', ASKED, 'N1']],
    );
    assert.deepEqual(plan.paymentRequest.payment, {
      institution: 'A Bank',
      networkReference: 'N1',
      completedAt: NOW,
    });
    assert.equal(plan.changes[0]?.before.sums.receivedCents, 0);
    assert.equal(plan.changes[0]?.webhook, 'PAYMENT-COMPLETED');
    assert.deepEqual([plan.operatorCases, plan.closesPartCase, plan.note], [[], false, null]);
  });

  it('waits for an operator with another amount, until the operator accepts it', () => {
    for (const cents of [ASKED - 1, ASKED + 1]) {
      const held = planChange(created(), paid(cents), NOW);
      assert.equal(held.outcome, 'HELD_FOR_OPERATOR');
      assert.equal(held.paymentRequest.status, 'CREATED');
      assert.deepEqual([held.changes, held.entries], [[], []]);
      assert.deepEqual(held.operatorCases, [
        {
          kind: 'AMOUNT_MISMATCH',
          paymentRequestId: created().id,
          merchantId: 'mer_1',
          details: { askedCents: ASKED, arrivedCents: cents, networkReference: 'N1' },
        },
      ]);
      assert.equal(planChange(created(), paid(cents, true), NOW).paymentRequest.status, 'PAID');
    }
  });

  it('is late after the end, clears its reason, and closes the case of earlier parts', () => {
    const over = created({
      status: 'FAILED',
      statusReason: { code: 'PAYER_DECLINED', message: 'Declined.' },
      sums: sums(400),
    });
    const { paymentRequest, closesPartCase } = planChange(over, paid(ASKED), NOW);
    assert.deepEqual(
      [paymentRequest.status, paymentRequest.paidLate, paymentRequest.statusReason],
      ['PAID', true, null],
    );
    assert.equal(closesPartCase, true);
    const open = created({ sums: sums(400) });
    assert.equal(planChange(open, paid(ASKED), NOW).closesPartCase, false);
    assert.equal(planChange(open, paid(ASKED), NOW).paymentRequest.paidLate, false);
  });
});

describe('a cause', () => {
  it('is refused where the table has no transition, and changes nothing', () => {
    const before = created({ status: 'PROCESSING' });
    const plan = planChange(before, { name: 'CANCELLED_BY_MERCHANT' }, NOW);
    assert.equal(plan.outcome, 'REFUSED');
    assert.equal(plan.paymentRequest, before);
    assert.deepEqual([plan.changes, plan.entries, plan.operatorCases], [[], [], []]);
  });

  it('counts a version and an event, and a webhook where one is owed', () => {
    const accepted = planChange(created(), { name: 'PAYMENT_ACCEPTED' }, later(5)).paymentRequest;
    assert.deepEqual(
      [accepted.status, accepted.version, accepted.webhookSequence, accepted.payment],
      ['PROCESSING', 2, 0, null],
    );
    assert.deepEqual(accepted.events.at(-1), { status: 'PROCESSING', occurredAt: later(5) });
    const cause = { name: 'PAYMENT_REFUSED', reasonCode: 'INSUFFICIENT_FUNDS' } as const;
    const failed = planChange(accepted, cause, later(9)).paymentRequest;
    assert.deepEqual([failed.status, failed.version, failed.webhookSequence], ['FAILED', 3, 1]);
    assert.equal(failed.statusReason?.code, 'INSUFFICIENT_FUNDS');
    assert.match(failed.statusReason?.message ?? '', /enough money/);
  });

  it('never makes the list of events run backwards', () => {
    const cause = { name: 'CANCELLED_BY_MERCHANT' } as const;
    const { events } = planChange(created(), cause, later(-60)).paymentRequest;
    assert.deepEqual(events.at(-1), { status: 'CANCELLED', occurredAt: NOW });
    const first = planChange(created({ events: [] }), cause, later(-60)).paymentRequest;
    assert.deepEqual(first.events, [{ status: 'CANCELLED', occurredAt: later(-60) }]);
  });

  it('keeps the reason and a late payment as they were where it says nothing about them', () => {
    const before = created({ paidLate: true, statusReason: null });
    const { paymentRequest } = planChange(before, { name: 'PAYMENT_ACCEPTED' }, NOW);
    assert.deepEqual([paymentRequest.paidLate, paymentRequest.statusReason], [true, null]);
  });
});

describe('an expiry that has passed', () => {
  const expired = created({ expiresAt: later(60), sums: sums(300) });

  it('comes at its instant, before the cause, with the case of the parts', () => {
    assert.equal(planExpiry(expired, later(59)), null);
    assert.equal(planExpiry(expired, later(60))?.after.status, 'EXPIRED');
    const plan = planChange(expired, { name: 'CANCELLED_BY_MERCHANT' }, later(90));
    assert.equal(plan.outcome, 'REFUSED');
    assert.deepEqual(
      plan.changes.map(({ after }) => after.events.at(-1)),
      [{ status: 'EXPIRED', occurredAt: later(60) }],
    );
    assert.deepEqual(plan.operatorCases, [
      {
        kind: 'PART_PAYMENT',
        paymentRequestId: expired.id,
        merchantId: 'mer_1',
        details: { askedCents: ASKED, receivedCents: 300 },
      },
    ]);
    assert.equal(plan.paymentRequest.statusReason?.code, 'LINK_EXPIRED');
  });

  it('is written with late money, whose payment overtakes the case of the parts', () => {
    const plan = planChange(expired, paid(ASKED), later(90));
    assert.deepEqual(
      plan.changes.map(({ after }) => after.status),
      ['EXPIRED', 'PAID'],
    );
    assert.deepEqual([plan.operatorCases, plan.closesPartCase], [[], true]);
    const held = planChange(expired, paid(ASKED - 1), later(90));
    assert.deepEqual(
      held.operatorCases.map(({ kind }) => kind),
      ['PART_PAYMENT', 'AMOUNT_MISMATCH'],
    );
  });

  it('ends no other status, and opens no case without parts', () => {
    const over: readonly Status[] = ['PROCESSING', 'PAID', 'FAILED', 'CANCELLED', 'EXPIRED'];
    for (const status of over) {
      assert.equal(planExpiry({ ...expired, status }, later(90)), null);
      assert.equal(planPassedExpiry({ ...expired, status }, later(90)).outcome, 'REFUSED');
    }
    const plan = planPassedExpiry({ ...expired, sums: sums(0) }, later(90));
    assert.deepEqual([plan.outcome, plan.operatorCases], ['CHANGED', []]);
    assert.equal(planChange(expired, { name: 'EXPIRY_PASSED' }, later(59)).outcome, 'REFUSED');
  });

  it('counts only the money that is still held', () => {
    const gone = { ...expired, sums: sums(300, { refundingCents: 300 }) };
    assert.deepEqual(planPassedExpiry(gone, later(90)).operatorCases, []);
  });
});

describe('a change of sums', () => {
  const expired = planPassedExpiry(created({ expiresAt: NOW }), NOW);
  const note = {
    type: 'PART_RECEIVED',
    details: { amountCents: 400, receivedCents: 400 },
  } as const;
  const change = {
    after: { ...expired.paymentRequest, sums: sums(400) },
    webhook: null,
    entries: paymentEntries(expired.paymentRequest, [bareMovement('N2', 400)]),
    note,
  };

  it('follows the changes before it, and its case of the parts names the movement', () => {
    const plan = planSums(expired, change);
    assert.equal(plan.outcome, 'CHANGED');
    assert.deepEqual(
      plan.changes.map(({ transition, after, webhook }) => [
        transition?.to ?? null,
        after.version,
        after.webhookSequence,
        webhook,
      ]),
      [
        ['EXPIRED', 2, 1, 'PAYMENT-FAILED'],
        [null, 3, 1, null],
      ],
    );
    assert.deepEqual(plan.changes.at(-1), {
      before: expired.paymentRequest,
      cause: null,
      transition: null,
      after: plan.paymentRequest,
      webhook: null,
    });
    assert.equal(plan.paymentRequest.status, 'EXPIRED');
    assert.deepEqual(plan.operatorCases, [
      {
        kind: 'PART_PAYMENT',
        paymentRequestId: plan.paymentRequest.id,
        merchantId: 'mer_1',
        details: { askedCents: ASKED, receivedCents: 400, networkReference: 'N2' },
      },
    ]);
    assert.deepEqual([plan.entries, plan.note], [change.entries, note]);
    assert.equal(plan.closesPartCase, false);
  });

  it('counts a webhook, closes the case of earlier parts, and needs no movement', () => {
    const first = planSums(expired, change);
    const plan = planSums(first, { ...change, entries: [], webhook: 'PAYMENT-RETURNED' });
    assert.deepEqual([plan.paymentRequest.version, plan.paymentRequest.webhookSequence], [4, 2]);
    assert.equal(plan.closesPartCase, true);
    const [part] = plan.operatorCases;
    assert.deepEqual(part?.details, { askedCents: ASKED, receivedCents: 400 });
  });
});

describe('the case of the parts', () => {
  it('is one of money that is held for a payment request that is over and not PAID', () => {
    const payment = { institution: 'A Bank', networkReference: 'N1', completedAt: NOW };
    const over = created({ status: 'FAILED', sums: sums(1) });
    assert.equal(hasPartCase(over), true);
    assert.equal(hasPartCase({ ...over, payment }), false);
    assert.equal(hasPartCase({ ...over, status: 'CREATED' }), false);
    assert.equal(hasPartCase({ ...over, sums: sums(0) }), false);
  });
});
