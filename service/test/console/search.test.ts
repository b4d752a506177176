import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ConsoleClient, signIn } from '../support/console/console-client.ts';
import { paymentRequestCalls } from '../support/payment-requests/payment-requests.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';
import { withoutReferences } from '../support/without-references.ts';

const EMAIL = 'grace.canary@example.com';

describe('the search of the console', () => {
  let service: TestService;
  let shop: TestMerchant;
  let other: TestMerchant;
  let support: ConsoleClient;
  let operator: ConsoleClient;
  let first: { id: string; shortCode: string; links: { href: string }[] };
  let second: { id: string };
  let others: { id: string };

  before(async () => {
    service = await startTestService();
    shop = await service.createMerchant({ name: 'Own Shop' });
    other = await service.createMerchant({ name: 'Other Shop' });
    support = await signIn(service, { role: 'support', merchantId: shop.merchantId });
    operator = await signIn(service, { role: 'operator-readonly' });
    const calls = paymentRequestCalls(service, shop);
    const payer = { name: 'Grace Canary', email: EMAIL, mobileNumber: '+1 (416) 555-0199' };
    const customer = { ...payer, merchantAccountId: 'customer-81' };
    const references = { merchantTransactionId: 'order-77', invoiceNumber: 'INV-2026/5' };
    first = (await calls.create({ payer: customer, amount: 77.01, ...references })).json;
    await service.advance(1);
    second = (await calls.create({ payer, amount: 99.5 })).json;
    others = (
      await paymentRequestCalls(service, other).create({ merchantTransactionId: 'order-77' })
    ).json;
    await calls.simulate(first.id, { outcome: 'PAID' });
  });
  after(() => service?.stop());

  const pageOf = (id: string, merchant = shop) =>
    `/console/m/${merchant.merchantId}/payment-requests/${id}`;

  async function search(client: ConsoleClient, q: string): Promise<string> {
    const answer = await client.post('/console/search', { q });
    assert.equal(answer.status, 303, answer.html);
    const [address = '', words] = (answer.location ?? '').split('&words=');
    // The address holds the searched words in a form that no one reads.
    assert.match(words ?? '-', /^[\w-]+$/);
    return address;
  }

  it('leads to the payment request by each value that it has alone', async () => {
    const { json } = await paymentRequestCalls(service, shop).read(first.id);
    const [event] = await service.database.sql<{ id: string }>(
      `SELECT id FROM webhook_events WHERE payment_request_id = '${first.id}'`,
    );
    const values = [
      first.id,
      first.id.replaceAll('-', '').toUpperCase(),
      json.shortCode,
      `https://pay.test/pay/${json.shortCode}?lang=fr`,
      'order-77',
      ' INV-2026/5 ',
      'customer-81',
      '77.01',
      '77,01 $',
      json.payment.networkReference,
      event?.id ?? '',
    ];
    for (const value of values) assert.equal(await search(support, value), pageOf(first.id), value);
  });

  it('lists the payment requests of a payer by their ids, the newest first', async () => {
    for (const value of ['Grace.Canary@EXAMPLE.com', '+14165550199']) {
      const location = await search(support, value);
      assert.equal(location, `/console/search?found=${second.id}+${first.id}`, value);
    }
    const { html } = await support.get(`/console/search?found=${second.id}+${first.id}`);
    assert.match(html, /2 payment requests found/);
    assert.ok(html.indexOf(second.id) < html.indexOf(first.id));
    for (const { id } of [first, second]) assert.ok(html.includes(`href="${pageOf(id)}"`));
  });

  it('finds for people of a merchant what is theirs, and for operators all', async () => {
    assert.equal(await search(support, 'order-77'), pageOf(first.id));
    assert.equal(await search(support, others.id), '/console/search?found=');
    assert.equal(
      await search(operator, 'order-77'),
      `/console/search?found=${others.id}+${first.id}`,
    );
    const address = `/console/search?found=${others.id}+${first.id}`;
    const theirs = await support.get(address);
    assert.ok(!theirs.html.includes(pageOf(others.id, other)));
    assert.doesNotMatch(theirs.html, /Other Shop/);
    assert.match(theirs.html, /One payment request found/);
    const all = await operator.get(address);
    assert.match(all.html, /Other Shop/);
  });

  it('says what to do where nothing is found', async () => {
    for (const value of ['order-78', '', '\u0000', "' OR 1=1 --", 'x'.repeat(3_000)]) {
      assert.equal(await search(support, value), '/console/search?found=', value.slice(0, 20));
    }
    const { html, status } = await support.get('/console/search?found=');
    assert.equal(status, 200);
    assert.match(html, /<h1>Nothing was found<\/h1>/);
    assert.match(html, /Searched: names, references,/);
    const list = `/console/m/${shop.merchantId}/payment-requests`;
    assert.ok(html.split('<h2>Other ways</h2>')[1]?.includes(`<a href="${list}">`));
    const theirs = (await operator.get('/console/search?found=')).html.split('Other ways</h2>')[1];
    assert.match(theirs ?? '', /href="\/console\/operator\/merchants"[\s\S]*operator\/unmatched"/);
    const made = await support.get('/console/search?found=nonsense+%00+1&more=1');
    assert.match(made.html, /Nothing was found/);
  });

  it('leads to a filter of the list where the text is one, and finds nothing else', async () => {
    const filters = {
      77: ['77', 'amountMin=77.00&amountMax=77.99'],
      expired: ['EXPIRED', 'status=EXPIRED'],
    };
    for (const [value, [hint, query]] of Object.entries(filters)) {
      const address = await search(support, value);
      assert.equal(address, `/console/search?found=&try=${hint}`);
      const { html } = await support.get(address);
      const list = `/console/m/${shop.merchantId}/payment-requests?${query}`;
      assert.ok(withoutReferences(html).includes(`href="${list}"`), html);
      assert.equal((await support.get(list)).status, 200);
    }
    // An address shows none of a payer's numbers.
    assert.equal(await search(support, '416555'), '/console/search?found=');
    const { html } = await support.get('/console/search?found=&try=%22%3E77');
    assert.doesNotMatch(html, /Did you mean/);
  });

  it('keeps the words in field and heading for the session that searched, and no other', async () => {
    const { location } = await support.post('/console/search', { q: 'Résümé refunds <b>' });
    const { html } = await support.get(location ?? '');
    assert.match(html, /name="q" value="Résümé refunds &#60;b&#62;"/);
    assert.match(html, /<h1>Nothing was found · “Résümé refunds &#60;b&#62;”<\/h1>/);
    const theirs = await operator.get(location ?? '');
    assert.match(theirs.html, /<h1>Nothing was found<\/h1>/);
    assert.doesNotMatch(theirs.html, /Résümé/);
    const made = await support.get(`${location}x`);
    assert.match(made.html, /name="q" value=""/);
  });

  it('lists the pages and acts of which the words begin words, in the bar, too', async () => {
    const refunds = `/console/m/${shop.merchantId}/refunds`;
    const { location } = await support.post('/console/search', { q: 'ref' });
    const [, places = ''] = (await support.get(location ?? '')).html.split(
      'Pages and actions</h2>',
    );
    assert.match(
      places,
      new RegExp(`^<ul class="hits"><li><a href="${refunds}">Refunds</a></li></ul>`),
    );
    const typed = (typing: string) => support.post('/console/search', { q: 'ref', typing });
    assert.ok((await typed('bar')).html.includes(`href="${refunds}"`));
    // The palette has all pages already.
    assert.ok(!(await typed('palette')).html.includes(`href="${refunds}"`));
  });

  it('offers the pages and acts of the person, and what was open lately', async () => {
    const acts = [`/console/m/${shop.merchantId}/payment-requests/new`, '/console/shortcuts'];
    const recent = `recent=${first.id}+${others.id}`;
    const { html } = await support.get(`/console/search?${recent}`);
    assert.ok(html.includes(`href="${pageOf(first.id)}"`));
    assert.ok(!html.includes(pageOf(others.id, other)));
    assert.ok(html.includes(`href="/console/m/${shop.merchantId}/refunds"`));
    assert.deepEqual(
      acts.map((act) => html.includes(`href="${act}"`)),
      [false, true],
    );
    const admin = await signIn(service, { role: 'administrator', merchantId: shop.merchantId });
    assert.ok((await admin.get('/console/search')).html.includes(`href="${acts[0]}"`));
    const at = `/console/search?at=${other.merchantId}`;
    assert.ok((await operator.get(at)).html.includes(`/console/m/${other.merchantId}/refunds`));
    assert.ok(!(await support.get(at)).html.includes(`${other.merchantId}/`));
  });

  it('keeps a searched e-mail address out of logs, metrics, addresses and titles', async () => {
    const { database, logLines, opsUrl } = service;
    const answer = await support.post('/console/search', { q: EMAIL });
    const shown = await support.get(answer.location ?? '');
    const metrics = await (await fetch(`${opsUrl}/metrics`)).text();
    const audit = await database.sql<{ all: string }>(
      'SELECT audit_log::text AS all FROM audit_log',
    );
    const [title = ''] = /<title>.*<\/title>/.exec(shown.html) ?? [];
    const places = {
      logs: JSON.stringify(logLines),
      metrics,
      audit: JSON.stringify(audit),
      headers: JSON.stringify([...answer.headers, ...shown.headers]),
      title,
    };
    const line = logLines.find(
      ({ route, method }) => route === '/console/search' && method === 'POST',
    );
    assert.ok(line, 'the call has its log line');
    for (const [place, text] of Object.entries(places)) {
      assert.ok(text.length > 0, place);
      assert.ok(!/canary|4165550199/i.test(text), place);
    }
    assert.equal(shown.headers.get('referrer-policy'), 'no-referrer');
    // The form of every page posts.
    assert.match(shown.html, /role="search" method="post" action="\/console\/search"/);
  });
});
