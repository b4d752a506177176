import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MovementOutcome } from '#e-transfer/bank-transfer/entries/model/movement.ts';
import {
  type DecidedMovement,
  decideMovement,
  type MatchingFacts,
  type ShownRequest,
  sumOf,
  withoutMatch,
} from '#e-transfer/bank-transfer/matching/decide-movement.ts';
import { isNamedBy } from '#e-transfer/bank-transfer/matching/same-money.ts';
import { creditorReferenceOf } from '#e-transfer/bank-transfer/references/creditor-reference.ts';

const OURS = 'DE02120300000000202051';
const OTHER_ACCOUNT = 'DE02500105170137075030';
const reference = (n: number) => creditorReferenceOf(String(n).padStart(15, '0'));
const [FIRST, SECOND, UNUSED] = [reference(1), reference(2), reference(3)];
/** Without amounts of its own in details, so that its reference decides. */
const PLAIN = { feeCents: 0, details: [] };

const shown = (paymentRequestId: string, own: string, changes: Partial<ShownRequest> = {}) => ({
  ...{ paymentRequestId, reference: own, account: OURS, amountCents: 1_000, currency: 'EUR' },
  ...changes,
});

const movement = (id: string, changes: Partial<DecidedMovement> = {}): DecidedMovement => ({
  ...PLAIN,
  id,
  account: OURS,
  direction: 'CREDIT',
  amountCents: 1_000,
  currency: 'EUR',
  bookingDate: '2026-03-02',
  creditorReferences: [FIRST],
  endToEndHash: null,
  bankReference: `B-${id}`,
  entryReference: null,
  batchReference: null,
  isConfirmed: true,
  isReturn: false,
  outcome: 'WAITING',
  paymentRequestId: null,
  returnedId: null,
  ...changes,
});

/** A movement that counts for the first request. */
const counted = (id: string, amountCents: number, outcome: MovementOutcome = 'PART') =>
  movement(id, { amountCents, outcome, paymentRequestId: 'first' });
const returned = (id: string, amountCents: number, returnedId: string | null) => ({
  ...counted(id, amountCents, 'RETURNED'),
  direction: 'DEBIT' as const,
  returnedId,
});
const debit = (id: string, changes: Partial<DecidedMovement> = {}) =>
  movement(id, { direction: 'DEBIT', isReturn: true, ...changes });

interface Told {
  readonly requests?: readonly ShownRequest[];
  readonly known?: readonly DecidedMovement[];
  readonly most?: number;
}

const REQUESTS = [shown('first', FIRST), shown('second', SECOND)];

function factsOf({ requests = REQUESTS, known = [], most = 1_000_000 }: Told): MatchingFacts {
  return {
    requests: new Map(requests.map((each) => [each.reference, each])),
    movementsOf: (id) => known.filter(({ paymentRequestId }) => paymentRequestId === id),
    creditsLike: (each) =>
      known.filter((credit) => credit.direction === 'CREDIT' && isNamedBy(each, credit)),
    maxAutomaticCents: most,
  };
}

const NOTHING = {
  paymentRequestId: null,
  candidates: [],
  sumCents: null,
  summed: [],
  returnedId: null,
};
const decide = (each: DecidedMovement, told: Told = {}) => decideMovement(each, factsOf(told));

describe('a credit', () => {
  const about = { ...NOTHING, paymentRequestId: 'first' };

  it('is none of ours without a reference of ours', () => {
    assert.equal(decide(movement('m', { creditorReferences: [] })), null);
    assert.equal(decide(movement('m', { creditorReferences: ['RF18539007547034'] })), null);
  });

  it('is a case with a reference of ours that no payment request has', () => {
    const decided = decide(movement('m', { creditorReferences: ['RF18539007547034', UNUSED] }));
    assert.deepEqual(decided, { ...NOTHING, outcome: 'UNMATCHED_MONEY' });
  });

  it('that comes back from a payee of the merchant is a case', () => {
    const decided = decide(movement('m', { isReturn: true }));
    assert.deepEqual(decided, { ...NOTHING, outcome: 'UNMATCHED_MONEY', candidates: ['first'] });
  });

  it('that names several payment requests is a case, and not one that it names twice', () => {
    const both = decide(movement('m', { creditorReferences: [FIRST, SECOND] }));
    assert.deepEqual(both, {
      ...NOTHING,
      outcome: 'AMBIGUOUS_REFERENCE',
      candidates: ['first', 'second'],
    });
    const requests = [shown('first', FIRST), shown('first', SECOND)];
    const twice = decide(movement('m', { creditorReferences: [FIRST, SECOND] }), { requests });
    assert.equal(twice?.outcome, 'EXACT');
  });

  it('whose details do not add up is a case, also with a reference of ours', () => {
    const details = [{ amountCents: null, currency: 'EUR', references: [] }];
    assert.deepEqual(decide({ ...movement('m'), details }), {
      ...{ ...NOTHING, outcome: 'AMBIGUOUS_REFERENCE', candidates: ['first'] },
    });
    assert.deepEqual(decide({ ...debit('m'), details }), {
      ...{ ...NOTHING, outcome: 'REFUNDED_OUTSIDE', candidates: ['first'] },
    });
    assert.equal(decide({ ...debit('m', { creditorReferences: [] }), details }), null);
  });

  it('on another account or in another currency is a case of its payment request', () => {
    assert.deepEqual(decide(movement('m', { account: OTHER_ACCOUNT })), {
      ...about,
      outcome: 'WRONG_ACCOUNT',
    });
    assert.deepEqual(decide(movement('m', { currency: 'CHF' })), {
      ...about,
      outcome: 'OTHER_CURRENCY',
    });
  });

  const sums: readonly (readonly [number, readonly DecidedMovement[], string, number | null])[] = [
    [1_000, [], 'EXACT', 1_000],
    [999, [], 'PART', null],
    [1_001, [], 'EXCESS', 1_001],
    [600, [counted('a', 400)], 'EXACT', 1_000],
    [599, [counted('a', 400)], 'PART', null],
    [601, [counted('a', 400)], 'EXCESS', 1_001],
    [1, [counted('a', 1_000, 'EXACT')], 'SECOND', null],
    [600, [counted('a', 400), returned('r', 400, 'a')], 'PART', null],
    [1_000, [counted('a', 400), returned('r', 400, 'a')], 'EXACT', 1_000],
    [1_000, [counted('a', 400, 'WRONG_ACCOUNT')], 'EXACT', 1_000],
  ];
  for (const [amountCents, known, outcome, sumCents] of sums) {
    const before = known.map((each) => `${each.outcome} ${each.amountCents}`).join(', ');
    it(`is ${outcome} with ${amountCents} cents after ${before || 'nothing'}`, () => {
      const decided = decide(movement('m', { amountCents }), { known });
      assert.deepEqual(
        [decided?.outcome, decided?.paymentRequestId, decided?.sumCents],
        [outcome, 'first', sumCents],
      );
      assert.equal(decided?.summed.at(-1), sumCents === null ? undefined : 'm');
    });
  }

  it('names the movements of its sum, without those that went back in whole', () => {
    const known = [counted('a', 300), counted('b', 200), returned('r', 300, 'a')];
    const decided = decide(movement('m', { amountCents: 800 }), { known });
    assert.deepEqual([decided?.outcome, decided?.summed], ['EXACT', ['b', 'm']]);
  });

  it('above the limit of automatic matching is a case, the limit itself is not', () => {
    assert.equal(decide(movement('m'), { most: 1_000 })?.outcome, 'EXACT');
    const decided = decide(movement('m'), { most: 999 });
    assert.deepEqual(decided, { ...about, outcome: 'AMOUNT_ABOVE_LIMIT' });
  });
});

describe('a movement that no bank has confirmed', () => {
  const unconfirmed = { isConfirmed: false };

  it('counts only as the first and whole amount', () => {
    assert.equal(decide(movement('m', unconfirmed))?.outcome, 'EXACT');
    const waiting = (each: DecidedMovement, known: readonly DecidedMovement[] = []) =>
      assert.deepEqual(decide(each, { known }), {
        ...NOTHING,
        paymentRequestId: 'first',
        outcome: 'WAITING',
      });
    waiting(movement('m', { ...unconfirmed, amountCents: 999 }));
    waiting(movement('m', { ...unconfirmed, amountCents: 1_001 }));
    waiting(movement('m', { ...unconfirmed, amountCents: 600 }), [counted('a', 400)]);
    waiting(debit('m', unconfirmed), [counted('a', 1_000, 'EXACT')]);
  });

  it('is none of ours without a reference of ours', () => {
    assert.equal(decide(movement('m', { ...unconfirmed, creditorReferences: [] })), null);
  });
});

describe('a debit', () => {
  const about = { ...NOTHING, paymentRequestId: 'first' };

  it('that names payment requests of other accounts is none of ours', () => {
    const paid = { isReturn: false, account: OTHER_ACCOUNT };
    assert.equal(decide(debit('m', paid)), null);
    assert.equal(decide(debit('m', { isReturn: false, creditorReferences: [] })), null);
  });

  it('that names a payment request is a refund outside, or a return', () => {
    assert.deepEqual(decide(debit('m', { isReturn: false })), {
      ...about,
      outcome: 'REFUNDED_OUTSIDE',
    });
    assert.deepEqual(decide(debit('m')), { ...about, outcome: 'RETURNED' });
    const known = [counted('a', 1_000, 'EXACT')];
    assert.deepEqual(decide(debit('m'), { known }), {
      ...about,
      outcome: 'RETURNED',
      returnedId: 'a',
    });
  });

  it('that names several payment requests of its account is a case', () => {
    const creditorReferences = [FIRST, SECOND];
    assert.deepEqual(decide(debit('m', { creditorReferences })), {
      ...NOTHING,
      outcome: 'REFUNDED_OUTSIDE',
      candidates: ['first', 'second'],
    });
    const requests = [shown('first', FIRST), shown('second', SECOND, { account: OTHER_ACCOUNT })];
    const decided = decide(debit('m', { creditorReferences }), { requests });
    assert.equal(decided?.paymentRequestId, 'first');
  });

  const takesBack = (known: readonly DecidedMovement[], changes: Partial<DecidedMovement>) =>
    decide(debit('m', changes), { known })?.returnedId;

  it('takes back the movement that it names, before another of the same amount', () => {
    const named = { endToEndHash: 'aa' };
    const known = [counted('a', 500), { ...counted('b', 500), ...named }];
    assert.equal(takesBack(known, { amountCents: 500, ...named }), 'b');
    assert.equal(takesBack(known, { amountCents: 500 }), 'a');
    // A part of the one movement that it names.
    assert.equal(takesBack(known, { amountCents: 400, ...named }), 'b');
    assert.equal(takesBack(known, { amountCents: 400 }), null);
    const both = known.map((each) => ({ ...each, ...named }));
    assert.equal(takesBack(both, { amountCents: 400, ...named }), null);
    assert.equal(takesBack(known, { amountCents: 501, ...named }), null);
  });

  it('takes back the smaller one that it names where a corrected booking had enough', () => {
    const named = { endToEndHash: 'aa' };
    const known = [counted('a', 900), { ...counted('b', 500), ...named }];
    const corrected = { ...counted('c', 900, 'AMBIGUOUS_REFERENCE'), paymentRequestId: null };
    const debited = { amountCents: 900, ...named };
    assert.equal(takesBack(known, debited), 'a');
    assert.equal(takesBack([...known, { ...corrected, ...named }], debited), 'b');
    assert.equal(takesBack([...known, corrected], debited), 'a');
    const less = { ...corrected, ...named, amountCents: 899 };
    assert.equal(takesBack([...known, less], debited), 'a');
    const owned = { ...corrected, ...named, paymentRequestId: 'second' };
    assert.equal(takesBack([...known, owned], debited), 'a');
  });

  it('takes back what counts, before money that waits', () => {
    const known = [counted('a', 500, 'WRONG_ACCOUNT'), counted('b', 500)];
    assert.equal(takesBack(known, { amountCents: 500 }), 'b');
    assert.equal(takesBack(known.slice(0, 1), { amountCents: 500 }), 'a');
  });

  it('takes back no debit, and no movement twice', () => {
    const outside = { ...counted('o', 500, 'REFUNDED_OUTSIDE'), direction: 'DEBIT' as const };
    const known = [outside, counted('a', 500), counted('b', 500), returned('r', 500, 'a')];
    assert.equal(takesBack(known, { amountCents: 500 }), 'b');
    assert.equal(takesBack(known.slice(0, 1), { amountCents: 500 }), null);
  });
});

describe('a return that names no payment request of its account', () => {
  const named = { endToEndHash: 'aa', creditorReferences: [] };
  const credit = (id: string, changes: Partial<DecidedMovement> = {}) => ({
    ...counted(id, 1_000, 'EXACT'),
    endToEndHash: 'aa',
    ...changes,
  });

  it('is ordinary when it names nothing of ours', () => {
    assert.equal(decide(debit('m', { creditorReferences: [] })), null);
    assert.equal(decide(debit('m', named), { known: [] }), null);
    const other = credit('a', { amountCents: 999 });
    assert.equal(decide(debit('m', named), { known: [other] }), null);
  });

  it('takes back the one movement that it names otherwise', () => {
    const decided = decide(debit('m', named), { known: [credit('a')] });
    assert.deepEqual(decided, {
      ...NOTHING,
      outcome: 'RETURNED',
      paymentRequestId: 'first',
      returnedId: 'a',
    });
  });

  it('takes back the one that did not go back before, else is it known', () => {
    const known = [credit('a'), credit('b'), returned('r', 1_000, 'a')];
    assert.equal(decide(debit('m', named), { known })?.returnedId, 'b');
    const again = [credit('a'), returned('r', 1_000, 'a')];
    assert.equal(decide(debit('m', named), { known: again })?.returnedId, 'a');
  });

  it('is a case when several movements are possible, or one of no payment request', () => {
    const several = [
      credit('a'),
      credit('b'),
      credit('c', { paymentRequestId: 'second' }),
      credit('d', { paymentRequestId: null }),
    ];
    assert.deepEqual(decide(debit('m', named), { known: several }), {
      ...NOTHING,
      outcome: 'REFUNDED_OUTSIDE',
      candidates: ['first', 'second'],
    });
    const unowned = [credit('d', { paymentRequestId: null })];
    assert.deepEqual(decide(debit('m', named), { known: unowned }), {
      ...NOTHING,
      outcome: 'REFUNDED_OUTSIDE',
    });
  });

  it('is a case with a reference of ours, issued to nobody or shown with another account', () => {
    const outside = { ...NOTHING, outcome: 'REFUNDED_OUTSIDE' };
    assert.deepEqual(decide(debit('m', { creditorReferences: [UNUSED] })), outside);
    const foreign = 'RF18539007547034';
    const requests = [shown('first', foreign, { account: OTHER_ACCOUNT })];
    const decided = decide(debit('m', { creditorReferences: ['x', foreign] }), { requests });
    assert.deepEqual(decided, outside);
    assert.equal(decide(debit('m', { creditorReferences: ['x'] }), { requests }), null);
  });
});

describe('money whose messages contradict each other', () => {
  it('is a case that names its payment request, or those that it may be for', () => {
    const decision = { ...NOTHING, outcome: 'EXACT', sumCents: 1_000, summed: ['m'] } as const;
    const about = { ...decision, paymentRequestId: 'first' };
    assert.deepEqual(withoutMatch(movement('m'), about), {
      ...NOTHING,
      outcome: 'AMBIGUOUS_REFERENCE',
      candidates: ['first'],
    });
    assert.deepEqual(withoutMatch(debit('m'), { ...decision, candidates: ['a', 'b'] }), {
      ...NOTHING,
      outcome: 'REFUNDED_OUTSIDE',
      candidates: ['a', 'b'],
    });
  });
});

describe('the sum of movements', () => {
  it('has parts, exact and too much money, less what went back of it', () => {
    const known = [
      counted('a', 300),
      counted('b', 400, 'EXCESS'),
      counted('c', 50, 'SECOND'),
      returned('r', 100, 'a'),
      returned('s', 50, 'c'),
      returned('t', 30, null),
    ];
    assert.deepEqual(sumOf(known), {
      receivedCents: 570,
      isSettled: false,
      summed: ['a', 'b'],
    });
    assert.deepEqual(sumOf([counted('a', 300, 'EXACT'), returned('t', 301, null)]), {
      receivedCents: 0,
      isSettled: true,
      summed: ['a'],
    });
    const inWhole = [counted('a', 300), returned('r', 300, 'a'), counted('b', 1)];
    assert.deepEqual(sumOf(inWhole).summed, ['b']);
    const inParts = [counted('a', 300), returned('r', 299, 'a'), counted('b', 1)];
    assert.deepEqual(sumOf(inParts).summed, ['a', 'b']);
  });
});
