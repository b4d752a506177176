import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { NO_FILTERS } from '#payment-requests/read/filters.ts';
import { type FindPage, findPaymentRequestPage } from '#payment-requests/read/list-store.ts';
import { batchPages } from '#payment-requests/read/newest-pages/batch-pages.ts';
import { KeptPages } from '#payment-requests/read/newest-pages/kept-pages.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

const GOOD = { amount: 1, type: 'ECOMM', payer: { name: 'Ada', email: 'ada@example.com' } };

let service: TestService;
let merchant: TestMerchant;
let other: TestMerchant;
let find: FindPage;
let batches: number[];

before(async () => {
  service = await startTestService({ roles: ['api'] });
});
after(() => service?.stop());

beforeEach(async () => {
  merchant = await service.createMerchant();
  other = await service.createMerchant();
  batches = [];
  find = batchPages(service.clock, { batched: (_, size) => batches.push(size) });
  for (let n = 0; n < 3; n += 1) await create(merchant);
  await create(other);
});

async function create(of: TestMerchant): Promise<string> {
  return (await call(of, 'POST', '', { body: GOOD })).json.id;
}

async function call(of: TestMerchant, method: string, path: string, options = {}) {
  const { headers } = of;
  const answer = await service.call(method, `/v1/payment-requests${path}`, { headers, ...options });
  assert.ok(answer.status < 300, answer.text);
  return answer;
}

const statusOf = ({ status }: { readonly status: string }) => status;

const asked = ({ merchantId }: TestMerchant, limit = 21) => ({
  merchantId,
  filters: NO_FILTERS,
  after: null,
  limit,
  now: service.clock.now(),
});

const pageOf = (of: TestMerchant, limit?: number) => find(service.database.db, asked(of, limit));
const aloneOf = (of: TestMerchant, limit?: number) =>
  findPaymentRequestPage(service.database.db, asked(of, limit));

describe('pages of lists without filters', () => {
  it('share one statement, and each list has its own page', async () => {
    const empty = await service.createMerchant();
    const lists = [
      [merchant, 21],
      [other, 21],
      [empty, 21],
      [merchant, 2],
    ] as const;
    const pages = await Promise.all(lists.map(([of, limit]) => pageOf(of, limit)));
    assert.deepEqual(batches, [4]);
    for (const [at, [of, limit]] of lists.entries()) {
      assert.deepEqual(pages[at], await aloneOf(of, limit));
    }
    assert.deepEqual(
      pages.map(({ length }) => length),
      [3, 1, 0, 2],
    );
  });

  it('go on behind a position', async () => {
    const [first, ...others] = await pageOf(merchant);
    const found = await find(service.database.db, { ...asked(merchant), after: first ?? null });
    assert.deepEqual(found, others);
  });

  it('are the array of before while no row has changed', async () => {
    const page = await pageOf(merchant);
    await create(other);
    assert.equal(await pageOf(merchant), page);
  });

  it('are read again after a minute, also while they do not change', async () => {
    const page = await pageOf(merchant);
    await service.leap(30);
    assert.equal(await pageOf(merchant), page);
    await service.leap(30);
    const later = await pageOf(merchant);
    assert.notEqual(later, page);
    assert.deepEqual(later, page);
  });

  it('are kept only for the beginning of a list', async () => {
    const [first] = await pageOf(merchant);
    const behind = () => find(service.database.db, { ...asked(merchant), after: first ?? null });
    assert.notEqual(await behind(), await behind());
  });

  const changes: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
    'a creation': () => create(merchant),
    'an update': (id) =>
      call(merchant, 'PATCH', `/${id}`, {
        headers: { ...merchant.headers, 'content-type': 'application/merge-patch+json' },
        body: JSON.stringify({ displayMessage: 'Two chairs' }),
      }),
    'a cancellation': (id) => call(merchant, 'POST', `/${id}/cancellation`),
    'a new name of the merchant': () =>
      service.database.sql('UPDATE merchants SET name = $2 WHERE id = $1', [
        merchant.merchantId,
        'Another name',
      ]),
    'a change that leaves the version': (id) =>
      service.database.sql("UPDATE payment_requests SET payer_name = 'Bea' WHERE id = $1", [id]),
    'a deletion': (id) => service.database.sql('DELETE FROM payment_requests WHERE id = $1', [id]),
  };
  for (const [name, change] of Object.entries(changes)) {
    it(`show ${name} at once`, async () => {
      // All rows are written by one transaction, so that only their ids differ.
      await service.database.sql('UPDATE payment_requests SET payer_name = payer_name');
      const before = await pageOf(merchant, 2);
      await change(before[1]?.id ?? '');
      const page = await pageOf(merchant, 2);
      assert.notDeepEqual(page, before);
      assert.deepEqual(page, await aloneOf(merchant, 2));
    });
  }

  it('show the parameters of each call in its links', async () => {
    const links = [];
    for (const query of ['', '?limit=20', '']) {
      links.push((await call(merchant, 'GET', query)).json.links[0].href);
    }
    assert.deepEqual(
      links.map((href) => new URL(href).search),
      ['', '?limit=20', ''],
    );
  });

  it('show an expiry that passes while no row changes', async () => {
    const expiryDateTime = new Date(service.clock.now().getTime() + 310_000).toISOString();
    await call(other, 'POST', '', { body: { ...GOOD, expiryDateTime } });
    const statuses = async () => (await call(other, 'GET', '')).json.data.map(statusOf);
    await service.leap(305);
    assert.deepEqual(await statuses(), ['CREATED', 'CREATED']);
    await service.leap(6);
    assert.deepEqual(await statuses(), ['EXPIRED', 'CREATED']);
  });
});

describe('kept pages', () => {
  const page = (rows: number, metadata: Readonly<Record<string, string>> | null = null) => ({
    digest: `${rows}`,
    rows: new Array(rows).fill({ metadata }),
  });

  it('expire after a minute', () => {
    let nowMs = 0;
    const kept = new KeptPages({ steadyMs: () => nowMs });
    const first = page(1);
    kept.set('first', first);
    nowMs = 59_999;
    assert.equal(kept.get('first'), first);
    nowMs = 60_000;
    assert.equal(kept.get('first'), null);
  });

  it('give way to later ones beyond 5,000 rows, and empty pages count', () => {
    const kept = new KeptPages(service.clock);
    kept.set('first', page(1_000));
    for (let n = 0; n < 4; n += 1) kept.set(`${n}`, page(998));
    assert.notEqual(kept.get('first'), null);
    for (let n = 0; n < 4; n += 1) kept.set(`empty ${n}`, page(0));
    assert.equal(kept.get('first'), null);
    assert.notEqual(kept.get('0'), null);
  });

  it('give way sooner where their rows have long metadata', () => {
    const kept = new KeptPages(service.clock);
    const long = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [n, 'x'.repeat(500)]));
    kept.set('first', page(100, long));
    kept.set('second', page(100, long));
    assert.notEqual(kept.get('first'), null);
    kept.set('third', page(100, long));
    assert.equal(kept.get('first'), null);
  });
});
