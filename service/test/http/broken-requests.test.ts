import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { open, type RawAnswer, rawCall, readAnswers } from '../support/network/raw-call.ts';
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

const HOST = 'Host: pay.test\r\n';
const CLOSE = 'Connection: close\r\n';
const CREATE = `POST /v1/payment-requests HTTP/1.1\r\n${HOST}`;

/** Every refusal has these parts, from each part of the service. */
const YEAR = 'max-age=31536000';

function assertProblem(
  answer: RawAnswer | undefined,
  status: number,
  code: string,
  isPublic = true,
): void {
  assert.ok(answer, 'no answer');
  assert.deepEqual([answer.status, answer.json?.code], [status, code], answer.text);
  assert.equal(answer.headers.get('content-type'), 'application/problem+json; charset=utf-8');
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
  assert.equal(answer.headers.get('strict-transport-security'), isPublic ? YEAR : undefined);
  assert.equal(
    answer.headers.get('content-security-policy'),
    "default-src 'none'; frame-ancestors 'none'",
  );
  assert.match(answer.headers.get('date') ?? '', / GMT$/);
  assert.equal(answer.headers.get('x-request-id'), answer.json.requestId);
  assert.equal(answer.json.status, status);
  const name = code.toLowerCase().replaceAll('_', '-');
  assert.equal(answer.json.type, `https://pay.test/problems/${name}`);
  assert.match(answer.json.instance, /^urn:uuid:[0-9a-f-]{36}$/);
  assert.equal(answer.json.timestamp, '2026-03-01T12:00:00.000Z');
  for (const [header, count] of answer.counts) assert.equal(count, 1, `${header} came ${count}×`);
}

const CASES: readonly (readonly [string, string, number, string])[] = [
  ['bytes that are not HTTP', 'hello\r\n\r\n', 400, 'MALFORMED_REQUEST'],
  ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc', 400, 'MALFORMED_REQUEST'],
  ['a method that HTTP does not know', `FETCH / HTTP/1.1\r\n${HOST}\r\n`, 400, 'MALFORMED_REQUEST'],
  ...['0.9', '1.2', '2.0', '3.0'].map(
    (version) =>
      [
        `HTTP/${version}`,
        `GET /v1/none HTTP/${version}\r\n${HOST}\r\n`,
        505,
        'HTTP_VERSION_NOT_SUPPORTED',
      ] as const,
  ),
  ['a request line without a version', 'GET /\r\n\r\n', 505, 'HTTP_VERSION_NOT_SUPPORTED'],
  ...['gzip', 'identity', 'gzip, chunked', 'identity, chunked', 'chunked, chunked', 'xchunked'].map(
    (coding) =>
      [
        `the transfer coding ${coding}`,
        `${CREATE}Transfer-Encoding: ${coding}\r\n\r\n0\r\n\r\n`,
        501,
        'TRANSFER_CODING_NOT_IMPLEMENTED',
      ] as const,
  ),
  ['an HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'MALFORMED_REQUEST'],
  ['line feeds alone', `GET / HTTP/1.1\n${HOST}\n`, 400, 'MALFORMED_REQUEST'],
  ['no Host', `GET / HTTP/1.1\r\n${CLOSE}\r\n`, 400, 'MALFORMED_REQUEST'],
  ['two Hosts', `GET / HTTP/1.1\r\n${HOST}${HOST}${CLOSE}\r\n`, 400, 'MALFORMED_REQUEST'],
  ['a space in a header name', `GET / HTTP/1.1\r\n${HOST}X A: b\r\n\r\n`, 400, 'MALFORMED_REQUEST'],
  [
    'a space before the colon',
    `GET / HTTP/1.1\r\n${HOST}X-A : b\r\n\r\n`,
    400,
    'MALFORMED_REQUEST',
  ],
  [
    'a control character in a header',
    `GET / HTTP/1.1\r\n${HOST}X-A: \x01\r\n\r\n`,
    400,
    'MALFORMED_REQUEST',
  ],
  ['a folded header', `GET / HTTP/1.1\r\n${HOST}X-A: a\r\n b\r\n\r\n`, 400, 'MALFORMED_REQUEST'],
  [
    'headers of more than 16 KiB',
    `GET / HTTP/1.1\r\n${HOST}X-A: ${'a'.repeat(17_000)}\r\n\r\n`,
    431,
    'HEADERS_TOO_LARGE',
  ],
  [
    'an address of more than 16 KiB',
    `GET /${'a'.repeat(17_000)} HTTP/1.1\r\n${HOST}\r\n`,
    431,
    'HEADERS_TOO_LARGE',
  ],
  ['a length that is no number', `${CREATE}Content-Length: ten\r\n\r\n`, 400, 'MALFORMED_REQUEST'],
  ['a negative length', `${CREATE}Content-Length: -1\r\n\r\n`, 400, 'MALFORMED_REQUEST'],
  [
    'two lengths',
    `${CREATE}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
    400,
    'MALFORMED_REQUEST',
  ],
  [
    'a length beside chunks',
    `${CREATE}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
    'MALFORMED_REQUEST',
  ],
  [
    'an encoding of the transfer that is none',
    `${CREATE}Transfer-Encoding: chunked, zip\r\n\r\n`,
    501,
    'TRANSFER_CODING_NOT_IMPLEMENTED',
  ],
  [
    'an escape that is none',
    `GET /v1/%zz HTTP/1.1\r\n${HOST}${CLOSE}\r\n`,
    400,
    'MALFORMED_REQUEST',
  ],
  [
    'bytes that are not UTF-8',
    `GET /v1/%ff HTTP/1.1\r\n${HOST}${CLOSE}\r\n`,
    400,
    'MALFORMED_REQUEST',
  ],
  ['CONNECT', `CONNECT pay.test:443 HTTP/1.1\r\n${HOST}\r\n`, 405, 'METHOD_NOT_ALLOWED'],
  [
    'TRACE',
    `TRACE /v1/payment-requests HTTP/1.1\r\n${HOST}${CLOSE}\r\n`,
    405,
    'METHOD_NOT_ALLOWED',
  ],
  [
    'PROPFIND',
    `PROPFIND /v1/payment-requests HTTP/1.1\r\n${HOST}${CLOSE}\r\n`,
    405,
    'METHOD_NOT_ALLOWED',
  ],
  [
    'an upgrade',
    `GET /v1/none HTTP/1.1\r\n${HOST}Upgrade: websocket\r\nConnection: upgrade, close\r\n\r\n`,
    404,
    'ROUTE_NOT_FOUND',
  ],
  [
    'an unknown expectation',
    `GET /v1/none HTTP/1.1\r\n${HOST}${CLOSE}Expect: the-moon\r\n\r\n`,
    404,
    'ROUTE_NOT_FOUND',
  ],
  ['HTTP/1.0', 'GET /v1/none HTTP/1.0\r\n\r\n', 404, 'ROUTE_NOT_FOUND'],
  [
    'an address with its scheme and host',
    `GET http://pay.test/v1/none HTTP/1.1\r\n${HOST}${CLOSE}\r\n`,
    404,
    'ROUTE_NOT_FOUND',
  ],
  [
    'an address of 10,000 characters',
    `GET /v1/${'a'.repeat(10_000)} HTTP/1.1\r\n${HOST}${CLOSE}\r\n`,
    404,
    'ROUTE_NOT_FOUND',
  ],
];

describe('a request that the HTTP layer refuses', () => {
  for (const [name, bytes, status, code] of CASES) {
    it(`is answered by a problem and a closed connection: ${name}`, async () => {
      const answers = await rawCall(service.url, Buffer.from(bytes, 'latin1'));
      assert.equal(answers.length, 1);
      assertProblem(answers[0], status, code);
      assert.equal(answers[0]?.headers.get('connection'), 'close');
      assert.equal(answers[0]?.headers.has('allow'), status === 405);
    });
  }

  it('says in words what is wrong with it', async () => {
    const [answer] = await rawCall(service.url, `GET / HTTP/1.1\r\n${HOST}X-A: \x01\r\n\r\n`);
    assert.equal(
      answer?.json.detail,
      'The request is not well-formed HTTP (Invalid header value char).',
    );
  });

  it('leaves a line in the log', async () => {
    const before = service.logLines.length;
    await rawCall(service.url, 'hello\r\n\r\n');
    const line = await eventually(() => {
      const found = service.logLines.slice(before).find(({ msg }) => msg === 'request');
      assert.ok(found);
      return found;
    }, 'the line');
    assert.equal(line.problemCode, 'MALFORMED_REQUEST');
    assert.equal(line.status, 400);
  });

  it('on the operators’ listener is answered alike', async () => {
    const [answer] = await rawCall(service.opsUrl, 'hello\r\n\r\n');
    assertProblem(answer, 400, 'MALFORMED_REQUEST');
  });
});

describe('CONNECT', () => {
  const CONNECT = `CONNECT pay.test:443 HTTP/1.1\r\n${HOST}\r\n`;

  it('throws nothing that would end the process when the caller resets', async () => {
    // The service runs in this process, whose test runner survives what ends a service.
    const thrown: unknown[] = [];
    const note = (error: unknown) => thrown.push(error);
    process.on('uncaughtExceptionMonitor', note);
    for (const url of [service.url, service.opsUrl]) {
      for (let n = 0; n < 20; n += 1) {
        const socket = open(url);
        socket.write(CONNECT);
        await once(socket, 'data');
        socket.resetAndDestroy();
      }
      const [answer] = await rawCall(url, `GET /v1/none HTTP/1.1\r\n${HOST}${CLOSE}\r\n`);
      assertProblem(answer, 404, 'ROUTE_NOT_FOUND', url === service.url);
    }
    process.off('uncaughtExceptionMonitor', note);
    assert.deepEqual(thrown, []);
  });

  it('never takes the place of an answer that is owed: the connection ends', async () => {
    const good = `GET /v1/payment-requests/x HTTP/1.1\r\n${HOST}`;
    const call = Object.entries(merchant.headers).map(([name, value]) => `${name}: ${value}\r\n`);
    assert.deepEqual(await rawCall(service.url, `${good}${call.join('')}\r\n${CONNECT}`), []);
  });
});

describe('a body that does not arrive whole', () => {
  const authorised = () =>
    Object.entries({ ...merchant.headers, 'Content-Type': 'application/json' })
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');

  it('is answered with 408 where the caller can still read', async () => {
    const bytes = `${CREATE}${authorised()}Content-Length: 100\r\n\r\n{"amount":`;
    const [answer] = await rawCall(service.url, bytes, { end: true });
    assertProblem(answer, 408, 'REQUEST_TIMEOUT');
    assert.equal(answer?.headers.get('connection'), 'close');
  });

  it('is refused at a broken chunk', async () => {
    const bytes = `${CREATE}${authorised()}Transfer-Encoding: chunked\r\n\r\nzz\r\n`;
    const [answer] = await rawCall(service.url, bytes);
    assertProblem(answer, 400, 'MALFORMED_REQUEST');
  });

  it('is no fault of ours in the log when the caller goes away', async () => {
    const before = service.logLines.length;
    const socket = open(service.url);
    socket.write(`${CREATE}${authorised()}Content-Length: 100\r\n\r\n{"amount":`);
    await eventually(() => socket.bytesWritten > 0, 'the write');
    socket.resetAndDestroy();
    const line = await eventually(() => {
      const found = service.logLines.slice(before).find(({ msg }) => msg === 'request');
      assert.ok(found);
      return found;
    }, 'the line');
    assert.deepEqual([line.level, line.status, line.aborted], ['info', 499, true]);
  });

  it('stores nothing', async () => {
    const [row] = await service.database.sql('SELECT count(*) FROM payment_requests');
    assert.equal(row?.count, '0');
  });
});

describe('garbage after a good request', () => {
  it('does not take the place of its answer', async () => {
    const good = `GET /v1/payment-requests/x HTTP/1.1\r\n${HOST}\r\n`;
    const [first, second] = await rawCall(service.url, `${good}garbage\r\n\r\n`);
    assertProblem(first, 401, 'API_KEY_MISSING');
    assertProblem(second, 400, 'MALFORMED_REQUEST');
  });

  it('is remembered once while the answer before it is open, however often it comes', async () => {
    const warnings: string[] = [];
    const note = ({ name }: Error) => warnings.push(name);
    process.on('warning', note);
    const created = await service.call('POST', '/v1/payment-requests', {
      headers: merchant.headers,
      body: { amount: 1, type: 'ECOMM', payer: { name: 'Jane Doe', email: 'jane@example.com' } },
    });
    const call = Object.entries(merchant.headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const path = `/v1/payment-requests/${created.json.id}`;
    const socket = open(service.url);
    const answers = readAnswers(socket);
    socket.write(`GET ${path}?waitSeconds=30 HTTP/1.1\r\n${HOST}${call.join('')}\r\n`);
    for (let n = 0; n < 30; n += 1) {
      await service.call('GET', '/v1/none');
      socket.write('garbage\r\n');
    }
    await service.call('POST', `${path}/cancellation`, {
      headers: merchant.headers,
      body: { status: 'CANCELLED' },
    });
    const [first, second, ...more] = await answers;
    process.off('warning', note);
    assert.equal(first?.json.status, 'CANCELLED');
    assertProblem(second, 400, 'MALFORMED_REQUEST');
    assert.deepEqual([more, warnings], [[], []]);
  });

  it('gets no answer where the request before it was refused while its body still came', async () => {
    const socket = open(service.url);
    const answers = readAnswers(socket);
    socket.write(
      `${CREATE}Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n`,
    );
    await eventually(() => socket.bytesRead > 0, 'the refusal');
    socket.write('no chunk\r\n');
    const [only, ...more] = await answers;
    assertProblem(only, 401, 'API_KEY_MISSING');
    assert.deepEqual(more, []);
  });
});

describe('a caller that sends slowly', () => {
  it('has 10 seconds for the head', async () => {
    const startMs = performance.now();
    const socket = open(service.url);
    socket.write('GET /v1/payment-requests HTTP/1.1\r\n');
    const dripping = setInterval(() => socket.write('X-A: b\r\n'), 500);
    try {
      const [answer] = await readAnswers(socket, { patienceMs: 20_000 });
      assertProblem(answer, 408, 'REQUEST_TIMEOUT');
    } finally {
      clearInterval(dripping);
    }
    const tookMs = performance.now() - startMs;
    assert.ok(tookMs > 9_000 && tookMs < 20_000, `it took ${tookMs} ms`);
  });
});
