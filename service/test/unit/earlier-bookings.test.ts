import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { correctedCents, earlierAmong } from '#cases/read/earlier-bookings.ts';
import type { KnownMovement } from '#payment-requests/network/money/movement-index.ts';
import { ID, known, move } from '../support/payment-requests/report-decisions.ts';

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
