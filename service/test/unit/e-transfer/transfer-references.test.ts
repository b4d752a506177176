import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isQRReferenceValid, isSCORReferenceValid } from 'swissqrbill/utils';
import {
  creditorReferenceOf,
  isOurReference,
  ourReferencesIn,
} from '#e-transfer/bank-transfer/references/creditor-reference.ts';
import { newReference } from '#e-transfer/bank-transfer/references/new-reference.ts';
import { qrReferenceOf } from '#e-transfer/bank-transfer/references/qr-reference.ts';
import { isOurQrReference } from '../../support/bank-transfer/our-qr-reference.ts';
import { IBANS } from '../../support/bank-transfer/transfer-network.ts';

const digits = (count: number) =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: count, maxLength: count })
    .map((some) => some.join(''));

/** The text with the digit at `at` raised by `by`. */
function mistyped(text: string, at: number, by: number): string {
  const digit = (Number(text[at]) + by) % 10;
  return text.slice(0, at) + digit + text.slice(at + 1);
}

describe('a creditor reference', () => {
  it('is one of ISO 11649 and of ours with any digits', () => {
    fc.assert(
      fc.property(digits(15), (random) => {
        const reference = creditorReferenceOf(random);
        assert.match(reference, /^RF\d{2}\d{17}$/);
        assert.ok(isSCORReferenceValid(reference));
        assert.ok(isOurReference(reference));
      }),
    );
  });

  it('is not ours any more with one wrong digit, or two that changed places', () => {
    fc.assert(
      fc.property(digits(15), fc.nat(18), fc.integer({ min: 1, max: 9 }), (random, at, by) => {
        const reference = creditorReferenceOf(random);
        assert.ok(!isOurReference(mistyped(reference, at + 2, by)));
        const [one = '', other = ''] = [reference[at + 2], reference[at + 3]];
        if (at === 18 || one === other) return;
        const swapped = reference.slice(0, at + 2) + other + one + reference.slice(at + 4);
        assert.ok(!isOurReference(swapped), swapped);
      }),
    );
  });

  it('is found in a text as payers write it', () => {
    fc.assert(
      fc.property(digits(15), (random) => {
        const reference = creditorReferenceOf(random);
        const typed = reference.toLowerCase().replaceAll(/.{4}/g, '$& - ');
        assert.deepEqual(ourReferencesIn(`Invoice 7, ${typed} thanks`), [reference]);
      }),
    );
  });

  it('of other issuers is not ours', () => {
    assert.ok(isSCORReferenceValid('RF18539007547034'));
    assert.ok(!isOurReference('RF18539007547034'));
  });
});

describe('a QR reference', () => {
  it('is one of the Swiss standard and of ours with any digits', () => {
    fc.assert(
      fc.property(digits(24), (random) => {
        const reference = qrReferenceOf(random);
        assert.match(reference, /^\d{27}$/);
        assert.ok(isQRReferenceValid(reference));
        assert.ok(isOurQrReference(reference));
      }),
    );
  });

  it('is not ours any more with one wrong digit', () => {
    fc.assert(
      fc.property(digits(24), fc.nat(26), fc.integer({ min: 1, max: 9 }), (random, at, by) => {
        assert.ok(!isOurQrReference(mistyped(qrReferenceOf(random), at, by)));
      }),
    );
  });

  it('of other issuers is not ours', () => {
    assert.ok(isQRReferenceValid('210000000003139471430009017'));
    assert.ok(!isOurQrReference('210000000003139471430009017'));
  });
});

describe('a new reference', () => {
  it('is of the kind that the account takes, and random', () => {
    for (const [iban, isOurs] of [
      [IBANS.german, isOurReference],
      [IBANS.swiss, isOurReference],
      [IBANS.swissQr, isOurQrReference],
    ] as const) {
      const references = Array.from({ length: 200 }, () => newReference(iban));
      assert.ok(references.every(isOurs));
      assert.equal(new Set(references).size, 200);
    }
  });
});
