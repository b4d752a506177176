import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { WaitingEntry } from '#e-transfer/bank-transfer/matching/entry-store.ts';
import { type BatchFacts, planMatches } from '#e-transfer/bank-transfer/matching/plan-matches.ts';
import { creditorReferenceOf } from '#e-transfer/bank-transfer/references/creditor-reference.ts';

const OURS = 'DE02120300000000202051';
const REFERENCE = creditorReferenceOf('000000000000001');
const NOW = new Date('2026-03-02T12:00:00.000Z');
const PLAIN = { feeCents: 0, details: [], statedCents: [], messageIds: [] };

let count = 0;
function entry(changes: Partial<WaitingEntry> = {}): WaitingEntry {
  count += 1;
  return {
    ...PLAIN,
    id: `entry-${count}`,
    statementId: 'statement',
    kind: 'camt.053',
    entryNumber: count,
    account: OURS,
    direction: 'CREDIT',
    amountCents: 1_000,
    currency: 'EUR',
    isBooked: true,
    isReversal: false,
    isReturn: false,
    returnReason: null,
    isBatchSum: false,
    bookingDate: '2026-03-01',
    bookedAt: null,
    creditorReferences: [REFERENCE],
    endToEndHash: null,
    refundIds: [],
    bankReference: `B-${count}`,
    entryReference: null,
    batchReference: null,
    institution: 'COBADEFF',
    partyBox: null,
    ...changes,
  };
}

const FACTS: BatchFacts = {
  now: NOW,
  maxAutomaticCents: 1_000_000,
  refundEntries: new Set(),
  requests: [
    {
      ...{ paymentRequestId: 'request', reference: REFERENCE, account: OURS },
      ...{ amountCents: 1_000, currency: 'EUR' },
    },
  ],
  movements: [],
  claims: [],
};

const plan = (entries: readonly WaitingEntry[], facts: Partial<BatchFacts> = {}) =>
  planMatches(entries, { ...FACTS, ...facts });
const outcomes = (entries: readonly WaitingEntry[], facts: Partial<BatchFacts> = {}) =>
  plan(entries, facts).entries.map(({ outcome }) => outcome);
/** The movement that an entry alone makes. */
function movementOf(changes: Partial<WaitingEntry> = {}) {
  const [made] = plan([entry(changes)]).created;
  assert.ok(made);
  return made.movement;
}

describe('an entry', () => {
  it('makes a movement with what it says', () => {
    const own = entry({ bankReference: 'B', entryReference: 'E', batchReference: 'S' });
    const { created, changed, entries, corrections, announced } = plan([own]);
    assert.equal(created.length, 1);
    const { movement, partyOf } = created[0] ?? assert.fail('no movement');
    assert.equal(partyOf, own);
    const { id, ...rest } = movement;
    assert.deepEqual(entries, [{ entry: own, outcome: 'MOVEMENT', movementId: id }]);
    assert.deepEqual(rest, {
      feeCents: 0,
      details: [],
      account: OURS,
      direction: 'CREDIT',
      amountCents: 1_000,
      currency: 'EUR',
      bookingDate: '2026-03-01',
      creditorReferences: [REFERENCE],
      endToEndHash: null,
      bankReference: 'B',
      entryReference: 'E',
      batchReference: 'S',
      bookedAt: new Date('2026-03-01T23:59:59.000Z'),
      networkReference: 'B',
      institution: 'COBADEFF',
      isConfirmed: true,
      isInStatement: true,
      isReturn: false,
      returnReason: null,
      outcome: 'EXACT',
      paymentRequestId: 'request',
      candidates: [],
      sumCents: 1_000,
      summed: [id],
      returnedId: null,
    });
    assert.deepEqual([changed, [...corrections], announced], [[], [], []]);
  });

  it('without a bank’s reference or institution has names of its own', () => {
    const made = movementOf({ bankReference: null, institution: null });
    assert.deepEqual([made.networkReference, made.institution], [made.id, 'UNKNOWN']);
  });

  it('is booked at its instant, at the end of its day, and never later than now', () => {
    const bookedAt = (changes: Partial<WaitingEntry>) => movementOf(changes).bookedAt.toISOString();
    const instant = new Date('2026-03-01T08:00:00.000Z');
    assert.equal(bookedAt({ bookedAt: instant }), '2026-03-01T08:00:00.000Z');
    assert.equal(bookedAt({ bookedAt: new Date('2026-03-03T00:00:00Z') }), NOW.toISOString());
    assert.equal(bookedAt({ bookingDate: '2026-03-02' }), NOW.toISOString());
    assert.equal(bookedAt({ bookingDate: null }), NOW.toISOString());
  });

  it('is confirmed by the statement of the day, or by a reference of the bank', () => {
    const confirmed = (changes: Partial<WaitingEntry>) => movementOf(changes).isConfirmed;
    const notice = { kind: 'camt.054', bankReference: null } as const;
    assert.equal(confirmed({ bankReference: null }), true);
    assert.equal(confirmed(notice), false);
    assert.equal(confirmed({ ...notice, bankReference: 'B' }), true);
    assert.equal(confirmed({ ...notice, entryReference: 'E' }), true);
    assert.equal(movementOf(notice).isInStatement, false);
  });

  it('is a return when the bank says so in either way', () => {
    assert.equal(movementOf({ isReturn: true }).isReturn, true);
    assert.equal(movementOf({ isReversal: true }).isReturn, true);
  });

  it('makes none when it is ordinary, empty, a refund, pending or a sum', () => {
    const refund = entry();
    assert.deepEqual(outcomes([refund], { refundEntries: new Set([refund.id]) }), ['REFUND']);
    assert.deepEqual(outcomes([entry({ creditorReferences: [] })]), ['ORDINARY']);
    assert.deepEqual(outcomes([entry({ amountCents: 0 })]), ['ORDINARY']);
    assert.deepEqual(outcomes([entry({ isBooked: false })]), ['PENDING']);
    assert.deepEqual(outcomes([entry({ isBatchSum: true })]), ['BATCH_SUM']);
    assert.deepEqual(plan([entry({ isBatchSum: true })]).created, []);
  });
});

describe('money that is announced', () => {
  const announced = (changes: Partial<WaitingEntry>) =>
    plan([entry({ isBooked: false, ...changes })]).announced;

  it('names the payment requests of its account, once', () => {
    assert.deepEqual(announced({}), ['request']);
    assert.deepEqual(announced({ direction: 'DEBIT' }), []);
    assert.deepEqual(announced({ account: 'DE02500105170137075030' }), []);
    assert.deepEqual(announced({ creditorReferences: ['x'] }), []);
    const twice = [entry({ isBooked: false }), entry({ isBooked: false })];
    assert.deepEqual(plan(twice).announced, ['request']);
  });
});

describe('the sum of a batch', () => {
  const sum = (changes: Partial<WaitingEntry>, rest: Partial<WaitingEntry>) => {
    const payment = entry({ ...rest, bankReference: 'P' });
    const { movement } = plan([payment]).created[0] ?? assert.fail('no movement');
    const whole = entry({ isBatchSum: true, ...changes });
    return plan([whole], { movements: [movement] }).unlistedBatches;
  };

  it('is unlisted until a message lists payments of its batch or entry', () => {
    const batch = { batchReference: 'S' };
    assert.equal(sum(batch, batch), 0);
    assert.equal(sum(batch, { batchReference: 'T' }), 1);
    assert.equal(sum({ ...batch, account: 'DE02500105170137075030' }, batch), 1);
    assert.equal(sum({ ...batch, bankReference: 'E' }, { entryReference: 'E' }), 0);
    assert.equal(sum({ ...batch, bankReference: 'E' }, { entryReference: 'F' }), 1);
    assert.equal(sum({ ...batch, bankReference: null }, { entryReference: null }), 1);
    const sums = [1, 2].map(() => entry({ isBatchSum: true, ...batch }));
    assert.equal(plan(sums).unlistedBatches, 2);
  });
});

describe('a later message of known money', () => {
  const notice = { kind: 'camt.054', statementId: 'notice', bankReference: null } as const;
  const known = (changes: Partial<WaitingEntry> = {}) => movementOf({ ...notice, ...changes });

  it('adds what was not said, and takes nothing back', () => {
    const before = known({ creditorReferences: [REFERENCE] });
    assert.deepEqual([before.isConfirmed, before.isInStatement], [false, false]);
    const later = entry({
      creditorReferences: [REFERENCE, 'X'],
      endToEndHash: 'aa',
      bankReference: 'B',
      entryReference: 'E',
      batchReference: 'S',
    });
    const { created, changed, entries } = plan([later], { movements: [before] });
    assert.deepEqual(created, []);
    const { movement, partyOf } = changed[0] ?? assert.fail('no change');
    assert.equal(partyOf, later);
    assert.deepEqual(entries[0]?.movementId, before.id);
    assert.deepEqual(
      [
        movement.creditorReferences,
        movement.endToEndHash,
        movement.bankReference,
        movement.entryReference,
        movement.batchReference,
        movement.isConfirmed,
        movement.isInStatement,
      ],
      [[REFERENCE, 'X'], 'aa', 'B', 'E', 'S', true, true],
    );
    const again = plan([entry({ ...notice, bankReference: 'B' })], { movements: [movement] });
    const kept = again.changed[0]?.movement;
    assert.deepEqual(
      [kept?.endToEndHash, kept?.bankReference, kept?.entryReference, kept?.batchReference],
      ['aa', 'B', 'E', 'S'],
    );
    assert.deepEqual([kept?.isConfirmed, kept?.isInStatement], [true, true]);
  });

  it('decides about what has waited for a confirmation, once', () => {
    const part = known({ amountCents: 400 });
    assert.equal(part.outcome, 'WAITING');
    const unconfirmed = entry({ ...notice, statementId: 'other', amountCents: 400 });
    const same = plan([unconfirmed], { movements: [part] }).changed[0]?.movement;
    assert.deepEqual([same?.outcome, same?.isInStatement], ['WAITING', false]);
    const statement = entry({ amountCents: 400, bankReference: null });
    const confirmed = plan([statement], { movements: [part] }).changed[0]?.movement;
    assert.deepEqual([confirmed?.outcome, confirmed?.paymentRequestId], ['PART', 'request']);
    const exact = known();
    const other = { ...exact, outcome: 'SECOND' as const };
    const decided = plan([entry({ bankReference: null })], { movements: [other] });
    assert.equal(decided.changed[0]?.movement.outcome, 'SECOND');
  });

  it('changes the movement that this batch has made', () => {
    const first = entry({ ...notice });
    const second = entry({ bankReference: null });
    const { created, changed } = plan([first, second]);
    assert.deepEqual([created.length, changed.length], [1, 0]);
    assert.equal(created[0]?.movement.isInStatement, true);
  });

  it('decides by the movements before it', () => {
    const { created } = plan([entry({ amountCents: 400 }), entry({ amountCents: 600 })]);
    assert.deepEqual(
      created.map(({ movement }) => movement.outcome),
      ['PART', 'EXACT'],
    );
    assert.equal(created[1]?.movement.summed.length, 2);
  });
});

describe('a day and charges in several messages', () => {
  const before = (kind: 'camt.053' | 'camt.054', changes: Partial<WaitingEntry> = {}) =>
    movementOf({ ...{ kind, statementId: 'earlier', bankReference: 'B' }, ...changes });
  const after = (known: ReturnType<typeof before>, changes: Partial<WaitingEntry>) =>
    plan([entry({ bankReference: 'B', ...changes })], { movements: [known] }).changed[0]?.movement;

  it('are those of the statement', () => {
    const day = { bookingDate: '2026-03-02' };
    assert.equal(after(before('camt.054'), day)?.bookingDate, '2026-03-02');
    assert.equal(after(before('camt.054'), { bookingDate: null })?.bookingDate, '2026-03-01');
    const noticed = after(before('camt.053'), { ...day, kind: 'camt.054' });
    assert.equal(noticed?.bookingDate, '2026-03-01');
    const undated = before('camt.053', { bookingDate: null });
    assert.equal(after(undated, day)?.bookingDate, null);
    assert.equal(after(before('camt.054'), { feeCents: 5 })?.feeCents, 5);
    assert.equal(after(before('camt.054', { feeCents: 5 }), {})?.feeCents, 0);
    const stated = before('camt.053', { feeCents: 5 });
    assert.equal(after(stated, { kind: 'camt.054', feeCents: 7 })?.feeCents, 5);
    assert.equal(after(stated, { feeCents: 7 })?.feeCents, 5);
  });

  it('are needed where the bank gives no reference', () => {
    const outcomeOf = (changes: Partial<WaitingEntry>) => movementOf(changes).outcome;
    assert.equal(outcomeOf({ bookingDate: null }), 'EXACT');
    assert.equal(outcomeOf({ bookingDate: null, bankReference: null }), 'AMBIGUOUS_REFERENCE');
    assert.equal(outcomeOf({ bankReference: null }), 'EXACT');
    assert.equal(plan([entry({ bookingDate: null, bankReference: null })]).corrections.size, 0);
  });
});

describe('an entry with several details', () => {
  const detail = { amountCents: 500, currency: 'EUR', references: [REFERENCE] };
  const batch = { batchReference: 'S', bankReference: 'W' };
  const listed = plan([entry({ batchReference: 'S', bankReference: 'P', amountCents: 500 })]);
  const movements = listed.created.map(({ movement }) => movement);
  const outcomeOf = (details: readonly (typeof detail)[], facts: Partial<BatchFacts>) => {
    const made = plan([entry({ ...batch, details })], facts);
    return [made.entries[0]?.outcome, made.unlistedBatches];
  };

  it('is the sum of payments that a message has listed, else money with details', () => {
    assert.deepEqual(outcomeOf([detail, detail], { movements }), ['BATCH_SUM', 0]);
    assert.deepEqual(outcomeOf([detail, detail], {}), ['MOVEMENT', 0]);
    assert.deepEqual(outcomeOf([detail], { movements }), ['MOVEMENT', 0]);
  });

  it('is corrected by a notice that lists its payments', () => {
    const whole = movementOf({ ...batch, details: [detail, detail], statementId: 'earlier' });
    const notice = entry({
      ...{ kind: 'camt.054', amountCents: 500, bankReference: null, entryReference: 'W' },
      statementId: 'notice',
    });
    const other = { ...whole, id: 'other', details: [], bankReference: 'W', amountCents: 7 };
    const { created, corrections } = plan([notice], { movements: [whole, other] });
    assert.equal(created[0]?.movement.outcome, 'AMBIGUOUS_REFERENCE');
    assert.deepEqual([...corrections.values()], [[whole.id]]);
  });
});

describe('payments of one message', () => {
  const payment = { bankReference: null, amountCents: 400 };

  it('are different money in a statement of the day, within an entry in every message', () => {
    const listed = [entry(payment), entry(payment)];
    assert.equal(plan(listed).created.length, 2);
    const notice = { ...payment, kind: 'camt.054' } as const;
    assert.equal(plan([entry(notice), entry(notice)]).created.length, 1);
    const inEntry = [1, 2].map(() => entry({ ...notice, entryNumber: 7 }));
    assert.equal(plan(inEntry).created.length, 2);
  });

  it('take no money that their statement or entry took in an earlier batch', () => {
    const made = plan([entry(payment)]).created[0]?.movement ?? assert.fail('no movement');
    const claim = { statementId: 'statement', entryNumber: 1, movementId: made.id };
    const facts = { movements: [made], claims: [claim] };
    assert.equal(plan([entry({ ...payment, entryNumber: 2 })], facts).created.length, 1);
    const other = entry({ ...payment, statementId: 'other', kind: 'camt.054', entryNumber: 1 });
    assert.equal(plan([other], facts).created.length, 0);
    const noticed = { ...claim, statementId: 'notice' };
    const again = { ...payment, statementId: 'notice', kind: 'camt.054' } as const;
    const inNotice = { movements: [made], claims: [noticed] };
    assert.equal(plan([entry({ ...again, entryNumber: 1 })], inNotice).created.length, 1);
    assert.equal(plan([entry({ ...again, entryNumber: 2 })], inNotice).created.length, 0);
  });
});

describe('another amount under a known reference of the bank', () => {
  const before = () => movementOf({ statementId: 'earlier', bankReference: 'B' });
  const corrected = (facts: Partial<BatchFacts>) =>
    plan([entry({ bankReference: 'B', amountCents: 900 })], facts);

  it('is a case, and names the money that it may correct', () => {
    const old = before();
    const { created, corrections } = corrected({ movements: [old] });
    const { movement } = created[0] ?? assert.fail('no movement');
    assert.deepEqual(
      [movement.outcome, movement.paymentRequestId, movement.candidates],
      ['AMBIGUOUS_REFERENCE', null, ['request']],
    );
    assert.deepEqual([...corrections], [[movement.id, [old.id]]]);
  });

  it('waits for the statement of the day in a notice', () => {
    const notice = entry({ bankReference: 'B', amountCents: 900, kind: 'camt.054' });
    const { created, corrections } = plan([notice], { movements: [before()] });
    assert.deepEqual([created[0]?.movement.outcome, corrections.size], ['WAITING', 0]);
  });

  it('leaves a return waiting that names nothing of ours any more', () => {
    const debit = { direction: 'DEBIT', isReturn: true, creditorReferences: [] } as const;
    const credit = movementOf({ endToEndHash: 'aa' });
    const notice = { ...debit, kind: 'camt.054', bankReference: null, endToEndHash: 'aa' } as const;
    const made = plan([entry({ ...notice, statementId: 'notice' })], { movements: [credit] });
    const waiting = made.created[0]?.movement ?? assert.fail('no movement');
    assert.equal(waiting.outcome, 'WAITING');
    const old = { ...waiting, id: 'old', endToEndHash: null, bankReference: 'B', amountCents: 5 };
    const later = entry({ ...debit, bankReference: 'B', endToEndHash: 'aa' });
    const { changed } = plan([later], { movements: [waiting, old] });
    assert.deepEqual(
      changed.map(({ movement }) => [movement.id, movement.outcome]),
      [[waiting.id, 'WAITING']],
    );
  });

  it('is other money when its message has listed the known money', () => {
    const old = before();
    const claims = [{ statementId: 'statement', entryNumber: 1, movementId: old.id }];
    const { created, corrections } = corrected({ movements: [old], claims });
    assert.deepEqual([created[0]?.movement.outcome, corrections.size], ['SECOND', 0]);
    const both = plan([
      entry({ bankReference: 'B', amountCents: 400 }),
      entry({ bankReference: 'B', amountCents: 600 }),
    ]);
    assert.equal(both.corrections.size, 0);
  });
});

describe('a return', () => {
  it('finds the credit of its account that it names', () => {
    const credit = movementOf({ endToEndHash: 'aa', creditorReferences: [REFERENCE] });
    const debit = { direction: 'DEBIT', isReturn: true, endToEndHash: 'aa' } as const;
    const back = (changes: Partial<WaitingEntry>, known = credit) =>
      plan([entry({ ...debit, creditorReferences: [], ...changes })], { movements: [known] })
        .created[0]?.movement;
    const found = back({ returnReason: 'AC04' });
    assert.deepEqual(
      [found?.outcome, found?.paymentRequestId, found?.returnedId, found?.returnReason],
      ['RETURNED', 'request', credit.id, 'AC04'],
    );
    assert.equal(back({ account: 'DE02500105170137075030' }), undefined);
    assert.equal(back({ endToEndHash: 'bb' }), undefined);
    assert.equal(back({}, { ...credit, direction: 'DEBIT' }), undefined);
  });
});
