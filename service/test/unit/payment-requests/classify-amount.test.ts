import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { NetworkOutcome } from '#e-transfer/e-transfer-network.ts';
import { entryOf, type PlannedEntry } from '#payment-requests/model/money/movements.ts';
import { type Plan, unchanged } from '#payment-requests/model/plan-change.ts';
import {
  changesMoney,
  isReturn,
  returnedCents,
  undoneBy,
} from '#payment-requests/network/money/moved-money.ts';
import {
  emptyMovementIndex,
  rememberEntry,
  rememberMovement,
} from '#payment-requests/network/money/movement-index.ts';
import {
  ASKED,
  back,
  created,
  decide,
  ID,
  known,
  move,
  NONE,
  NOW,
  OTHER_ID,
  paid,
  part,
  shown,
  succeeded,
} from '../../support/payment-requests/report-decisions.ts';

describe('money that a report tells of', () => {
  it('makes PAID when it is the amount, with its parts', () => {
    assert.deepEqual(shown(decide(succeeded([move('A', 400), move('B', 600)]))), {
      verdict: 'TAKEN',
      status: 'PAID',
      entries: ['PART_PAYMENT 400 A own', 'PAYMENT 600 B own'],
      cases: [],
    });
    const before = created({ sums: { ...NONE, receivedCents: 400 } });
    const first = known('PART_PAYMENT', move('A', 400), ID);
    const last = decide(succeeded([move('A', 400), move('B', 600)]), { before, known: [first] });
    assert.deepEqual(shown(last).entries, ['PAYMENT 600 B own']);
    assert.equal(last.plan.paymentRequest.sums.receivedCents, ASKED);
    assert.equal(last.plan.paymentRequest.payment?.networkReference, 'B');
  });

  it('is a case with the whole sum when it is another amount', () => {
    for (const cents of [999, 1_001]) {
      const decision = decide(succeeded([move('A', 400), move('B', cents - 400)]));
      assert.deepEqual(shown(decision), {
        verdict: 'NOT_TAKEN',
        status: 'CREATED',
        entries: ['UNMATCHED 400 A -', `UNMATCHED ${cents - 400} B -`],
        cases: ['AMOUNT_MISMATCH'],
      });
      const [found] = decision.plan.operatorCases;
      assert.deepEqual(found?.details, {
        askedCents: ASKED,
        arrivedCents: cents,
        networkReference: 'B',
        currency: 'CAD',
        institution: 'A Bank',
        networkReferences: ['A', 'B'],
      });
    }
  });

  it('is a case when an earlier part went back twice, by a bank and by a refund', () => {
    const sums = { receivedCents: 400, returnedCents: 400, refundedCents: 0, refundingCents: 400 };
    const decision = decide(succeeded([move('B', ASKED)]), { before: created({ sums }) });
    assert.deepEqual(shown(decision).cases, ['AMOUNT_MISMATCH']);
    assert.equal(shown(decision).status, 'CREATED');
    assert.equal(decision.plan.operatorCases[0]?.details.arrivedCents, ASKED - 400);
  });

  it('adds to money that waits for an operator', () => {
    const waiting = known('UNMATCHED', move('A', 400), null);
    const decision = decide(succeeded([move('A', 400), move('B', 600)]), { known: [waiting] });
    assert.deepEqual(shown(decision).cases, ['AMOUNT_MISMATCH']);
    assert.equal(decision.plan.operatorCases[0]?.details.arrivedCents, ASKED);
    assert.deepEqual(shown(decision).entries, ['UNMATCHED 600 B -']);
    const counted = known('PART_PAYMENT', move('B', 600), ID);
    const both = decide(succeeded([move('A', 400), move('B', 600)]), { known: [waiting, counted] });
    assert.deepEqual([both.verdict, shown(both).cases], ['NOT_TAKEN', []]);
    const repeated = decide(succeeded([move('A', 400)]), { known: [waiting] });
    assert.deepEqual(shown(repeated), {
      verdict: 'NOT_TAKEN',
      status: 'CREATED',
      entries: [],
      cases: [],
    });
  });

  it('counts once when a report lists it twice', () => {
    assert.deepEqual(shown(decide(succeeded([move('A', 500), move('A', 500)]))), {
      verdict: 'NOT_TAKEN',
      status: 'CREATED',
      entries: ['UNMATCHED 500 A -'],
      cases: ['AMOUNT_MISMATCH'],
    });
  });

  it('is a case for each movement that contradicts an earlier report', () => {
    const before = [
      known('UNMATCHED', move('A', 400), null),
      known('PART_PAYMENT', move('B', 500), OTHER_ID),
    ];
    const decision = decide(succeeded([move('A', 500), move('B', 500)]), { known: before });
    assert.deepEqual(shown(decision).cases, ['AMOUNT_MISMATCH', 'REFERENCE_REUSED']);
    assert.deepEqual(shown(decision).entries, []);
  });

  it('is a case in another currency, with an entry in that currency', () => {
    const decision = decide(succeeded([move('A', ASKED)], 'USD'));
    assert.deepEqual(shown(decision).cases, ['CURRENCY_MISMATCH']);
    assert.equal(decision.plan.entries[0]?.currency, 'USD');
    assert.equal(decision.plan.entries[0]?.paymentRequestId, null);
    assert.equal(decide(succeeded([move('A', ASKED)])).plan.entries[0]?.currency, null);
  });

  it('is a second payment beside a payment, and names every movement', () => {
    const decision = decide(succeeded([move('B', 10), move('A', 20)]), { before: paid() });
    assert.deepEqual(shown(decision), {
      verdict: 'NOT_TAKEN',
      status: 'PAID',
      entries: ['SECOND_PAYMENT 10 B own', 'SECOND_PAYMENT 20 A own'],
      cases: ['SECOND_PAYMENT'],
    });
    assert.deepEqual(decision.plan.operatorCases[0]?.details, {
      askedCents: ASKED,
      arrivedCents: 30,
      networkReference: 'A',
      currency: 'CAD',
      institution: 'A Bank',
      networkReferences: ['A', 'B'],
    });
  });

  it('is TAKEN again when it counts, and stays with the operator when it does not', () => {
    const counted = known('PAYMENT', move('P', ASKED), ID);
    const again = decide(succeeded([move('P', ASKED)]), { before: paid(), known: [counted] });
    assert.deepEqual([again.verdict, again.plan.changes, again.plan.entries], ['TAKEN', [], []]);
    const second = known('SECOND_PAYMENT', move('Q', 5), ID);
    const held = decide(succeeded([move('Q', 5)]), { before: paid(), known: [second] });
    assert.deepEqual([held.verdict, held.plan.outcome], ['NOT_TAKEN', 'HELD_FOR_OPERATOR']);
    assert.deepEqual(held.plan.operatorCases, []);
  });

  it('is a case under the reference of another payment request, with all other money', () => {
    const foreign = known('PART_PAYMENT', move('A', 400), OTHER_ID);
    const money = succeeded([move('A', 400), move('B', 600)]);
    const decision = decide(money, { known: [foreign] });
    assert.deepEqual(shown(decision), {
      verdict: 'NOT_TAKEN',
      status: 'CREATED',
      entries: ['UNMATCHED 600 B -'],
      cases: ['REFERENCE_REUSED', 'AMOUNT_MISMATCH'],
    });
    const [reused, rest] = decision.plan.operatorCases;
    assert.deepEqual([reused?.details.networkReference, reused?.details.arrivedCents], ['A', 400]);
    assert.deepEqual([rest?.details.networkReference, rest?.details.arrivedCents], ['B', 600]);
    const beside = decide(money, { known: [foreign], before: paid() });
    assert.deepEqual(shown(beside).cases, ['REFERENCE_REUSED', 'SECOND_PAYMENT']);
    assert.deepEqual(shown(beside).entries, ['SECOND_PAYMENT 600 B own']);
    const alone = decide(succeeded([move('A', 400)]), { known: [foreign] });
    assert.deepEqual(shown(alone).cases, ['REFERENCE_REUSED']);
  });

  it('is a case when it contradicts an earlier report of itself', () => {
    const before = created({ sums: { ...NONE, receivedCents: 400 } });
    const first = known('PART_PAYMENT', move('A', 400), ID);
    const decision = decide(succeeded([move('A', 500)]), { before, known: [first] });
    assert.deepEqual(shown(decision), {
      verdict: 'NOT_TAKEN',
      status: 'CREATED',
      entries: [],
      cases: ['AMOUNT_MISMATCH'],
    });
    assert.equal(decision.plan.operatorCases[0]?.details.arrivedCents, 500);
  });
});

describe('a part payment', () => {
  it('adds to the sum, also of the whole amount, and once', () => {
    const first = decide(part(move('A', 400)));
    assert.deepEqual(shown(first), {
      verdict: 'TAKEN',
      status: 'CREATED',
      entries: ['PART_PAYMENT 400 A own'],
      cases: [],
    });
    assert.equal(first.plan.paymentRequest.sums.receivedCents, 400);
    assert.deepEqual(first.plan.note, {
      type: 'PART_RECEIVED',
      details: { amountCents: 400, receivedCents: 400 },
    });
    assert.equal(first.plan.changes[0]?.webhook, null);
    assert.equal(shown(decide(part(move('A', ASKED)))).status, 'CREATED');
    const before = created({ sums: { ...NONE, receivedCents: 400 } });
    const counted = known('PART_PAYMENT', move('A', 400), ID);
    const again = decide(part(move('A', 400)), { before, known: [counted] });
    assert.deepEqual([again.verdict, again.plan.changes], ['TAKEN', []]);
  });

  it('is the payment when the network leaves the sum to the service', () => {
    const payment = { institution: 'A Bank', completedAt: NOW };
    const { plan } = decide({ ...part(move('A', ASKED)), payment } as NetworkOutcome);
    assert.deepEqual(plan.paymentRequest.payment, { ...payment, networkReference: 'A' });
  });

  it('is a case above the amount, in another currency, and beside a payment', () => {
    assert.deepEqual(shown(decide(part(move('A', ASKED + 1)))).cases, ['AMOUNT_MISMATCH']);
    const foreign = decide(part(move('A', 10), 'USD'));
    assert.deepEqual(shown(foreign).cases, ['CURRENCY_MISMATCH']);
    assert.equal('institution' in (foreign.plan.operatorCases[0]?.details ?? {}), false);
    assert.deepEqual(shown(decide(part(move('A', 10)), { before: paid() })).cases, [
      'SECOND_PAYMENT',
    ]);
  });
});

describe('money that a report repeats', () => {
  const part = known('PART_PAYMENT', move('A', 400), ID);
  const holding = (receivedCents: number, refundingCents = 0) =>
    created({ sums: { ...NONE, receivedCents, refundingCents } });

  it('is a part when only an operator’s refund keeps its sum from being the amount', () => {
    const told = { before: holding(400, 100), known: [part] };
    const decision = decide(succeeded([move('A', 400), move('B', 600)]), told);
    assert.deepEqual(shown(decision), {
      verdict: 'TAKEN',
      status: 'CREATED',
      entries: ['PART_PAYMENT 600 B own'],
      cases: [],
    });
  });

  it('is no part of the case about what came with it', () => {
    const told = { before: holding(400), known: [part] };
    const decision = decide(succeeded([move('A', 400), move('B', 500)]), told);
    assert.deepEqual(shown(decision).entries, ['UNMATCHED 500 B -']);
    const details = decision.plan.operatorCases[0]?.details;
    assert.deepEqual(
      [details?.arrivedCents, details?.networkReference, details?.networkReferences],
      [900, 'B', undefined],
    );
    const alone = decide(succeeded([move('A', 400)]), told).plan.operatorCases[0];
    assert.deepEqual([alone?.details.arrivedCents, alone?.details.networkReference], [400, 'A']);
  });

  it('makes PAID once the network completes it', () => {
    const whole = known('PART_PAYMENT', move('A', ASKED), ID);
    const told = { before: holding(ASKED), known: [whole] };
    assert.deepEqual(shown(decide(succeeded([move('A', ASKED)]), told)), {
      verdict: 'TAKEN',
      status: 'PAID',
      entries: [],
      cases: [],
    });
  });

  it('with another amount is a case that names the movement', () => {
    const told = { before: holding(400), known: [part] };
    const [found] = decide(succeeded([move('A', 500)]), told).plan.operatorCases;
    assert.deepEqual(
      [found?.kind, found?.details.arrivedCents, found?.details.networkReference],
      ['AMOUNT_MISMATCH', 500, 'A'],
    );
  });
});

describe('money that is remembered', () => {
  const amountOf = (...types: readonly (readonly ['ASSIGNED' | 'UNMATCHED', number])[]) => {
    const money = emptyMovementIndex();
    for (const [type, cents] of types) rememberMovement(money, known(type, move('A', cents), null));
    return money.incoming.get('A')?.amountCents;
  };

  it('keeps the amount that has arrived when what was left of it is assigned', () => {
    assert.equal(amountOf(['UNMATCHED', 500], ['ASSIGNED', 300]), 500);
    assert.equal(amountOf(['UNMATCHED', 500], ['UNMATCHED', 300]), 300);
    assert.equal(amountOf(['ASSIGNED', 300]), 300);
  });

  it('came in or was taken back, under a reference', () => {
    const entry = (type: 'UNMATCHED' | 'RETURN' | 'ASSIGNED', amountCents: number) =>
      entryOf({
        ...{ type, movement: move('A', Math.abs(amountCents)), merchantId: null },
        ...{ paymentRequestId: null, sign: amountCents < 0 ? -1 : 1 },
      });
    const remembered = (each: PlannedEntry) => {
      const money = emptyMovementIndex();
      rememberEntry(money, each, NOW);
      return [money.incoming.get('A')?.amountCents, money.returns.get('A')?.amountCents];
    };
    assert.deepEqual(remembered(entry('UNMATCHED', 5)), [5, undefined]);
    assert.deepEqual(remembered(entry('RETURN', -5)), [undefined, 5]);
    assert.deepEqual(remembered(entry('ASSIGNED', -5)), [undefined, undefined]);
    const money = emptyMovementIndex();
    rememberEntry(money, { ...entry('UNMATCHED', 5), networkReference: null }, NOW);
    assert.equal(money.incoming.size, 0);
  });
});

describe('the plan of a report about money', () => {
  const entry = (type: 'RETURN' | 'PAYMENT', cents: number) =>
    entryOf({
      ...{ type, movement: move('A', cents), merchantId: null, paymentRequestId: ID },
      ...(type === 'RETURN' && { sign: -1 as const }),
    });
  const plan = (changes: Partial<Plan>): Plan => ({ ...unchanged(created()), ...changes });

  it('is a return when it takes money back, and tells how much', () => {
    const both = plan({ entries: [entry('PAYMENT', 9), entry('RETURN', 5), entry('RETURN', 2)] });
    assert.deepEqual([isReturn(both), returnedCents(both)], [true, 7]);
    const none = plan({ entries: [entry('PAYMENT', 9)] });
    assert.deepEqual([isReturn(none), returnedCents(none)], [false, 0]);
  });

  it('changes money with entries or cases, unless it simply makes PAID', () => {
    const { plan: paying } = decide(succeeded([move('A', ASKED)]));
    assert.equal(changesMoney(paying), false);
    assert.equal(changesMoney(plan({})), false);
    assert.equal(changesMoney(plan({ entries: [entry('PAYMENT', 9)] })), true);
    const operatorCases = decide(succeeded([move('A', 1)])).plan.operatorCases;
    assert.equal(changesMoney(plan({ operatorCases })), true);
    const { plan: accepted } = decide({ state: 'ACCEPTED' });
    assert.equal(changesMoney({ ...accepted, operatorCases }), true);
  });

  it('undoes the movement that the outcome names', () => {
    assert.deepEqual(undoneBy(back(move('R', 5), 'A')), ['A']);
    assert.deepEqual(undoneBy(back(move('R', 5), null)), []);
    assert.deepEqual(undoneBy({ state: 'ACCEPTED' }), []);
  });
});
