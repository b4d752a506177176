import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { planArrival } from '#payment-requests/network/money/plan-arrival.ts';
import {
  ASKED,
  created,
  ID,
  move,
  NOW,
  paid,
} from '../../support/payment-requests/report-decisions.ts';
import {
  byTable,
  EXPIRING,
  holding,
  kindsOf,
  LATER,
  ownOf,
  receivedOf,
  sumOf,
  told,
  webhooksOf,
} from '../../support/payment-requests/told-plans.ts';

const AT = new Date('2026-02-27T09:00:00.000Z');

describe('money that an operator gives to a payment request', () => {
  const arrive = (
    before: PaymentRequest,
    cents: number,
    now = NOW,
    institution = 'B' as string | null,
  ) =>
    planArrival(before, { movement: move('N', cents), at: AT, institution, currency: 'CAD' }, now);

  for (const status of ['CREATED', 'CANCELLED', 'EXPIRED'] as const) {
    for (const now of [NOW, LATER]) {
      for (const before of [0, 1, 400, ASKED - 1]) {
        for (const cents of [1, ASKED - before - 1, ASKED - before, ASKED - before + 1, 5_000]) {
          if (cents < 1) continue;
          const age = now === NOW ? 'in time' : 'late';
          it(`follows the table: ${cents} beside ${before} of ${status}, ${age}`, () => {
            const arrival = { movement: move('N', cents), at: NOW, institution: null };
            const found = planArrival(
              holding(status, before),
              { ...arrival, currency: 'CAD' },
              now,
            );
            const { outcome, plan } = found;
            assert.equal(outcome, byTable(before + cents));
            const isTaken = outcome !== 'MISMATCH';
            assert.equal(receivedOf(plan), isTaken ? before + cents : before);
            assert.equal(sumOf(plan.entries), cents);
            assert.equal(sumOf(ownOf(plan)), isTaken ? cents : 0);
            assert.equal(plan.paymentRequest.status === 'PAID', outcome === 'PAID');
            assert.equal(webhooksOf(plan).includes('PAYMENT-COMPLETED'), outcome === 'PAID');
            assert.equal(kindsOf(plan).includes('AMOUNT_MISMATCH'), outcome === 'MISMATCH');
          });
        }
      }
    }
  }

  it('makes PAID with the exact sum, at its own instant', () => {
    assert.deepEqual(told(arrive(created(), ASKED)), {
      outcome: 'PAID CHANGED',
      status: 'PAID',
      receivedCents: ASKED,
      entries: [`ASSIGNED ${ASKED} N own mer_1 CAD`],
      cases: [],
    });
    const { plan } = arrive(holding('CREATED', 400), 600);
    assert.deepEqual(plan.paymentRequest.payment, {
      institution: 'B',
      networkReference: 'N',
      completedAt: AT,
    });
    assert.equal(plan.paymentRequest.sums.receivedCents, ASKED);
    const unknown = arrive(created(), ASKED, NOW, null).plan.paymentRequest.payment;
    assert.equal(unknown?.institution, 'Unknown');
  });

  it('is a part when it is less, also after an expiry that is not written yet', () => {
    assert.deepEqual(told(arrive(holding('CREATED', 400), 599)), {
      outcome: 'PART CHANGED',
      status: 'CREATED',
      receivedCents: 999,
      entries: ['ASSIGNED 599 N own mer_1 CAD'],
      cases: [],
    });
    const { plan } = arrive(holding('CREATED', 400, EXPIRING), 100, LATER);
    assert.deepEqual(
      plan.changes.map(({ after, webhook }) => [after.status, after.sums.receivedCents, webhook]),
      [
        ['EXPIRED', 400, 'PAYMENT-FAILED'],
        ['EXPIRED', 500, null],
      ],
    );
    assert.deepEqual(plan.note, {
      type: 'PART_RECEIVED',
      details: { amountCents: 100, receivedCents: 500 },
    });
    assert.deepEqual(
      plan.operatorCases.map(({ kind, details }) => [kind, details.receivedCents]),
      [['PART_PAYMENT', 500]],
    );
  });

  it('is a case with the whole sum when it is more, and waits', () => {
    const decided = arrive(holding('CREATED', 400), 601);
    assert.deepEqual(told(decided), {
      outcome: 'MISMATCH HELD_FOR_OPERATOR',
      status: 'CREATED',
      receivedCents: 400,
      entries: ['ASSIGNED 601 N - mer_1 CAD'],
      cases: ['AMOUNT_MISMATCH'],
    });
    const details = { askedCents: ASKED, arrivedCents: 1_001, networkReference: 'N' };
    assert.deepEqual(decided.plan.operatorCases[0]?.details, {
      ...details,
      currency: 'CAD',
      institution: 'B',
    });
    const unknown = arrive(holding('CREATED', 400), 601, NOW, null).plan.operatorCases[0];
    assert.deepEqual(unknown?.details, { ...details, currency: 'CAD' });
  });

  it('waits beside a payment', () => {
    const decided = arrive(paid(), 5);
    assert.deepEqual(told(decided), {
      outcome: 'SECOND HELD_FOR_OPERATOR',
      status: 'PAID',
      receivedCents: ASKED,
      entries: ['ASSIGNED 5 N - mer_1 CAD'],
      cases: ['SECOND_PAYMENT'],
    });
    const [found] = decided.plan.operatorCases;
    assert.deepEqual(
      [found?.paymentRequestId, found?.merchantId, found?.details],
      [
        ID,
        'mer_1',
        {
          askedCents: ASKED,
          arrivedCents: 5,
          networkReference: 'N',
          currency: 'CAD',
          institution: 'B',
        },
      ],
    );
  });
});
