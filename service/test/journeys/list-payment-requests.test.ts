import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Cause } from '#payment-requests/model/cause.ts';
import { changeStatus } from '#payment-requests/status/change-status.ts';
import { PUBLIC_SETTINGS } from '../support/payment-requests/payment-requests.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

const PAYER = { name: 'Ada', email: 'ada@example.com' };
const GOOD = { amount: 12.34, type: 'ECOMM', payer: PAYER };

/** The listed payment requests, oldest first: one a second, but the last two at one instant. */
const BODIES: Readonly<Record<string, Record<string, unknown>>> = {
  a: { ...GOOD, merchantTransactionId: 'T-1', invoiceNumber: 'INV-1', businessUnit: 'web' },
  b: { ...GOOD, merchantTransactionId: 'T-1', invoiceNumber: 'INV-2', amount: 0.01 },
  c: { ...GOOD, payer: { ...PAYER, email: 'Grace@Example.com' }, businessUnit: 'web' },
  d: { ...GOOD, payer: { name: 'Bo', mobileNumber: '+1 (416) 555-0199' }, amount: 100 },
  e: { ...GOOD, amount: 100.01, businessUnit: 'store 7 – été' },
  f: { ...GOOD, expiryDateTime: '2026-03-01T12:10:00.000Z', amount: 99.99 },
  g: GOOD,
  h: { ...GOOD, businessUnit: 'WEB' },
};

let service: TestService;
let merchant: TestMerchant;
const created: Record<string, { id: string; shortCode: string }> = {};

before(async () => {
  // Without loops: only the tests move anything.
  service = await startTestService({ roles: ['api'] });
  merchant = await service.createMerchant();
  for (const [name, body] of Object.entries(BODIES)) {
    created[name] = await create(body);
    if (name !== 'g') await service.advance(1);
  }
  await move('b', {
    name: 'PAYMENT_SUCCEEDED',
    amountCents: 1,
    institution: 'Maple Bank',
    networkReference: 'REF-1',
    completedAt: new Date('2026-03-01T12:00:05.000Z'),
  });
  await move('c', { name: 'PAYMENT_REFUSED', reasonCode: 'PAYER_DECLINED' });
  await move('d', { name: 'CANCELLED_BY_MERCHANT' });
  await move('e', { name: 'PAYMENT_ACCEPTED' });
});
after(() => service.stop());

async function create(body: object, as: TestMerchant = merchant) {
  const { headers } = as;
  const answer = await service.call('POST', '/v1/payment-requests', { headers, body });
  assert.equal(answer.status, 201, answer.text);
  return answer.json;
}

function move(name: string, cause: Cause) {
  const deps = {
    db: service.database.db,
    clock: service.clock,
    settings: PUBLIC_SETTINGS,
    wakeSenders() {},
    onStatusChanged() {},
    onCaseOpened() {},
  };
  return changeStatus(deps, created[name]?.id ?? '', cause);
}

function list(query = '', headers: Record<string, string> = {}, method = 'GET') {
  return service.call(method, `/v1/payment-requests${query}`, {
    headers: { ...merchant.headers, ...headers },
  });
}

/** The names of the listed ones, in their order. */
async function namesOf(query: string): Promise<string> {
  const answer = await list(query);
  assert.equal(answer.status, 200, answer.text);
  const names = Object.keys(created);
  return answer.json.data
    .map(({ id }: { id: string }) => names.find((name) => created[name]?.id === id))
    .join('');
}

const NEWEST_FIRST = () => {
  // g and h were created at one instant: their identifiers decide.
  const isOrderOfIds = (created.h?.id ?? '') > (created.g?.id ?? '');
  return `${isOrderOfIds ? 'hg' : 'gh'}fedcba`;
};

describe('the list', () => {
  it('shows a merchant’s payment requests newest first, exactly as reading shows each', async () => {
    const answer = await list();
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
    assert.equal(await namesOf(''), NEWEST_FIRST());
    assert.deepEqual(Object.keys(answer.json), ['data', 'hasMore', 'nextCursor', 'links']);
    const { headers } = merchant;
    const texts = [];
    for (const { id } of answer.json.data) {
      texts.push((await service.call('GET', `/v1/payment-requests/${id}`, { headers })).text);
    }
    assert.ok(answer.text.startsWith(`{"data":[${texts.join(',')}],"hasMore":false`));
    assert.equal(answer.json.nextCursor, null);
    assert.deepEqual(answer.json.links, [
      { rel: 'self', href: 'https://pay.test/v1/payment-requests' },
    ]);
  });

  it('shows each once where an amount is rarer than the newest rows that are read first', async () => {
    const busy = await service.createMerchant({ name: 'Busy Shop' });
    // A page of 2 reads the newest 300 rows first; of these only the oldest matches.
    await service.database.sql(
      `INSERT INTO payment_requests (id, merchant_id, amount_cents, type, payer_name, payer_email,
         short_code, status, version, webhook_sequence, created_at, expires_at)
       SELECT gen_random_uuid(), $1, CASE WHEN n >= 300 AND n % 100 = 0 THEN 777 ELSE 100 END,
         'ECOMM', 'Ada', 'ada@example.com', 'busy' || lpad(n::text, 12, '0'), 'CREATED', 1, 0,
         service_now() - n * interval '1 second', service_now() + interval '1 day'
       FROM generate_series(1, 600) n`,
      [busy.merchantId],
    );
    const page = async (cursor: string) => {
      const answer = await service.call(
        'GET',
        `/v1/payment-requests?amountMin=7&amountMax=8&limit=2${cursor}`,
        { headers: busy.headers },
      );
      assert.equal(answer.status, 200, answer.text);
      return answer.json;
    };
    const first = await page('');
    const second = await page(`&cursor=${first.nextCursor}`);
    const ids = [...first.data, ...second.data].map(({ id }: { id: string }) => id);
    assert.deepEqual([first.data.length, second.data.length, second.hasMore], [2, 2, false]);
    assert.equal(new Set(ids).size, 4);
  });

  it('shows nothing of another merchant’s', async () => {
    const other = await service.createMerchant({ name: 'Other Shop' });
    const { id } = await create(GOOD, other);
    const answer = await service.call('GET', '/v1/payment-requests', { headers: other.headers });
    assert.deepEqual(
      answer.json.data.map((each: { id: string }) => each.id),
      [id],
    );
  });

  for (const limit of [1, 2, 3, 7, 8]) {
    it(`pages by ${limit} without a gap or a repetition`, async () => {
      let names = '';
      let address: string | undefined = `?limit=${limit}`;
      for (let pages = 1; address !== undefined; pages++) {
        const { json, status } = await list(address);
        assert.equal(status, 200);
        assert.ok(pages <= Math.ceil(8 / limit), 'more pages than there are');
        assert.equal(json.data.length, Math.min(limit, 8 - names.length));
        names += await namesOf(address);
        assert.equal(json.hasMore, names.length < 8);
        assert.equal(json.nextCursor === null, !json.hasMore);
        const [self, next] = json.links;
        assert.deepEqual(self, { rel: 'self', href: base(address) });
        assert.equal(json.links.length, json.hasMore ? 2 : 1);
        if (next) assert.deepEqual(next, { rel: 'next', href: base(address, json.nextCursor) });
        address = next && new URL(next.href).search;
      }
      assert.equal(names, NEWEST_FIRST());
    });
  }

  it('holds 20 a page when nothing else is asked for', async () => {
    const other = await service.createMerchant({ name: 'Busy Shop' });
    for (let count = 0; count < 21; count++) await create(GOOD, other);
    const { json } = await service.call('GET', '/v1/payment-requests', { headers: other.headers });
    assert.equal(json.data.length, 20);
    assert.equal(json.hasMore, true);
  });

  it('carries the filters along in its links', async () => {
    const { json } = await list('?limit=1&status=CREATED&status=PAID&businessUnit=store+7');
    assert.deepEqual(json.links, [
      {
        rel: 'self',
        href: 'https://pay.test/v1/payment-requests?status=CREATED&status=PAID&businessUnit=store+7&limit=1',
      },
    ]);
  });

  it('answers HEAD as GET, without the body', async () => {
    const plain = { 'accept-encoding': 'identity' };
    const get = await list('?limit=2', plain);
    const head = await list('?limit=2', plain, 'HEAD');
    assert.equal(head.status, 200);
    assert.equal(head.text, '');
    assert.equal(head.headers.get('content-length'), String(Buffer.byteLength(get.text)));
  });
});

function base(search: string, cursor?: string): string {
  const url = new URL(`https://pay.test/v1/payment-requests${search}`);
  if (cursor) url.searchParams.set('cursor', cursor);
  return url.href;
}

const AT = (seconds: number) => `2026-03-01T12:00:0${seconds}.000Z`;

describe('a filter', () => {
  const rows: [query: string, names: string][] = [
    ['merchantTransactionId=T-1', 'ba'],
    ['merchantTransactionId=T-2', ''],
    ['invoiceNumber=INV-2', 'b'],
    ['invoiceNumber=inv-2', ''],
    ['businessUnit=web', 'ca'],
    ['businessUnit=store%207%20%E2%80%93%20%C3%A9t%C3%A9', 'e'],
    ['networkReference=REF-1', 'b'],
    ['networkReference=REF-1&status=PAID', 'b'],
    ['networkReference=REF-1&status=CREATED&status=EXPIRED', ''],
    ['networkReference=ref-1', ''],
    ['networkReference=REF-2', ''],
    ['payerEmail=grace%40example.com', 'c'],
    ['payerEmail=GRACE%40EXAMPLE.COM', 'c'],
    ['payerMobileNumber=14165550199', 'd'],
    // A plus sign that was not escaped is a space: only digits count.
    ['payerMobileNumber=+1(416)555-0199', 'd'],
    [`createdFrom=${AT(4)}&createdTo=${AT(6)}`, 'fe'],
    [`createdFrom=${AT(4)}&createdTo=${AT(4)}`, ''],
    [`createdFrom=2026-03-01T12:00:04.0000001Z&createdTo=${AT(6)}`, 'f'],
    ['createdFrom=2026-03-01T12:00:04.000Z&createdTo=2026-03-01T12:00:05.0000001Z', 'fe'],
    ['createdFrom=2026-03-01T14:00:04%2B02:00&createdTo=2026-03-01T07:00:06-05:00', 'fe'],
    ['amountMin=100', 'ed'],
    ['amountMax=1e-2', 'b'],
    ['amountMin=99.990&amountMax=100.00', 'fd'],
    ['amountMin=12.34&amountMax=12.34&businessUnit=web', 'ca'],
    ['amountMin=100&status=PROCESSING', 'e'],
    ['amountMin=100&status=PROCESSING&status=CANCELLED', 'ed'],
    ['status=PAID', 'b'],
    ['status=FAILED&status=PAID&status=PAID', 'cb'],
    ['status=CANCELLED&businessUnit=web', ''],
    ['status=FAILED&businessUnit=web&payerEmail=grace@example.com', 'c'],
    [`status=CREATED&createdTo=${AT(1)}`, 'a'],
  ];
  for (const [query, names] of rows) {
    it(`${decodeURIComponent(query)} gives ${names || 'nothing'}`, async () => {
      assert.equal(await namesOf(`?${query}`), names);
      if (names.length < 2) return;
      // Pages of one row, so that the cursor meets every filter.
      const first = await list(`?${query}&limit=1`);
      const rest = await namesOf(`?${query}&cursor=${first.json.nextCursor}`);
      assert.equal(rest, names.slice(1));
    });
  }

  it('shortCode gives the one that has it', async () => {
    assert.equal(await namesOf(`?shortCode=${created.f?.shortCode}`), 'f');
  });

  it('status with every status gives all', async () => {
    const all = 'CREATED PROCESSING PAID FAILED EXPIRED CANCELLED'.split(' ');
    assert.equal(
      await namesOf(`?${all.map((each) => `status=${each}`).join('&')}`),
      NEWEST_FIRST(),
    );
  });
});

describe('a filter on status', () => {
  it('sees an expiry that nobody has written yet as reading does, to the millisecond', async () => {
    const other = await startTestService({ roles: ['api'] });
    try {
      const { headers } = await other.createMerchant();
      const body = { ...GOOD, expiryDateTime: '2026-03-01T12:10:00.000Z' };
      const { json } = await other.call('POST', '/v1/payment-requests', { headers, body });
      await other.call('POST', '/v1/payment-requests', { headers, body: GOOD });
      const idsOf = async (query: string) => {
        const answer = await other.call('GET', `/v1/payment-requests?${query}`, { headers });
        return answer.json.data.map((each: { id: string }) => each.id);
      };
      await other.advance(599.999);
      assert.equal((await idsOf('status=CREATED')).length, 2);
      assert.deepEqual(await idsOf('status=EXPIRED'), []);
      await other.advance(0.001);
      for (const more of ['', '&amountMin=1', '&amountMin=12.34&amountMax=12.34']) {
        assert.deepEqual(await idsOf(`status=EXPIRED${more}`), [json.id], more);
        assert.equal((await idsOf(`status=CREATED${more}`)).includes(json.id), false, more);
        assert.equal((await idsOf(`status=CREATED&status=EXPIRED${more}`)).length, 2, more);
        assert.equal((await idsOf(`status=EXPIRED&status=PAID${more}`)).length, 1, more);
      }
      const answer = await other.call('GET', '/v1/payment-requests?status=EXPIRED', { headers });
      const read = await other.call('GET', `/v1/payment-requests/${json.id}`, { headers });
      assert.equal(read.json.status, 'EXPIRED');
      assert.ok(answer.text.includes(read.text));
    } finally {
      await other.stop();
    }
  });

  it('finds all unwritten expiries, also when the timer is far behind', async () => {
    const other = await startTestService({ roles: ['api'] });
    try {
      const { headers, merchantId } = await other.createMerchant();
      await other.database.sql(
        `INSERT INTO payment_requests (id, merchant_id, amount_cents, type, payer_name, payer_email,
           short_code, created_at, expires_at)
         SELECT gen_random_uuid(), $1, 100, 'ECOMM', 'Ada', 'ada@example.com',
           lpad(i::text, 16, '0'), '2026-02-01', '2026-02-02' FROM generate_series(1, 1200) i`,
        [merchantId],
      );
      let count = 0;
      let search = '?status=EXPIRED&limit=100';
      for (let page = 1; page <= 12; page++) {
        const answer = await other.call('GET', `/v1/payment-requests${search}`, { headers });
        count += answer.json.data.length;
        assert.equal(answer.json.hasMore, page < 12);
        if (answer.json.hasMore) search = new URL(answer.json.links[1].href).search;
      }
      assert.equal(count, 1200);
    } finally {
      await other.stop();
    }
  });
});

describe('a parameter of the list that is wrong', () => {
  const rows: [query: string, field: string, code: string][] = [
    ['color=red', 'color', 'UNKNOWN_FIELD'],
    ['constructor=1', 'constructor', 'UNKNOWN_FIELD'],
    ['__proto__=1', '__proto__', 'UNKNOWN_FIELD'],
    ['waitSeconds=1', 'waitSeconds', 'UNKNOWN_FIELD'],
    ['a/b~c=1', 'a/b~c', 'UNKNOWN_FIELD'],
    ['limit=0', 'limit', 'TOO_LOW'],
    ['limit=-1', 'limit', 'TOO_LOW'],
    ['limit=101', 'limit', 'TOO_HIGH'],
    ['limit=99999999999999999999', 'limit', 'TOO_HIGH'],
    ['limit=ten', 'limit', 'INVALID_TYPE'],
    ['limit=1.5', 'limit', 'INVALID_TYPE'],
    ['limit=1e1', 'limit', 'INVALID_TYPE'],
    ['limit=0x5', 'limit', 'INVALID_TYPE'],
    ['limit=+5', 'limit', 'INVALID_TYPE'],
    ['limit=', 'limit', 'INVALID_TYPE'],
    ['limit=1&limit=2', 'limit', 'INVALID_TYPE'],
    ['status=paid', 'status', 'INVALID_VALUE'],
    ['status=PAID,none', 'status', 'INVALID_VALUE'],
    ['status=PAID&status=', 'status', 'INVALID_VALUE'],
    ['merchantTransactionId=', 'merchantTransactionId', 'TOO_SHORT'],
    [`merchantTransactionId=${'x'.repeat(65)}`, 'merchantTransactionId', 'TOO_LONG'],
    ['merchantTransactionId=a&merchantTransactionId=b', 'merchantTransactionId', 'INVALID_TYPE'],
    ['merchantTransactionId=%C3%A9', 'merchantTransactionId', 'INVALID_FORMAT'],
    ['invoiceNumber=%00', 'invoiceNumber', 'INVALID_FORMAT'],
    [`invoiceNumber=${'x'.repeat(51)}`, 'invoiceNumber', 'TOO_LONG'],
    ['businessUnit=%0A', 'businessUnit', 'INVALID_FORMAT'],
    ['shortCode=abc', 'shortCode', 'INVALID_FORMAT'],
    ['payerEmail=ada', 'payerEmail', 'INVALID_FORMAT'],
    ['payerEmail=a%40b%00', 'payerEmail', 'INVALID_FORMAT'],
    ['payerMobileNumber=123456789', 'payerMobileNumber', 'INVALID_FORMAT'],
    ['payerMobileNumber=1234567890123456', 'payerMobileNumber', 'INVALID_FORMAT'],
    ['createdFrom=2026-03-01', 'createdFrom', 'INVALID_FORMAT'],
    ['createdFrom=2026-02-30T00:00:00Z', 'createdFrom', 'INVALID_FORMAT'],
    ['createdFrom=2026-03-01T12:00:00', 'createdFrom', 'INVALID_FORMAT'],
    ['createdFrom=2026-03-01T12:00:00+02:00', 'createdFrom', 'INVALID_FORMAT'],
    ['createdTo=now', 'createdTo', 'INVALID_FORMAT'],
    [`createdFrom=${AT(2)}&createdTo=${AT(1)}`, 'createdTo', 'INVALID_VALUE'],
    ['amountMin=0', 'amountMin', 'TOO_LOW'],
    ['amountMin=-1', 'amountMin', 'TOO_LOW'],
    ['amountMin=1.005', 'amountMin', 'TOO_MANY_DECIMALS'],
    ['amountMin=1e400', 'amountMin', 'TOO_HIGH'],
    ['amountMin=NaN', 'amountMin', 'INVALID_TYPE'],
    ['amountMax=1,000.00', 'amountMax', 'INVALID_TYPE'],
    ['amountMax=', 'amountMax', 'TOO_SHORT'],
    ['amountMin=2&amountMax=1.99', 'amountMax', 'INVALID_VALUE'],
    ['cursor=', 'cursor', 'TOO_SHORT'],
    ['cursor=abc', 'cursor', 'INVALID_FORMAT'],
    [`cursor=${'A'.repeat(42)}`, 'cursor', 'INVALID_FORMAT'],
  ];
  for (const [query, field, code] of rows) {
    it(`is refused and named: ${query.slice(0, 60)}`, async () => {
      const { status, json } = await list(`?${query}`);
      assert.equal(status, 400);
      assert.equal(json.code, 'VALIDATION_ERROR');
      const [fault] = json.errors;
      assert.deepEqual([fault.field, fault.code, json.errors.length], [field, code, 1]);
      assert.ok(fault.message.includes(field), fault.message);
    });
  }

  it('is answered together with all the others', async () => {
    const { json } = await list('?limit=0&color=red&amountMin=x&status=NEW&createdTo=x&cursor=x');
    assert.deepEqual(json.errors.map(({ field }: { field: string }) => field).sort(), [
      'amountMin',
      'color',
      'createdTo',
      'cursor',
      'limit',
      'status',
    ]);
  });
});

describe('a cursor', () => {
  it('is refused with other filters than those it was made with, and takes another limit', async () => {
    const { json } = await list('?amountMin=12.34&status=CREATED&status=PAID&limit=1');
    const cursor = json.nextCursor;
    const same = await list(
      `?status=PAID&amountMin=12.340&status=CREATED&limit=3&cursor=${cursor}`,
    );
    assert.equal(same.status, 200);
    for (const query of ['', 'amountMin=12.34', 'amountMin=12.33&status=CREATED&status=PAID']) {
      const answer = await list(`?${query}&cursor=${cursor}`);
      assert.equal(answer.status, 400);
      assert.equal(answer.json.errors[0].field, 'cursor');
      assert.equal(answer.json.errors[0].code, 'INVALID_VALUE');
    }
  });

  it('is refused when another merchant sends it', async () => {
    const { json } = await list('?limit=1');
    const other = await service.createMerchant({ name: 'Other Shop' });
    const { status } = await service.call('GET', `/v1/payment-requests?cursor=${json.nextCursor}`, {
      headers: other.headers,
    });
    assert.equal(status, 400);
  });

  it('that was tampered with is a 400 or another page, never a fault of ours', async () => {
    const { json } = await list('?limit=1');
    const cursor: string = json.nextCursor;
    for (let at = 0; at < cursor.length; at++) {
      for (const character of ['A', '_', '%20', '']) {
        const text = cursor.slice(0, at) + character + cursor.slice(at + 1);
        const { status } = await list(`?cursor=${text}`);
        assert.ok(status === 200 || status === 400, `${text}: ${status}`);
      }
    }
  });

  it('still tells where it was when that payment request has moved on', async () => {
    const { json } = await list('?status=PROCESSING&limit=1');
    assert.equal(json.hasMore, false);
    const first = await list('?status=CREATED&limit=1');
    const [{ id }] = first.json.data;
    const name = Object.keys(created).find((each) => created[each]?.id === id) ?? '';
    await move(name, { name: 'CANCELLED_BY_MERCHANT' });
    const rest = await namesOf(`?status=CREATED&cursor=${first.json.nextCursor}`);
    assert.equal(`${name}${rest}`, NEWEST_FIRST().replace(/[edcb]/g, ''));
  });
});
