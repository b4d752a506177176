import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { creditorReferenceOf } from '#e-transfer/bank-transfer/references/creditor-reference.ts';
import {
  distanceInText,
  lookAlikesIn,
  mayHoldReference,
} from '#e-transfer/bank-transfer/references/look-alikes.ts';

const REFERENCE = creditorReferenceOf('012568901256890');

describe('references that a text nearly holds', () => {
  it('are read with letters in the place of digits', () => {
    const letters = REFERENCE.replaceAll('0', 'O').replaceAll('1', 'I').replaceAll('5', 's');
    assert.deepEqual(lookAlikesIn(`Invoice ${letters} thanks`), [REFERENCE]);
    assert.deepEqual(lookAlikesIn('RFQ for boats'), []);
  });

  it('are looked for in texts with nearly as many digits, or with look-alikes', () => {
    const texts = [REFERENCE, REFERENCE.slice(0, -3), REFERENCE.replaceAll('0', 'O')];
    assert.deepEqual(
      texts.map((text) => mayHoldReference(text, 3)),
      [true, true, true],
    );
    const others = ['Rent of March, flat 12', REFERENCE.slice(0, -4), ''];
    assert.deepEqual(
      others.map((text) => mayHoldReference(text, 3)),
      [false, false, false],
    );
  });

  const TEXTS = [
    [`x ${REFERENCE} y`, 0],
    [REFERENCE.toLowerCase().replace(/(.{4})/g, '$1 '), 0],
    [`a${REFERENCE.slice(0, 8)}7${REFERENCE.slice(8)}`, 1],
    [REFERENCE.slice(0, 8) + REFERENCE.slice(9), 1],
    [REFERENCE.replace(/.$/, 'x').replace(/^R/, 'P'), 2],
    ['', REFERENCE.length],
  ] as const;

  for (const [text, letters] of TEXTS) {
    it(`differ by ${letters} letters from "${text}"`, () => {
      assert.equal(distanceInText(REFERENCE, text), letters);
    });
  }
});
