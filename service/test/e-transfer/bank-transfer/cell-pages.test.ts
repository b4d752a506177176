import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTransferProduction } from '../../support/bank-transfer/transfer-production.ts';
import { createPayer } from '../../support/payment-requests/payer.ts';
import type { Production } from '../../support/service/production.ts';

describe('the page of a bank transfer in a cell', () => {
  let production: Production;
  before(async () => {
    production = await startTransferProduction({ settings: { CELL: '12' } });
  });
  after(() => production.stop());

  it('has the mark in its address, in its images and in its live updates', async () => {
    const payer = createPayer(production.service);
    const { paymentLink } = await production.createLink({ amount: 100 });
    const { address, html, status } = await payer.open(paymentLink);
    assert.equal(status, 200);
    assert.match(address, /^\/transfer\/c12-[0-9A-Za-z]{22}$/);
    const local = [...html.matchAll(/(?:src|href|data-live|action)="(\/[^"]+)"/g)].map(
      ([, path = '']) => path,
    );
    assert.ok(local.some((path) => path.startsWith(`${address}/live`)));
    assert.ok(local.some((path) => path === `${address}/qr.png`));
    for (const path of local) {
      assert.match(path, /^\/[a-z-]+\/c12-/);
      const isForm = path.endsWith('/sent');
      assert.equal((await payer.request(path)).status, isForm ? 303 : 200, path);
    }
  });

  it('answers 404 under another mark, also to a form', async () => {
    const payer = createPayer(production.service);
    const { paymentLink } = await production.createLink({ amount: 100 });
    const { address } = await payer.open(paymentLink);
    for (const mark of ['', 'c1-', 'c2-', 'c012-']) {
      const other = address.replace('c12-', mark);
      assert.equal((await payer.request(other)).status, 404, other);
      assert.equal((await payer.request(`${other}/live?seen=0`)).status, 404, other);
      const form = { method: 'POST', body: new URLSearchParams() };
      assert.equal((await payer.request(`${other}/sent`, form)).status, 404, other);
    }
  });
});
