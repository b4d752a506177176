import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import {
  type PaymentFile,
  writePain001,
} from '#e-transfer/bank-transfer/refunds-out/write-pain001.ts';
import { checkSchema } from '../support/bank/check-schema.ts';

/**
 * Schemas are read in place: Debian's tryton-modules-account-payment-sepa brings version 05, and
 * PAIN_XSD_DIR may name a folder with other versions.
 */
const DEBIAN_DIR = '/usr/lib/python3/dist-packages/trytond/modules/account_payment_sepa/tests';
const FOLDER = process.env.PAIN_XSD_DIR ?? DEBIAN_DIR;
const EXACT = `${FOLDER}/pain.001.001.09.xsd`;
const OLDER = `${FOLDER}/pain.001.001.05.xsd`;
const skipUnless = (path: string) => (existsSync(path) ? false : `${path} is not there`);

const FILE: PaymentFile = {
  messageId: 'PRS-20260301-0123456789ABCDEF',
  createdAt: new Date('2026-03-01T12:00:00.000Z'),
  currency: 'EUR',
  executionDate: '2026-03-01',
  debtor: { holder: 'Bücher & <Söhne>', account: 'DE89370400440532013000', bic: null },
  transfers: [
    {
      refundId: randomUUID(),
      amountCents: 1,
      message: 'м'.repeat(140),
      listReference: 'PRS000000000',
      creditor: { name: '東京'.repeat(70), account: 'FR1420041010050500013M02606' },
    },
    {
      refundId: randomUUID(),
      amountCents: 99_999_999_999,
      message: `//]]>&lt;"'\u0007`,
      listReference: 'PRS000000000',
      creditor: { name: null, account: 'NL91ABNA0417164300' },
    },
  ],
};
/** By clearing codes, with and without the BIC of the bank that pays. */
const canadian = {
  ...{ ...FILE, currency: 'CAD' },
  debtor: { holder: 'Harbour Books', account: 'CA:00312345:0012345', bic: 'ROYCCAT2' },
  transfers: FILE.transfers.map((each) => ({
    ...each,
    creditor: { ...each.creditor, account: 'CA:00498765:7654321' },
  })),
};
const withBic = { ...FILE, debtor: { ...FILE.debtor, bic: 'COBADEFFXXX' } };

/** The versions differ, for what is written, in namespace and in the day of execution. */
const asVersion5 = (xml: string) =>
  xml
    .replace('pain.001.001.09', 'pain.001.001.05')
    .replace(/<ReqdExctnDt>\s*<Dt>(.*)<\/Dt>\s*<\/ReqdExctnDt>/, '<ReqdExctnDt>$1</ReqdExctnDt>');

function check(xml: string, schema: string): void {
  const url = pathToFileURL(schema);
  checkSchema(Buffer.from(xml), url);
  assert.throws(() => checkSchema(Buffer.from(xml.replace('TRF', 'XYZ')), url), /PmtMtd/);
}

describe('a payment file', () => {
  it('is valid by pain.001.001.09', { skip: skipUnless(EXACT) }, () => {
    for (const file of [FILE, withBic, canadian]) check(writePain001(file), EXACT);
  });

  it('is valid by pain.001.001.05, but for its version', { skip: skipUnless(OLDER) }, () => {
    for (const file of [FILE, withBic, canadian]) check(asVersion5(writePain001(file)), OLDER);
  });
});
