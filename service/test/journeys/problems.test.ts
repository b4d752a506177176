import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { after, before, describe, it } from 'node:test';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

const GOOD = { amount: 1, type: 'ECOMM', payer: { name: 'Ada', email: 'ada@example.com' } };
const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000';

let service: TestService;
let merchant: TestMerchant;
let other: TestMerchant;

before(async () => {
  service = await startTestService();
  merchant = await service.createMerchant();
  other = await service.createMerchant({ name: 'Another Shop' });
});
after(() => service.stop());

/** The parts that differ between answers are checked for their form and taken out. */
function fixed(body: Record<string, unknown>): Record<string, unknown> {
  const { instance, requestId, timestamp, ...rest } = body;
  assert.match(String(instance), /^urn:uuid:[0-9a-f-]{36}$/);
  assert.match(String(requestId), /^[0-9a-f-]{36}$/);
  assert.equal(timestamp, '2026-03-01T12:00:00.000Z');
  return rest;
}

interface Case {
  readonly name: string;
  readonly send: () => Promise<Awaited<ReturnType<TestService['call']>>>;
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers?: Record<string, RegExp>;
}

const post = (headers: Record<string, string>, body: unknown = GOOD) =>
  service.call('POST', '/v1/payment-requests', { headers, body });

const problem = (status: number, name: string, title: string, code: string, detail: string) => ({
  type: `https://pay.test/problems/${name}`,
  title,
  status,
  detail,
  code,
});

const cases: readonly Case[] = [
  {
    name: 'MALFORMED_JSON',
    send: () => post({ ...merchant.headers, 'content-type': 'application/json' }, '{"amount":'),
    status: 400,
    body: problem(
      400,
      'malformed-json',
      'Malformed JSON',
      'MALFORMED_JSON',
      'The body is not valid JSON at line 1, column 11: the text ends too soon.',
    ),
  },
  {
    name: 'VALIDATION_ERROR',
    send: () => post(merchant.headers, { ...GOOD, payer: { name: 'Ada' } }),
    status: 400,
    body: {
      ...problem(
        400,
        'validation-error',
        'Invalid request',
        'VALIDATION_ERROR',
        '1 field is invalid.',
      ),
      errors: [
        {
          field: 'payer.email',
          pointer: '/payer/email',
          code: 'REQUIRED_ONE_OF',
          message: 'Give payer.email or payer.mobileNumber.',
        },
      ],
    },
  },
  {
    name: 'API_KEY_MISSING',
    send: () => post({ authorization: merchant.headers.authorization ?? '' }),
    status: 401,
    headers: { 'www-authenticate': /^Bearer/ },
    body: problem(
      401,
      'api-key-missing',
      'API key missing',
      'API_KEY_MISSING',
      'Send your API key in exactly one x-api-key header.',
    ),
  },
  {
    name: 'API_KEY_INVALID',
    send: () => post({ ...merchant.headers, 'x-api-key': 'sbx_unknown' }),
    status: 401,
    headers: { 'www-authenticate': /^Bearer/ },
    body: problem(
      401,
      'api-key-invalid',
      'API key invalid',
      'API_KEY_INVALID',
      'The API key is not known in this environment.',
    ),
  },
  {
    name: 'ACCESS_TOKEN_MISSING',
    send: () => post({ 'x-api-key': merchant.apiKey }),
    status: 401,
    headers: { 'www-authenticate': /^Bearer/ },
    body: problem(
      401,
      'access-token-missing',
      'Access token missing',
      'ACCESS_TOKEN_MISSING',
      'Send an access token in one header: Authorization: Bearer <ACCESS_TOKEN>.',
    ),
  },
  {
    name: 'ACCESS_TOKEN_INVALID',
    send: () => post({ ...merchant.headers, authorization: 'Bearer not.a.token' }),
    status: 401,
    headers: { 'www-authenticate': /error="invalid_token"/ },
    body: problem(
      401,
      'access-token-invalid',
      'Access token invalid',
      'ACCESS_TOKEN_INVALID',
      'The access token is not valid in this environment.',
    ),
  },
  {
    name: 'CREDENTIAL_MISMATCH',
    send: () => post({ ...merchant.headers, 'x-api-key': other.apiKey }),
    status: 403,
    body: problem(
      403,
      'credential-mismatch',
      'Credentials do not match',
      'CREDENTIAL_MISMATCH',
      'The API key and the access token belong to two merchants.',
    ),
  },
  {
    name: 'MERCHANT_MISMATCH',
    send: () => post(merchant.headers, { ...GOOD, merchant: { id: other.merchantId } }),
    status: 403,
    body: problem(
      403,
      'merchant-mismatch',
      'Another merchant',
      'MERCHANT_MISMATCH',
      'merchant.id names another merchant than the credentials do.',
    ),
  },
  {
    name: 'PAYMENT_REQUEST_NOT_FOUND',
    send: () =>
      service.call('GET', `/v1/payment-requests/${UNKNOWN_ID}`, { headers: merchant.headers }),
    status: 404,
    body: problem(
      404,
      'payment-request-not-found',
      'Payment request not found',
      'PAYMENT_REQUEST_NOT_FOUND',
      'There is no payment request with this id.',
    ),
  },
  {
    name: 'ROUTE_NOT_FOUND',
    send: () => service.call('GET', '/v1/payment-request', { headers: merchant.headers }),
    status: 404,
    body: problem(
      404,
      'route-not-found',
      'Not found',
      'ROUTE_NOT_FOUND',
      'There is nothing at this address. The nearest address is POST, GET /v1/payment-requests. ' +
        'All calls are listed at https://pay.test/docs.',
    ),
  },
  {
    name: 'METHOD_NOT_ALLOWED',
    send: () => service.call('DELETE', '/v1/payment-requests', { headers: merchant.headers }),
    status: 405,
    headers: { allow: /\bPOST\b/ },
    body: problem(
      405,
      'method-not-allowed',
      'Method not allowed',
      'METHOD_NOT_ALLOWED',
      'This address does not take this method; the Allow header says which it does.',
    ),
  },
  {
    name: 'PAYLOAD_TOO_LARGE',
    send: () => post(merchant.headers, { ...GOOD, displayMessage: 'x'.repeat(65_536) }),
    status: 413,
    body: problem(
      413,
      'payload-too-large',
      'Payload too large',
      'PAYLOAD_TOO_LARGE',
      'The body is larger than 64 KiB.',
    ),
  },
  {
    name: 'UNSUPPORTED_MEDIA_TYPE',
    send: () => post({ ...merchant.headers, 'content-type': 'text/plain' }, 'amount=1'),
    status: 415,
    body: problem(
      415,
      'unsupported-media-type',
      'Unsupported media type',
      'UNSUPPORTED_MEDIA_TYPE',
      'Send the body as application/json.',
    ),
  },
];

describe('every problem has its exact body', () => {
  for (const { name, send, status, body, headers } of cases) {
    it(name, async () => {
      const answer = await send();
      assert.equal(answer.status, status, answer.text);
      assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json(;|$)/);
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      assert.equal(answer.headers.get('x-request-id'), answer.json.requestId);
      assert.deepEqual(fixed(answer.json), body);
      for (const [header, pattern] of Object.entries(headers ?? {})) {
        assert.match(answer.headers.get(header) ?? '', pattern);
      }
    });
  }

  it('ACCESS_TOKEN_EXPIRED', async () => {
    const soon = await startTestService();
    try {
      const { headers } = await soon.createMerchant();
      await soon.advance(3599);
      const still = await soon.call('POST', '/v1/payment-requests', { headers, body: GOOD });
      assert.equal(still.status, 201, still.text);
      await soon.advance(2);
      const { status, json } = await soon.call('POST', '/v1/payment-requests', {
        headers,
        body: GOOD,
      });
      assert.equal(status, 401);
      assert.equal(json.code, 'ACCESS_TOKEN_EXPIRED');
    } finally {
      await soon.stop();
    }
  });
});

describe('the order of the checks', () => {
  const bad = { 'content-type': 'text/plain' };

  it('is route, method, API key, token, same merchant, media type, size, JSON, fields', async () => {
    const codeOf = async (answer: Promise<{ json: { code: string } }>) => (await answer).json.code;
    assert.equal(
      await codeOf(service.call('DELETE', '/v1/payment-requests')),
      'METHOD_NOT_ALLOWED',
    );
    assert.equal(await codeOf(post({ ...bad, authorization: 'Bearer x' }, 'x')), 'API_KEY_MISSING');
    assert.equal(
      await codeOf(post({ ...bad, 'x-api-key': merchant.apiKey }, 'x')),
      'ACCESS_TOKEN_MISSING',
    );
    assert.equal(
      await codeOf(post({ ...merchant.headers, ...bad, 'x-api-key': other.apiKey }, 'x')),
      'CREDENTIAL_MISMATCH',
    );
    assert.equal(
      await codeOf(post({ ...merchant.headers, ...bad }, 'x'.repeat(70_000))),
      'UNSUPPORTED_MEDIA_TYPE',
    );
    const json = { ...merchant.headers, 'content-type': 'application/json' };
    assert.equal(await codeOf(post(json, `{${' '.repeat(70_000)}`)), 'PAYLOAD_TOO_LARGE');
    assert.equal(await codeOf(post(json, '{"amount":0,')), 'MALFORMED_JSON');
    assert.equal(await codeOf(post(json, '{"amount":0}')), 'VALIDATION_ERROR');
  });

  for (const body of ['null', '[]', '"text"', '7']) {
    it(`a body that is ${body} is faulted as a whole`, async () => {
      const headers = { ...merchant.headers, 'content-type': 'application/json' };
      const { status, json } = await post(headers, body);
      assert.equal(status, 400);
      assert.deepEqual(
        json.errors.map((e: { field: string; code: string }) => [e.field, e.code]),
        [['', 'INVALID_TYPE']],
      );
    });
  }

  it('a call without a body is faulted, not a failure', async () => {
    const none = await service.call('POST', '/v1/payment-requests', { headers: merchant.headers });
    assert.equal(none.json.code, 'UNSUPPORTED_MEDIA_TYPE');
    const empty = await post({ ...merchant.headers, 'content-type': 'application/json' }, '');
    assert.equal(empty.json.code, 'MALFORMED_JSON');
  });
});

describe('the resources of another merchant', () => {
  it('is answered with the same bytes as what does not exist', async () => {
    const created = await service.call('POST', '/v1/payment-requests', {
      headers: other.headers,
      body: GOOD,
    });
    assert.equal(created.status, 201);
    const ids = [created.json.id, UNKNOWN_ID, created.json.id.toUpperCase()];
    const answers = await Promise.all(
      ids.map((id) =>
        service.call('GET', `/v1/payment-requests/${id}`, {
          headers: { ...merchant.headers, 'x-request-id': 'same' },
        }),
      ),
    );
    const bytes = answers.map(({ status, text, headers }) => {
      const kept = [...headers].filter(([name]) => name !== 'date' && name !== 'keep-alive');
      return JSON.stringify([status, text.replace(/urn:uuid:[0-9a-f-]+/, ''), kept]);
    });
    assert.equal(answers[0]?.status, 404);
    assert.equal(new Set(bytes).size, 1, bytes.join('\n'));
  });
});

describe('duplicate headers', () => {
  it('a second x-api-key is refused, even if it is the same', async () => {
    const status = await new Promise<number>((resolve, reject) => {
      const call = httpRequest(
        `${service.url}/v1/payment-requests/${UNKNOWN_ID}`,
        {
          headers: {
            'x-api-key': [merchant.apiKey, merchant.apiKey],
            authorization: merchant.headers.authorization,
          },
        },
        (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        },
      );
      call.on('error', reject).end();
    });
    assert.equal(status, 401);
  });
});
