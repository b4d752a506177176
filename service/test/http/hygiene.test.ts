import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type RawAnswer, rawCall } from '../support/network/raw-call.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

const GOOD = { amount: 1, type: 'ECOMM', payer: { name: 'Ada', email: 'ada@example.com' } };

let service: TestService;
let merchant: TestMerchant;
let id: string;

before(async () => {
  service = await startTestService();
  merchant = await service.createMerchant();
  id = (await create()).json.id;
});
after(() => service.stop());

const create = () =>
  service.call('POST', '/v1/payment-requests', { headers: merchant.headers, body: GOOD });

type Lines = readonly (readonly [string, string])[];

/** Sends a request with exactly these header lines, repeated ones too. */
async function ask(method: string, path: string, lines: Lines = [], body = ''): Promise<RawAnswer> {
  const all: Lines = [
    ['Host', 'pay.test'],
    ['Connection', 'close'],
    ...lines,
    ...(body === '' ? [] : ([['Content-Length', `${Buffer.byteLength(body)}`]] as const)),
  ];
  const head = all.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const [answer] = await rawCall(service.url, `${method} ${path} HTTP/1.1\r\n${head}\r\n${body}`);
  assert.ok(answer, 'no answer');
  return answer;
}

const authorised = (): Lines => Object.entries(merchant.headers);
const sent = (...lines: Lines): Lines => [
  ...authorised(),
  ['Content-Type', 'application/json'],
  ...lines,
];

const OF_THE_CONNECTION = ['date', 'x-request-id', 'connection', 'keep-alive'];

describe('HEAD', () => {
  it('answers as GET does, without the body', async () => {
    const headers = { ...merchant.headers, 'accept-encoding': 'identity' };
    const get = await service.call('GET', `/v1/payment-requests/${id}`, { headers });
    const head = await fetch(`${service.url}/v1/payment-requests/${id}`, {
      method: 'HEAD',
      headers,
    });
    assert.equal(head.status, 200);
    assert.equal(await head.text(), '');
    const kept = (headers: Headers) =>
      [...headers].filter(([name]) => !OF_THE_CONNECTION.includes(name));
    assert.deepEqual(kept(head.headers), kept(get.headers));
    assert.equal(head.headers.get('content-length'), `${Buffer.byteLength(get.text)}`);
  });

  it('refuses as GET does, without the body', async () => {
    const head = await fetch(`${service.url}/v1/payment-requests/${id}`, { method: 'HEAD' });
    assert.equal(head.status, 401);
    assert.equal(await head.text(), '');
    assert.match(head.headers.get('content-type') ?? '', /^application\/problem\+json/);
  });
});

describe('OPTIONS', () => {
  it('says what an address takes, without credentials', async () => {
    const answer = await ask('OPTIONS', `/v1/payment-requests/${id}`);
    assert.equal(answer.status, 204);
    assert.match(answer.headers.get('allow') ?? '', /^GET, HEAD\b.*\bOPTIONS$/);
    assert.equal(answer.text, '');
  });

  it('with a malformed address is 404', async () => {
    assert.equal((await ask('OPTIONS', '/v1/nothing')).json.code, 'ROUTE_NOT_FOUND');
  });

  it('for the whole server is answered', async () => {
    assert.equal((await ask('OPTIONS', '*')).status, 204);
    assert.equal((await ask('GET', '*')).json.code, 'MALFORMED_REQUEST');
  });
});

describe('a method that an address does not take', () => {
  for (const method of ['PUT', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY']) {
    it(`is 405 with what it takes: ${method}`, async () => {
      const answer = await ask(method, `/v1/payment-requests/${id}`, authorised());
      assert.equal(answer.status, 405);
      assert.equal(answer.json.code, 'METHOD_NOT_ALLOWED');
      const { headers } = await ask('OPTIONS', `/v1/payment-requests/${id}`);
      assert.equal(answer.headers.get('allow'), headers.get('allow'));
    });
  }

  it('is refused with every body', async () => {
    const lines: Lines = [['Content-Type', 'image/png']];
    const answer = await ask('DELETE', '/v1/payment-requests', lines, 'x'.repeat(100_000));
    assert.equal(answer.json.code, 'METHOD_NOT_ALLOWED');
  });
});

describe('a page of another origin', () => {
  const origin: Lines = [['Origin', 'https://evil.example']];

  it('gets no permission from a preflight', async () => {
    const answer = await ask('OPTIONS', '/v1/payment-requests', [
      ...origin,
      ['Access-Control-Request-Method', 'POST'],
      ['Access-Control-Request-Headers', 'authorization, x-api-key, content-type'],
    ]);
    assert.equal(answer.status, 204);
    assertClosed(answer);
  });

  it('may read no answer', async () => {
    for (const path of [`/v1/payment-requests/${id}`, '/v1/none', '/.well-known/jwks.json']) {
      assertClosed(await ask('GET', path, [...origin, ...authorised()]));
    }
    assertClosed(await ask('POST', '/oauth2/token', origin, 'grant_type=client_credentials'));
  });

  function assertClosed({ headers }: RawAnswer): void {
    const permissions = [...headers.keys()].filter((name) => name.startsWith('access-control-'));
    assert.deepEqual(permissions, []);
    assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin');
  }
});

describe('every answer', () => {
  const cases: readonly (readonly [string, () => Promise<RawAnswer>])[] = [
    ['a payment request', () => ask('GET', `/v1/payment-requests/${id}`, authorised())],
    ['a refusal', () => ask('GET', `/v1/payment-requests/${id}`)],
    ['no such address', () => ask('GET', '/none')],
    ['OPTIONS', () => ask('OPTIONS', '/v1/payment-requests')],
    ['the key set', () => ask('GET', '/.well-known/jwks.json')],
    ['the token call', () => ask('POST', '/oauth2/token')],
    ['a payer’s page', () => ask('GET', '/pay/nothing')],
    ['a QR code', () => ask('GET', '/pay/qr/nothing')],
  ];
  for (const [name, get] of cases) {
    it(`carries the security headers and does not say what made it: ${name}`, async () => {
      const { headers, counts } = await get();
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.equal(headers.get('referrer-policy'), 'no-referrer');
      assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/);
      assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
      assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
      assert.ok(headers.has('cache-control'));
      assert.ok(!headers.has('server') && !headers.has('x-powered-by'));
      for (const [header, count] of counts) assert.equal(count, 1, `${header} came ${count}×`);
    });
  }
});

describe('a caller’s X-Request-Id', () => {
  it('is kept when it is one', async () => {
    const { headers } = await ask('GET', '/none', [['X-Request-Id', 'order-17.retry_2']]);
    assert.equal(headers.get('x-request-id'), 'order-17.retry_2');
  });

  for (const bad of ['', 'a b', 'é', 'x'.repeat(129), '<script>']) {
    it(`is replaced when it is none: ${JSON.stringify(bad.slice(0, 10))}`, async () => {
      const { headers } = await ask('GET', '/none', [['X-Request-Id', bad]]);
      assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
    });
  }
});

describe('a header that is sent twice', () => {
  const body = JSON.stringify(GOOD);
  const twice = (...lines: Lines) => ask('POST', '/v1/payment-requests', sent(...lines), body);

  it('is refused: x-api-key, also the same one', async () => {
    const answer = await twice(['x-api-key', merchant.apiKey]);
    assert.deepEqual([answer.status, answer.json.code], [401, 'API_KEY_INVALID']);
    assert.match(answer.json.detail, /more than one x-api-key header; send exactly one/);
  });

  it('is refused: Authorization, also the same one', async () => {
    const answer = await twice(['Authorization', merchant.headers.authorization ?? '']);
    assert.deepEqual([answer.status, answer.json.code], [401, 'ACCESS_TOKEN_INVALID']);
    assert.match(answer.json.detail, /more than one Authorization header; send exactly one/);
  });

  it('is refused: Authorization of the token call', async () => {
    const basic = `Basic ${Buffer.from(`${merchant.username}:${merchant.password}`).toString('base64')}`;
    const lines: Lines = [
      ['Authorization', basic],
      ['Authorization', basic],
      ['Content-Type', 'application/x-www-form-urlencoded'],
    ];
    const answer = await ask('POST', '/oauth2/token', lines, 'grant_type=client_credentials');
    assert.deepEqual([answer.status, answer.json.error], [400, 'invalid_request']);
    assert.equal(answer.json.error_description, 'Send one Authorization header.');
  });

  it('is refused: Content-Type', async () => {
    const answer = await twice(['Content-Type', 'text/plain']);
    assert.deepEqual([answer.status, answer.json.code], [400, 'MALFORMED_REQUEST']);
    assert.equal(answer.json.detail, 'The request has more than one content-type header.');
  });

  it('is refused behind two thousand others', async () => {
    const many = Array.from({ length: 2_500 }, (): [string, string] => ['a', '']);
    const answer = await twice(...many, ['x-api-key', merchant.apiKey]);
    assert.deepEqual([answer.status, answer.json.code], [401, 'API_KEY_INVALID']);
  });
});

describe('a body', () => {
  const post = (body: string, ...lines: Lines) =>
    ask('POST', '/v1/payment-requests', sent(...lines), body);

  const cases: readonly (readonly [string, string])[] = [
    ['nested deeper than 8', `{"metadata":${'{"a":'.repeat(8)}1${'}'.repeat(8)}}`],
    ['nested 20,000 deep', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
    ['with a key twice', '{"amount":1,"amount":2}'],
    ['with a key twice, once escaped', '{"amount":1,"\\u0061mount":2}'],
    ['with a key twice, deep inside', '{"payer":{"name":"a","name":"b"}}'],
    ['with __proto__', '{"__proto__":{"amount":1}}'],
    ['with __proto__ escaped', '{"\\u005f_proto__":{}}'],
    ['that ends too soon', '{"amount":'],
    ['with a comment', '{"amount":1/*one*/}'],
    ['with NaN', '{"amount":NaN}'],
    ['with a byte order mark', '\ufeff{}'],
  ];
  for (const [name, body] of cases) {
    it(`is refused as JSON: ${name}`, async () => {
      const answer = await post(body);
      assert.deepEqual([answer.status, answer.json.code], [400, 'MALFORMED_JSON']);
    });
  }

  it('that is compressed is refused by its encoding', async () => {
    const answer = await post(JSON.stringify(GOOD), ['Content-Encoding', 'gzip']);
    assert.deepEqual([answer.status, answer.json.code], [415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  it('above 64 KiB is refused, with a Content-Length or in chunks', async () => {
    const large = JSON.stringify({ ...GOOD, displayMessage: 'x'.repeat(65_536) });
    assert.equal((await post(large)).json.code, 'PAYLOAD_TOO_LARGE');
    const head = sent(['Host', 'pay.test'], ['Transfer-Encoding', 'chunked'])
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
    const [chunked] = await rawCall(
      service.url,
      `POST /v1/payment-requests HTTP/1.1\r\n${head}\r\n${large.length.toString(16)}\r\n${large}\r\n`,
      { answers: 1 },
    );
    assert.equal(chunked?.json.code, 'PAYLOAD_TOO_LARGE');
  });
});
