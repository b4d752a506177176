import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import {
  faultsOf,
  type PaymentRequestCalls,
  paymentRequestCalls,
} from '../support/payment-requests/payment-requests.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

let service: TestService;
let merchant: TestMerchant;
let calls: PaymentRequestCalls;

before(async () => {
  service = await startTestService({ roles: ['api'], settings: { WEBHOOK_ALLOW_PORTS: '*' } });
  merchant = await service.createMerchant();
  calls = paymentRequestCalls(service, merchant);
});
after(() => service.stop());

// 192.0.2.0/24 and the like are refused: addresses that the guard lets pass without asking anybody.
const URL_ONE = 'https://1.1.1.1/one';
const URL_TWO = 'https://1.1.1.1:8443/two';

const FULL = {
  dueDate: '2026-03-10',
  expiryDateTime: '2026-03-05T00:00:00.000Z',
  displayMessage: 'Order 7',
  invoiceNumber: 'INV-7',
  businessUnit: 'Online',
  webhookUrl: URL_ONE,
  returnUrl: 'https://shop.example/orders/7',
  metadata: { basket: '42', note: 'two\nlines' },
};

async function create(members: object = FULL) {
  return (await calls.create(members)).json;
}

describe('updating a payment request', () => {
  it('changes every field that can be changed, and answers what is read from then on', async () => {
    const created = await create();
    const patch = {
      dueDate: '2026-03-11',
      expiryDateTime: '2026-03-06T01:00:00+01:00',
      displayMessage: ' Order 8 ',
      invoiceNumber: 'INV-8',
      businessUnit: 'Shop',
      webhookUrl: URL_TWO,
      returnUrl: 'https://shop.example/orders/8',
      metadata: { basket: '43', more: '' },
    };
    const updated = await calls.update(created.id, patch);
    assert.equal(updated.status, 200, updated.text);
    assert.deepEqual(updated.json, {
      ...created,
      ...patch,
      expiryDateTime: '2026-03-06T00:00:00.000Z',
      metadata: { basket: '43', note: 'two\nlines', more: '' },
    });
    assert.deepEqual(Object.keys(updated.json), Object.keys(created));
    assert.equal(updated.headers.get('etag'), '"2"');
    const read = await calls.read(created.id);
    assert.equal(read.text, updated.text);
    assert.equal(read.headers.get('etag'), '"2"');
  });

  const removals = [
    ['displayMessage', null],
    ['displayMessage', ''],
    ['invoiceNumber', null],
    ['businessUnit', null],
    ['webhookUrl', null],
    ['returnUrl', null],
    ['metadata', null],
  ] as const;
  for (const [field, value] of removals) {
    it(`takes ${field} away with ${JSON.stringify(value)}`, async () => {
      const created = await create();
      const updated = await calls.update(created.id, { [field]: value });
      assert.equal(updated.status, 200, updated.text);
      const { [field]: _, ...rest } = created;
      assert.deepEqual(updated.json, rest);
    });
  }

  it('keeps the webhook URL when null is sent under its other name only', async () => {
    const created = await create();
    const kept = await calls.update(created.id, { callbackUrl: null });
    assert.equal(kept.status, 200, kept.text);
    assert.deepEqual(kept.json, created);
    await calls.update(created.id, { callbackUrl: URL_ONE });
    const renamed = await calls.update(created.id, { webhookUrl: null });
    assert.equal(renamed.json.callbackUrl, URL_ONE);
    const { json } = await calls.update(created.id, { webhookUrl: null, callbackUrl: null });
    assert.deepEqual([json.callbackUrl, json.webhookUrl], [undefined, undefined]);
  });

  it('answers the date of the expiry once dueDate is taken away, as on creation', async () => {
    const { id } = await create();
    const updated = await calls.update(id, { dueDate: null });
    assert.equal(updated.json.dueDate, '2026-03-05');
  });

  it('does not move the expiry with dueDate', async () => {
    const { id, expiryDateTime } = await create({});
    const updated = await calls.update(id, { dueDate: '2026-09-01' });
    assert.deepEqual(
      [updated.json.dueDate, updated.json.expiryDateTime],
      ['2026-09-01', expiryDateTime],
    );
  });

  it('gives the expiry of a creation without one when it is taken away', async () => {
    const { id } = await create({ expiryDateTime: '2026-03-05T00:00:00Z' });
    const updated = await calls.update(id, { expiryDateTime: null });
    assert.equal(updated.json.expiryDateTime, '2026-03-02T12:00:00.000Z');
    const due = await calls.update(id, { dueDate: '2026-04-01', expiryDateTime: null });
    assert.equal(due.json.expiryDateTime, '2026-04-02T00:00:00.000Z');
  });

  it('leaves metadata absent that was never given', async () => {
    const created = await create({});
    const unchanged = await calls.update(created.id, {});
    assert.deepEqual(unchanged.json, created);
    assert.equal(unchanged.headers.get('etag'), '"1"');
    const updated = await calls.update(created.id, { invoiceNumber: 'INV-9' });
    assert.equal('metadata' in updated.json, false);
    const { json: timeline } = await calls.timeline(created.id);
    assert.deepEqual(timeline.data.at(-1).fields, ['invoiceNumber']);
  });

  it('merges metadata key by key, and keeps the order of what was there', async () => {
    const { id } = await create();
    const merged = await calls.update(id, { metadata: { note: null, z: '1', basket: '44' } });
    assert.equal(JSON.stringify(merged.json.metadata), '{"basket":"44","z":"1"}');
    const emptied = await calls.update(id, { metadata: { basket: null, z: null, none: null } });
    assert.deepEqual(emptied.json.metadata, {});
    const again = await calls.update(id, { metadata: { new: 'key' } });
    assert.deepEqual(again.json.metadata, { new: 'key' });
  });

  it('echoes the webhook URL under the name that was sent last', async () => {
    const { id } = await create();
    const renamed = await calls.update(id, { callbackUrl: URL_ONE });
    assert.deepEqual([renamed.json.callbackUrl, renamed.json.webhookUrl], [URL_ONE, undefined]);
    const swapped = await calls.update(id, { callbackUrl: null, webhookUrl: URL_TWO });
    assert.deepEqual([swapped.json.callbackUrl, swapped.json.webhookUrl], [undefined, URL_TWO]);
  });

  it('sends the webhook to the URL of the update', async () => {
    const { id } = await create();
    await calls.update(id, { webhookUrl: URL_TWO });
    await calls.simulate(id, { outcome: 'PAID' });
    const sent = await service.database.sql(
      'SELECT url FROM webhook_deliveries WHERE payment_request_id = $1',
      [id],
    );
    assert.deepEqual(sent, [{ url: URL_TWO }]);
  });

  for (const type of ['application/json', 'application/merge-patch+json; charset=utf-8']) {
    it(`is taken as ${type}`, async () => {
      const { id } = await create();
      const text = '{"displayMessage":"typed"}';
      const updated = await calls.update(id, text, { 'content-type': type });
      assert.equal(updated.json.displayMessage, 'typed');
    });
  }

  it('is taken as nothing else, and a creation is no merge patch', async () => {
    const { id } = await create();
    for (const type of ['application/json-patch+json', 'text/plain']) {
      assert.equal((await calls.update(id, '{}', { 'content-type': type })).status, 415);
    }
    const created = await service.call('POST', '/v1/payment-requests', {
      headers: { ...merchant.headers, 'content-type': 'application/merge-patch+json' },
      body: '{}',
    });
    assert.equal(created.status, 415);
  });
});

describe('an update that changes nothing', () => {
  const same = [
    ['has no member', {}],
    ['says what is there', FULL],
    ['takes away what is not there', { metadata: { none: null } }],
  ] as const;
  for (const [what, patch] of same) {
    it(`because it ${what} leaves the version alone`, async () => {
      const created = await calls.create(FULL);
      const updated = await calls.update(created.json.id, patch);
      assert.equal(updated.status, 200, updated.text);
      assert.equal(updated.text, created.text);
      assert.equal(updated.headers.get('etag'), created.headers.get('etag'));
      const { data } = (await calls.timeline(created.json.id)).json;
      assert.equal(data.length, 1);
    });
  }

  it('is no fault for an expiry that has come near meanwhile', async () => {
    const alone = await startTestService({ roles: ['api'] });
    try {
      const own = paymentRequestCalls(alone, await alone.createMerchant());
      const created = await own.create({ expiryDateTime: '2026-03-01T12:10:00.000Z' });
      await alone.advance(480);
      const { id, expiryDateTime } = created.json;
      const same = await own.update(id, { expiryDateTime, displayMessage: 'hurry' });
      assert.equal(same.status, 200, same.text);
      const near = await own.update(id, { expiryDateTime: '2026-03-01T12:12:59.999Z' });
      assert.deepEqual(faultsOf(near), [['expiryDateTime', 'TOO_LOW']]);
      const far = await own.update(id, { expiryDateTime: '2026-03-01T12:13:00.000Z' });
      assert.equal(far.status, 200, far.text);
    } finally {
      await alone.stop();
    }
  });
});

describe('an update is refused', () => {
  const immutable = [
    'id',
    'amount',
    'currency',
    'type',
    'merchant',
    'merchantTransactionId',
    'deliveryMode',
    'emailTemplate',
    'status',
    'createdDateTime',
    'shortCode',
    'paymentLink',
    'events',
    'links',
    'anythingElse',
  ];
  for (const field of immutable) {
    it(`for ${field}, even as it is, as IMMUTABLE_FIELD`, async () => {
      const created = await create();
      const patch = { [field]: created[field] ?? null };
      const answer = await calls.update(created.id, patch);
      assert.equal(answer.status, 400, answer.text);
      assert.deepEqual(faultsOf(answer), [[field, 'IMMUTABLE_FIELD']]);
    });
  }

  const keys = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));
  const bad = [
    [{ displayMessage: 'x'.repeat(251) }, 'displayMessage', 'TOO_LONG'],
    [{ displayMessage: 'a\nb' }, 'displayMessage', 'INVALID_FORMAT'],
    [{ displayMessage: 5 }, 'displayMessage', 'INVALID_TYPE'],
    [{ displayMessage: '\udfff' }, 'displayMessage', 'INVALID_FORMAT'],
    [{ invoiceNumber: 'x'.repeat(51) }, 'invoiceNumber', 'TOO_LONG'],
    [{ businessUnit: {} }, 'businessUnit', 'INVALID_TYPE'],
    [{ dueDate: '2026-02-29' }, 'dueDate', 'INVALID_FORMAT'],
    [{ dueDate: '0000-01-01' }, 'dueDate', 'INVALID_FORMAT'],
    [{ expiryDateTime: '2026-03-01T12:04:59.999Z' }, 'expiryDateTime', 'TOO_LOW'],
    [{ expiryDateTime: '2027-03-01T12:00:00.001Z' }, 'expiryDateTime', 'TOO_HIGH'],
    [{ expiryDateTime: '2026-03-05' }, 'expiryDateTime', 'INVALID_FORMAT'],
    [{ webhookUrl: 'http://1.1.1.1/' }, 'webhookUrl', 'INVALID_VALUE'],
    [{ webhookUrl: 'https://127.0.0.1/' }, 'webhookUrl', 'INVALID_VALUE'],
    [{ callbackUrl: 'https://user@1.1.1.1/' }, 'callbackUrl', 'INVALID_VALUE'],
    [{ webhookUrl: URL_ONE, callbackUrl: URL_TWO }, 'callbackUrl', 'INVALID_VALUE'],
    [{ webhookUrl: `https://1.1.1.1/${'x'.repeat(2048)}` }, 'webhookUrl', 'TOO_LONG'],
    [{ metadata: 'text' }, 'metadata', 'INVALID_TYPE'],
    [{ metadata: { a: 1 } }, 'metadata.a', 'INVALID_TYPE'],
    [{ metadata: { a: { b: null } } }, 'metadata.a', 'INVALID_TYPE'],
    [{ metadata: { a: 'x'.repeat(501) } }, 'metadata.a', 'TOO_LONG'],
    [{ metadata: { a: '\u0000' } }, 'metadata.a', 'INVALID_FORMAT'],
    [{ webhookUrl: `${URL_ONE}/\ud800` }, 'webhookUrl', 'INVALID_FORMAT'],
    [{ callbackUrl: `${URL_ONE}?\udfff` }, 'callbackUrl', 'INVALID_FORMAT'],
    [{ metadata: { ['k'.repeat(41)]: 'v' } }, `metadata.${'k'.repeat(41)}`, 'INVALID_FORMAT'],
    [{ metadata: keys(19) }, 'metadata', 'TOO_LONG'],
    [[], '', 'INVALID_TYPE'],
  ] as const;
  for (const [patch, field, code] of bad) {
    it(`with ${code} for ${JSON.stringify(patch).slice(0, 60)}, and nothing is written`, async () => {
      const created = await calls.create(FULL);
      const answer = await calls.update(created.json.id, patch);
      assert.equal(answer.status, 400, answer.text);
      assert.deepEqual(faultsOf(answer), [[field, code]]);
      assert.equal((await calls.read(created.json.id)).text, created.text);
    });
  }

  it('takes as many keys as a creation once others are taken away', async () => {
    const { id } = await create();
    const patch = { metadata: { ...keys(20), basket: null, note: null } };
    const updated = await calls.update(id, patch);
    assert.deepEqual(updated.json.metadata, keys(20));
  });

  it('with all faults at once', async () => {
    const { id } = await create();
    const patch = {
      amount: 1,
      displayMessage: 7,
      dueDate: 'soon',
      expiryDateTime: '2026-03-01T12:00:00Z',
      webhookUrl: 'ftp://1.1.1.1/',
      metadata: { ...keys(20), bad: 1 },
    };
    const answer = await calls.update(id, patch);
    assert.deepEqual(
      new Map(faultsOf(answer)),
      new Map([
        ['amount', 'IMMUTABLE_FIELD'],
        ['displayMessage', 'INVALID_TYPE'],
        ['dueDate', 'INVALID_FORMAT'],
        ['expiryDateTime', 'TOO_LOW'],
        ['webhookUrl', 'INVALID_VALUE'],
        ['metadata.bad', 'INVALID_TYPE'],
        ['metadata', 'TOO_LONG'],
      ]),
    );
  });

  it('without a body, or with null', async () => {
    const { id } = await create();
    assert.equal((await calls.update(id, undefined)).status, 415);
    const type = { 'content-type': 'application/json' };
    assert.deepEqual(faultsOf(await calls.update(id, 'null', type)), [['', 'INVALID_TYPE']]);
    assert.equal((await calls.update(id, '', type)).json.code, 'MALFORMED_JSON');
  });

  const over = [
    [{ outcome: 'PROCESSING' }, 'PAYMENT_IN_PROGRESS'],
    [{ outcome: 'PAID' }, 'ALREADY_PAID'],
    [{ outcome: 'FAILED' }, 'ALREADY_FAILED'],
    [{ outcome: 'EXPIRED' }, 'ALREADY_EXPIRED'],
    [null, 'ALREADY_CANCELLED'],
  ] as const;
  for (const [simulation, code] of over) {
    it(`with ${code} after ${simulation?.outcome ?? 'its cancellation'}`, async () => {
      const { id } = await create();
      const before = await (simulation ? calls.simulate(id, simulation) : calls.cancel(id));
      for (const headers of [{}, { 'if-match': '"1"' }]) {
        const answer = await calls.update(id, { displayMessage: 'late' }, headers);
        assert.deepEqual([answer.status, answer.json.code], [409, code]);
      }
      assert.equal((await calls.read(id)).text, before.text);
    });
  }

  it('once the expiry has passed, though an update would move it', async () => {
    const alone = await startTestService({ roles: ['api'] });
    try {
      const own = paymentRequestCalls(alone, await alone.createMerchant());
      const { id } = (await own.create({ expiryDateTime: '2026-03-01T12:10:00Z' })).json;
      await alone.advance(600);
      const answer = await own.update(id, { expiryDateTime: '2026-03-02T12:00:00Z' });
      assert.deepEqual([answer.status, answer.json.code], [409, 'ALREADY_EXPIRED']);
      assert.equal((await own.read(id)).json.status, 'EXPIRED');
    } finally {
      await alone.stop();
    }
  });

  it('for an id of another merchant as for one that there is not', async () => {
    const { id } = await create();
    const stranger = paymentRequestCalls(service, await service.createMerchant());
    for (const each of [id, randomUUID(), 'none']) {
      const answer = await stranger.update(each, { displayMessage: 'mine', amount: 1 });
      assert.deepEqual([answer.status, answer.json.code], [404, 'PAYMENT_REQUEST_NOT_FOUND']);
    }
  });
});

describe('the version of an update', () => {
  it('must be the one that If-Match names, by strong comparison', async () => {
    const { id } = await create();
    const first = await calls.update(id, { displayMessage: 'one' }, { 'if-match': '"1"' });
    assert.equal(first.headers.get('etag'), '"2"');
    for (const tag of ['"1"', 'W/"2"', '2', '"02"']) {
      const answer = await calls.update(id, { displayMessage: 'two' }, { 'if-match': tag });
      assert.deepEqual([answer.status, answer.json.code], [412, 'VERSION_MISMATCH'], tag);
    }
    for (const [tag, etag] of [
      ['"9", "2"', '"3"'],
      ['*', '"4"'],
    ] as const) {
      const answer = await calls.update(id, { displayMessage: tag }, { 'if-match': tag });
      assert.deepEqual([answer.status, answer.headers.get('etag')], [200, etag]);
    }
  });

  it('lets one of many that started from the same version win', async () => {
    const { id } = await create();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        calls.update(id, { displayMessage: `writer ${index}` }, { 'if-match': '"1"' }),
      ),
    );
    const statuses = answers.map((answer) => answer.status).sort();
    assert.deepEqual(statuses, [200, ...Array.from({ length: 9 }, () => 412)]);
    const won = answers.find((answer) => answer.status === 200);
    assert.equal((await calls.read(id)).text, won?.text);
  });

  it('grows by one for each of many at once, and none of them is lost', async () => {
    const { id } = await create({});
    await Promise.all(
      Array.from({ length: 10 }, (_, index) => calls.update(id, { metadata: { [index]: 'x' } })),
    );
    const read = await calls.read(id);
    assert.equal(read.headers.get('etag'), '"11"');
    assert.equal(Object.keys(read.json.metadata).length, 10);
  });
});

describe('in production', () => {
  it('a webhook URL must lie at an origin that the merchant registered', async () => {
    const production = await startTestService({ environment: 'production', roles: ['api'] });
    try {
      const origins = { webhookOrigins: ['https://1.1.1.1'] };
      const own = paymentRequestCalls(production, await production.createMerchant(origins));
      const { id } = (await own.create({ webhookUrl: URL_ONE })).json;
      const other = await own.update(id, { webhookUrl: 'https://1.0.0.1/' });
      assert.deepEqual(faultsOf(other), [['webhookUrl', 'INVALID_VALUE']]);
      const good = await own.update(id, { callbackUrl: 'https://1.1.1.1/three' });
      assert.equal(good.status, 200, good.text);
      // A value that was accepted before is not validated again when it is sent unchanged.
      await production.database.sql("UPDATE merchants SET webhook_origins = '{}'");
      // Longer than a merchant is remembered.
      await production.advance(5);
      const again = await own.update(id, { callbackUrl: 'https://1.1.1.1/four' });
      assert.deepEqual(faultsOf(again), [['callbackUrl', 'INVALID_VALUE']]);
      const same = await own.update(id, { callbackUrl: 'https://1.1.1.1/three' });
      assert.equal(same.status, 200, same.text);
    } finally {
      await production.stop();
    }
  });
});
