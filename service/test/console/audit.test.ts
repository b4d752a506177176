import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { actorForMerchant } from '#audit/actor-for-merchant.ts';
import { objectOf, renderDetails } from '#console/audit/render-details.ts';
import { actorName } from '#console/components/act-sentence.ts';
import { type ConsoleClient, signIn } from '../support/console/console-client.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

describe('the audit log on the console', () => {
  let service: TestService;
  let own: TestMerchant;
  let other: TestMerchant;
  let anna: ConsoleClient;
  let olga: ConsoleClient;
  before(async () => {
    service = await startTestService();
    other = await service.createMerchant({ name: 'Other Shop' });
    own = await service.createMerchant({ name: 'Own Shop' });
    anna = await signIn(service, { role: 'administrator', merchantId: own.merchantId });
    olga = await signIn(service, { role: 'operator', name: 'Olga' });
  });
  after(() => service.stop());

  const entriesOf = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));

  it('gives an administrator the entries of its merchant alone, also as a file', async () => {
    const page = await anna.get(`/console/m/${own.merchantId}/audit`);
    assert.match(
      page.html,
      /<th scope="row">Registered the merchant<\/th><td data-label="Who">Operator</,
    );
    assert.match(
      page.html,
      /<summary>Show<[\s\S]*?<summary>Codes<\/summary><ul class="plain"><li><code>MERCHANT_CREATED</,
    );
    assert.doesNotMatch(page.html, new RegExp(other.merchantId));
    assert.doesNotMatch(page.html, /Position/);
    const file = await anna.get(`/console/m/${own.merchantId}/audit/export`);
    assert.match(file.headers.get('content-type') ?? '', /^application\/x-ndjson/);
    for (const entry of entriesOf(file.html)) {
      assert.equal(entry.merchantId, own.merchantId);
      assert.equal('position' in entry || 'hash' in entry, false);
    }
  });

  it('names merchants to operators, and tells how long ago an act was', async () => {
    const { html } = await olga.get('/console/operator/audit');
    for (const { merchantId } of [own, other]) {
      const name = merchantId === own.merchantId ? 'Own Shop' : 'Other Shop';
      assert.ok(html.includes(`href="/console/operator/merchants/${merchantId}">${name}</a>`));
    }
    assert.match(
      html,
      /data-label="When"><time class="relative"[^>]*title="March 1, 2026 at [^>]+>this minute</,
    );
  });

  it('names an actor in one way on every page, each person of an act that needs several', () => {
    const ada = 'console (Ada, https://id.example sub, ada)';
    const bob = 'console (Bob and Co, by link)';
    const names = {
      [ada]: 'Ada',
      [`${bob} and payreq (grace, as deploy), as proposed by ${ada}`]:
        'Bob and Co, Operator grace and Ada',
      'payreq (grace)': 'Operator grace',
      'payreq serve': 'The service',
      api: 'The merchant’s program',
    };
    for (const [actor, name] of Object.entries(names)) {
      assert.equal(actorName({ language: 'en' }, actor), name);
    }
    assert.equal(
      actorForMerchant(`${bob}, as proposed by payreq (eve)`),
      'Bob and Co and operator',
    );
    assert.equal(actorName({ language: 'fr' }, 'service'), 'Le service');
  });

  it('says each fact once, in words, and names what an act was about', () => {
    const id = '01a2223b-474c-71ac-8bb8-b6bb241f5ddb';
    const payer = { name: 'Robin Payer' };
    const visit = { language: 'en', currency: 'EUR', merchant: own, can: () => true } as never;
    const entry = (details: object, request: object | null = null) =>
      ({ details, merchantId: own.merchantId, occurredAt: 'none', action: 'X', request }) as never;
    const details = {
      ...{ paymentRequestId: id, isWhole: false, limitCents: 200, reminders: [48, 24], hours: [8] },
      before: {
        ...{ paymentRequestId: id, isPaid: true, receivedCents: 12_000, limitCents: 100 },
        ...{ reminders: [24], hours: [8] },
      },
    };
    const request = { id, payer, invoiceNumber: 'INV-7' };
    const shown = renderDetails(visit, entry(details, request));
    for (const fact of [
      `<li>Payment request: <a href="/console/m/${own.merchantId}/payment-requests/${id}"
>Robin Payer · INV-7</a></li>`,
      '<li>Whole: no</li>',
      '<li>Paid before: yes</li>',
      '<li>Received before: €120.00</li>',
      '<li>Limit: €2.00 (was €1.00)</li>',
      '<li>reminders: <code>[48,24]</code> (was <code>[24]</code>)</li>',
      '<li>hours: <code>[8]</code></li>',
    ]) {
      assert.ok(shown.includes(fact), `${fact} in ${shown}`);
    }
    assert.equal(objectOf(visit, entry({ templateId: 'autumn' })), 'autumn');
    assert.equal(objectOf(visit, entry({ origin: 'https://a.example' })), 'https://a.example');
    assert.equal(objectOf(visit, entry({}, request)), 'Robin Payer · INV-7');
  });

  it('filters by the address, and takes what is no filter for none', async () => {
    const base = '/console/operator/audit';
    const found = await olga.get(`${base}?action=merchant_created&merchant=${own.merchantId}`);
    assert.match(found.html, /MERCHANT_CREATED/);
    assert.doesNotMatch(found.html, new RegExp(other.merchantId));
    assert.match((await olga.get(`${base}?actor=nobody`)).html, /No entry matches/);
    for (const query of ['since=2026-02-31', 'until=x', 'cursor=-1', 'action=%00', 'cursor=9e9']) {
      assert.equal((await olga.get(`${base}?${query}`)).status, 200, query);
    }
    const cursor = 'f'.repeat(64);
    const strange = await anna.get(`/console/m/${own.merchantId}/audit?cursor=${cursor}`);
    assert.equal(strange.status, 200);
  });

  it('exports every entry with what proves the chain', async () => {
    const entries = entriesOf((await olga.get('/console/operator/audit/export')).html);
    assert.deepEqual(
      entries.map(({ position }) => position),
      entries.map((_, index) => index + 1),
    );
    for (const { hash, content } of entries) {
      assert.match(hash, /^[0-9a-f]{64}$/);
      assert.equal(typeof content, 'string');
    }
  });

  it('is verified by an operator, and shows the last result with its head', async () => {
    const path = '/console/operator/audit/verify';
    assert.match((await olga.get(path)).html, /was not verified on the console yet/);
    assert.match((await olga.get(path)).html, /<code>payreq audit verify --head<\/code>/);
    const { location } = await olga.post(path, { go: 'anew' });
    assert.equal(location, `${path}?done=verified`);
    const fine = await olga.get(location);
    assert.match(fine.html, /role="status">Checked\. The result stands below\./);
    assert.match(fine.html, /Unchanged/);
    assert.match(fine.html, /<code>\d+:[0-9a-f]{64}<\/code>/);
    await service.database.sql(
      `SET LOCAL session_replication_role = replica;
       UPDATE audit_log SET actor = 'nobody' WHERE position = 1`,
    );
    await olga.post(path, { go: 'anew' });
    const faulty = await olga.get(path);
    assert.match(faulty.html, /Faults found/);
    assert.match(faulty.html, /Entry 1 \(\w+\) was changed/);
  });
});
