import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { runCli } from '../../commands/run-cli.ts';
import { decodeQrPng } from '../../support/bank-transfer/decode-qr.ts';
import { IBANS } from '../../support/bank-transfer/transfer-network.ts';
import { startTransferProduction } from '../../support/bank-transfer/transfer-production.ts';
import { createPayer } from '../../support/payment-requests/payer.ts';
import type { Production } from '../../support/service/production.ts';

let production: Production;

before(async () => {
  production = await startTransferProduction({
    iban: IBANS.swiss,
    settings: { CURRENCY: 'CHF' },
  });
});
after(() => production.stop());

const HOLDER = 'Bücher & Söhne AG';

function setAccount(...address: string[]) {
  const { merchantId } = production.merchant;
  const account = ['--merchant', merchantId, '--holder', HOLDER, '--iban', IBANS.swiss];
  return runCli(['merchant', 'set-account', ...account, ...address], production.service.env);
}

async function openPage() {
  const link = await production.createLink({ amount: 100 });
  const payer = createPayer(production.service);
  return { payer, page: await payer.open(link.paymentLink) };
}

describe('the page of a bank transfer in CHF', () => {
  it('has no QR code while the address is missing, which set-account says', async () => {
    const ran = await setAccount();
    assert.equal(ran.exitCode, 0);
    assert.match(ran.stderr, /^Payers see no QR code: .* --postal-code, --town and --country\.\n$/);
    const { page } = await openPage();
    assert.match(page.html, /data-iban/);
    assert.doesNotMatch(page.html, /qr\.svg/);
  });

  it('shows the QR-bill with the address that an operator has set', async () => {
    const place = ['--postal-code', '8001', '--town', 'Zürich', '--country', 'CH'];
    const ran = await setAccount('--street', 'Hafenstrasse 7', ...place);
    assert.equal(ran.exitCode, 0);
    assert.equal(ran.stderr, '');
    const { payer, page } = await openPage();
    const reference = /data-reference="([^"]+)"/.exec(page.html)?.[1];
    const png = await payer.request(`${page.address}/qr.png`);
    assert.deepEqual(decodeQrPng(Buffer.from(await png.arrayBuffer())).split('\n'), [
      ...['SPC', '0200', '1', IBANS.swiss],
      ...['S', HOLDER, 'Hafenstrasse 7', '', '8001', 'Zürich', 'CH'],
      ...Array(7).fill(''),
      ...['100.00', 'CHF'],
      ...Array(7).fill(''),
      ...['SCOR', reference, '', 'EPD'],
    ]);
  });
});
