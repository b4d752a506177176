import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import type { Plan } from '#payment-requests/model/plan-change.ts';
import type { KnownMovement } from '#payment-requests/network/money/known-money.ts';
import { planArrival } from '#payment-requests/network/money/plan-arrival.ts';
import { planReplacement } from '#payment-requests/network/money/plan-replacement.ts';
import {
  ASKED,
  created,
  ID,
  known,
  move,
  NONE,
  NOW,
  paid,
} from '../../support/payment-requests/report-decisions.ts';

const AT = new Date('2026-02-27T09:00:00.000Z');
const later = new Date(NOW.getTime() + 90_000);
/** Asked for until a minute from now, of which 400 cents have arrived. */
const withPart = (changes: Partial<PaymentRequest> = {}) =>
  created({ sums: { ...NONE, receivedCents: 400 }, ...changes });
const expiring = { expiresAt: new Date(NOW.getTime() + 60_000) };

/** Status, money and cases of a plan, and its entries in one line each. */
function told({ outcome, plan }: { readonly outcome: string; readonly plan: Plan }) {
  return {
    outcome: `${outcome} ${plan.outcome}`,
    status: plan.paymentRequest.status,
    receivedCents: plan.paymentRequest.sums.receivedCents,
    entries: plan.entries.map(
      ({ type, amountCents, networkReference, paymentRequestId, merchantId, currency }) =>
        `${type} ${amountCents} ${networkReference} ${paymentRequestId ? 'own' : '-'} ` +
        `${merchantId} ${currency}`,
    ),
    cases: plan.operatorCases.map(({ kind }) => kind),
  };
}

describe('money that an operator gives to a payment request', () => {
  const arrive = (
    before: PaymentRequest,
    cents: number,
    now = NOW,
    institution = 'B' as string | null,
  ) =>
    planArrival(before, { movement: move('N', cents), at: AT, institution, currency: 'CAD' }, now);

  it('makes PAID with the exact sum, at its own instant', () => {
    assert.deepEqual(told(arrive(created(), ASKED)), {
      outcome: 'PAID CHANGED',
      status: 'PAID',
      receivedCents: ASKED,
      entries: [`ASSIGNED ${ASKED} N own mer_1 CAD`],
      cases: [],
    });
    const { plan } = arrive(withPart(), 600);
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
    assert.deepEqual(told(arrive(withPart(), 599)), {
      outcome: 'PART CHANGED',
      status: 'CREATED',
      receivedCents: 999,
      entries: ['ASSIGNED 599 N own mer_1 CAD'],
      cases: [],
    });
    const { plan } = arrive(withPart(expiring), 100, later);
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
    const decided = arrive(withPart(), 601);
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
    const unknown = arrive(withPart(), 601, NOW, null).plan.operatorCases[0];
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

describe('a corrected booking', () => {
  const waits = (name: string, cents: number) => known('UNMATCHED', move(name, cents), null);
  const counts = (name: string, cents: number) => known('PART_PAYMENT', move(name, cents), ID);
  const replace = (before: PaymentRequest, old: KnownMovement, cents: number, now = NOW) =>
    planReplacement(
      before,
      { old, corrected: waits('NEW', cents), institution: null, currency: 'CAD' },
      now,
    );
  const leaves = (cents: number) => `ASSIGNED -${cents} NEW - mer_1 null`;

  it('of less lowers the sum of a payment, with an event and a case', () => {
    const decided = replace(paid(), counts('OLD', ASKED), 900);
    assert.deepEqual(told(decided), {
      outcome: 'REDUCED CHANGED',
      status: 'PAID',
      receivedCents: 900,
      entries: [
        `ADJUSTMENT -${ASKED} OLD own mer_1 CAD`,
        leaves(900),
        'ASSIGNED 900 NEW own mer_1 null',
      ],
      cases: ['MONEY_RETURNED'],
    });
    const { plan } = decided;
    assert.equal(plan.changes[0]?.webhook, 'PAYMENT-RETURNED');
    assert.deepEqual(plan.note?.details, { amountCents: 100, reason: 'CORRECTED_BOOKING' });
    const [found] = plan.operatorCases;
    assert.deepEqual(
      [found?.paymentRequestId, found?.merchantId, found?.details],
      [
        ID,
        'mer_1',
        {
          askedCents: ASKED,
          returnedCents: 100,
          networkReference: 'NEW',
          currency: 'CAD',
          reason: 'CORRECTED_BOOKING',
        },
      ],
    );
  });

  it('of less enters the payment that a version without a ledger took', () => {
    const before = { ...paid(), sums: NONE };
    const { plan } = replace(before, counts('OLD', ASKED), 900);
    assert.deepEqual(
      plan.entries.map(({ type, amountCents }) => `${type} ${amountCents}`),
      [`PAYMENT ${ASKED}`, `ADJUSTMENT -${ASKED}`, 'ASSIGNED -900', 'ASSIGNED 900'],
    );
    assert.equal(plan.paymentRequest.sums.receivedCents, 900);
  });

  it('of more keeps the sum of a payment as a part, and the rest waits beside it', () => {
    const decided = replace(paid(), counts('OLD', ASKED), 1_100);
    assert.deepEqual(told(decided), {
      outcome: 'SECOND HELD_FOR_OPERATOR',
      status: 'PAID',
      receivedCents: ASKED,
      entries: [
        `ADJUSTMENT -${ASKED} OLD own mer_1 CAD`,
        leaves(1_100),
        `ASSIGNED ${ASKED} NEW/1 own mer_1 null`,
        'ASSIGNED 100 NEW/2 - mer_1 null',
      ],
      cases: ['SECOND_PAYMENT'],
    });
    const details = decided.plan.operatorCases[0]?.details;
    assert.deepEqual([details?.arrivedCents, details?.networkReference], [100, 'NEW/2']);
  });

  it('takes the place of a part', () => {
    assert.deepEqual(told(replace(withPart(), counts('OLD', 400), ASKED)), {
      outcome: 'PAID CHANGED',
      status: 'PAID',
      receivedCents: ASKED,
      entries: [
        'ADJUSTMENT -400 OLD own mer_1 CAD',
        leaves(ASKED),
        `ASSIGNED ${ASKED} NEW own mer_1 CAD`,
      ],
      cases: [],
    });
    assert.deepEqual(told(replace(withPart(), counts('OLD', 400), 300)), {
      outcome: 'PART CHANGED',
      status: 'CREATED',
      receivedCents: 300,
      entries: ['ADJUSTMENT -400 OLD own mer_1 CAD', leaves(300), 'ASSIGNED 300 NEW own mer_1 CAD'],
      cases: [],
    });
  });

  it('of too much takes its part out, and waits', () => {
    const decided = replace(withPart(), counts('OLD', 400), 1_001);
    assert.deepEqual(told(decided), {
      outcome: 'MISMATCH CHANGED',
      status: 'CREATED',
      receivedCents: 0,
      entries: ['ADJUSTMENT -400 OLD own mer_1 CAD'],
      cases: ['AMOUNT_MISMATCH'],
    });
    assert.equal(decided.plan.operatorCases[0]?.details.arrivedCents, 1_001);
    assert.deepEqual(decided.plan.note, {
      type: 'MONEY_RETURNED',
      details: { amountCents: 400, reason: 'CORRECTED_BOOKING' },
    });
    const both = withPart({ ...expiring, sums: { ...NONE, receivedCents: 500 } });
    const expired = replace(both, counts('OLD', 400), 1_001, later).plan;
    assert.deepEqual(
      expired.changes.map(({ after, webhook }) => [
        after.status,
        after.sums.receivedCents,
        webhook,
      ]),
      [
        ['EXPIRED', 500, 'PAYMENT-FAILED'],
        ['EXPIRED', 100, null],
      ],
    );
    assert.deepEqual(
      expired.operatorCases.map(({ kind }) => kind),
      ['PART_PAYMENT', 'AMOUNT_MISMATCH'],
    );
  });

  it('of money that waits follows the table, and changes no sum before', () => {
    const old = waits('OLD', 400);
    assert.deepEqual(told(replace(created(), old, ASKED)), {
      outcome: 'PAID CHANGED',
      status: 'PAID',
      receivedCents: ASKED,
      entries: [
        'ADJUSTMENT -400 OLD - mer_1 CAD',
        leaves(ASKED),
        `ASSIGNED ${ASKED} NEW own mer_1 CAD`,
      ],
      cases: [],
    });
    assert.deepEqual(told(replace(created(), old, 1_001)), {
      outcome: 'MISMATCH HELD_FOR_OPERATOR',
      status: 'CREATED',
      receivedCents: null,
      entries: ['ADJUSTMENT -400 OLD - mer_1 CAD'],
      cases: ['AMOUNT_MISMATCH'],
    });
    assert.deepEqual(told(replace(paid(), old, 300)), {
      outcome: 'SECOND HELD_FOR_OPERATOR',
      status: 'PAID',
      receivedCents: ASKED,
      entries: ['ADJUSTMENT -400 OLD - mer_1 CAD'],
      cases: ['SECOND_PAYMENT'],
    });
  });

  it('in the deployment’s currency adjusts without naming it', () => {
    const old = { ...counts('OLD', 400), currency: null };
    const [adjusted] = replace(withPart(), old, 300).plan.entries;
    assert.equal(adjusted?.currency, null);
  });

  it('closes the case of the parts of a payment request that is over', () => {
    const over = withPart({ status: 'FAILED' });
    assert.equal(replace(over, counts('OLD', 400), ASKED).plan.closesPartCase, true);
    assert.equal(replace(withPart(), counts('OLD', 400), ASKED).plan.closesPartCase, false);
    const late = replace(withPart(expiring), counts('OLD', 400), 300, later).plan;
    assert.equal(late.closesPartCase, true);
  });
});
