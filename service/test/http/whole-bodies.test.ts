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
