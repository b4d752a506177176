import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { bookDay } from '#console/money/report/merchant-report.ts';
import type { Visit } from '#console/shell/visit.ts';
import type { EntryType } from '#ledger/model/entry.ts';
import { insertTimelineNotes } from '#payment-requests/timeline/timeline-store.ts';
import { type ConsoleClient, signIn } from '../support/console/console-client.ts';
import { countAll, ZONE } from '../support/counters/counted.ts';
import { eventually } from '../support/eventually.ts';
import { entryOf, writeEntries } from '../support/ledger/ledger-entries.ts';
import { openEventStream } from '../support/network/event-stream.ts';
import { parseCsv } from '../support/payment-requests/parse-csv.ts';
import { paymentRequestCalls } from '../support/payment-requests/payment-requests.ts';
import {
  buyToken,
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';
import { withoutReferences } from '../support/without-references.ts';

/** Half past five in the afternoon in the deployment's zone. */
const START = new Date('2026-03-01T12:00:00.000Z');

const CREATED = {
  hour: 'Payment requests by the hour of their creation',
  day: 'Payment requests by the day of their creation',
};
const MONEY = {
  hour: 'Money by the hour in which it moved',
  day: 'Money by the day on which it moved',
};

describe('the overview of the console', () => {
  let service: TestService;
  let merchant: TestMerchant;
  let viewer: ConsoleClient;

  before(async () => {
    // Without loops: only the tests count.
    const settings = { TIME_ZONE: ZONE };
    service = await startTestService({ roles: ['api'], settings, start: START });
    merchant = await service.createMerchant({ webhookUrl: 'https://shop.example/webhooks' });
    viewer = await signIn(service, { role: 'viewer', merchantId: merchant.merchantId });
  });
  after(() => service?.stop());

  const path = (query = '') => `/console/m/${merchant.merchantId}/overview${query}`;
  const count = () => countAll(service.database, service.database.db, 100);

  it('shows a new merchant the steps to the first payment, and no zeros', async () => {
    const { html, status } = await viewer.get(path());
    assert.equal(status, 200);
    assert.match(html, /Before the first customer/);
    assert.deepEqual(cardsOf(html), {});
    assert.match(html, new RegExp(`/console/m/${merchant.merchantId}/developer`));
  });

  it('shows today, the journey and each hour of the deployment’s zone', async () => {
    await pay(4);
    await count();
    const { html } = await viewer.get(path());
    const cards = cardsOf(html);
    assert.deepEqual(
      ['Created', 'Paid', 'Failed', 'Money in', 'Money back'].map((name) => cards[name]),
      ['5', '4', '1', '$49.36', '$0.00'],
    );
    // Each was paid after 40 s: the class of 38 to 45 s.
    assert.equal(cards['Time to pay'], '41 sec');
    assert.deepEqual(rowsOf(html, 'Journey of payers'), [
      'Created 100% 5 100%',
      'Link opened 100% 5 100%',
      'Bank chosen 80% 4 80%',
      'Confirmed 80% 4 100%',
      'Paid 80% 4 100%',
    ]);
    // Hours without events are left out.
    assert.deepEqual(rowsOf(html, CREATED.hour), ['Total 5 0 4 1 0 0', '17:00 5 0 4 1 0 0']);
    assert.deepEqual(rowsOf(html, MONEY.hour), ['Total $49.36 $0.00', '17:00 $49.36 $0.00']);
    assert.match(html, /<svg height="240" role="img"/);
    assert.match(html, /<title>17:00: \$49.36 in, \$0.00 back, 4 payments, 5 created<\/title>/);
  });

  it('shows the days of the deployment’s zone', async () => {
    // It is past midnight there, and still the evening before by UTC.
    await service.advance(7 * 3_600);
    viewer = await signIn(service, { role: 'viewer', merchantId: merchant.merchantId });
    const { html } = await viewer.get(path('?span=7d'));
    assert.equal(cardsOf(html).Created, '0');
    assert.deepEqual(rowsOf(html, CREATED.day), ['Total 5 0 4 1 0 0', 'Mar 1 5 0 4 1 0 0']);
    assert.deepEqual(rowsOf(html, MONEY.day), ['Total $49.36 $0.00', 'Mar 1 $49.36 $0.00']);
    const now = (await viewer.get(path())).html;
    assert.equal(rowsOf(now, CREATED.hour)[1], '17:00 yesterday 5 0 4 1 0 0');
    assert.equal(rowsOf(now, MONEY.hour)[1], '17:00 yesterday $49.36 $0.00');
    assert.equal(rowsOf((await viewer.get(path('?span=30d'))).html, CREATED.day).length, 1 + 1);
  });

  it('speaks French', async () => {
    const { html } = await viewer.get(path('?lang=fr'));
    assert.match(html, /<h1>Aperçu<\/h1>/);
    assert.match(html, /Délai de paiement<\/h3>/);
    await viewer.get(path('?lang=en'));
  });

  it('tells open pages of new figures', async () => {
    const before = await viewer.get(path());
    const live = /data-live="([^"]+)"/.exec(before.html)?.[1] ?? '';
    const asked = async () => JSON.parse((await viewer.get(live)).html);
    assert.deepEqual(await asked(), { hasChanged: false });
    const stream = await openEventStream(service.url + live, { cookie: viewer.cookies() });
    await pay(1);
    await count();
    await stream.ended;
    assert.match(stream.text(), /event: changed/);
    await eventually(async () => (await asked()).hasChanged, 'the change by polling');
    assert.notEqual((await viewer.get(path())).html.includes(live), true);
  });

  it('lets a session end that only a script keeps asking for', async () => {
    const passive = await signIn(service, { role: 'viewer', merchantId: merchant.merchantId });
    for (const minutes of [20, 9]) {
      await service.advance(minutes * 60);
      assert.equal((await passive.get(path(), { 'x-refresh': '1' })).status, 200);
    }
    await service.advance(2 * 60);
    assert.equal((await passive.get(path(), { 'x-refresh': '1' })).status, 303);
  });

  it('shows operators all merchants, and the one that waits longest for webhooks', async () => {
    const other = await service.createMerchant({ name: 'Quiet Shop' });
    const calls = paymentRequestCalls(service, other);
    await calls.create();
    await count();
    const operator = await signIn(service, { role: 'operator-readonly' });
    const { html } = await operator.get('/console/operator/overview?span=7d');
    assert.equal(rowsOf(html, MONEY.day)[0], 'Total $61.70 $0.00');
    assert.equal(rowsOf(html, CREATED.day)[0], 'Total 8 1 5 2 0 0');
    const [worst = '', ...others] = rowsOf(html, 'Longest without webhooks');
    assert.match(worst, /^Demo Shop 8 hr 7$/);
    assert.deepEqual(others, []);
    assert.doesNotMatch(html, /Some payments skip steps/);
  });

  it('leads from each number to a list of as many rows, also after late payments', async () => {
    const calls = await freshCalls();
    for (const outcomes of [
      ['EXPIRED', 'PAID'],
      ['CANCELLED', 'PAID'],
      ['EXPIRED'],
      ['CANCELLED'],
      ['PROCESSING'],
      [],
    ]) {
      const { id } = (await calls.create()).json;
      for (const outcome of outcomes) {
        const done = outcome === 'CANCELLED' ? calls.cancel(id) : calls.simulate(id, { outcome });
        assert.ok((await done).status < 300);
      }
    }
    await count();
    // 18:48: the payments of yesterday, at 17:45, have passed.
    await service.advance(18 * 3_600);
    viewer = await signIn(service, { role: 'viewer', merchantId: merchant.merchantId });
    const { html } = await viewer.get(path('?span=7d'));
    const linked =
      /<h3><a href="([^"]+)">([^<]+)<\/a><\/h3><p class="number">(\d+)<\/p>\s*(?:<p class="small">(\d+) yesterday)?/g;
    const [today = ''] = html.split('<h2>Webhooks');
    const seen = [...today.matchAll(linked)].map(([, href = '', name, number, before = '0']) => ({
      href: withoutReferences(href),
      words: `${name} ${number}, yesterday ${before}`,
      number: Number(number),
    }));
    assert.deepEqual(
      seen.map(({ words }) => words),
      [
        'Paid 3, yesterday 4',
        'Created 8, yesterday 5',
        'Still open 2, yesterday 0',
        'Failed 1, yesterday 1',
        'Expired 1, yesterday 0',
        'Cancelled 1, yesterday 0',
      ],
    );
    for (const { href, number } of seen) assert.equal(await rowCount(href), number, href);
    assert.deepEqual(rowsOf(html, 'Journey of payers').slice(-2), [
      'Confirmed 38% 5 100%',
      'Paid 54% 7 –',
    ]);
    assert.match(html, /Some payments skip steps: one by the simulator/);
    const days = [...html.matchAll(/<a href="([^"]+from[^"]+)">([^<]+)</g)];
    for (const [index, [, href = '', day]] of days.entries()) {
      assert.equal(await rowCount(withoutReferences(href)), [8, 5][index], day);
    }
    assert.equal(days.length, 2);
  });

  it('shows operators as many of each merchant as the numbers of all count', async () => {
    const operator = await signIn(service, { role: 'operator-readonly' });
    const { html } = await operator.get('/console/operator/overview');
    assert.match(html, /<h3><a href="#merchants">Created<\/a><\/h3>/);
    const [total, ...merchants] = rowsOf(html, 'Today by merchant').map(
      (row) => /\$\S+((?: \d+){4})$/.exec(row)?.[1]?.trim().split(' ').map(Number) ?? [],
    );
    assert.equal(merchants.length, 2);
    const [, heads = ''] = /Today by merchant<\/caption>.*?<tr>(.*?)<\/tr>/s.exec(html) ?? [];
    assert.equal(heads.match(/<th/g)?.length, 7, 'more columns do not fit beside the menu');
    assert.deepEqual(
      merchants.reduce((sums, row) => sums.map((sum, index) => sum + (row[index] ?? 0))),
      total,
    );
  });

  const daysOf = async (query = '?span=7d') =>
    rowsOf((await viewer.get(path(query))).html, CREATED.day);

  it('cuts days in the zone of the merchant, which operators set', async () => {
    const operator = await signIn(service, { role: 'operator', name: 'Olga' });
    const profile = `/console/operator/merchants/${merchant.merchantId}/profile`;
    const refused = await operator.post(profile, { timeZone: 'Mars/Base' });
    assert.equal(refused.status, 422);
    assert.match(refused.html, /Time zone: give an IANA time zone such as America\/Toronto/);
    assert.deepEqual(await daysOf(), [
      'Total 13 2 7 2 1 1',
      'Mar 2 8 2 3 1 1 1',
      'Mar 1 5 0 4 1 0 0',
    ]);
    assert.equal((await operator.post(profile, { timeZone: 'America/Toronto' })).status, 303);
    assert.match((await operator.get(profile)).html, /value="America\/Toronto" selected/);
    assert.deepEqual(await daysOf(), ['Total 13 2 7 2 1 1', 'Mar 1 13 2 7 2 1 1']);
    const { html } = await viewer.get(path());
    assert.equal(cardsOf(html).Created, '0');
    assert.match(html, /data-zone="America\/Toronto"/);
    assert.match(html, /Days and times are in the time zone America\/Toronto/);
    const list = `/console/m/${merchant.merchantId}/payment-requests`;
    assert.equal(await rowCount(`${list}?from=2026-03-01&to=2026-03-01`), 13);
    assert.equal(await rowCount(`${list}?from=2026-03-01&to=2026-03-01&zone=Asia/Kathmandu`), 5);
    const csv = await viewer.get(`${list}.csv?from=2026-03-02&zone=Asia/Kathmandu`);
    assert.equal(csv.html.trim().split('\n').length, 1 + 8);
    const unknown = await viewer.get(`${list}?zone=Mars/Base`);
    assert.equal(unknown.status, 422);
    assert.match(unknown.html, /id="zone-fault"/);
  });

  it('cuts days in the zone that a person chooses, in later sessions, too', async () => {
    const other = await signIn(service, {
      role: 'viewer',
      merchantId: merchant.merchantId,
      name: 'Eve',
    });
    const choose = (timeZone: string) => viewer.post('/console/account/time-zone', { timeZone });
    const refused = await choose('Mars/Base');
    assert.equal(refused.status, 422);
    assert.match(refused.html, /id="timeZone-fault">Choose a time zone of the list/);
    assert.equal((await choose('Australia/Eucla')).status, 303);
    assert.deepEqual(await daysOf(), [
      'Total 13 2 7 2 1 1',
      'Mar 2 8 2 3 1 1 1',
      'Mar 1 5 0 4 1 0 0',
    ]);
    assert.match((await other.get(path())).html, /data-zone="America\/Toronto"/);
    viewer = await signIn(service, { role: 'viewer', merchantId: merchant.merchantId });
    assert.match((await viewer.get(path())).html, /data-zone="Australia\/Eucla"/);
    assert.equal((await choose('')).status, 303);
    assert.match((await viewer.get(path())).html, /data-zone="America\/Toronto"/);
  });

  it('cuts the days of the audit log in that zone, or in the zone of its address', async () => {
    const { merchantId } = merchant;
    const administrator = await signIn(service, { role: 'administrator', merchantId });
    const acts = async (query: string) => {
      const { html } = await administrator.get(`/console/m/${merchantId}/audit?${query}`);
      return (html.match(/<tbody>[\s\S]*<\/tbody>/)?.[0] ?? '').split('<tr>').length - 1;
    };
    // The profile was changed on March 2 in Toronto, on March 3 in Kiritimati.
    assert.equal(await acts('action=MERCHANT_PROFILE_CHANGED&since=2026-03-02'), 1);
    assert.equal(await acts('action=MERCHANT_PROFILE_CHANGED&since=2026-03-03'), 0);
    const far = 'action=MERCHANT_PROFILE_CHANGED&zone=Pacific/Kiritimati';
    assert.equal(await acts(`${far}&since=2026-03-03`), 1);
    assert.equal(await acts(`${far}&until=2026-03-02`), 0);
  });

  it('keeps the report in the zone of the deployment, and leads to lists of its day', async () => {
    const { merchantId } = merchant;
    const finance = await signIn(service, { role: 'finance', merchantId });
    const { html } = await finance.get(`/console/m/${merchantId}/report?date=2026-03-01`);
    assert.match(html, /sums of Sunday, March 1, 2026, in the time zone Asia\/Kathmandu/);
    assert.match(html, /data-zone="America\/Toronto"/);
    // It is March 3 there already, and March 2 in the zone of the deployment.
    const far = await finance.get(`/console/m/${merchantId}/report?zone=Pacific/Kiritimati`);
    assert.match(far.html, /sums of Sunday, March 1, 2026, in the time zone Asia\/Kathmandu/);
    const seen = { bookZone: ZONE, timeZone: 'America/Toronto' } as Visit;
    const { startsAt, endsAt } = bookDay(seen, '2026-03-01', merchantId);
    assert.equal(startsAt.toISOString(), '2026-02-28T18:15:00.000Z');
    assert.equal(endsAt.toISOString(), '2026-03-01T18:15:00.000Z');
    const rows = async (list: string) => {
      const href = new RegExp(`href="([^"]+/${list}\\?[^"]+)"`).exec(html)?.[1] ?? '';
      const page = await finance.get(withoutReferences(href));
      assert.match(page.html, /Days in the time zone Asia\/Kathmandu/);
      return page.html.match(/<a class="row"/g)?.length;
    };
    assert.match(html, /<th scope="row">Payment<\/th><td class="money" data-label="Count">4<\/td>/);
    assert.equal(await rows('ledger'), 4);
    const ledger = (await finance.get(`/console/m/${merchantId}/ledger`)).html;
    assert.match(ledger, /data-label="Payer">\p{L}[^<]+</u, 'a movement has its payer');
    assert.match(ledger, /class="summary">\d+ entries · <strong>\$\d/);
    assert.equal(await rows('payment-requests'), 5);
  });

  it('shows no step of payers’ pages where payments were simulated alone', async () => {
    await service.advance(25 * 3_600);
    viewer = await signIn(service, { role: 'viewer', merchantId: merchant.merchantId });
    const calls = await freshCalls();
    await calls.simulate((await calls.create()).json.id, { outcome: 'PAID' });
    await count();
    const { html } = await viewer.get(path());
    assert.deepEqual(rowsOf(html, 'Journey of payers'), [
      'Created 100% 1 100%',
      'Paid 100% 1 100%',
    ]);
  });

  it('names the parts of the money, and leads to lists with the same sums', async () => {
    const createdAt = service.clock.now();
    const cents = { PART_PAYMENT: 849, UNMATCHED: 14_707, SECOND_PAYMENT: 14_000, FEE: -15 };
    for (const [type, amountCents] of Object.entries({ ...cents, RETURN: -300, ADJUSTMENT: 7 })) {
      const options = { type: type as EntryType, amountCents, createdAt };
      await writeEntries(service, [entryOf(merchant, options)]);
    }
    // The charge of a refund is one of the charges.
    const charge = { type: 'FEE', amountCents: -5, refundId: randomUUID(), createdAt } as const;
    await writeEntries(service, [entryOf(merchant, charge)]);
    await count();
    const { merchantId } = merchant;
    const finance = await signIn(service, { role: 'finance', merchantId });
    const { html } = await finance.get(path());
    const note =
      /\$12\.34 in 1 payment · \$8\.49 in part · \$287\.07 waits for a person · −\$0\.13/;
    assert.match(html, note);
    assert.doesNotMatch(html, /[ >]0 yesterday|\$0\.00 yesterday/, 'nothing is no comparison');
    const seen =
      /<h3><a href="([^"]+ledger[^"]+)">(Money \w+)<\/a><\/h3><p class="number">(.*?)<\/p>/g;
    const found = [];
    for (const [, href = '', name, number = ''] of html.matchAll(seen)) {
      const [list = '', query] = withoutReferences(href).split('?');
      const [header = [], ...rows] = parseCsv((await finance.get(`${list}.csv?${query}`)).html);
      const at = header.indexOf('amount');
      const sum = rows.reduce((all, row) => all + Math.round(Number(row[at]) * 100), 0);
      // Each page of the list says the sum of all rows of its file.
      const page = await finance.get(`${list}?${query}`);
      const [, line = ''] = /<p class="summary">(.*?)<\/p>/.exec(page.html) ?? [];
      found.push([name, number.replace(/<[^>]+>/g, ''), sum, line.replace(/<[^>]+>/g, '')]);
      assert.ok(line.startsWith(`${rows.length} entr`), line);
    }
    assert.deepEqual(found, [
      ['Money in', '$307.77', 30_777, '7 entries · $307.77'],
      ['Money back', '$3.00', -300, '1 entry · −$3.00'],
    ]);
    const [total = ''] = rowsOf(html, MONEY.hour);
    assert.equal(total, 'Total $307.77 $12.34 $8.49 $287.07 −$0.13 $3.00');
    const shown = await viewer.get(path());
    assert.doesNotMatch(shown.html, /ledger\?/, 'a viewer reads no ledger');
  });

  const rowCount = async (href: string) => {
    const { html, status } = await viewer.get(href);
    assert.equal(status, 200);
    return html.match(/<a class="row"/g)?.length ?? 0;
  };

  /** The calls with a token of now. */
  async function freshCalls() {
    const token = await buyToken(service.call, merchant);
    const headers = { 'x-api-key': merchant.apiKey, authorization: `Bearer ${token}` };
    return paymentRequestCalls(service, { headers });
  }

  /** So many payments of 12.34 after 40 s each, and a payment that fails. */
  async function pay(times: number): Promise<void> {
    const calls = await freshCalls();
    for (let time = 0; time <= times; time += 1) {
      const { id } = (await calls.create()).json;
      await service.advance(40);
      await insertTimelineNotes(service.database.db, notesOf(id, time < times));
      const outcome = time < times ? 'PAID' : 'FAILED';
      assert.equal((await calls.simulate(id, { outcome })).status, 202);
    }
  }

  function notesOf(paymentRequestId: string, isPaid: boolean) {
    const shared = { paymentRequestId, occurredAt: service.clock.now(), requestId: null, most: 20 };
    const steps = isPaid ? ['INSTITUTION_CHOSEN', 'CONFIRMED'] : [];
    return [
      { ...shared, type: 'LINK_OPENED' as const, details: {} },
      ...steps.map((step) => ({ ...shared, type: 'PAYER_STEP' as const, details: { step } })),
    ];
  }
});

/** The number of each card, by its title. */
function cardsOf(html: string): Readonly<Record<string, string>> {
  const cards = html.matchAll(
    /<h3>(?:<a [^>]+>)?([^<]+)(?:<\/a>)?<\/h3><p class="number">(.*?)<\/p>/g,
  );
  return Object.fromEntries(
    [...cards].map(([, title = '', value = '']) => [title, value.replace(/<[^>]+>/g, '')]),
  );
}

/** The rows of a table, their cells apart by spaces. */
function rowsOf(html: string, caption: string): string[] {
  const from = html.indexOf(`<caption>${caption}</caption>`);
  assert.ok(from >= 0, caption);
  const body = html.slice(html.indexOf('<tbody>', from), html.indexOf('</tbody>', from));
  return body
    .split('<tr>')
    .slice(1)
    .map((row) =>
      row
        .replace(/<[^>]+>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    );
}
