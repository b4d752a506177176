import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type BankProduction,
  HARBOUR_IBAN,
  startBankProduction,
} from '../support/bank/bank-production.ts';
import { writeStatement } from '../support/bank/write-statement.ts';
import { type ConsoleClient, signIn } from '../support/console/console-client.ts';

/** The searched words, which no one reads in the address. */
const SEALED = /&words=[\w-]+$/;

describe('the search of the console on bank transfers', () => {
  let bank: BankProduction;
  let support: ConsoleClient;

  before(async () => {
    bank = await startBankProduction();
    const { merchantId } = bank.merchant;
    support = await signIn(bank.service, { role: 'support', merchantId });
  });
  after(() => bank?.stop());

  it('finds a payment request by its creditor reference and by the bank’s reference', async () => {
    const link = await bank.show();
    const page = `/console/m/${bank.merchant.merchantId}/payment-requests/${link.id}`;
    const search = async (q: string) =>
      (await support.post('/console/search', { q })).location?.replace(SEALED, '') ?? '';
    const spoken = link.reference.toLowerCase().replace(/.{4}/g, '$& ');
    for (const text of [link.reference, spoken]) assert.equal(await search(text), page, text);
    assert.equal(await search('BANK-2026-77'), '/console/search?found=');

    const entries = [
      { amountCents: 10_000, reference: link.reference, bankReference: 'BANK-2026-77' },
    ];
    const { state } = await bank.deliver(writeStatement({ iban: HARBOUR_IBAN, entries }));
    assert.equal(state, 'COMPLETE');
    assert.equal(await search('BANK-2026-77'), page);

    const other = await bank.service.createMerchant({ name: 'Other Shop' });
    const { merchantId } = other;
    const stranger = await signIn(bank.service, { role: 'administrator', merchantId });
    const { location } = await stranger.post('/console/search', { q: link.reference });
    assert.match(location ?? '', /^\/console\/search\?found=&words=[\w-]+$/);
  });

  it('has no simulation in production, on the page and at no address', async () => {
    const { id } = await bank.show();
    const page = `/console/m/${bank.merchant.merchantId}/payment-requests/${id}`;
    const { html } = await support.get(page);
    assert.match(html, /id="timeline"/);
    assert.doesNotMatch(html, /simulate|advance/i);
    for (const [path, fields] of [
      ['simulate', { outcome: 'PAID' }],
      [`refunds/${id}/simulate`, { outcome: 'COMPLETED' }],
      ['advance', { seconds: '60' }],
    ] as const) {
      assert.equal((await support.post(`${page}/${path}`, fields)).status, 404, path);
    }
  });

  it('shows what came in part, in the list and among the hits, with the merchant', async () => {
    const { id, reference } = await bank.show({ invoiceNumber: 'INV-7' });
    const entries = [{ amountCents: 4_000, reference, bankReference: 'BANK-2026-78' }];
    await bank.deliver(writeStatement({ iban: HARBOUR_IBAN, entries }));
    const part = /data-status="CREATED">Part paid<\/span> <span class="small">€40\.00 of €100\.00</;
    const { merchantId } = bank.merchant;
    const list = (await support.get(`/console/m/${merchantId}/payment-requests`)).html;
    assert.match(list, part);
    assert.equal(list.match(/Part paid<\/span>/g)?.length, 1, 'a paid one is paid');
    const page = (await support.get(`/console/m/${merchantId}/payment-requests/${id}`)).html;
    assert.match(page, part);
    const missing = /<p class="notice warning">€60\.00 of €100\.00 is still missing\. <a href/;
    assert.match(page, missing);
    const operator = await signIn(bank.service, { role: 'operator' });
    const hits = (await operator.get(`/console/search?found=${id}`)).html;
    assert.match(hits, part);
    assert.match(hits, />INV-7 · Harbour Books · <time/);
    const back = { direction: 'DEBIT', returned: 'AC04', reference, amountCents: 4_000 } as const;
    await bank.deliver(writeStatement({ iban: HARBOUR_IBAN, entries: [back] }));
    const without = (await support.get(`/console/m/${merchantId}/payment-requests/${id}`)).html;
    assert.doesNotMatch(without, /Part paid|of €100\.00/, 'the part went back');
  });
});
