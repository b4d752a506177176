import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isCounted } from '#payment-requests/model/money/waiting.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import type { KnownMovement } from '#payment-requests/network/money/movement-index.ts';
import { planReplacement } from '#payment-requests/network/money/plan-replacement.ts';
import {
  ASKED,
  created,
  ID,
  known,
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

/** The earlier booking, and the payment request that has its money beside `others`. */
const EARLIER: readonly {
  readonly name: string;
  readonly old: (cents: number) => KnownMovement;
  readonly before: (cents: number, others: number) => PaymentRequest;
  readonly isPaid: boolean;
}[] = [
  {
    name: 'a part',
    old: (cents) => known('PART_PAYMENT', move('OLD', cents), ID),
    before: (cents, others) => holding('CREATED', cents + others),
    isPaid: false,
  },
  {
    name: 'an assigned part of one that is over',
    old: (cents) => known('ASSIGNED', move('OLD', cents), ID),
    before: (cents, others) => holding('CANCELLED', cents + others),
    isPaid: false,
  },
  {
    name: 'money that waits',
    old: (cents) => known('UNMATCHED', move('OLD', cents), null),
    before: (_, others) => holding('CREATED', others),
    isPaid: false,
  },
  {
    name: 'the payment',
    old: (cents) => known('PAYMENT', move('OLD', cents), ID),
    before: (cents, others) => paid(cents + others),
    isPaid: true,
  },
  {
    name: 'money beside a payment',
    old: (cents) => known('SECOND_PAYMENT', move('OLD', cents), ID),
    before: () => paid(),
    isPaid: true,
  },
];

describe('a corrected booking in the place of an earlier one', () => {
  for (const { name, old: oldOf, before: beforeOf, isPaid } of EARLIER) {
    for (const others of [0, 300]) {
      for (const oldCents of [1, 699, 700, 999, 1_000, 1_500]) {
        for (const cents of [1, 400, 699, 700, 701, 999, 1_000, 1_001, 2_000]) {
          // The bank has named another amount; parts are less than the amount asked for.
          if (cents === oldCents) continue;
          const old = oldOf(oldCents);
          if (!isPaid && isCounted(old) && oldCents + others >= ASKED) continue;
          it(`keeps the books right: ${cents} for ${oldCents}, ${name}, beside ${others}`, () => {
            const before = beforeOf(oldCents, others);
            const corrected = known('UNMATCHED', move('NEW', cents), null);
            const replacement = { old, corrected, institution: null, currency: 'CAD' };
            const { outcome, plan } = planReplacement(before, replacement, NOW);
            const wasCounted = isCounted(old) ? oldCents : 0;
            const received = before.sums.receivedCents;
            const expected = isPaid
              ? wasCounted === 0 || cents > oldCents
                ? 'SECOND'
                : 'REDUCED'
              : byTable(received - wasCounted + cents);
            assert.equal(outcome, expected);
            // The ledger loses the earlier booking alone: it has the corrected one already.
            assert.equal(sumOf(plan.entries), -oldCents);
            const assigned = plan.entries.filter(({ type }) => type === 'ASSIGNED');
            assert.equal(sumOf(assigned), 0);
            assert.equal(sumOf(ownOf(plan)), receivedOf(plan) - received);
            assert.ok(plan.entries.every(({ amountCents }) => amountCents !== 0));
            const after: Readonly<Record<typeof outcome, number>> = {
              PAID: received - wasCounted + cents,
              PART: received - wasCounted + cents,
              MISMATCH: received - wasCounted,
              SECOND: received,
              REDUCED: received - oldCents + cents,
            };
            assert.equal(receivedOf(plan), after[outcome]);
            assert.equal(plan.paymentRequest.status === 'PAID', isPaid || outcome === 'PAID');
            const told = { PAID: ['PAYMENT-COMPLETED'], REDUCED: ['PAYMENT-RETURNED'] };
            assert.deepEqual(webhooksOf(plan), told[outcome as keyof typeof told] ?? []);
            // The parts of a payment request that is over wait for a person.
            const isOver = before.status === 'CANCELLED' && outcome !== 'PAID';
            const parts = isOver && receivedOf(plan) > 0 ? ['PART_PAYMENT'] : [];
            assert.deepEqual(kindsOf(plan), [...CASES[outcome], ...parts]);
            if (outcome !== 'SECOND') return;
            const waits = wasCounted === 0 ? cents : cents - oldCents;
            assert.equal(plan.operatorCases[0]?.details.arrivedCents, waits);
          });
        }
      }
    }
  }
});

const CASES = {
  PAID: [],
  PART: [],
  MISMATCH: ['AMOUNT_MISMATCH'],
  SECOND: ['SECOND_PAYMENT'],
  REDUCED: ['MONEY_RETURNED'],
} as const;

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

  it('lowers the sum of a payment when it is less, with an event and a case', () => {
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

  it('keeps the sum of a payment as a part when it is more, and the rest waits beside it', () => {
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
    assert.deepEqual(told(replace(holding('CREATED', 400), counts('OLD', 400), ASKED)), {
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
    assert.deepEqual(told(replace(holding('CREATED', 400), counts('OLD', 400), 300)), {
      outcome: 'PART CHANGED',
      status: 'CREATED',
      receivedCents: 300,
      entries: ['ADJUSTMENT -400 OLD own mer_1 CAD', leaves(300), 'ASSIGNED 300 NEW own mer_1 CAD'],
      cases: [],
    });
  });

  it('takes its part out when it is too much, and waits', () => {
    const decided = replace(holding('CREATED', 400), counts('OLD', 400), 1_001);
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
    const both = holding('CREATED', 500, EXPIRING);
    const expired = replace(both, counts('OLD', 400), 1_001, LATER).plan;
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

  it('follows the table for money that waits, and changes no sum before', () => {
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
      receivedCents: 0,
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

  it('adjusts in the deployment’s currency without naming it', () => {
    const old = { ...counts('OLD', 400), currency: null };
    const [adjusted] = replace(holding('CREATED', 400), old, 300).plan.entries;
    assert.equal(adjusted?.currency, null);
  });

  it('closes the case of the parts of a payment request that is over', () => {
    const over = holding('FAILED', 400);
    assert.equal(replace(over, counts('OLD', 400), ASKED).plan.closesPartCase, true);
    assert.equal(
      replace(holding('CREATED', 400), counts('OLD', 400), ASKED).plan.closesPartCase,
      false,
    );
    const late = replace(holding('CREATED', 400, EXPIRING), counts('OLD', 400), 300, LATER).plan;
    assert.equal(late.closesPartCase, true);
  });
});
