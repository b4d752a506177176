import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
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

/** The bytes of a creation, whose body has characters of several bytes. */
function creation(invoiceNumber: string): { readonly head: string; readonly body: Buffer } {
  const payer = { ...SMALLEST_BODY.payer, name: 'Zoë Δ 日本' };
  const body = Buffer.from(JSON.stringify({ ...SMALLEST_BODY, payer, invoiceNumber }));
  const headers = { ...merchant.headers, 'content-type': 'application/json' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head =
    'POST /v1/payment-requests HTTP/1.1\r\nHost: pay.test\r\n' +
    `${lines.join('')}Content-Length: ${body.length}\r\n\r\n`;
  return { head, body };
}

async function answersTo(pieces: readonly (string | Buffer)[], answers: number) {
  const socket = open(service.url);
  await once(socket, 'connect');
  socket.setNoDelay(true);
  for (const piece of pieces) {
    socket.write(piece);
    // Each piece is a packet of its own.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const found = await readAnswers(socket, { answers });
  socket.destroy();
  return found.map(({ status, json }) => [status, json.invoiceNumber, json.payer?.name]);
}

const CREATED = (invoiceNumber: string) => [201, invoiceNumber, 'Zoë Δ 日本'];

describe('the body of a call', () => {
  it('is read when it comes with the head, several times on one connection', async () => {
    const [one, two] = [creation('1'), creation('2')];
    const pieces = [one, two].map(({ head, body }) => Buffer.concat([Buffer.from(head), body]));
    assert.deepEqual(await answersTo(pieces, 2), [CREATED('1'), CREATED('2')]);
  });

  it('is read when it comes behind the head', async () => {
    const { head, body } = creation('3');
    assert.deepEqual(await answersTo([head, body], 1), [CREATED('3')]);
  });

  it('is read when a part of it comes with the head', async () => {
    const { head, body } = creation('4');
    const half = Math.floor(body.length / 2);
    const first = Buffer.concat([Buffer.from(head), body.subarray(0, half)]);
    assert.deepEqual(await answersTo([first, body.subarray(half)], 1), [CREATED('4')]);
  });
});

describe('a call whose head names a media type and no body', () => {
  for (const [line, type] of [
    ['POST /v1/payment-requests', 'application/json'],
    ['PATCH /v1/payment-requests/0199a3a0-0000-7000-8000-000000000000', 'application/json'],
    ['POST /oauth2/token', 'application/x-www-form-urlencoded'],
  ] as const) {
    it(`is answered as with a body of length 0: ${line}`, async () => {
      const headers = { host: 'pay.test', ...merchant.headers, 'content-type': type };
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      const head = `${line} HTTP/1.1\r\n${lines.join('')}`;
      const [without] = await rawCall(service.url, `${head}\r\n`, { answers: 1 });
      const [empty] = await rawCall(service.url, `${head}content-length: 0\r\n\r\n`, {
        answers: 1,
      });
      const plain = (answer: RawAnswer | undefined) => [answer?.status, answer?.json.detail];
      assert.deepEqual(plain(without), plain(empty));
      assert.ok((without?.status ?? 0) >= 400, without?.text);
    });
  }
});

describe('a large body behind a refusal', () => {
  const head = (length: number) =>
    `POST /v1/payment-requests HTTP/1.1\r\nHost: pay.test\r\nContent-Length: ${length}\r\n\r\n`;

  it('stays unread: the caller gets the answer, and then the end of the connection', async () => {
    const socket = open(service.url);
    const text = async (): Promise<string> => {
      const [bytes] = (await once(socket, 'data')) as [Buffer];
      return bytes.toString();
    };
    const large = 64 * 1024 * 1024;
    socket.write(head(large));
    const answer = await text();
    assert.match(answer, /^HTTP\/1\.1 401 /);
    assert.match(answer, /\r\nconnection: close\r\n/i);
    // More than the buffers of both ends hold.
    const isTaken = await new Promise((resolve) => {
      socket.write(Buffer.alloc(large), (error) => resolve(!error));
    });
    assert.equal(isTaken, false);
  });

  it('is discarded up to 16 kB, and the connection serves the next call', async () => {
    const bytes = head(16_384) + ' '.repeat(16_384);
    const answers = await rawCall(service.url, bytes + bytes, { answers: 2 });
    assert.deepEqual(
      answers.map(({ status }) => status),
      [401, 401],
    );
  });
});

describe('a parser that runs before its caller is known', () => {
  const LIST = '/v1/payment-requests';
  const lines = (headers: Readonly<Record<string, string>>) =>
    Object.entries({ host: 'pay.test', ...headers })
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
  const inChunks = (text: string, bytes = 1) =>
    (text.match(new RegExp(`.{1,${bytes}}`, 'g')) ?? [])
      .map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`)
      .join('');
  /** A creation of `count` chunks: its JSON has spaces behind it. */
  const chunked = (count: number, headers: Readonly<Record<string, string>> = merchant.headers) => {
    const text = JSON.stringify(SMALLEST_BODY).padEnd(count);
    const own = { ...headers, 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    return `POST ${LIST} HTTP/1.1\r\n${lines(own)}\r\n${inChunks(text)}`;
  };

  it('reads a body of 1,024 chunks, several on one connection', async () => {
    const body = `${chunked(1_024)}0\r\n\r\n`;
    const answers = await rawCall(service.url, body + body, { answers: 2 });
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201],
    );
  });

  it('drops the rest of a body of more chunks, whoever sends it, and reads the next one', async () => {
    for (let count = 0; count < 20; count += 1) {
      const [answer] = await rawCall(service.url, `${chunked(1_025)}0\r\n\r\n`);
      assert.deepEqual([answer?.status, answer?.json.code], [413, 'PAYLOAD_TOO_LARGE']);
      assert.match(answer?.json.detail, /more than 1024 chunks/);
      // A body that never ends, of a caller whom nobody knows.
      const [refused] = await rawCall(service.url, chunked(9_000, {}));
      assert.ok([401, 413].includes(refused?.status ?? 0), refused?.text);
      // Node.js uses the parsers of both connections again.
      const { head, body } = creation(`after ${count}`);
      const next = [Buffer.concat([Buffer.from(head), body])];
      assert.deepEqual(await answersTo(next, 1), [CREATED(`after ${count}`)]);
    }
  });

  it('counts parameters and fields first, and names the bound', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const call = async (path: string, body?: string) => {
      const head = body === undefined ? 'GET' : 'POST';
      const length = body === undefined ? {} : { ...form, 'content-length': `${body.length}` };
      const bytes = `${head} ${path} HTTP/1.1\r\n${lines(length)}\r\n${body ?? ''}`;
      const [answer] = await rawCall(service.url, bytes, { answers: 1 });
      return answer;
    };
    for (const path of [LIST, '/problems', '/console/sign-in', '/docs', '/nowhere', '/pay/x']) {
      const over = await call(`${path}?${'a&'.repeat(200)}`);
      assert.deepEqual([over?.status, over?.json?.code], [400, 'MALFORMED_REQUEST'], path);
      assert.match(over?.json.detail, /more than 200 parameters/);
      const within = await call(`${path}?${'a&'.repeat(199)}`);
      assert.notEqual(within?.json?.code, 'MALFORMED_REQUEST', path);
    }
    const over = await call('/oauth2/token', '&'.repeat(200));
    assert.deepEqual([over?.status, over?.json.error], [413, 'invalid_request']);
    assert.match(over?.json.error_description, /more than 200 fields/);
    assert.notEqual((await call('/oauth2/token', '&'.repeat(199)))?.status, 413);
  });
});
