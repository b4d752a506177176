import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { correctedCents, earlierAmong } from '#cases/read/earlier-bookings.ts';
import { isCounted } from '#payment-requests/model/money/waiting.ts';
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

const LATER = new Date(NOW.getTime() + 400 * 86_400_000);
const holding = (status: PaymentRequest['status'], receivedCents: number) =>
  created({ status, sums: { ...NONE, receivedCents: receivedCents || null } });

const receivedOf = ({ paymentRequest }: Plan) => paymentRequest.sums.receivedCents ?? 0;
const sumOf = (entries: Plan['entries']) =>
  entries.reduce((sum, each) => sum + each.amountCents, 0);
const ownOf = ({ entries }: Plan) => entries.filter((each) => each.paymentRequestId === ID);
const webhooksOf = ({ changes }: Plan) => changes.flatMap(({ webhook }) => webhook ?? []);
const kindsOf = ({ operatorCases }: Plan) => operatorCases.map(({ kind }) => kind).sort();

/** The outcome by the table of bank-transfer §4, for a payment request that is not PAID. */
const byTable = (sumCents: number) =>
  sumCents === ASKED ? 'PAID' : sumCents < ASKED ? 'PART' : 'MISMATCH';

describe('money that an operator gives to a payment request', () => {
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

  for (const cents of [1, ASKED, ASKED + 1]) {
    it(`waits beside a payment: ${cents}`, () => {
      const arrival = { movement: move('N', cents), at: NOW, institution: null, currency: 'CAD' };
      const { outcome, plan } = planArrival(paid(), arrival, NOW);
      assert.deepEqual([outcome, receivedOf(plan)], ['SECOND', ASKED]);
      assert.deepEqual([sumOf(plan.entries), ownOf(plan)], [cents, []]);
      assert.deepEqual(kindsOf(plan), ['SECOND_PAYMENT']);
      assert.equal(plan.operatorCases[0]?.details.arrivedCents, cents);
    });
  }
});

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
            const received = before.sums.receivedCents ?? 0;
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

describe('the earlier money that a correction can replace', () => {
  const whole = known('UNMATCHED', move('A', 200), null);
  const split = known('ASSIGNED', move('A', 200), null);
  const gone = (reference: string, cents: number) =>
    known('ADJUSTMENT', move(reference, cents), null);
  const counted = (reference: string, cents: number) =>
    known('ASSIGNED', move(reference, cents), ID);
  const waits = (reference: string, cents: number) =>
    known('UNMATCHED', move(reference, cents), null);
  const table: readonly (readonly [string, readonly KnownMovement[], readonly string[]])[] = [
    ['an unknown booking', [], []],
    ['a booking that waits', [whole], ['A']],
    ['a booking that was replaced', [gone('A', 200)], []],
    ['the parts of a split', [split, counted('A/1', 120), waits('A/2', 80)], ['A/1', 'A/2']],
    [
      'parts of a part',
      [split, counted('A/1', 120), known('ASSIGNED', move('A/2', 80), null), waits('A/2/1', 80)],
      ['A/1', 'A/2/1'],
    ],
    ['the parts that were not replaced', [split, gone('A/1', 120), waits('A/2', 80)], ['A/2']],
    [
      'the parts of the later booking',
      [gone('A', 120), counted('A/1', 120), split2(), counted('B/1', 70)],
      ['B/1'],
    ],
  ];
  function split2() {
    return known('ASSIGNED', move('B', 190), null);
  }
  for (const [name, movements, expected] of table) {
    it(`is ${name}`, () => {
      const incoming = new Map(movements.map((each) => [each.networkReference, each]));
      const found = earlierAmong(['A', 'B'], incoming);
      assert.deepEqual(
        found.map(({ old }) => old.networkReference),
        expected,
      );
    });
  }

  it('takes the whole difference of the bookings as that of the part', () => {
    assert.equal(correctedCents({ old: whole, whole: null }, 190), 190);
    assert.equal(correctedCents({ old: counted('A/2', 80), whole: split }, 190), 70);
    assert.equal(correctedCents({ old: counted('A/2', 80), whole: split }, 210), 90);
    assert.equal(correctedCents({ old: counted('A/2', 80), whole: split }, 100), -20);
  });
});
