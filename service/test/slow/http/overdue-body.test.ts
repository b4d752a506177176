import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { open, readAnswers } from '../../support/network/raw-call.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../../support/service/service.ts';

let service: TestService;
let merchant: TestMerchant;

before(async () => {
  service = await startTestService();
  merchant = await service.createMerchant();
});
after(() => service.stop());

/** Sends a body of 1,000 bytes, one byte every half second. */
async function drip(head: string) {
  const startMs = performance.now();
  const socket = open(service.url);
  socket.write(`${head}Content-Length: 1000\r\n\r\n{`);
  const dripping = setInterval(() => socket.write(' '), 500);
  try {
    const answers = await readAnswers(socket, { patienceMs: 45_000 });
    return { answers, tookMs: performance.now() - startMs };
  } finally {
    clearInterval(dripping);
  }
}

describe('a caller that drips its body', { concurrency: true }, () => {
  const HEAD = 'POST /v1/payment-requests HTTP/1.1\r\nHost: pay.test\r\n';

  it('has 30 seconds for the whole request, and the answer says so', async () => {
    const headers = { ...merchant.headers, 'content-type': 'application/json' };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const { answers, tookMs } = await drip(HEAD + lines.join(''));
    assert.deepEqual(
      answers.map(({ status, json }) => [status, json.code]),
      [[408, 'REQUEST_TIMEOUT']],
    );
    assert.ok(tookMs > 29_000 && tookMs < 33_000, `it took ${tookMs} ms`);
  });

  it('is cut off after 30 seconds where it was refused already', async () => {
    const { answers, tookMs } = await drip(HEAD);
    assert.deepEqual(
      answers.map(({ status, json }) => [status, json.code]),
      [[401, 'API_KEY_MISSING']],
    );
    assert.ok(tookMs > 29_000 && tookMs < 33_000, `it took ${tookMs} ms`);
  });
});
