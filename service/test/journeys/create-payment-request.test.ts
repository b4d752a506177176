import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

const GOOD = {
  amount: 10.5,
  type: 'ECOMM',
  payer: { name: 'Ada Payer', email: 'ada@example.com' },
};

const FULL = {
  merchantTransactionId: '0f8fad5bd9cb469fa165708677289501',
  amount: 10.5,
  currency: 'CAD',
  type: 'ECOMM',
  deliveryMode: 'NONE',
  payer: {
    name: ' Ada Payer ',
    merchantAccountId: 'ACC-1',
    email: 'ada@example.com',
    mobileNumber: '+1 (416) 555-0199',
    preferredLanguage: 'fr-CA',
  },
  dueDate: '2026-04-30',
  displayMessage: 'Thank you – à bientôt',
  invoiceNumber: 'INV-7',
  businessUnit: 'Online',
  emailTemplate: { id: 'template-1' },
  metadata: { basket: '42', note: 'two\nlines' },
};

let service: TestService;
let merchant: TestMerchant;

before(async () => {
  service = await startTestService();
  merchant = await service.createMerchant();
});
after(() => service.stop());

function create(body: unknown, headers: Record<string, string> = {}) {
  return service.call('POST', '/v1/payment-requests', {
    headers: { ...merchant.headers, ...headers },
    body,
  });
}

/** Sends JSON text as it stands, with `amount` spelt by the test. */
function createWithAmount(source: string) {
  const text = JSON.stringify(GOOD).replace('10.5', source);
  return create(text, { 'content-type': 'application/json' });
}

async function countStored(): Promise<number> {
  const [row] = await service.database.sql<{ count: string }>(
    'SELECT count(*) FROM payment_requests',
  );
  return Number(row?.count);
}

describe('creating a payment request', () => {
  it('answers 201 with every member in the contract’s order', async () => {
    const answer = await create(FULL);
    assert.equal(answer.status, 201);
    const { id, shortCode } = answer.json;
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
    assert.match(shortCode, /^[0-9A-Za-z]{16}$/);
    assert.equal(
      answer.text,
      JSON.stringify({
        id,
        ...FULL,
        amount: '@',
        merchant: { id: merchant.merchantId, name: 'Demo Shop' },
        status: 'CREATED',
        createdDateTime: '2026-03-01T12:00:00.000Z',
        expiryDateTime: '2026-05-01T00:00:00.000Z',
        shortCode,
        paymentLink: `https://pay.test/pay/${shortCode}`,
        qrCodeLink: `https://pay.test/pay/qr/${shortCode}`,
        events: [{ status: 'CREATED', dateTime: '2026-03-01T12:00:00.000Z' }],
        links: [{ rel: 'payment-request', href: `https://pay.test/v1/payment-requests/${id}` }],
      }).replace('"@"', '10.50'),
    );
    assert.equal(answer.headers.get('location'), `https://pay.test/v1/payment-requests/${id}`);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
  });

  it('answers the smallest request with its defaults and no member that does not apply', async () => {
    const { json } = await create(GOOD);
    assert.deepEqual(Object.keys(json), [
      'id',
      'amount',
      'currency',
      'type',
      'payer',
      'dueDate',
      'merchant',
      'status',
      'createdDateTime',
      'expiryDateTime',
      'shortCode',
      'paymentLink',
      'qrCodeLink',
      'events',
      'links',
    ]);
    assert.equal(json.expiryDateTime, '2026-03-02T12:00:00.000Z');
    assert.equal(json.dueDate, '2026-03-02');
    assert.deepEqual(json.payer, GOOD.payer);
  });

  it('is read back as the very same bytes', async () => {
    const created = await create(FULL);
    const read = await service.call('GET', `/v1/payment-requests/${created.json.id}`, {
      headers: merchant.headers,
    });
    assert.equal(read.status, 200);
    assert.equal(read.text, created.text);
    assert.equal(read.headers.get('etag'), created.headers.get('etag'));
    const again = await service.call('GET', `/v1/payment-requests/${created.json.id}`, {
      headers: { ...merchant.headers, 'if-none-match': read.headers.get('etag') ?? '' },
    });
    assert.equal(again.status, 304);
    assert.equal(again.text, '');
  });

  it('keeps the caller’s request id if it is well-formed, and makes one otherwise', async () => {
    const kept = await create(GOOD, { 'x-request-id': 'order-7.a_B' });
    assert.equal(kept.headers.get('x-request-id'), 'order-7.a_B');
    const made = await create(GOOD, { 'x-request-id': 'has space' });
    assert.match(made.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
  });
});

describe('the amount', () => {
  const accepted = [
    ['10', '10.00'],
    ['10.0', '10.00'],
    ['10.00', '10.00'],
    ['10.000', '10.00'],
    ['1e1', '10.00'],
    ['0.01', '0.01'],
    ['10000.00', '10000.00'],
    ['0.07', '0.07'],
  ] as const;
  for (const [source, written] of accepted) {
    it(`${source} is accepted and written as ${written}`, async () => {
      const answer = await createWithAmount(source);
      assert.equal(answer.status, 201, answer.text);
      assert.ok(answer.text.includes(`"amount":${written},`), answer.text);
    });
  }

  const refused = [
    ['1.005', 'TOO_MANY_DECIMALS'],
    ['0', 'TOO_LOW'],
    ['-0', 'TOO_LOW'],
    ['-1', 'TOO_LOW'],
    ['0.001', 'TOO_MANY_DECIMALS'],
    ['10000.01', 'TOO_HIGH'],
    ['1e400', 'TOO_HIGH'],
    ['"10.00"', 'INVALID_TYPE'],
    ['true', 'INVALID_TYPE'],
    ['[10]', 'INVALID_TYPE'],
    ['{}', 'INVALID_TYPE'],
    ['null', 'REQUIRED'],
  ] as const;
  for (const [source, code] of refused) {
    it(`${source} is refused as ${code}, and nothing is stored`, async () => {
      const before = await countStored();
      const answer = await createWithAmount(source);
      assert.equal(answer.status, 400, answer.text);
      assert.deepEqual(
        answer.json.errors.map((e: { field: string; code: string }) => [e.field, e.code]),
        [['amount', code]],
      );
      assert.equal(await countStored(), before);
    });
  }

  it('NaN is not JSON', async () => {
    assert.equal((await createWithAmount('NaN')).json.code, 'MALFORMED_JSON');
  });
});

type Path = readonly [path: string, value: unknown];

/** The good body with one member changed; `undefined` takes it out. */
function withMember([path, value]: Path): unknown {
  const body = structuredClone(GOOD) as Record<string, unknown>;
  const parts = path.split('.');
  let holder = body;
  for (const part of parts.slice(0, -1)) {
    holder[part] ??= {};
    holder = holder[part] as Record<string, unknown>;
  }
  const last = parts.at(-1) ?? '';
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return body;
}

const at = (minutes: number) => new Date(Date.UTC(2026, 2, 1, 12, minutes)).toISOString();

describe('every field of the table', () => {
  const good: readonly Path[] = [
    ['type', 'ECOMM'],
    ['payer.name', 'x'],
    ['payer.name', ` ${'n'.repeat(100)} `],
    ['payer.name', 'Zoë 陈 🎉'],
    ['payer.email', 'a@b'],
    ['payer.email', `${'a'.repeat(242)}@example.com`],
    ['payer.mobileNumber', '4165550199'],
    ['payer.mobileNumber', '+1 (416) 555-0199'],
    ['payer.mobileNumber', '123456789012345'],
    ['payer.merchantAccountId', 'a'.repeat(64)],
    ['payer.preferredLanguage', 'fr'],
    ['payer.preferredLanguage', 'en-CA'],
    ['payer.preferredLanguage', 'xx'],
    ['deliveryMode', 'NONE'],
    ['merchantTransactionId', '~'.repeat(64)],
    ['dueDate', '2024-02-29'],
    ['dueDate', '1999-12-31'],
    ['expiryDateTime', at(5)],
    ['expiryDateTime', '2027-03-01T12:00:00Z'],
    ['expiryDateTime', '2026-03-01T14:00:00+01:00'],
    ['displayMessage', 'm'.repeat(250)],
    ['invoiceNumber', 'i'.repeat(50)],
    ['businessUnit', 'b'.repeat(50)],
    ['emailTemplate.id', 'e'.repeat(64)],
    ['webhookUrl', 'https://shop.example/hook?a=b'],
    ['callbackUrl', 'https://shop.example/hook'],
    ['metadata', {}],
    ['metadata', Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`k${i}`, '']))],
    ['metadata', { ['k'.repeat(40)]: 'v'.repeat(500) }],
    ['unknownMember', { anything: true }],
  ];
  for (const [path, value] of good) {
    it(`${path} may be ${JSON.stringify(value).slice(0, 60)}`, async () => {
      const answer = await create(withMember([path, value]));
      assert.equal(answer.status, 201, answer.text);
      const echoed = path.split('.').reduce((holder, part) => holder?.[part], answer.json);
      if (path === 'expiryDateTime') {
        assert.equal(echoed, new Date(value as string).toISOString());
      } else if (path === 'unknownMember') assert.equal(echoed, undefined);
      else assert.deepEqual(echoed, value);
    });
  }

  const absent: readonly Path[] = [
    'payer.merchantAccountId',
    'payer.mobileNumber',
    'payer.preferredLanguage',
    'currency',
    'deliveryMode',
    'merchantTransactionId',
    'displayMessage',
    'invoiceNumber',
    'businessUnit',
    'webhookUrl',
    'callbackUrl',
  ].flatMap((path): Path[] => [
    [path, null],
    [path, ''],
  ]);
  for (const [path, value] of [
    ...absent,
    ['expiryDateTime', ''],
    ['dueDate', ''],
    ['metadata', null],
    ['emailTemplate', null],
    ['emailTemplate.id', ''],
    ['merchant', null],
    ['merchant.id', ''],
  ] as readonly Path[]) {
    it(`${path} counts as absent when it is ${JSON.stringify(value)}`, async () => {
      const answer = await create(withMember([path, value]));
      assert.equal(answer.status, 201, answer.text);
      const plain = await create(GOOD);
      assert.deepEqual(Object.keys(answer.json), Object.keys(plain.json));
      assert.deepEqual(answer.json.payer, plain.json.payer);
    });
  }

  const bad: readonly (readonly [path: string, value: unknown, code: string, field?: string])[] = [
    ['type', undefined, 'REQUIRED'],
    ['type', null, 'REQUIRED'],
    ['type', 'ecomm', 'INVALID_VALUE'],
    ['type', 'POS', 'INVALID_VALUE'],
    ['type', '', 'INVALID_VALUE'],
    ['amount', undefined, 'REQUIRED'],
    ['currency', 'USD', 'INVALID_VALUE'],
    ['currency', 'cad', 'INVALID_VALUE'],
    ['currency', ' CAD', 'INVALID_VALUE'],
    ['currency', 'CAD\u0000', 'INVALID_VALUE'],
    ['currency', 124, 'INVALID_TYPE'],
    ['payer', undefined, 'REQUIRED'],
    ['payer', null, 'REQUIRED'],
    ['payer', 'Ada', 'INVALID_TYPE'],
    ['payer', [], 'INVALID_TYPE'],
    ['payer.name', undefined, 'REQUIRED'],
    ['payer.name', null, 'REQUIRED'],
    ['payer.name', '', 'TOO_SHORT'],
    ['payer.name', '   ', 'TOO_SHORT'],
    ['payer.name', 'n'.repeat(101), 'TOO_LONG'],
    ['payer.name', 7, 'INVALID_TYPE'],
    ['payer.name', 'a\u0000b', 'INVALID_FORMAT'],
    ['payer.name', 'a\nb', 'INVALID_FORMAT'],
    ['payer.name', '\ud800', 'INVALID_FORMAT'],
    ['webhookUrl', 'https://1.1.1.1/\ud800', 'INVALID_FORMAT'],
    ['callbackUrl', 'https://1.1.1.1/?\udfff', 'INVALID_FORMAT'],
    ['payer.email', undefined, 'REQUIRED_ONE_OF'],
    ['payer.email', null, 'REQUIRED_ONE_OF'],
    ['payer.email', '', 'REQUIRED_ONE_OF'],
    ['payer.email', 'ada', 'INVALID_FORMAT'],
    ['payer.email', '@example.com', 'INVALID_FORMAT'],
    ['payer.email', 'ada@', 'INVALID_FORMAT'],
    ['payer.email', 'a@b@c', 'INVALID_FORMAT'],
    ['payer.email', 'a b@c', 'INVALID_FORMAT'],
    ['payer.email', 'a\u0007@c', 'INVALID_FORMAT'],
    ['payer.email', `${'a'.repeat(243)}@example.com`, 'TOO_LONG'],
    ['payer.email', 7, 'INVALID_TYPE'],
    ['payer.mobileNumber', '416555019', 'INVALID_FORMAT'],
    ['payer.mobileNumber', '1234567890123456', 'INVALID_FORMAT'],
    ['payer.mobileNumber', '416.555.0199', 'INVALID_FORMAT'],
    ['payer.mobileNumber', 'call me', 'INVALID_FORMAT'],
    ['payer.mobileNumber', 4165550199, 'INVALID_TYPE'],
    ['payer.merchantAccountId', 'a'.repeat(65), 'TOO_LONG'],
    ['payer.merchantAccountId', 7, 'INVALID_TYPE'],
    ['payer.preferredLanguage', 'english', 'INVALID_FORMAT'],
    ['payer.preferredLanguage', 'e', 'INVALID_FORMAT'],
    ['payer.preferredLanguage', 'en_CA', 'INVALID_FORMAT'],
    ['deliveryMode', 'PIGEON', 'INVALID_VALUE'],
    ['merchantTransactionId', 'x'.repeat(65), 'TOO_LONG'],
    ['merchantTransactionId', 'é', 'INVALID_FORMAT'],
    ['merchantTransactionId', 'a\tb', 'INVALID_FORMAT'],
    ['merchantTransactionId', 12, 'INVALID_TYPE'],
    ['merchant', 'me', 'INVALID_TYPE'],
    ['merchant.id', 'm'.repeat(65), 'TOO_LONG'],
    ['dueDate', '2026-02-29', 'INVALID_FORMAT'],
    ['dueDate', '2026-13-01', 'INVALID_FORMAT'],
    ['dueDate', '2026-1-1', 'INVALID_FORMAT'],
    ['dueDate', '0000-01-01', 'INVALID_FORMAT'],
    ['dueDate', '2026-03-01T00:00:00Z', 'INVALID_FORMAT'],
    ['dueDate', 20260301, 'INVALID_TYPE'],
    ['expiryDateTime', '2026-03-01T12:04:59.999Z', 'TOO_LOW'],
    ['expiryDateTime', '2027-03-01T12:00:00.001Z', 'TOO_HIGH'],
    ['expiryDateTime', '2026-04-01', 'INVALID_FORMAT'],
    ['expiryDateTime', '2026-04-01T10:00:00', 'INVALID_FORMAT'],
    ['expiryDateTime', '2026-12-31T23:59:60Z', 'INVALID_FORMAT'],
    ['expiryDateTime', '2026-03-02T12:00:00+0100', 'INVALID_FORMAT'],
    ['expiryDateTime', 'tomorrow', 'INVALID_FORMAT'],
    ['displayMessage', 'm'.repeat(251), 'TOO_LONG'],
    ['displayMessage', 'two\nlines', 'INVALID_FORMAT'],
    ['displayMessage', {}, 'INVALID_TYPE'],
    ['invoiceNumber', 'i'.repeat(51), 'TOO_LONG'],
    ['businessUnit', 'b'.repeat(51), 'TOO_LONG'],
    ['emailTemplate', 'template', 'INVALID_TYPE'],
    ['emailTemplate.id', 'e'.repeat(65), 'TOO_LONG'],
    ['webhookUrl', 'http://shop.example/hook', 'INVALID_VALUE'],
    ['webhookUrl', 'https://user@shop.example/hook', 'INVALID_VALUE'],
    ['webhookUrl', 'https://shop.example/hook#there', 'INVALID_VALUE'],
    ['webhookUrl', 'https://shop.example:8443/hook', 'INVALID_VALUE'],
    ['webhookUrl', 'https://127.0.0.1/hook', 'INVALID_VALUE'],
    ['webhookUrl', 'https://2130706433/hook', 'INVALID_VALUE'],
    ['webhookUrl', 'https://[::ffff:10.0.0.1]/hook', 'INVALID_VALUE'],
    ['webhookUrl', 'shop.example', 'INVALID_VALUE'],
    ['webhookUrl', `https://shop.example/${'x'.repeat(2048)}`, 'TOO_LONG'],
    ['webhookUrl', 7, 'INVALID_TYPE'],
    ['callbackUrl', 'ftp://shop.example', 'INVALID_VALUE'],
    ['metadata', [], 'INVALID_TYPE'],
    ['metadata', { a: 1 }, 'INVALID_TYPE', 'metadata.a'],
    ['metadata', { a: null }, 'INVALID_TYPE', 'metadata.a'],
    ['metadata', { a: 'v'.repeat(501) }, 'TOO_LONG', 'metadata.a'],
    ['metadata', { a: '\u0000' }, 'INVALID_FORMAT', 'metadata.a'],
    ['metadata', { '': 'v' }, 'INVALID_FORMAT', 'metadata.'],
    ['metadata', { ['k'.repeat(41)]: 'v' }, 'INVALID_FORMAT', `metadata.${'k'.repeat(41)}`],
    [
      'metadata',
      Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`k${i}`, 'v'])),
      'TOO_LONG',
    ],
  ];
  for (const [path, value, code, field = path] of bad) {
    it(`${path} as ${JSON.stringify(value)?.slice(0, 60)} is ${code}`, async () => {
      const before = await countStored();
      const answer = await create(withMember([path, value]));
      assert.equal(answer.status, 400, answer.text);
      assert.equal(answer.json.code, 'VALIDATION_ERROR');
      assert.deepEqual(
        answer.json.errors.map((e: { field: string; code: string }) => [e.field, e.code]),
        [[field, code]],
      );
      assert.equal(await countStored(), before);
    });
  }
});

describe('rules that span fields', () => {
  it('a mobile number does instead of an e-mail', async () => {
    const body = { ...GOOD, payer: { name: 'Ada', mobileNumber: '4165550199' } };
    assert.equal((await create(body)).status, 201);
  });

  it('webhookUrl and callbackUrl may be sent together if they are equal', async () => {
    const url = 'https://shop.example/hook';
    assert.equal((await create({ ...GOOD, webhookUrl: url, callbackUrl: url })).status, 201);
    const differing = await create({ ...GOOD, webhookUrl: url, callbackUrl: `${url}2` });
    assert.deepEqual(
      differing.json.errors.map((e: { field: string; code: string }) => [e.field, e.code]),
      [['callbackUrl', 'INVALID_VALUE']],
    );
  });

  it('merchant.id must be the caller’s', async () => {
    const own = await create({ ...GOOD, merchant: { id: merchant.merchantId } });
    assert.equal(own.status, 201);
    const other = await create({ ...GOOD, merchant: { id: 'somebody-else' } });
    assert.equal(other.status, 403);
    assert.equal(other.json.code, 'MERCHANT_MISMATCH');
  });

  it('the due date moves the default expiry, but never beyond 365 days', async () => {
    const near = await create({ ...GOOD, dueDate: '2026-03-01' });
    assert.equal(near.json.expiryDateTime, '2026-03-02T12:00:00.000Z');
    const later = await create({ ...GOOD, dueDate: '2026-03-10' });
    assert.equal(later.json.expiryDateTime, '2026-03-11T00:00:00.000Z');
    const far = await create({ ...GOOD, dueDate: '2030-01-01' });
    assert.equal(far.json.expiryDateTime, '2027-03-01T12:00:00.000Z');
    assert.equal(far.json.dueDate, '2030-01-01');
  });

  it('all faults are answered at once, in words, with pointers', async () => {
    const answer = await create({ amount: 0, payer: { email: 'x' }, dueDate: 'soon' });
    assert.deepEqual(
      answer.json.errors.map((e: { pointer: string; code: string }) => [e.pointer, e.code]).sort(),
      [
        ['/amount', 'TOO_LOW'],
        ['/dueDate', 'INVALID_FORMAT'],
        ['/payer/email', 'INVALID_FORMAT'],
        ['/payer/name', 'REQUIRED'],
        ['/type', 'REQUIRED'],
      ],
    );
    assert.equal(answer.json.detail, '5 fields are invalid.');
  });

  it('unknown members are listed only for a caller that asks', async () => {
    const body = { ...GOOD, payer: { ...GOOD.payer, nickname: 'A' }, color: 'red' };
    assert.equal((await create(body)).status, 201);
    const strict = await create(body, { prefer: 'handling=strict' });
    assert.deepEqual(
      strict.json.errors.map((e: { field: string; code: string }) => [e.field, e.code]),
      [
        ['payer.nickname', 'UNKNOWN_FIELD'],
        ['color', 'UNKNOWN_FIELD'],
      ],
    );
    assert.equal((await create(GOOD, { prefer: 'handling=strict' })).status, 201);
  });

  it('merchantTransactionId may repeat, unless the merchant’s setting forbids it', async () => {
    const body = { ...GOOD, merchantTransactionId: 'order-1' };
    assert.equal((await create(body)).status, 201);
    assert.equal((await create(body)).status, 201);
    const strict = await service.createMerchant({ uniqueTransactionIds: true });
    const send = () =>
      service.call('POST', '/v1/payment-requests', { headers: strict.headers, body });
    const answers = await Promise.all([send(), send(), send(), send()]);
    assert.deepEqual(answers.map((answer) => answer.status).sort(), [201, 409, 409, 409]);
    const refused = answers.find((answer) => answer.status === 409);
    assert.equal(refused?.json.code, 'DUPLICATE_MERCHANT_TRANSACTION_ID');
  });
});
