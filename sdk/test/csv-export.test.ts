import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createClient, NoAnswerError } from '@payment-requests/sdk';
import { createFakeService, problem } from './fake-service.ts';

function setUp() {
  const service = createFakeService();
  return { service, client: createClient({ ...service.options, timeoutMs: 500 }) };
}

/** An answer whose body the test writes; it ends when the call is aborted. */
function openAnswer(init: ResponseInit = {}) {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given;
    },
    cancel: () => {
      isCancelled = true;
    },
  });
  return {
    reply: ({ signal }: { readonly signal: AbortSignal }) => {
      signal.addEventListener('abort', () => {
        isCancelled = true;
        controller?.error(signal.reason);
      });
      return new Response(body, init);
    },
    write: (bytes: Uint8Array) => controller?.enqueue(bytes),
    close: () => controller?.close(),
    breakOff: () => controller?.error(new TypeError('terminated')),
    isCancelled: () => isCancelled,
  };
}

const utf8 = (text: string) => new TextEncoder().encode(text);

describe('a CSV export', () => {
  it('decodes characters that two pieces share, and takes the name of the file', async () => {
    const { service, client } = setUp();
    const headers = { 'content-disposition': 'attachment; filename="payment-requests-1.csv"' };
    const answer = openAnswer({ headers });
    service.reply(answer.reply);
    const csv = await client.exportPaymentRequests();
    assert.equal(csv.fileName, 'payment-requests-1.csv');
    assert.match(service.calls[0]?.headers.get('accept') ?? '', /^text\/csv/);
    const bytes = utf8('id,Zoë\n');
    for (const at of bytes.keys()) answer.write(bytes.subarray(at, at + 1));
    answer.close();
    let text = '';
    for await (const piece of csv) text += piece;
    assert.equal(text, 'id,Zoë\n');
  });

  it('is retried until its answer begins', async () => {
    const { service, client } = setUp();
    const answer = openAnswer();
    service.reply(problem(429, 'RATE_LIMITED', { 'retry-after': '1' }), answer.reply);
    await client.exportPaymentRequests();
    assert.equal(service.calls.length, 2);
    service.reply(problem(406, 'NOT_ACCEPTABLE'));
    await assert.rejects(client.exportPaymentRequests(), { code: 'NOT_ACCEPTABLE' });
  });

  it('fails when it breaks off, so that half a file never looks complete', async () => {
    const { service, client } = setUp();
    const answer = openAnswer();
    service.reply(answer.reply);
    const csv = await client.exportPaymentRequests();
    answer.write(utf8('id\n'));
    const pieces: string[] = [];
    const reading = (async () => {
      for await (const piece of csv) {
        pieces.push(piece);
        answer.breakOff();
      }
    })();
    const error = await reading.catch((thrown) => thrown);
    assert.ok(error instanceof NoAnswerError);
    assert.equal(error.code, 'NETWORK_ERROR');
    assert.deepEqual(pieces, ['id\n']);
  });

  it('fails when it is silent, but not when its reader is slow', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { service, client } = setUp();
    const answer = openAnswer();
    service.reply(answer.reply);
    const { stream } = await client.exportPaymentRequests();
    t.mock.timers.tick(10_000);
    const reader = stream.getReader();
    answer.write(utf8('id\n'));
    assert.equal((await reader.read()).value?.length, 3);
    t.mock.timers.tick(10_000);
    const silent = assert.rejects(reader.read(), { code: 'TIMEOUT', message: /silent for 500 ms/ });
    await turn();
    t.mock.timers.tick(500);
    await silent;
  });

  it('ends its call when the reader stops, or when the signal is aborted', async () => {
    const { service, client } = setUp();
    const first = openAnswer();
    service.reply(first.reply);
    first.write(utf8('id\n'));
    for await (const _ of await client.exportPaymentRequests()) break;
    assert.ok(first.isCancelled());

    const stop = new AbortController();
    const second = openAnswer();
    service.reply(second.reply);
    const csv = await client.exportPaymentRequests({}, { signal: stop.signal });
    stop.abort(new Error('enough'));
    await assert.rejects(new Response(csv.stream).text(), { message: 'enough' });
    assert.ok(second.isCancelled());
  });
});
