import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { open, type RawAnswer, rawCall, readAnswers } from '../support/network/raw-call.ts';
import { SMALLEST_BODY } from '../support/payment-requests/payment-requests.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

let service: TestService;
let merchant: TestMerchant;

before(async () => {
  service = await startTestService();
  merchant = await service.createMerchant();
});
after(() => service.stop());

/** Header lines that say that a body of length 0 follows, and the body. */
const EMPTY: Readonly<Record<string, string>> = {
  'no body': '\r\n',
  'Content-Length: 0': 'Content-Length: 0\r\n\r\n',
  chunks: 'Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
};
const TYPES = [
  'application/json',
  'application/x-www-form-urlencoded',
  'text/plain',
  'application/merge-patch+json',
  'nonsense',
] as const;

const head = (method: string, path: string) =>
  `${method} ${path} HTTP/1.1\r\nHost: pay.test\r\n` +
  Object.entries(merchant.headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');

/** Sends the bytes, and a second call on the same connection, which must get its answer too. */
async function sendAndGoOn(bytes: string): Promise<RawAnswer> {
  const next = 'GET /.well-known/jwks.json HTTP/1.1\r\nHost: pay.test\r\n\r\n';
  const [answer, second] = await rawCall(service.url, `${bytes}${next}`, { answers: 2 });
  assert.ok(answer);
  assert.notEqual(answer.headers.get('connection'), 'close', answer.text);
  assert.equal(second?.status, 200, 'the connection ended');
  return answer;
}

async function post(path: string, body: unknown) {
  const answer = await service.call('POST', path, { headers: merchant.headers, body });
  assert.ok(answer.status < 300, answer.text);
  return answer.json;
}

const create = () => post('/v1/payment-requests', SMALLEST_BODY);

describe('a body of length 0 in a call that needs none', () => {
  for (const [length, rest] of Object.entries(EMPTY)) {
    for (const type of TYPES) {
      it(`is no body: POST …/cancellation as ${type}, ${length}`, async () => {
        const { id } = await create();
        const bytes = `${head('POST', `/v1/payment-requests/${id}/cancellation`)}Content-Type: `;
        const answer = await sendAndGoOn(`${bytes}${type}\r\n${rest}`);
        assert.deepEqual([answer.status, answer.json?.status], [200, 'CANCELLED'], answer.text);
      });
    }

    it(`is no body: DELETE as application/json, ${length}`, async () => {
      const path = '/v1/webhook-endpoints/01890000-0000-7000-8000-000000000000';
      const bytes = `${head('DELETE', path)}Content-Type: application/json\r\n${rest}`;
      const answer = await sendAndGoOn(bytes);
      assert.equal(answer.json?.code, 'WEBHOOK_ENDPOINT_NOT_FOUND', answer.text);
    });
  }

  it('is no body: each other action, as an empty form', async () => {
    const path = '/v1/webhook-endpoints/01890000-0000-7000-8000-000000000000';
    for (const action of ['test', 'resume', 'rotate-secret']) {
      const form = 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 0\r\n\r\n';
      const answer = await sendAndGoOn(head('POST', `${path}/${action}`) + form);
      assert.equal(answer.json?.code, 'WEBHOOK_ENDPOINT_NOT_FOUND', answer.text);
    }
  });

  it('is no body when its last chunk comes later', async () => {
    const { id } = await create();
    const socket = open(service.url);
    const answers = readAnswers(socket, { answers: 1 });
    const path = `/v1/payment-requests/${id}/cancellation`;
    socket.write(
      `${head('POST', path)}Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    await service.call('GET', '/.well-known/jwks.json');
    socket.write('0\r\n\r\n');
    const [answer] = await answers;
    assert.deepEqual([answer?.status, answer?.json?.status], [200, 'CANCELLED'], answer?.text);
  });
});

describe('a chunked body whose connection is reset before its first byte', () => {
  it('is no empty body: the call is not done', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, async () => (await create()).id));
    for (const id of ids) {
      const socket = open(service.url);
      socket.on('error', () => {});
      const path = `/v1/payment-requests/${id}/cancellation`;
      const named = `X-Request-Id: ${id}\r\nTransfer-Encoding: chunked\r\n\r\n`;
      socket.write(head('POST', path) + named);
      // The answer to a later call: the head has been read by then.
      await service.call('GET', '/.well-known/jwks.json');
      socket.resetAndDestroy();
    }
    const isOver = (id: string) =>
      service.logLines.some(({ requestId, aborted }) => requestId === id && aborted);
    await eventually(() => ids.every(isOver));
    // A whole cancellation: those before it had the time of one.
    const { id: other } = await create();
    await post(`/v1/payment-requests/${other}/cancellation`, {});
    for (const id of ids) {
      const { headers } = merchant;
      const { json } = await service.call('GET', `/v1/payment-requests/${id}`, { headers });
      assert.equal(json.status, 'CREATED');
    }
  });
});

describe('a body with bytes', () => {
  it('is read where it may be left out, also when it comes in late chunks', async () => {
    const { id } = await create();
    const socket = open(service.url);
    const answers = readAnswers(socket, { answers: 1 });
    const path = `/v1/payment-requests/${id}/cancellation`;
    const chunked = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
    socket.write(head('POST', path) + chunked);
    await service.call('GET', '/.well-known/jwks.json');
    const body = '{"reason":"NONE_OF_THEM"}';
    socket.write(`${body.length.toString(16)}\r\n${body}\r\n`);
    await service.call('GET', '/.well-known/jwks.json');
    socket.write('0\r\n\r\n');
    const [answer] = await answers;
    assert.equal(answer?.json?.errors?.[0]?.field, 'reason', answer?.text);
  });

  it('keeps its media type where it may be left out', async () => {
    const { id } = await create();
    const { status, json } = await service.call('POST', `/v1/payment-requests/${id}/cancellation`, {
      headers: { ...merchant.headers, 'content-type': 'text/plain' },
      body: 'x',
    });
    assert.deepEqual([status, json.code], [415, 'UNSUPPORTED_MEDIA_TYPE']);
  });
});

describe('a body of length 0 in a call that needs one', () => {
  for (const [type, code] of [
    ['application/json', 'MALFORMED_JSON'],
    ['text/plain', 'UNSUPPORTED_MEDIA_TYPE'],
  ] as const) {
    it(`is refused with ${code} as ${type}`, async () => {
      for (const rest of Object.values(EMPTY).slice(1)) {
        const bytes = `${head('POST', '/v1/payment-requests')}Content-Type: ${type}\r\n${rest}`;
        const [answer] = await rawCall(service.url, bytes, { answers: 1 });
        assert.equal(answer?.json?.code, code);
      }
    });
  }

  it('keeps the token call’s own rules', async () => {
    const basic = Buffer.from(`${merchant.username}:${merchant.password}`).toString('base64');
    const { json } = await service.call('POST', '/oauth2/token', {
      headers: {
        authorization: `Basic ${basic}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: '',
    });
    assert.match(json.error_description, /^Send grant_type/);
  });
});
