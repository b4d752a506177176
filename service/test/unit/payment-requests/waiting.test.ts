import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ENTRY_TYPES, type EntryType } from '#ledger/model/entry.ts';
import {
  followCases,
  type HoldingCase,
  isOvertaken,
  type NamingCase,
  waitingCentsFor,
  weighMovement,
} from '#payment-requests/model/money/waiting.ts';

const ID = '01890000-0000-7000-8000-000000000001';
const OTHER = '01890000-0000-7000-8000-000000000002';
const AT = new Date('2026-03-01T12:00:00.000Z');
const LATER = new Date('2026-03-01T13:00:00.000Z');

let cases = 0;
function naming(
  state: 'OPEN' | 'OVERTAKEN' | 'ACCEPTED' | 'REFUNDED' | 'CLOSED',
  paymentRequestId: string | null = ID,
): NamingCase {
  cases += 1;
  const settlement = state === 'OPEN' || state === 'OVERTAKEN' ? null : state;
  return { id: `case ${cases}`, paymentRequestId, isOpen: state === 'OPEN', settlement };
}

const held = (type: EntryType = 'UNMATCHED', paymentRequestId: string | null = null) => ({
  type,
  amountCents: 100,
  paymentRequestId,
});

/** Given back, taken back → left. */
const LEFT = [
  [0, 0, 100],
  [40, 0, 60],
  [0, 40, 60],
  [30, 40, 30],
  [100, 0, 0],
  [0, 100, 0],
  [60, 40, 0],
  [100, 100, 0],
] as const;

/** The cases that name a movement → its state while something of it is left. */
const NAMED = [
  [[], 'WAITS'],
  [[naming('OPEN')], 'WAITS'],
  [[naming('OVERTAKEN')], 'WAITS'],
  [[naming('REFUNDED')], 'WAITS'],
  [[naming('CLOSED')], 'SETTLED'],
  [[naming('CLOSED'), naming('REFUNDED')], 'SETTLED'],
  [[naming('CLOSED'), naming('OVERTAKEN')], 'SETTLED'],
  [[naming('CLOSED'), naming('OPEN')], 'WAITS'],
  [[naming('REFUNDED'), naming('OPEN')], 'WAITS'],
] as const;

describe('the state of a movement', () => {
  for (const type of Object.keys(ENTRY_TYPES) as EntryType[]) {
    for (const own of [null, ID]) {
      const isGone = type === 'ADJUSTMENT' || (type === 'ASSIGNED' && own === null);
      const counts = own !== null && type !== 'SECOND_PAYMENT' && !isGone;
      it(`follows from what is left and its cases: ${type} of ${own ? 'one' : 'none'}`, () => {
        for (const [givenBackCents, takenBackCents, leftCents] of LEFT) {
          for (const [named, state] of NAMED) {
            const facts = { givenBackCents, takenBackCents, cases: named };
            const waiting = leftCents === 0 ? 'SETTLED' : state;
            const expected = isGone
              ? { state: 'SETTLED', leftCents: 0 }
              : { state: counts ? 'COUNTS' : waiting, leftCents };
            assert.deepEqual(weighMovement(held(type, own), facts), expected);
          }
        }
      });
    }
  }

  it('waits for the payment request of its open cases alone', () => {
    const none = { givenBackCents: 0, takenBackCents: 25 };
    const table = [
      [[], 75],
      [[naming('OPEN')], 75],
      [[naming('OPEN', OTHER)], 0],
      [[naming('OPEN', null)], 0],
      [[naming('OPEN', OTHER), naming('OPEN')], 75],
      [[naming('ACCEPTED', OTHER)], 75],
      [[naming('CLOSED')], 0],
    ] as const;
    for (const [named, cents] of table) {
      assert.equal(waitingCentsFor(ID, held(), { ...none, cases: named }), cents);
    }
    assert.equal(waitingCentsFor(ID, held('PAYMENT', ID), { ...none, cases: [] }), 0);
  });
});

/** A case over movements of 100, each given back or not, and named by these cases. */
function holding(
  own: NamingCase,
  movements: readonly (readonly [given: number, others: readonly NamingCase[]])[],
): HoldingCase {
  return {
    ...own,
    openedAt: AT,
    isWhole: true,
    movements: movements.map(([givenBackCents, others]) => ({
      ...held(),
      at: AT,
      facts: { givenBackCents, takenBackCents: 0, cases: [own, ...others] },
    })),
  };
}

describe('the cases of money', () => {
  it('are overtaken when nothing of all their movements is left', () => {
    const open = naming('OPEN');
    const table = [
      [[[100, []]], true],
      [[[99, []]], false],
      [
        [
          [100, []],
          [100, []],
        ],
        true,
      ],
      [
        [
          [100, []],
          [0, []],
        ],
        false,
      ],
      [[], false],
    ] as const;
    for (const [movements, expected] of table) {
      const found = holding(open, movements);
      assert.equal(isOvertaken(found), expected);
      assert.deepEqual(followCases([found]).toClose, expected ? [open.id] : []);
      assert.equal(isOvertaken({ ...found, isOpen: false }), false);
      assert.equal(isOvertaken({ ...found, isWhole: false }), false, 'money that is not known');
    }
  });

  it('are overtaken by an assignment after them, and not by money that counted before', () => {
    const movement = { ...held('ASSIGNED', ID), at: LATER };
    const facts = { givenBackCents: 0, takenBackCents: 0, cases: [] };
    const found = { ...holding(naming('OPEN'), []), movements: [{ ...movement, facts }] };
    assert.equal(isOvertaken(found), true);
    assert.equal(isOvertaken({ ...found, openedAt: LATER }), true);
    assert.equal(isOvertaken({ ...found, openedAt: new Date(LATER.getTime() + 1) }), false);
    const counted = { ...found, movements: [{ ...movement, type: 'PAYMENT' as const, facts }] };
    assert.equal(isOvertaken(counted), false, 'a report contradicts money that counts');
  });

  it('are open again when their money waits and no open case names it', () => {
    const [refunded, overtaken, later] = [
      naming('REFUNDED'),
      naming('OVERTAKEN'),
      naming('OVERTAKEN'),
    ];
    const reopened = (...all: HoldingCase[]) => followCases(all).toReopen;
    assert.deepEqual(reopened(holding(refunded, [[0, []]])), [refunded.id]);
    assert.deepEqual(reopened(holding(refunded, [[100, []]])), []);
    assert.deepEqual(reopened(holding(refunded, [[0, [naming('OPEN')]]])), []);
    assert.deepEqual(reopened(holding(naming('CLOSED'), [[0, []]])), []);
    const unnamed = holding(refunded, [[0, []]]);
    const movements = unnamed.movements.map((each) => ({
      ...each,
      facts: { ...each.facts, cases: [] },
    }));
    assert.deepEqual(reopened({ ...unnamed, movements }), []);
    const settled = naming('REFUNDED');
    const all = [holding(overtaken, [[0, []]]), holding(settled, [[100, []]])];
    assert.deepEqual(reopened(...all), [overtaken.id], 'another case is about other money');
    const last = naming('OVERTAKEN');
    const three = [overtaken, later, last];
    const named = three.map((own) => holding(own, [[0, three.filter((each) => each !== own)]]));
    assert.deepEqual(reopened(...named), [last.id]);
    const both = [holding(overtaken, [[0, [later]]]), holding(later, [[0, [overtaken]]])];
    assert.deepEqual(reopened(...both), [later.id]);
    const first = [holding(refunded, [[0, [later]]]), holding(later, [[0, [refunded]]])];
    assert.deepEqual(reopened(...first), [refunded.id]);
  });
});
