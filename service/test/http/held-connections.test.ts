import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { after, afterEach, before, describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { sampleOf } from '../support/metric-samples.ts';
import { open, rawCall, readAnswers } from '../support/network/raw-call.ts';
import { type Production, startProduction } from '../support/service/production.ts';
import { buyToken } from '../support/service/service.ts';

const HOST = 'Host: pay.test\r\n';
const GET_PAGE = `GET /problems HTTP/1.1\r\n${HOST}\r\n`;
const FORM = 'Content-Type: application/x-www-form-urlencoded\r\n';
/** A token call whose body never comes. */
const HALF_TOKEN_CALL = `POST /oauth2/token HTTP/1.1\r\n${HOST}${FORM}Content-Length: 100\r\n\r\n`;
/** More than the gate has places, and more than may be under way of one address or in all. */
const MANY = 1_300;
/** The most owed answers of a connection, and the most unfinished bodies of merchants. */
const MOST_OWED = 16;
const MOST_OF_MERCHANTS = 1_000;

/** The places of a gate that nothing has narrowed. */
const WHOLE_GATE = 1_000;
/** Far below what is held. */
const FEW = 50;

let production: Production;
let url: string;
let sockets: Socket[] = [];
/** Node.js warns when a connection or an answer collects listeners. */
const warnings: string[] = [];
process.on('warning', ({ message }) => warnings.push(message));

before(async () => {
  production = await startProduction();
  url = production.service.url;
});
after(() => production?.stop());
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
});

function connectAndSend(bytes: string): Socket {
  const socket = open(url);
  sockets.push(socket);
  socket.write(bytes);
  return socket;
}

const countHeld = () => sockets.filter(({ readyState }) => readyState === 'open').length;

/** Waits until the service has closed the connection. */
async function isClosed(socket: Socket): Promise<void> {
  socket.resume();
  await eventually(() => socket.readableEnded || socket.closed, 'the connection’s end');
}

async function gauge(name: string): Promise<number> {
  const text = await (await fetch(`${production.service.opsUrl}/metrics`)).text();
  return sampleOf(text, name) ?? Number.NaN;
}

/**
 * Makes each kind of call once, from the address of the held connections. A busy machine narrows the
 * gate for a moment and refuses calls: they are made again, as long as the gate is not whole.
 */
async function callAsOthersDo(): Promise<void> {
  const { fault } = await eventually(async () => {
    const fault = await makeEachCall().then(
      () => null,
      (error) => error,
    );
    const isWhole = (await gauge('http_requests_in_flight_limit')) === WHOLE_GATE;
    return (fault === null || isWhole) && { fault };
  }, 'calls through a gate that was narrowed');
  if (fault) throw fault;
}

async function makeEachCall(): Promise<void> {
  const { service, merchant, call, createLink } = production;
  await buyToken(service.call, merchant);
  const { paymentLink, id } = await createLink();
  assert.equal((await call('GET', `/v1/payment-requests/${id}`)).status, 200);
  const opened = await service.call('GET', new URL(paymentLink).pathname);
  assert.equal(opened.status, 303, opened.text);
}

/** The path of a new payment's pages at the gateway. */
async function openGateway(): Promise<string> {
  const { shortCode } = await production.createLink();
  const opened = await production.service.call('GET', `/pay/${shortCode}`);
  return new URL(opened.headers.get('location') ?? '', url).pathname;
}

function authorised(): string {
  return Object.entries(production.merchant.headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}

describe('requests behind an answer that stays open', () => {
  const fiftyKilobytes = GET_PAGE.repeat(Math.ceil(50_000 / GET_PAGE.length));

  for (const [name, head] of [
    [
      'a live page',
      (id: string) => `GET /pay/live/${id}?seen=9 HTTP/1.1\r\nAccept: text/event-stream\r\n`,
    ],
    [
      'a read that waits',
      (id: string) => `GET /v1/payment-requests/${id}?waitSeconds=30 HTTP/1.1\r\n`,
    ],
    ['a feed that waits', () => 'GET /v1/events?waitSeconds=30 HTTP/1.1\r\n'],
  ] as const) {
    it(`end the connection and hold no place: ${name}`, async () => {
      const { id } = await production.createLink();
      const first = `${head(id)}${HOST}${authorised()}\r\n`;
      const atOnce = connectAndSend(first + fiftyKilobytes);
      await callAsOthersDo();
      await isClosed(atOnce);
      const few = connectAndSend(first + GET_PAGE);
      await isClosed(few);
      const later = connectAndSend(first);
      await eventually(async () => (await gauge('http_requests_in_flight')) === 0);
      later.write(GET_PAGE);
      await isClosed(later);
      await callAsOthersDo();
      assert.equal(await gauge('http_requests_in_flight'), 0);
    });
  }

  it('are taken once the answer in front of them is over', async () => {
    const { id } = await production.createLink();
    const path = `/v1/payment-requests/${id}?waitSeconds=30`;
    const socket = connectAndSend(`GET ${path} HTTP/1.1\r\n${HOST}${authorised()}\r\n`);
    const answers = readAnswers(socket, { answers: 2, patienceMs: 30_000 });
    socket.once('data', () => socket.write(GET_PAGE));
    await production.cancel(id);
    const [first, second] = await answers;
    assert.equal(first?.json.status, 'CANCELLED');
    assert.equal(second?.status, 200);
  });
});

describe('pipelined requests', () => {
  it(`are answered in order, up to ${MOST_OWED} at once`, async () => {
    const asked = Array.from({ length: MOST_OWED }, (_, n) => `mine-${n}`);
    const bytes = asked.map(
      (id) => `GET /problems/rate-limited HTTP/1.1\r\n${HOST}X-Request-Id: ${id}\r\n\r\n`,
    );
    const answers = await rawCall(url, bytes.join(''), { answers: MOST_OWED });
    assert.deepEqual(
      answers.map(({ headers }) => headers.get('x-request-id')),
      asked,
    );
  });

  it('end the connection beyond that, and give their places back', async () => {
    const { service, createLink } = production;
    const { shortCode } = await createLink();
    const bytes = `GET /pay/${shortCode} HTTP/1.1\r\n${HOST}\r\n`.repeat(MOST_OWED + 1);
    const socket = connectAndSend(bytes);
    await isClosed(socket);
    assert.equal(socket.bytesRead, 0);
    await eventually(async () => (await gauge('http_requests_in_flight')) === 0);
    assert.equal((await service.call('GET', `/pay/${shortCode}`)).status, 303);
  });
});

describe('callers that do not read their answers', () => {
  it('hold no place', async () => {
    for (let n = 0; n < 60; n += 1) {
      const socket = connectAndSend(`GET /openapi.json HTTP/1.1\r\n${HOST}\r\n`.repeat(MOST_OWED));
      socket.pause();
    }
    await callAsOthersDo();
    await eventually(async () => (await gauge('http_requests_in_flight')) === 0);
    assert.ok(sockets.every((socket) => !socket.destroyed));
  });
});

describe('connections that send a part of a request and wait', () => {
  const PARTS: readonly (readonly [string, (gateway: string) => string])[] = [
    ['half a head', () => 'POST /oauth2/token HTTP/1.1\r\nHost: pay'],
    ['a token call’s head', () => HALF_TOKEN_CALL],
    [
      'a token call’s head that expects 100-continue',
      () => HALF_TOKEN_CALL.replace(FORM, `${FORM}Expect: 100-continue\r\n`),
    ],
    [
      'a gateway form’s head',
      (gateway) => `POST ${gateway}/choose HTTP/1.1\r\n${HOST}${FORM}Content-Length: 100\r\n\r\n`,
    ],
    [
      'a creation’s head with an API key',
      () =>
        `POST /v1/payment-requests HTTP/1.1\r\n${HOST}${authorised()}` +
        'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"amount":',
    ],
  ];
  for (const [name, part] of PARTS) {
    it(`keep nobody else from an answer: ${name}, ${MANY} times`, async () => {
      const bytes = part(await openGateway());
      for (let n = 0; n < MANY; n += 1) {
        connectAndSend(bytes);
        if (n % 250 === 0) await callAsOthersDo();
      }
      await eventually(() => sockets.every(({ connecting }) => !connecting), 'the connections');
      await callAsOthersDo();
      // Connections that lose their turn are being answered for a moment.
      await eventually(
        async () => countHeld() > FEW && (await gauge('http_requests_in_flight')) < FEW,
        'few places in use while many connections are held',
      );
      // A busy machine may have narrowed the gate for a moment: calls that end open it again.
      await eventually(async () => {
        await production.call('GET', '/v1/payment-requests');
        return (await gauge('http_requests_in_flight_limit')) === WHOLE_GATE;
      }, 'the whole gate');
    });
  }

  it('lose the oldest of their bodies to a newcomer, which is served', async () => {
    // A merchant's body has 30 seconds: the test may take longer than the 5 of a form.
    const body = '{"amount":1,"type":"ECOMM","payer":{"name":"Ada","email":"ada@example.com"}}';
    const half =
      `POST /v1/payment-requests HTTP/1.1\r\n${HOST}${authorised()}` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    const oldest = connectAndSend(half);
    const answers = readAnswers(oldest, { patienceMs: 60_000 });
    await eventually(() => oldest.bytesWritten > 0 && !oldest.connecting);
    for (let n = 1; n < MOST_OF_MERCHANTS; n += 1) connectAndSend(half);
    const isSent = ({ connecting, bytesWritten }: Socket) => !connecting && bytesWritten > 0;
    await eventually(() => sockets.every(isSent), 'the others’ heads, before the newcomer’s');
    await production.call('GET', '/v1/payment-requests');
    const newcomer = connectAndSend(half);
    const [evicted] = await answers;
    assert.equal(evicted?.status, 408, evicted?.text);
    assert.match(evicted.json.detail, /^The body was late while many others arrived/);
    assert.equal(evicted.headers.get('connection'), 'close');
    const answered = readAnswers(newcomer, { answers: 1 });
    newcomer.write(body);
    assert.equal((await answered)[0]?.status, 201);
  });

  it('have 5 seconds for a form, however it drips', async () => {
    const path = `${await openGateway()}/choose`;
    const startMs = performance.now();
    const language = 'Accept-Language: fr\r\n';
    const socket = connectAndSend(
      `POST ${path} HTTP/1.1\r\n${HOST}${FORM}${language}Content-Length: 100\r\n\r\n`,
    );
    const dripping = setInterval(() => socket.write('a'), 200);
    try {
      const [answer] = await readAnswers(socket, { patienceMs: 20_000 });
      assert.equal(answer?.status, 503, answer?.text);
      assert.match(answer.text, /<html lang="fr"/);
      assert.ok(performance.now() - startMs > 4_500);
    } finally {
      clearInterval(dripping);
    }
  });
});

describe('a form for a payment that the gateway does not know', () => {
  it('is refused before its body comes', async () => {
    const path = '/gateway/AAAAAAAAAAAAAAAAAAAAAA/choose';
    const head = `POST ${path} HTTP/1.1\r\n${HOST}${FORM}Content-Length: 100\r\n\r\n`;
    const [answer] = await readAnswers(connectAndSend(head), { answers: 1 });
    assert.ok(answer?.status === 404 || answer?.status === 429, answer?.text);
  });
});

describe('all these connections together', () => {
  it('collect no listeners', () => {
    assert.deepEqual(warnings, []);
  });
});
