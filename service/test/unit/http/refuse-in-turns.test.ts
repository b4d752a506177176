import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import fastify, { type FastifyInstance } from 'fastify';
import type { Permit } from '#http/overload/load-gate.ts';
import { PendingResponse } from '#http/overload/pending-responses.ts';
import { createOverloadShedding } from '#http/overload/shed-overload.ts';
import { registerErrorHandler } from '#http/problems/error-handler.ts';
import { createBrokenRequestAnswers } from '#http/server/broken-requests.ts';
import { eventually } from '../../support/eventually.ts';
import { open, type RawAnswer, rawCall, readAnswers } from '../../support/network/raw-call.ts';

/** The most refusals that one turn of the event loop writes. */
const MOST_WRITTEN = 64;

let app: FastifyInstance;
let url: string;
/** Whether the gate has no permit. */
let isFull: boolean;
let shed: string[];
/** The requests that Node.js has made an answer for. */
let made: number;
/** The refusals rendered in this turn of the event loop, and the most of any turn. */
let inTurn = 0;
let mostInTurn = 0;
/** Ends the call of GET /held. */
let letGo: () => void;

const permit: Permit = { release: () => {}, pause: () => {}, resume: () => true };
const onMade = () => {
  made += 1;
};

/** A refusal reads the clock once, and so is counted. */
function now(): Date {
  inTurn += 1;
  mostInTurn = Math.max(mostInTurn, inTurn);
  if (inTurn === 1) {
    setImmediate(() => {
      inTurn = 0;
    });
  }
  return new Date('2026-03-01T12:00:00Z');
}

const clock = { now, steadyMs: () => 0 };

before(async () => {
  const shedding = createOverloadShedding({
    origin: 'https://pay.test',
    clock,
    gate: { enter: () => (isFull ? null : permit) },
    classify: (path) => (path.startsWith('/person') ? 'person' : 'merchant'),
    isOfMerchant: () => false,
    onShed: (traffic) => shed.push(traffic),
  });
  const broken = createBrokenRequestAnswers({
    origin: 'https://pay.test',
    clock,
    openCalls: { isUnderWay: () => false },
    onRefused: () => {},
  });
  app = fastify({
    clientErrorHandler: broken.clientErrorHandler,
    serverFactory: (handle) =>
      createServer(
        { ServerResponse: PendingResponse, keepAliveTimeout: 65_000 },
        shedding.inFrontOf(handle),
      ),
  });
  shedding.register(app);
  registerErrorHandler(app, { origin: 'https://pay.test', clock });
  broken.watch(app);
  app.all('/', (request) => ({ got: request.body ?? null, trailer: request.headers['x-late'] }));
  app.get('/held', () => new Promise((resolve) => (letGo = () => resolve('held'))));
  await app.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  subscribe('http.server.request.start', onMade);
});
beforeEach(() => {
  isFull = true;
  shed = [];
  made = 0;
});
after(async () => {
  unsubscribe('http.server.request.start', onMade);
  app.server.closeAllConnections();
  await app.close();
});

const BODY = '{"amount":1}';

function request(line: string, headers = '', body = ''): string {
  return `${line} HTTP/1.1\r\nHost: a\r\n${headers}\r\n${body}`;
}

function create(id: string, body = BODY): string {
  const headers = `X-Request-Id: ${id}\r\nContent-Type: application/json\r\n`;
  return request('POST /', `${headers}Content-Length: ${BODY.length}\r\n`, body);
}

function assertRefused(answer: RawAnswer | undefined, id: string): void {
  assert.equal(answer?.status, 503, answer?.text);
  assert.equal(answer.headers.get('x-request-id'), id);
  assert.equal(answer.json.requestId, id);
  assert.equal(answer.json.code, 'TEMPORARILY_UNAVAILABLE');
}

describe('a merchant’s call that is refused before its route is known', () => {
  it('gets the same answer in any form', async () => {
    const chunked = 'X-Request-Id: mine-1\r\nTransfer-Encoding: chunked\r\n';
    const [late] = await rawCall(url, request('POST /', chunked, '0\r\n\r\n'), { answers: 1 });
    const [early] = await rawCall(url, create('mine-1'), { answers: 1 });
    assertRefused(early, 'mine-1');
    const plain = (answer: RawAnswer | undefined) => ({
      headers: [...(answer?.headers ?? [])].filter(([name]) => name !== 'date').sort(),
      counts: [...(answer?.counts ?? [])].sort(),
      problem: { ...answer?.json, instance: '' },
    });
    assert.deepEqual(plain(early), plain(late));
    assert.match(early?.headers.get('date') ?? '', /^\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT$/);
    assert.match(early?.json.instance, /^urn:uuid:[0-9a-f-]{36}$/);
    assert.deepEqual(shed, ['merchant', 'merchant']);
  });

  it('gets an id where the call has none, or more than one', async () => {
    const two = 'X-Request-Id: one\r\nX-Request-Id: two\r\n';
    for (const headers of ['', two]) {
      const [answer] = await rawCall(url, request('GET /', headers), { answers: 1 });
      assert.match(answer?.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
      assert.equal(answer?.json.requestId, answer?.headers.get('x-request-id'));
    }
  });

  it('leaves its connection to the next call, also when its body comes late', async () => {
    const socket = open(url);
    const answers = readAnswers(socket, { answers: 3 });
    socket.write(create('mine-1', BODY.slice(0, 4)));
    await eventually(() => shed.length === 1 && socket.bytesRead > 0);
    socket.write(BODY.slice(4) + create('mine-2'));
    await eventually(() => shed.length === 2);
    isFull = false;
    socket.write(create('mine-3').replace(BODY, '{"amount":3}'));
    const [first, second, third] = await answers;
    assertRefused(first, 'mine-1');
    assertRefused(second, 'mine-2');
    assert.deepEqual([third?.status, third?.text], [200, '{"got":{"amount":3}}']);
  });

  it('leaves its connection to the next call behind a body that nobody reads', async () => {
    const large = 'a'.repeat(500_000);
    const socket = open(url);
    const answers = readAnswers(socket, { answers: 2 });
    socket.write(
      request('POST /', `X-Request-Id: a\r\nContent-Length: ${large.length}\r\n`, large),
    );
    socket.write(create('b'));
    const [first, second] = await answers;
    assertRefused(first, 'a');
    assertRefused(second, 'b');
  });

  it('is answered in its order among pipelined calls', async () => {
    isFull = false;
    const socket = open(url);
    const answers = readAnswers(socket, { answers: 4 });
    socket.write(request('GET /held'));
    await eventually(() => made === 1);
    isFull = true;
    socket.write(['a', 'b', 'c'].map((id) => create(id)).join(''));
    await eventually(() => made === 4);
    letGo();
    const [held, ...refused] = await answers;
    assert.equal(held?.text, 'held');
    for (const [at, id] of ['a', 'b', 'c'].entries()) assertRefused(refused[at], id);
  });

  it('delays the calls behind it until it is answered', async () => {
    const ids = ['a', 'b', 'c'];
    const bytes = ids.map((id) => create(id)).join('');
    const answers = await rawCall(url, bytes, { answers: ids.length });
    for (const [at, id] of ids.entries()) assertRefused(answers[at], id);
  });

  for (const [name, bytes, status] of [
    ['bytes that are no request', '\0\r\n\r\n', 400],
    ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n', 405],
  ] as const) {
    it(`is answered before what the same packet brings behind it: ${name}`, async () => {
      const [first, second] = await rawCall(url, create('a') + bytes);
      assertRefused(first, 'a');
      assert.equal(second?.status, status);
    });
  }
});

describe('a call of an uncommon form', () => {
  for (const [name, bytes] of [
    ['of a person', request('GET /person')],
    ['whose connection ends', request('GET /', 'Connection: close\r\n')],
    ['of HTTP/1.0', 'GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n'],
    ['with chunks', request('POST /', 'Transfer-Encoding: chunked\r\n', '0\r\n\r\n')],
  ] as const) {
    it(`is refused: a call ${name}`, async () => {
      const [answer] = await rawCall(url, bytes, { answers: 1 });
      assert.equal(answer?.status, 503, answer?.text);
    });
  }

  it('reads 100 Continue and then its refusal: a call that waits for 100-continue', async () => {
    const bytes = create('mine-1').replace('Host', 'Expect: 100-continue\r\nHost');
    const [interim, answer] = await rawCall(url, bytes, { answers: 2 });
    assert.equal(interim?.status, 100);
    assertRefused(answer, 'mine-1');
  });

  it('is refused without a body: HEAD', async () => {
    const close = 'Connection: close\r\n';
    const socket = open(url);
    socket.write(request('HEAD /') + request('HEAD /', close));
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    await once(socket, 'end');
    socket.destroy();
    assert.equal(received.match(/HTTP\/1\.1 503/g)?.length, 2, received);
    assert.ok(!received.includes('TEMPORARILY_UNAVAILABLE'));
  });

  it('is served while the gate has permits', async () => {
    isFull = false;
    const [answer] = await rawCall(url, create('mine-1'), { answers: 1 });
    assert.equal(answer?.status, 200);
    assert.deepEqual(shed, []);
  });
});

describe('refusals of merchants’ calls', () => {
  it(`are written ${MOST_WRITTEN} in one turn of the event loop, and all of them`, async () => {
    const sockets: Socket[] = Array.from({ length: 100 }, () => open(url));
    await eventually(() => sockets.every(({ connecting }) => !connecting));
    mostInTurn = 0;
    const answered = sockets.map((socket) => readAnswers(socket, { answers: 1 }));
    for (const [at, socket] of sockets.entries()) socket.write(create(`mine-${at}`));
    for (const [at, answers] of (await Promise.all(answered)).entries()) {
      assertRefused(answers[0], `mine-${at}`);
    }
    assert.ok(mostInTurn <= MOST_WRITTEN, `${mostInTurn}`);
  });
});
