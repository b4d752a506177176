import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Transfer } from '#e-transfer/bank-transfer/qr/transfer.ts';
import { transferQrOf } from '#e-transfer/bank-transfer/qr/transfer-qr.ts';
import { creditorReferenceOf } from '#e-transfer/bank-transfer/references/creditor-reference.ts';
import { qrReferenceOf } from '#e-transfer/bank-transfer/references/qr-reference.ts';
import { qrCodePng } from '#http/qr-codes/qr-code.ts';
import { decodeQrPng } from '../../support/bank-transfer/decode-qr.ts';
import { IBANS } from '../../support/bank-transfer/transfer-network.ts';

const { resolve, require } = (() => {
  const load = createRequire(import.meta.url);
  return { resolve: load.resolve, require: load };
})();
type OtherEncoder = (data: Readonly<Record<string, string | number>>) => string;
const otherEpcEncoder: OtherEncoder = require(resolve('sepa-payment-qr-code'));

/** The other encoder's text, which its package keeps to itself. */
const { generateQRData: otherSwissEncoder } = await import(
  new URL('./qr-code.js', import.meta.resolve('swissqrbill/utils')).href
);

const REFERENCE = creditorReferenceOf('123456789012345');
const QR_REFERENCE = qrReferenceOf('123456789012345678901234');
const ADDRESS = { street: null, postalCode: '8001', town: 'Zürich', country: 'CH' };

const TRANSFER: Transfer = {
  holder: 'Harbour Books GmbH',
  iban: IBANS.german,
  bic: null,
  amountCents: 10_005,
  reference: REFERENCE,
  address: null,
};

const textOf = (currency: string, changes: Partial<Transfer> = {}) =>
  transferQrOf(currency, { ...TRANSFER, ...changes })?.text ?? null;

/** Names as a bank may keep them, with everything that a person can paste. */
const names = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 70 });
const cents = fc.integer({ min: 1, max: 99_999_999_999 });

describe('the QR code of a transfer in EUR', () => {
  it('holds the same bytes as another encoder makes', () => {
    fc.assert(
      fc.property(cents, fc.boolean(), (amountCents, hasBic) => {
        const bic = hasBic ? 'COBADEFFXXX' : null;
        const other = otherEpcEncoder({
          name: TRANSFER.holder,
          iban: TRANSFER.iban,
          amount: amountCents / 100,
          structuredReference: REFERENCE,
          ...(bic && { bic }),
        });
        assert.equal(textOf('EUR', { amountCents, bic }), other);
      }),
    );
  });

  it('keeps within 331 bytes with 70 letters of three bytes, and is left out beyond', () => {
    const most = { iban: `MT${'8'.repeat(29)}`, bic: 'COBADEFFXXX', amountCents: 99_999_999_999 };
    const text = textOf('EUR', { ...most, holder: '書'.repeat(70) });
    assert.ok(text && Buffer.byteLength(text) <= 331);
    assert.equal(textOf('EUR', { ...most, holder: '𝔸'.repeat(70) }), null);
  });

  it('lets no name change another field', () => {
    fc.assert(
      fc.property(names, names, (one, other) => {
        const text = textOf('EUR', { holder: `A${one}\n${other}\r\u2028DE00` });
        if (text === null) return;
        const lines = text.split('\n');
        assert.equal(lines.length, 12);
        assert.equal(lines[6], IBANS.german);
        assert.doesNotMatch(lines[5] ?? '', /[\p{Cc}\u2028\u2029]/u);
      }),
    );
  });

  it('is read from its image as it was written', () => {
    const text = textOf('EUR', { holder: 'Bücher & Söhne, 書' }) ?? '';
    assert.equal(decodeQrPng(qrCodePng(text)), text);
  });
});

describe('the QR code of a transfer in CHF', () => {
  it('holds what another encoder holds, and is read through its cross', () => {
    for (const [iban, reference] of [
      [IBANS.swiss, REFERENCE],
      [IBANS.swissQr, QR_REFERENCE],
    ] as const) {
      const changes = { iban, reference, address: ADDRESS };
      const text = textOf('CHF', changes) ?? '';
      const { holder: name } = TRANSFER;
      const { postalCode: zip, town: city, country } = ADDRESS;
      const creditor = { account: iban, name, address: '', zip, city, country };
      const other = { currency: 'CHF', amount: 100.05, reference, creditor };
      assert.equal(text, otherSwissEncoder(other));
      assert.equal(decodeQrPng(qrCodePng(text, { hasSwissCross: true })), text);
    }
  });

  it('needs a Swiss account, the address of its holder, and the reference of the account', () => {
    assert.equal(textOf('CHF', { address: ADDRESS }), null);
    assert.equal(textOf('CHF', { iban: IBANS.swiss }), null);
    const mixed = { iban: IBANS.swissQr, address: ADDRESS };
    assert.equal(textOf('CHF', mixed), null);
    assert.ok(textOf('CHF', { ...mixed, reference: QR_REFERENCE }));
    assert.ok(textOf('EUR', { ...mixed, reference: QR_REFERENCE })?.startsWith('SPC\n'));
  });

  it('lets no name change another field', () => {
    fc.assert(
      fc.property(names, names, (one, other) => {
        const holder = `A${one}\n${other}`;
        const text = textOf('CHF', { iban: IBANS.swiss, address: ADDRESS, holder }) ?? '';
        assert.equal(text.split('\n').length, 31);
        assert.equal(text.split('\n')[18], '100.05');
      }),
    );
  });
});

describe('the QR code of a transfer in CZK', () => {
  it('is a payment descriptor of the Czech standard', () => {
    assert.equal(
      textOf('CZK', { iban: IBANS.czech, holder: 'Kniha*ACC:X & spol.', bic: 'GIBACZPX' }),
      `SPD*1.0*ACC:${IBANS.czech}+GIBACZPX*AM:100.05*CC:CZK*RN:Kniha%2AACC%3AX %26 spol.` +
        `*MSG:${REFERENCE}`,
    );
  });

  it('has as many fields as it should with any name, and no amount that does not fit', () => {
    fc.assert(
      fc.property(names, (holder) => {
        const text = textOf('CZK', { iban: IBANS.czech, holder }) ?? '';
        assert.equal(text.split('*').length, 7);
      }),
    );
    assert.ok(textOf('CZK', { amountCents: 999_999_999 }));
    assert.equal(textOf('CZK', { amountCents: 1_000_000_000 }), null);
  });
});

describe('the QR code of a transfer in another currency', () => {
  it('is left out: the payer copies the fields', () => {
    assert.equal(textOf('PLN'), null);
  });
});
