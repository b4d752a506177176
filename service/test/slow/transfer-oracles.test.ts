import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { transferQrOf } from '#e-transfer/bank-transfer/qr/transfer-qr.ts';
import { newReference } from '#e-transfer/bank-transfer/references/new-reference.ts';
import { qrCodePng } from '#http/qr-codes/qr-code.ts';
import { IBANS } from '../support/bank-transfer/transfer-network.ts';

/** Debian's own, for which its packages are. */
const PYTHON = '/usr/bin/python3';
const works = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;
const WITHOUT_STDNUM =
  !works(PYTHON, '-c', 'import stdnum.iso11649') && 'there is no python3-stdnum';
const WITHOUT_ZBAR = !works('zbarimg', '--version') && 'there is no zbarimg (zbar-tools)';
/** Prints each line's verdict: whether it is a creditor reference, or a Swiss QR reference. */
const VALIDATE = `
import sys
from stdnum import iso11649
from stdnum.ch import esr
for line in sys.stdin.read().split():
    kind = iso11649 if line.startswith('RF') else esr
    print(line, kind.is_valid(line))
`;

describe('references by another implementation', { skip: WITHOUT_STDNUM }, () => {
  it('are valid', () => {
    const made = Array.from({ length: 2_000 }, (_, index) =>
      newReference(index % 2 === 0 ? IBANS.german : IBANS.swissQr),
    );
    const options = { input: made.join('\n'), encoding: 'utf8' } as const;
    const verdicts = execFileSync(PYTHON, ['-c', VALIDATE], options).trim().split('\n');
    assert.deepEqual(
      verdicts,
      made.map((reference) => `${reference} True`),
    );
  });
});

describe('QR images by another decoder', { skip: WITHOUT_ZBAR }, () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'qr-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  const address = { street: 'Hafenweg 1', postalCode: '8001', town: 'Zürich', country: 'CH' };
  const cases = [
    ['EUR', IBANS.german, 'Harbour Books GmbH'],
    ['EUR', IBANS.german, '書'.repeat(70)],
    ['CHF', IBANS.swiss, 'Bücher & Söhne AG'],
    ['CHF', IBANS.swissQr, 'Harbour Books AG'],
    ['CZK', IBANS.czech, 'Kniha s.r.o.'],
  ] as const;
  for (const [currency, iban, holder] of cases) {
    it(`hold the transfer in ${currency} to ${iban}, ${holder.length} letters`, () => {
      const reference = newReference(iban);
      const transfer = { iban, holder, bic: null, amountCents: 12_345_678, reference, address };
      const qr = transferQrOf(currency, transfer);
      assert.ok(qr);
      const file = join(folder, 'transfer.png');
      writeFileSync(file, qrCodePng(qr.text, qr));
      const read = execFileSync('zbarimg', ['-q', '--raw', '--oneshot', '-Sbinary', file], {
        encoding: 'utf8',
      });
      assert.equal(read.trimEnd(), qr.text.trimEnd());
    });
  }
});
