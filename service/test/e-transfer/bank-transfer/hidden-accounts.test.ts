import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { newReference } from '#e-transfer/bank-transfer/references/new-reference.ts';
import { runCli } from '../../commands/run-cli.ts';
import {
  type BankProduction,
  HARBOUR_IBAN,
  startBankProduction,
} from '../../support/bank/bank-production.ts';
import { writeStatement } from '../../support/bank/write-statement.ts';
import { eventually } from '../../support/eventually.ts';
import { createPayer } from '../../support/payment-requests/payer.ts';

let bank: BankProduction;

before(async () => {
  bank = await startBankProduction();
});
after(() => bank.stop());

const payreq = async (...args: string[]) => {
  const ran = await runCli([...args, '--json'], bank.service.env);
  assert.equal(ran.exitCode, 0, ran.stderr);
  return ran.json();
};

/** A payer at the open page of a transfer, and whether the page has heard of a change. */
async function atThePage() {
  const link = await bank.show();
  const payer = createPayer(bank.service);
  const { html, address: path } = await payer.open(link.paymentLink);
  assert.match(html, /data-iban/);
  const live = /data-live="([^"]+)"/.exec(html)?.[1] ?? '';
  const isTold = async () => {
    const answer = await payer.request(live, { headers: { accept: 'application/json' } });
    return ((await answer.json()) as { hasChanged: boolean }).hasChanged;
  };
  // The page from now on learns of changes by signals alone: a reading is kept.
  assert.equal(await isTold(), false);
  return { ...link, payer, path, isTold };
}

describe('the open page of a bank transfer', () => {
  it('leads to the final page when an operator gives money to the payment request', async () => {
    const { id, payer, path, isTold, paymentLink, reference } = await atThePage();
    const lost = { reference: newReference(HARBOUR_IBAN), bankReference: 'LOST-1' };
    const entry = { ...lost, amountCents: 10_000 };
    await payer.request(`${path}/sent`, { method: 'POST', body: new URLSearchParams() });
    await bank.deliver(writeStatement({ iban: HARBOUR_IBAN, entries: [entry] }));
    const { cases } = await payreq('cases', 'list');
    const settled = await payreq('cases', 'assign', cases[0].id, '--payment-request', id);
    assert.equal(settled.outcome, 'PAID');
    await eventually(isTold, 'the page');
    const answer = await payer.request(path);
    assert.equal(answer.status, 303);
    assert.equal(answer.headers.get('location'), `${paymentLink}?returned=1`);
    assert.equal((await payer.request(`${path}/qr.png`)).status, 404);
    const final = await payer.open(paymentLink);
    assert.ok(!final.html.includes(reference));
    // This browser said that the money is sent; others know only that it has arrived.
    assert.equal(final.title, 'You paid €100.00 to Harbour Books');
    const other = await createPayer(bank.service).open(paymentLink);
    assert.equal(other.title, 'This request has been paid');
  });

  it('hides an account that the bank has closed, and follows live', async () => {
    const { payer, path, isTold, paymentLink, reference } = await atThePage();
    const { merchantId } = bank.merchant;
    await payreq('merchant', 'set-account', '--merchant', merchantId, '--close', '1');
    await eventually(isTold, 'the page');
    for (const address of [path, paymentLink]) {
      const page = await payer.open(address);
      assert.match(page.title, /^The account for this payment was closed$/);
      assert.match(page.text, /Do not send money.*Ask Harbour Books for another way to pay/);
      assert.ok(!page.html.includes(HARBOUR_IBAN) && !page.html.includes(reference));
      assert.doesNotMatch(page.html, /data-iban|qr\.svg|qr\.png/);
    }
    assert.equal((await payer.request(`${path}/qr.svg`)).status, 404);
  });
});
