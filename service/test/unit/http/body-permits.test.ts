import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, beforeEach, describe, it } from 'node:test';
import fastify, { type FastifyInstance } from 'fastify';
import type { Permit } from '#http/overload/load-gate.ts';
import { PendingResponse } from '#http/overload/pending-responses.ts';
import { createOverloadShedding } from '#http/overload/shed-overload.ts';
import { systemClock } from '#lib/clock.ts';

/** The steps of the call with its permit, in order. */
let steps: string[];
let app: FastifyInstance;
/** Settles when the next call has paused its permit. */
let paused: PromiseWithResolvers<void>;

const permit: Permit = {
  release: () => {},
  pause() {
    steps.push('pause');
    paused.resolve();
  },
  resume: () => steps.push('resume') > 0,
};

before(async () => {
  const shedding = createOverloadShedding({
    origin: 'http://localhost',
    clock: systemClock,
    gate: { enter: () => permit },
    classify: () => 'merchant',
    isOfMerchant: () => false,
    onShed: () => {},
  });
  app = fastify({
    serverFactory: (handle) =>
      createServer({ ServerResponse: PendingResponse }, shedding.inFrontOf(handle)),
  });
  shedding.register(app);
  app.post('/', (request) => request.body);
  await app.listen({ host: '127.0.0.1', port: 0 });
});
beforeEach(() => {
  steps = [];
  paused = Promise.withResolvers<void>();
});
after(() => app.close());

const BODY = '{"amount":1}';
const head = (length: string) =>
  `POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\n${length}\r\n`;
const LENGTH = `Content-Length: ${BODY.length}\r\n`;

function open() {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  return { socket, answer: text(socket) };
}

describe('the permit of a call with a body', () => {
  it('is kept when the body comes with the head', async () => {
    const { socket, answer } = open();
    socket.write(head(LENGTH) + BODY);
    assert.match(await answer, /^HTTP\/1\.1 200 [\s\S]*\{"amount":1\}$/);
    assert.deepEqual(steps, ['resume']);
  });

  for (const [name, length, first, rest] of [
    ['no byte of the body', LENGTH, '', BODY],
    ['a part of the body', LENGTH, BODY.slice(0, 5), BODY.slice(5)],
    ['a chunk of the body', 'Transfer-Encoding: chunked\r\n', `c\r\n${BODY}\r\n`, '0\r\n\r\n'],
  ] as const) {
    it(`is paused when ${name} comes with the head`, async () => {
      const { socket, answer } = open();
      socket.write(head(length) + first);
      await paused.promise;
      socket.write(rest);
      assert.match(await answer, /^HTTP\/1\.1 200 [\s\S]*\{"amount":1\}$/);
      assert.deepEqual(steps, ['pause', 'resume']);
    });
  }
});
