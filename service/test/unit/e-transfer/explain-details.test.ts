import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { explainDetails } from '#e-transfer/bank-transfer/statements/explain-details.ts';

/** Cents and charges of each detail; the charges of the details, and those of the entry alone. */
const TABLE = [
  [
    'amounts that add up',
    10_000,
    0,
    [
      [6_000, 0],
      [4_000, 0],
    ],
    [0, 0],
    0,
  ],
  [
    'amounts that add up beside charges',
    10_000,
    50,
    [
      [6_000, 20],
      [4_000, 0],
    ],
    [0, 0],
    0,
  ],
  [
    'charges of the details',
    9_950,
    0,
    [
      [6_000, 20],
      [4_000, 30],
    ],
    [20, 30],
    0,
  ],
  [
    'charges of details and entry',
    9_900,
    50,
    [
      [6_000, 20],
      [4_000, 30],
    ],
    [20, 30],
    50,
  ],
  [
    'the total of the entry',
    9_950,
    50,
    [
      [6_000, 20],
      [4_000, 10],
    ],
    [0, 0],
    50,
  ],
  [
    'charges of another amount',
    9_960,
    50,
    [
      [6_000, 20],
      [4_000, 10],
    ],
    null,
    0,
  ],
  [
    'an amount that is missing',
    10_000,
    0,
    [
      [6_000, 0],
      [null, 0],
    ],
    null,
    0,
  ],
  [
    'more than the details',
    10_050,
    50,
    [
      [6_000, 0],
      [4_000, 0],
    ],
    null,
    0,
  ],
  [
    'a charge that the bank gives back',
    9_990,
    0,
    [
      [6_000, 20],
      [4_000, -10],
    ],
    null,
    0,
  ],
  ['no details', 10_000, 0, [], null, 0],
] as const;

describe('details of an entry', () => {
  for (const [title, amountCents, chargeCents, stated, fees, entryFeeCents] of TABLE) {
    it(`are ${fees === null ? 'not explained' : 'explained'} by ${title}`, () => {
      const details = stated.map(([amount, charge]) => ({
        amountCents: amount,
        chargeCents: charge,
      }));
      const found = explainDetails({ direction: 'CREDIT', amountCents, chargeCents }, details);
      assert.deepEqual(found?.details.map(({ feeCents }) => feeCents) ?? null, fees);
      assert.equal(found?.entryFeeCents ?? 0, entryFeeCents);
    });
  }

  it('are less than a debit by its charges', () => {
    const entry = { direction: 'DEBIT', amountCents: 10_035, chargeCents: 35 } as const;
    const found = explainDetails(entry, [{ amountCents: 10_000, chargeCents: 0 }]);
    assert.deepEqual(found, {
      details: [{ amountCents: 10_000, feeCents: 0 }],
      entryFeeCents: 35,
    });
  });
});
