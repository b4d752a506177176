import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MoneyIdentity } from '#e-transfer/bank-transfer/entries/model/movement.ts';
import { rankOf } from '#e-transfer/bank-transfer/entries/stage-payments.ts';
import {
  findCorrected,
  findSameMoney,
  hasBankReference,
  isNamedBy,
  nearDaysOf,
} from '#e-transfer/bank-transfer/matching/same-money.ts';

const PAYMENT: MoneyIdentity = {
  account: 'DE02120300000000202051',
  direction: 'CREDIT',
  amountCents: 5_000,
  currency: 'EUR',
  bookingDate: '2026-03-01',
  creditorReferences: ['RF18000000000539007547034'],
  endToEndHash: null,
  bankReference: null,
  entryReference: null,
  batchReference: null,
};
const NO_CLAIMS = { statement: new Set<string>(), entry: new Set<string>() };

const payment = (changes: Partial<MoneyIdentity>): MoneyIdentity => ({ ...PAYMENT, ...changes });
const movement = (id: string, changes: Partial<MoneyIdentity>) => ({ id, ...payment(changes) });

describe('the same money in two messages', () => {
  it('is found by the EndToEndId among equal payments', () => {
    const known = [movement('plain', {}), movement('named', { endToEndHash: 'aa' })];
    const found = findSameMoney(payment({ endToEndHash: 'aa' }), known, NO_CLAIMS);
    assert.equal(found?.id, 'named');
  });

  it('is found without an EndToEndId before money that has one', () => {
    const known = [movement('named', { endToEndHash: 'aa' }), movement('plain', {})];
    assert.equal(findSameMoney(PAYMENT, known, NO_CLAIMS)?.id, 'plain');
  });

  it('may have an EndToEndId in one of them alone', () => {
    const known = [movement('plain', {})];
    const found = findSameMoney(payment({ endToEndHash: 'aa' }), known, NO_CLAIMS);
    assert.equal(found?.id, 'plain');
  });

  it('is found by the EndToEndId also inside a batch', () => {
    const batch = { batchReference: 'BATCH', creditorReferences: [] };
    const known = [movement('plain', batch), movement('named', { ...batch, endToEndHash: 'aa' })];
    const found = findSameMoney(payment({ ...batch, endToEndHash: 'aa' }), known, NO_CLAIMS);
    assert.equal(found?.id, 'named');
  });
});

describe('the order in which payments find their money', () => {
  it('puts the certain before the vague', () => {
    const unnamed = { creditorReferences: [] };
    const inOrder = [
      payment({ bankReference: 'B' }),
      payment({ bankReference: 'B', ...unnamed }),
      payment({ entryReference: 'E' }),
      payment({ batchReference: 'S', endToEndHash: 'aa' }),
      payment({ batchReference: 'S' }),
      payment({ endToEndHash: 'aa' }),
      payment({}),
      payment({ endToEndHash: 'aa', ...unnamed }),
      payment(unnamed),
    ];
    const ranks = inOrder.map(rankOf);
    assert.deepEqual(
      ranks,
      [...ranks].sort((one, other) => one - other),
    );
    assert.equal(new Set(ranks).size, ranks.length);
  });

  it('ignores the EndToEndId of a payment that the bank names', () => {
    const named = payment({ bankReference: 'B', endToEndHash: 'aa' });
    assert.equal(rankOf(named), rankOf(payment({ bankReference: 'B' })));
  });
});

const NAMED = { bankReference: 'B' };
const UNNAMED = { creditorReferences: [] };

describe('known money is the same as a payment', () => {
  type Pair = readonly [Partial<MoneyIdentity>, Partial<MoneyIdentity>];
  const same: Readonly<Record<string, Pair>> = {
    'by the bank’s reference alone': [
      { ...NAMED, ...UNNAMED },
      { ...NAMED, endToEndHash: 'aa' },
    ],
    'by the reference of its entry': [
      { ...UNNAMED, entryReference: 'E' },
      { ...NAMED, ...UNNAMED, entryReference: 'E' },
    ],
    'by its batch and day': [
      { ...UNNAMED, batchReference: 'S' },
      { ...NAMED, ...UNNAMED, batchReference: 'S' },
    ],
    'by a common reference of ours and the day': [
      { creditorReferences: ['X', 'Y'] },
      { creditorReferences: ['Y'] },
    ],
    'by its EndToEndId and the day': [
      { ...UNNAMED, endToEndHash: 'aa' },
      { ...UNNAMED, endToEndHash: 'aa' },
    ],
    'by content, when the bank named it in one message alone': [{ ...NAMED }, {}],
  };
  for (const [rule, [one, other]] of Object.entries(same)) {
    it(rule, () => {
      for (const [mine, theirs] of [
        [one, other],
        [other, one],
      ] as const) {
        assert.equal(findSameMoney(payment(mine), [movement('m', theirs)], NO_CLAIMS)?.id, 'm');
      }
    });
  }

  const different: Readonly<Record<string, Pair>> = {
    'on another account': [NAMED, { ...NAMED, account: 'DE02500105170137075030' }],
    'in the other direction': [NAMED, { ...NAMED, direction: 'DEBIT' }],
    'of another amount': [NAMED, { ...NAMED, amountCents: 5_001 }],
    'in another currency': [NAMED, { ...NAMED, currency: 'CHF' }],
    'with other references of ours': [NAMED, { ...NAMED, creditorReferences: ['X'] }],
    'with another EndToEndId': [
      { ...NAMED, endToEndHash: 'aa' },
      { ...NAMED, endToEndHash: 'bb' },
    ],
    'with another reference of the bank': [NAMED, { bankReference: 'C' }],
    'of an entry with a reference, beside one that the bank named': [
      NAMED,
      { entryReference: 'E' },
    ],
    'named by the bank twice, inside one entry': [
      { ...NAMED, entryReference: 'E' },
      { bankReference: 'C', entryReference: 'E' },
    ],
    'of another batch': [
      { ...UNNAMED, batchReference: 'S' },
      { ...UNNAMED, batchReference: 'T' },
    ],
    'of a batch on another day': [
      { ...UNNAMED, batchReference: 'S' },
      { ...UNNAMED, batchReference: 'S', bookingDate: '2026-03-09' },
    ],
    'on another day': [{}, { bookingDate: '2026-03-09' }],
    'without a day': [{ bookingDate: null }, { bookingDate: null }],
    'of which one message gives no day': [{ bookingDate: null }, {}],
    'with nothing in common': [UNNAMED, UNNAMED],
  };
  for (const [what, [one, other]] of Object.entries(different)) {
    it(`and not money ${what}`, () => {
      for (const [mine, theirs] of [
        [one, other],
        [other, one],
      ] as const) {
        assert.equal(findSameMoney(payment(mine), [movement('m', theirs)], NO_CLAIMS), null);
      }
    });
  }

  it('unless a payment of its statement or entry has it', () => {
    const claimed = new Set(['m']);
    const none = new Set<string>();
    const find = (changes: Partial<MoneyIdentity>, statement: Set<string> | null, entry = none) =>
      findSameMoney(payment(changes), [movement('m', changes)], { statement, entry })?.id;
    assert.equal(find({}, claimed), undefined);
    assert.equal(find({}, null), 'm');
    assert.equal(find({}, none, claimed), undefined);
    const inBatch = { ...UNNAMED, batchReference: 'S' };
    assert.equal(find(inBatch, claimed), 'm');
    assert.equal(find(inBatch, none, claimed), undefined);
    assert.equal(find(NAMED, claimed, claimed), 'm');
  });

  it('and the first of several, when none has its EndToEndId', () => {
    const known = [movement('one', {}), movement('two', {})];
    assert.equal(findSameMoney(payment({ endToEndHash: 'aa' }), known, NO_CLAIMS)?.id, 'one');
  });
});

describe('money that a message may correct', () => {
  const told = payment({ ...NAMED, amountCents: 4_000 });
  const corrects = (changes: Partial<MoneyIdentity>, listed: readonly string[] = []) => {
    const known = [{ ...movement('m', { ...NAMED, ...changes }), details: [] }];
    return findCorrected(told, known, new Set(listed)).length === 1;
  };

  it('has the bank’s reference, another sum, and no contradicting name', () => {
    assert.equal(corrects({}), true);
    assert.equal(corrects({ amountCents: 4_000, currency: 'CHF' }), true);
    assert.equal(corrects({ amountCents: 4_000 }), false);
    assert.equal(corrects({ account: 'DE02500105170137075030' }), false);
    assert.equal(corrects({ direction: 'DEBIT' }), false);
    assert.equal(corrects({ bankReference: 'C' }), false);
    assert.equal(corrects({ bankReference: null }), false);
    assert.equal(corrects({ creditorReferences: ['X'] }), false);
    assert.equal(corrects({}, ['m']), false);
  });
});

describe('a debit', () => {
  it('names a credit by its EndToEndId or the bank’s reference', () => {
    const names = (one: Partial<MoneyIdentity>, other: Partial<MoneyIdentity>) =>
      isNamedBy(payment(one), payment(other));
    assert.equal(names({ endToEndHash: 'aa' }, { endToEndHash: 'aa' }), true);
    assert.equal(names(NAMED, NAMED), true);
    assert.equal(names({ endToEndHash: 'aa' }, { endToEndHash: 'bb' }), false);
    assert.equal(names(NAMED, { bankReference: 'C' }), false);
    assert.equal(names({}, {}), false);
  });

  it('has a bank’s reference of its own or of its entry', () => {
    assert.equal(hasBankReference(payment(NAMED)), true);
    assert.equal(hasBankReference(payment({ entryReference: 'E' })), true);
    assert.equal(hasBankReference(payment({ batchReference: 'S' })), false);
  });
});

describe('money that a notice told of before or after the statement of the day', () => {
  const statement = { statement: new Set<string>(), entry: new Set<string>() };
  const notice = { statement: null, entry: new Set<string>() };
  const isFound = (
    bookingDate: string | null,
    isInStatement: boolean,
    claims: typeof statement | typeof notice,
  ) => {
    const known = { ...movement('m', { ...NAMED, bookingDate }), isInStatement };
    return findSameMoney(payment(NAMED), [known], claims) !== null;
  };

  it('is the same up to four days apart', () => {
    const days = ['2026-02-24', '2026-02-25', '2026-03-01', '2026-03-05', '2026-03-06'];
    const near = [false, true, true, true, false];
    assert.deepEqual(
      days.map((day) => isFound(day, false, statement)),
      near,
    );
    assert.deepEqual(
      days.map((day) => isFound(day, true, notice)),
      near,
    );
    const sameDay = [false, false, true, false, false];
    assert.deepEqual(
      days.map((day) => isFound(day, true, statement)),
      sameDay,
    );
    assert.deepEqual(
      days.map((day) => isFound(day, false, notice)),
      sameDay,
    );
    assert.equal(isFound(null, false, statement), true);
  });

  it('is looked for on nine days around each day, each once', () => {
    assert.deepEqual(nearDaysOf(['2026-03-01']), [
      ...['2026-02-25', '2026-02-26', '2026-02-27', '2026-02-28', '2026-03-01'],
      ...['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05'],
    ]);
    assert.equal(nearDaysOf(['2026-03-01', '2026-03-02']).length, 10);
  });

  const corrects = (changes: Partial<MoneyIdentity>, rest: object = {}, own = {}) => {
    const known = { ...movement('m', { amountCents: 4_000, ...changes }), details: [], ...rest };
    return findCorrected(payment(own), [known], new Set()).length === 1;
  };

  it('is corrected on its day, or near it when no statement has listed it', () => {
    const near = { ...NAMED, bookingDate: '2026-03-03' };
    const far = { ...NAMED, bookingDate: '2026-03-10' };
    assert.equal(corrects(NAMED, { isInStatement: true }, NAMED), true);
    assert.equal(corrects(near, { isInStatement: false }, NAMED), true);
    assert.equal(corrects(near, { isInStatement: true }, NAMED), false);
    assert.equal(corrects(far, { isInStatement: false }, NAMED), false);
  });

  it('is corrected by a payment that is listed from its entry or batch, if it has details', () => {
    const details = { details: [{}] };
    assert.equal(corrects({ bankReference: 'E' }, details, { entryReference: 'E' }), true);
    assert.equal(corrects({ batchReference: 'S' }, details, { batchReference: 'S' }), true);
    assert.equal(corrects({ batchReference: 'S' }, {}, { batchReference: 'S' }), false);
    assert.equal(corrects({ batchReference: 'S' }, details, { batchReference: 'T' }), false);
  });
});
