import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ConsoleClient, signIn } from '../../support/console/console-client.ts';
import { openEventStream } from '../../support/network/event-stream.ts';
import { parseCsv } from '../../support/payment-requests/parse-csv.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../../support/service/service.ts';
import { withoutReferences } from '../../support/without-references.ts';

const UNKNOWN_ID = '0199a1b2-0000-7000-8000-000000000000';

/** The texts of a column of the list, by its number. */
function column(html: string, number: number): string[] {
  const [, body = ''] = /<tbody>([\s\S]*)<\/tbody>/.exec(html) ?? [];
  return body
    .split('<tr>')
    .slice(1)
    .map((row) => (row.split(/<t[dh][^>]*>/)[number] ?? '').replace(/<[^>]+>/g, '').trim());
}

/** The address of a link of the pager. */
function linkOf(html: string, rel: string): string {
  const [, address = ''] = new RegExp(`<a rel="${rel}" href="([^"]+)"`).exec(html) ?? [];
  return withoutReferences(address);
}

/** The fault at a field; undefined: it has none. */
const faultAt = (html: string, name: string) =>
  new RegExp(`id="${name}-fault">([^<]+)<`).exec(html)?.[1];

describe('the lists of the console', () => {
  let service: TestService;
  let merchant: TestMerchant;
  let viewer: ConsoleClient;
  let base: string;

  before(async () => {
    service = await startTestService();
    merchant = await service.createMerchant({ name: 'Harbour Books' });
    base = `/console/m/${merchant.merchantId}`;
    viewer = await signIn(service, { role: 'viewer', merchantId: merchant.merchantId });
    for (const [index, name] of ['Ada', 'Grace', 'Edsger'].entries()) {
      await create(name, { amount: 10 + index, invoiceNumber: `INV-${index}` });
      await service.advance(1);
    }
  });
  after(() => service.stop());

  async function create(name: string, fields: Readonly<Record<string, unknown>> = {}) {
    const body = {
      amount: 5,
      type: 'ECOMM',
      payer: { name, email: `${name.toLowerCase()}@payer.example` },
      ...fields,
    };
    const answer = await service.call('POST', '/v1/payment-requests', {
      headers: merchant.headers,
      body,
    });
    assert.equal(answer.status, 201);
    return answer.json.id as string;
  }

  const list = (query = '') => viewer.get(`${base}/payment-requests${query}`);

  it('shows payment requests, newest first, each with the link to its page', async () => {
    const { status, html } = await list();
    assert.equal(status, 200);
    assert.deepEqual(column(html, 3), ['Edsger', 'Grace', 'Ada']);
    assert.equal(
      html.match(/<a class="row" href="[^"]*\/payment-requests\/[0-9a-f-]{36}"/g)?.length,
      3,
    );
  });

  it('counts the rows of each tab, and each tab leads to as many', async () => {
    const tabsIn = (html: string) => {
      const [, bar = ''] = /<nav aria-label="Views">([\s\S]*?)<\/nav>/.exec(html) ?? [];
      const tab = /<a href="([^"]+)"[^>]*>(\w+) <span class="count neutral">([^<]+)</g;
      return [...bar.matchAll(tab)].map(([, href = '', name, count]) => ({
        href: withoutReferences(href),
        name,
        count,
      }));
    };
    const seen = async () => {
      const tabs = tabsIn((await list()).html);
      for (const { href, count } of tabs) {
        const { html } = await viewer.get(href);
        assert.equal(`${column(html, 3).length}`, count, href);
        assert.match(html, new RegExp(`aria-current="page">\\w+ <span[^>]*>${count}<`), href);
      }
      return tabs.map(({ name, count }) => `${name} ${count}`);
    };
    const [{ id = '' } = {}] = await service.database.sql<{ id: string }>(
      `SELECT id FROM payment_requests ORDER BY created_at LIMIT 1`,
    );
    assert.deepEqual(await seen(), ['All 3', 'Open 3', 'Paid 0', 'Failed 0']);
    // Its expiry has passed, and the timer has not written it.
    await service.database.sql(
      'UPDATE payment_requests SET expires_at = created_at WHERE id = $1',
      [id],
    );
    assert.deepEqual(await seen(), ['All 3', 'Open 2', 'Paid 0', 'Failed 0']);
  });

  it('narrows the list by the filters of its address', async () => {
    assert.deepEqual(column((await list('?invoiceNumber=INV-1')).html, 3), ['Grace']);
    assert.deepEqual(column((await list('?amountMin=11')).html, 3), ['Edsger', 'Grace']);
    assert.deepEqual(column((await list('?amountMin=11,50&period=today')).html, 3), ['Edsger']);
    assert.deepEqual(column((await list('?status=PAID&status=FAILED')).html, 3), []);
    assert.deepEqual(column((await list('?to=2026-02-28')).html, 3), []);
    assert.deepEqual(column((await list('?from=2026-03-01&to=2026-03-01')).html, 3).length, 3);
  });

  it('filters by e-mail in capitals, and no log line holds the address', async () => {
    const { html } = await list('?payerEmail=ADA@payer.example');
    assert.deepEqual(column(html, 3), ['Ada']);
    const lines = JSON.stringify(service.logLines);
    assert.match(lines, /payment-requests/);
    assert.doesNotMatch(lines, /payer\.example/i);
  });

  it('leads an address with empty parameters to the same address without them', async () => {
    const sent = '?status=&invoiceNumber=INV-1&payerEmail=&period=&from=&to=';
    assert.equal((await list(sent)).location, `${base}/payment-requests?invoiceNumber=INV-1`);
    const usual = ['status', 'amount', 'payer', 'invoiceNumber', 'created'];
    const columns = usual.map((name) => `columns=${name}`).join('&');
    assert.equal((await list(`?${columns}`)).location, `${base}/payment-requests`);
  });

  it('answers 422 with a fault at each field, in the words of the page', async () => {
    const { status, html } = await list(
      '?payerEmail=ada&payerMobileNumber=12&amountMin=ten&from=2026-02-30&zone=Mars/Base&period=',
    ).then(({ location }) => viewer.get(location ?? ''));
    assert.equal(status, 422);
    assert.equal(faultAt(html, 'payerEmail'), 'Give an e-mail address, such as ada@example.com.');
    assert.match(faultAt(html, 'payerMobileNumber') ?? '', /digits, such as \+1 416 555 0199\.$/);
    assert.equal(faultAt(html, 'zone'), 'Give a time zone, such as America/Toronto.');
    assert.match(faultAt(html, 'amountMin') ?? '', /Give a number/);
    assert.match(faultAt(html, 'from') ?? '', /a day of the calendar/);
    assert.match(html, /<input id="payerEmail"[^>]*value="ada"[^>]*aria-invalid="true"/);
    assert.deepEqual(column(html, 1), []);
    assert.equal((await list('?status=LOST')).status, 422);
    assert.match(
      faultAt((await list('?amountMin=9&amountMax=8')).html, 'amountMax') ?? '',
      /start/,
    );
    const french = await viewer.get(`${base}/payment-requests?payerEmail=ada`, {
      'accept-language': 'fr',
    });
    assert.match(faultAt(french.html, 'payerEmail') ?? '', /^Indiquez un courriel/);
  });

  it('pages forward by a cursor, back to the first page, and keeps the filters', async () => {
    for (let index = 0; index < 27; index++) {
      await create('Page', { businessUnit: 'pages', amount: 1 + index });
      await service.advance(1);
    }
    const first = await list('?businessUnit=pages');
    assert.equal(column(first.html, 3).length, 25);
    const next = linkOf(first.html, 'next');
    const second = await viewer.get(next);
    assert.deepEqual(column(second.html, 2), ['$2.00', '$1.00']);
    assert.equal(linkOf(second.html, 'first'), `${base}/payment-requests?businessUnit=pages`);
    const cursor = new URL(next, service.url).searchParams.get('cursor');
    const other = await list(`?invoiceNumber=INV-1&cursor=${cursor}`);
    assert.equal(other.status, 200);
    assert.match(other.html, /This is the first page\./);
    assert.deepEqual(column(other.html, 3), ['Grace']);
  });

  it('shows the chosen columns in the order of the list', async () => {
    const { html } = await list('?invoiceNumber=INV-1&columns=email&columns=amount');
    assert.deepEqual([column(html, 1), column(html, 2)], [['$11.00'], ['grace@payer.example']]);
    assert.deepEqual(column(html, 3), ['']);
  });

  it('downloads all that match as CSV, with every column and no page', async () => {
    const answer = await viewer.get(`${base}/payment-requests.csv?businessUnit=pages&columns=id`);
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('content-type') ?? '', /^text\/csv/);
    const name = answer.headers.get('content-disposition') ?? '';
    assert.match(name, /^attachment; filename="payment-requests-2026\d+T\d+Z\.csv"$/);
    const [header = [], ...rows] = parseCsv(answer.html);
    assert.equal(rows.length, 27);
    assert.ok(header.includes('payer.email'));
    const again = await viewer.get(`${base}/payment-requests.csv?businessUnit=pages`);
    assert.equal(again.status, 200, 'the first stream has given its lease back');
    const faulty = await viewer.get(`${base}/payment-requests.csv?payerEmail=ada`);
    assert.equal(faulty.status, 422);
    assert.match(faultAt(faulty.html, 'payerEmail') ?? '', /Give an e-mail address/);
  });

  it('reads no row for HEAD, and sends a merchant one CSV file at a time', async () => {
    const address = `${base}/payment-requests.csv`;
    const { merchantId } = merchant;
    await service.database.sql(
      `INSERT INTO payment_request_streams (merchant_id, lease_token, leased_until)
       VALUES ($1, gen_random_uuid(), service_now() + interval '1 minute')`,
      [merchantId],
    );
    const headers = { cookie: viewer.cookies() };
    const head = await fetch(service.url + address, { method: 'HEAD', headers });
    assert.equal(head.status, 200);
    assert.match(head.headers.get('content-type') ?? '', /^text\/csv/);
    const busy = await viewer.get(address);
    await service.database.sql('DELETE FROM payment_request_streams');
    assert.equal(busy.status, 429);
    assert.equal((await viewer.get(address)).status, 200);
  });

  it('tells open first pages that a newer row came', async () => {
    const liveOf = async () => {
      const { html } = await viewer.get(`${base}/payment-requests`);
      return withoutReferences(/data-live="([^"]+)"/.exec(html)?.[1] ?? '');
    };
    const live = await liveOf();
    const asked = async () => JSON.parse((await viewer.get(live)).html);
    assert.deepEqual(await asked(), { hasChanged: false });
    const stream = await openEventStream(service.url + live, { cookie: viewer.cookies() });
    await service.advance(1);
    await create('Newcomer');
    await stream.ended;
    assert.match(stream.text(), /event: changed/);
    assert.deepEqual(await asked(), { hasChanged: true });
    assert.notEqual(await liveOf(), live, 'the next page knows the new row');
  });

  it('says why a list is empty, and the next step', async () => {
    const fresh = await service.createMerchant({ name: 'New Shop' });
    const merchantId = fresh.merchantId;
    const person = await signIn(service, { role: 'administrator', merchantId });
    const own = `/console/m/${merchantId}`;
    const empty = await person.get(`${own}/payment-requests`);
    assert.match(empty.html, /There are no payment requests yet\./);
    assert.match(empty.html, new RegExp(`class="empty"[\\s\\S]*${own}/payment-requests/new`));
    const filtered = await person.get(`${own}/payment-requests?invoiceNumber=9`);
    assert.match(filtered.html, /Nothing matches these filters\./);
    const tab = await person.get(`${own}/payment-requests?status=PAID`);
    assert.match(tab.html, /<div class="empty"><p>Nothing here now\.<\/p><\/div>/);
    assert.match((await person.get(`${own}/refunds`)).html, /There are no refunds yet\./);
    assert.match((await person.get(`${own}/deliveries`)).html, /No event has been sent yet\./);
    assert.match((await person.get(`${own}/endpoints`)).html, /There is no webhook endpoint yet\./);
  });

  it('lists webhook deliveries and endpoints, also as CSV', async () => {
    const url = 'https://shop.example/hooks';
    const answer = await service.call('POST', '/v1/webhook-endpoints', {
      headers: merchant.headers,
      body: { url, eventTypes: ['PAYMENT-FAILED'] },
    });
    assert.equal(answer.status, 201, answer.text);
    const id = await create('Cancelled');
    const cancelled = `/v1/payment-requests/${id}/cancellation`;
    const ended = await service.call('POST', cancelled, { headers: merchant.headers, body: {} });
    assert.equal(ended.status, 200, ended.text);
    const endpoints = await viewer.get(`${base}/endpoints`);
    assert.deepEqual(column(endpoints.html, 1), [url]);
    assert.deepEqual(column((await viewer.get(`${base}/endpoints?health=PAUSED`)).html, 1), []);
    const endpointFile = parseCsv((await viewer.get(`${base}/endpoints.csv`)).html);
    assert.deepEqual([endpointFile.length, endpointFile[1]?.[1]], [2, url]);
    const deliveries = await viewer.get(`${base}/deliveries?paymentRequestId=${id}`);
    assert.deepEqual(column(deliveries.html, 1), ['Payment not made']);
    assert.match(deliveries.html, /: <strong>Cancelled<\/strong>/, 'the chip has the payer');
    const none = await viewer.get(`${base}/deliveries?paymentRequestId=${UNKNOWN_ID}`);
    assert.deepEqual(column(none.html, 1), []);
    assert.match(
      faultAt((await viewer.get(`${base}/deliveries?endpointId=12`)).html, 'endpointId') ?? '',
      /the whole id/,
    );
    const file = parseCsv((await viewer.get(`${base}/deliveries.csv?paymentRequestId=${id}`)).html);
    assert.deepEqual([file.length, file[1]?.[2]], [2, 'PAYMENT-FAILED']);
  });

  describe('saved by a person', () => {
    const saved = {
      list: 'payment-requests',
      name: 'Open',
      query: 'status=CREATED&columns=amount',
    };
    const OWN = ['All', 'Open', 'Paid', 'Failed'];
    const save = (fields: Readonly<Record<string, string>> = {}, person = viewer) =>
      person.post(`${base}/views`, { ...saved, ...fields });
    const namesIn = ({ html }: { readonly html: string }) => {
      const [, bar = ''] = /<nav aria-label="Views">([\s\S]*?)<\/nav>/.exec(html) ?? [];
      return [...bar.matchAll(/<li><a href="[^"]+"[^>]*>([^<]+)</g)].map(([, name]) =>
        name?.trim(),
      );
    };

    it('stand above the list, with filters and columns, for this person at this merchant', async () => {
      const { location } = await save();
      const address = `${base}/payment-requests?status=CREATED&columns=amount`;
      assert.equal(location, `${address}&done=viewSaved`);
      assert.deepEqual(namesIn(await list()), [...OWN, 'Open']);
      const shown = await viewer.get(address);
      assert.match(shown.html, /aria-current="page">Open</);
      assert.doesNotMatch(shown.html, /name="name"/, 'a view that is saved is not offered again');
      assert.deepEqual(namesIn(await viewer.get(`${base}/replays`)), []);
      const other = await signIn(service, {
        role: 'support',
        merchantId: merchant.merchantId,
        name: 'Grace',
      });
      assert.deepEqual(namesIn(await other.get(`${base}/payment-requests`)), OWN);
      const [, id = ''] = /\/views\/([0-9a-f-]{36})/.exec(shown.html) ?? [];
      assert.equal((await other.get(`${base}/views/${id}`)).status, 404);
      assert.equal((await other.post(`${base}/views/${id}/delete`)).status, 404);
      assert.deepEqual(namesIn(await list()), [...OWN, 'Open']);
    });

    it('are shared with the others at the merchant by their maker, who alone changes them', async () => {
      const { html } = await list('?status=CREATED&columns=amount');
      const [, id = ''] = /\/views\/([0-9a-f-]{36})/.exec(html) ?? [];
      const share = (shared: string, person = viewer) =>
        person.post(`${base}/views/${id}/share`, { shared });
      const at = { role: 'support', merchantId: merchant.merchantId, name: 'Grace' } as const;
      const other = await signIn(service, at);
      const seen = async (person = other) => namesIn(await person.get(`${base}/payment-requests`));
      assert.equal((await share('yes', other)).status, 404);
      const { location } = await share('yes');
      assert.match(
        (await viewer.get(location ?? '')).html,
        /everyone who reads this list sees it\./,
      );
      const unknown = await viewer.get(`${base}/payment-requests?done=constructor`);
      assert.doesNotMatch(unknown.html, /class="notice"/);
      assert.deepEqual(await seen(), [...OWN, 'Open']);
      for (const act of ['rename', 'share', 'delete']) {
        const fields = { name: 'Theirs', shared: 'no' };
        assert.equal((await other.post(`${base}/views/${id}/${act}`, fields)).status, 404, act);
      }
      assert.deepEqual(await seen(), [...OWN, 'Open']);
      assert.match((await viewer.get(`${base}/views/${id}`)).html, /Keep for me alone/);
      await share('no');
      assert.deepEqual(await seen(), OWN);
      assert.deepEqual(await seen(viewer), [...OWN, 'Open']);
    });

    it('keep nothing of a payer, and no parameter that the list does not have', async () => {
      const query =
        'payerEmail=ada@payer.example&payerMobileNumber=5145550142&cursor=x&to=2026-03-01&a=b';
      const { location } = await save({ name: 'Private', query });
      assert.equal(location, `${base}/payment-requests?to=2026-03-01&done=viewSaved`);
      const rows = await service.database.sql('SELECT query FROM console_saved_views');
      assert.doesNotMatch(JSON.stringify(rows), /payer|5145550142|cursor/);
    });

    it('are renamed and deleted', async () => {
      const { html } = await list('?to=2026-03-01');
      const [, id = ''] = /\/views\/([0-9a-f-]{36})/.exec(html) ?? [];
      assert.match((await viewer.get(`${base}/views/${id}`)).html, /value="Private"/);
      const taken = await viewer.post(`${base}/views/${id}/rename`, { name: 'Open' });
      assert.deepEqual([taken.status, faultAt(taken.html, 'name')?.slice(0, 6)], [422, 'A view']);
      await viewer.post(`${base}/views/${id}/rename`, { name: ' Until March ' });
      assert.deepEqual(namesIn(await list()), [...OWN, 'Open', 'Until March']);
      assert.equal((await viewer.post(`${base}/views/${id}/delete`)).status, 303);
      assert.deepEqual(namesIn(await list()), [...OWN, 'Open']);
    });

    it('need a name of their own, and are 30 at most, also when forms arrive at once', async () => {
      assert.match(faultAt((await save({ name: ' ' })).html, 'name') ?? '', /Give the view a name/);
      assert.match(faultAt((await save()).html, 'name') ?? '', /has this name/);
      assert.match(
        faultAt((await save({ name: 'x'.repeat(61) })).html, 'name') ?? '',
        /at most 60 characters/,
      );
      assert.equal((await save({ list: 'accounts' })).status, 404);
      const names = Array.from({ length: 33 }, (_, index) => `View ${index}`);
      const answers = await Promise.all(names.map((name) => save({ name })));
      assert.equal(answers.filter(({ status }) => status === 303).length, 29);
      const refused = answers.filter(({ status }) => status === 422);
      assert.match(faultAt(refused[0]?.html ?? '', 'name') ?? '', /You have 30 views/);
    });
  });

  it('has every word of every list in French', async () => {
    const titles = ['Demandes de paiement', 'Remboursements', 'Envois', 'Destinations'];
    for (const [index, name] of [
      'payment-requests',
      'refunds',
      'deliveries',
      'endpoints',
    ].entries()) {
      const { status, html } = await viewer.get(`${base}/${name}`, { 'accept-language': 'fr' });
      assert.equal(status, 200, name);
      assert.match(html, new RegExp(`<h1>${titles[index]}`));
    }
  });

  it('lists the shortcuts, and how to switch them off', async () => {
    const { html } = await viewer.get('/console/shortcuts');
    assert.deepEqual(column(html, 1), ['/', 'Ctrl K', 'j', 'k', 'Enter', 'f', 'n', 'p', 'c', '?']);
    assert.match(html, /<input type="checkbox" id="shortcuts-on">/);
  });
});
