import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Webhook } from 'standardwebhooks';
import { systemClock } from '#lib/clock.ts';
import {
  createWebhookSender,
  type OutgoingWebhook,
  SentTooLate,
} from '#webhooks/https/send-webhook.ts';
import { createWebhookUrlGuard } from '#webhooks/https/url-guard.ts';
import type { DeliveryOutcome } from '#webhooks/model/outcomes.ts';
import { eventually } from '../support/eventually.ts';
import { emptyWebhookTo } from '../support/webhooks/empty-webhook.ts';
import {
  type Answering,
  createTestAuthority,
  type HttpsListener,
  startHttpsListener,
  startTlsListener,
  type TestAuthority,
} from '../support/webhooks/https-listener.ts';

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const OLDER_SECRET = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
/** The sender's own limits: a good listener on a busy machine meets them. */
const EXCHANGE_MS = 15_000;
/** For listeners that are given up. */
const SHORT_EXCHANGE_MS = 2_000;
const SHORT_CONNECT_MS = 500;

interface Limits {
  readonly exchangeTimeoutMs?: number;
  readonly connectTimeoutMs?: number;
}

let authority: TestAuthority;

before(async () => {
  authority = await createTestAuthority();
});

function createSender(limits: Limits = {}) {
  return createWebhookSender({
    clock: systemClock,
    guard: createWebhookUrlGuard({
      allowCidrs: ['127.0.0.1/32', '::1/128'],
      allowPorts: '*',
      resolvers: [],
    }),
    caPem: authority.caPem,
    ...limits,
  });
}

function webhookTo(url: string): OutgoingWebhook {
  return {
    ...emptyWebhookTo(url),
    id: '0198c0de-0000-7000-8000-000000000001',
    body: '{"eventType":"PAYMENT-COMPLETED","note":"é €"}',
    username: 'listener',
    password: 'pä:ss',
    signingSecrets: [SECRET],
  };
}

/** Sends one webhook to a listener made for the case, and gives what came of it. */
async function sendTo(
  listener: Pick<HttpsListener, 'url' | 'close'>,
  change: Partial<OutgoingWebhook> = {},
  limits: Limits = {},
) {
  const sender = createSender(limits);
  try {
    return await sender.send({ ...webhookTo(listener.url), ...change });
  } finally {
    await sender.close();
    await listener.close();
  }
}

async function sendToAnswering(answering: Answering) {
  return sendTo(await startHttpsListener({ authority, answering }));
}

describe('the request to a listener', () => {
  let listener: HttpsListener;
  before(async () => {
    listener = await startHttpsListener({ authority });
  });
  after(() => listener.close());

  async function receive(change: Partial<OutgoingWebhook> = {}) {
    const sender = createSender();
    const result = await sender.send({ ...webhookTo(listener.url), ...change });
    await sender.close();
    const request = listener.requests.at(-1);
    assert.ok(request);
    return { result, request };
  }

  it('is a POST with the body’s bytes, accepted with any 2xx', async () => {
    const { result, request } = await receive();
    assert.equal(request.method, 'POST');
    assert.equal(request.path, '/webhooks');
    assert.equal(request.body, webhookTo('').body);
    assert.equal(request.headers['content-type'], 'application/json');
    assert.match(request.headers['user-agent'] ?? '', /^payment-requests-webhooks\//);
    assert.equal(result.outcome, 'SUCCEEDED');
    assert.equal(result.httpStatus, 200);
    assert.equal(result.responseExcerpt, 'ok');
    assert.equal(result.address, '127.0.0.1');
  });

  it('carries the listener’s credentials as Basic, in UTF-8', async () => {
    const { request } = await receive();
    const encoded = Buffer.from('listener:pä:ss', 'utf8').toString('base64');
    assert.equal(request.headers.authorization, `Basic ${encoded}`);
  });

  it('is verified by the public standardwebhooks package', async () => {
    const { request } = await receive();
    const headers = request.headers as Record<string, string>;
    const verified = new Webhook(SECRET).verify(request.body, headers);
    assert.deepEqual(verified, JSON.parse(request.body));
    assert.equal(headers['webhook-id'], webhookTo('').id);
    assert.throws(() => new Webhook(SECRET).verify(`${request.body} `, headers));
    assert.throws(() => new Webhook(OLDER_SECRET).verify(request.body, headers));
  });

  it('is signed by every live secret during a rotation', async () => {
    const { request } = await receive({ signingSecrets: [SECRET, OLDER_SECRET] });
    const headers = request.headers as Record<string, string>;
    for (const secret of [SECRET, OLDER_SECRET]) {
      assert.ok(new Webhook(secret).verify(request.body, headers));
    }
  });

  it('comes to the path and query of the URL', async () => {
    const { request } = await receive({ url: `${listener.url}/a%20b?x=1&y=%C3%A9` });
    assert.equal(request.path, '/webhooks/a%20b?x=1&y=%C3%A9');
  });

  it('comes over a connection that is used again while it is fresh', async () => {
    const sender = createSender();
    const connections = listener.connections();
    for (let sent = 0; sent < 3; sent += 1) {
      assert.equal((await sender.send(webhookTo(listener.url))).outcome, 'SUCCEEDED');
    }
    assert.equal(listener.connections() - connections, 1);
    await sender.close();
  });
});

describe('the answer of a listener', () => {
  it('is a success with 204 and no body', async () => {
    const result = await sendToAnswering((_request, response) => response.writeHead(204).end());
    assert.equal(result.outcome, 'SUCCEEDED');
    assert.equal(result.responseExcerpt, null);
  });

  for (const status of [301, 302, 303, 307, 308]) {
    it(`is a failure with ${status}, and the redirect is not followed`, async () => {
      const other = await startHttpsListener({ authority });
      const result = await sendToAnswering((_request, response) =>
        response.writeHead(status, { location: other.url }).end(),
      );
      assert.equal(result.outcome, 'REDIRECTED');
      assert.equal(result.httpStatus, status);
      assert.equal(other.connections(), 0);
      await other.close();
    });
  }

  it('is GONE with 410', async () => {
    const result = await sendToAnswering((_request, response) => response.writeHead(410).end());
    assert.equal(result.outcome, 'GONE');
  });

  it('is refused with another status, with its text and Retry-After', async () => {
    const result = await sendToAnswering((_request, response) =>
      response.writeHead(503, { 'retry-after': '90' }).end('later, please'),
    );
    assert.equal(result.outcome, 'REFUSED_BY_LISTENER');
    assert.equal(result.httpStatus, 503);
    assert.equal(result.responseExcerpt, 'later, please');
    assert.equal(result.retryAfterSeconds, 90);
  });

  it('is kept up to 4 KiB of UTF-8, without what a database refuses', async () => {
    const result = await sendToAnswering((_request, response) =>
      response.end(Buffer.concat([Buffer.from('a\0b\xff', 'latin1'), Buffer.alloc(8_000, 'é')])),
    );
    assert.match(result.responseExcerpt ?? '', /^a\uFFFDb\uFFFDé+$/);
    const bytes = Buffer.byteLength(result.responseExcerpt ?? '');
    assert.ok(bytes <= 4096 && bytes > 4000, `${bytes}`);
  });

  it('counts by its status when its body is too long, of which no more is read', async () => {
    let sent = 0;
    const listener = await startHttpsListener({
      authority,
      answering(_request, response) {
        const pour = () => {
          while (!response.destroyed && response.write(Buffer.alloc(16_384, 'x'))) sent += 16_384;
        };
        response.on('drain', pour);
        pour();
      },
    });
    const result = await sendTo(listener);
    assert.equal(result.outcome, 'SUCCEEDED');
    assert.equal(result.responseExcerpt?.length, 4096);
    assert.ok(result.durationMs < EXCHANGE_MS, `${result.durationMs} ms`);
    // The machine's own buffers take in so much, and then the connection is gone.
    const settled = sent;
    assert.ok(settled < 20 * 1024 * 1024, `${settled} bytes`);
  });

  it('is never unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000));
    const result = await sendToAnswering((_request, response) =>
      response.writeHead(500, { 'content-encoding': 'gzip' }).end(bomb),
    );
    assert.equal(result.outcome, 'REFUSED_BY_LISTENER');
    assert.equal(result.responseExcerpt, null);
  });
});

describe('a listener that takes its time', () => {
  async function timesOut(listener: Pick<HttpsListener, 'url' | 'close'>) {
    const result = await sendTo(listener, {}, { exchangeTimeoutMs: SHORT_EXCHANGE_MS });
    assert.equal(result.outcome, 'TIMED_OUT');
    assert.ok(result.durationMs >= SHORT_EXCHANGE_MS - 5, `${result.durationMs} ms`);
    assert.ok(result.durationMs < EXCHANGE_MS, `${result.durationMs} ms`);
    return result;
  }

  async function timesOutAnswering(answering: Answering) {
    return timesOut(await startHttpsListener({ authority, answering }));
  }

  it('is given up when it never answers', async () => {
    await timesOutAnswering(() => {});
  });

  it('is given up when it drips its body, though each drop comes soon', async () => {
    const result = await timesOutAnswering((_request, response) => {
      const drip = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(drip));
    });
    assert.equal(result.httpStatus, 200);
  });

  it('is given up when it drips its head', async () => {
    const listener = await startTlsListener(authority, (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nx-drip: ');
      const drip = setInterval(() => socket.write('x'), 20);
      socket.on('close', () => clearInterval(drip));
    });
    await timesOut(listener);
  });

  it('is given up when it drips interim answers', async () => {
    const listener = await startTlsListener(authority, (socket) => {
      const drip = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 20);
      socket.on('close', () => clearInterval(drip));
    });
    await timesOut(listener);
  });

  it('is given up sooner when it does not speak TLS', async () => {
    const server = createServer((socket) => socket.on('error', () => {}).resume());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
    const listener = { url: `https://localhost:${port}/`, close };
    const result = await sendTo(listener, {}, { connectTimeoutMs: SHORT_CONNECT_MS });
    assert.equal(result.outcome, 'CONNECT_TIMED_OUT');
    assert.ok(result.durationMs < EXCHANGE_MS, `${result.durationMs} ms`);
  });
});

describe('interim answers that nobody asked for', () => {
  for (const interim of [
    'HTTP/1.1 100 Continue\r\n\r\n',
    'HTTP/1.1 102 Processing\r\n\r\n',
    'HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\n',
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Go on\r\nx: y\r\n\r\n',
  ]) {
    it(`are skipped: ${JSON.stringify(interim)}`, async () => {
      const listener = await startTlsListener(authority, (socket) => {
        socket.once('data', () => {
          socket.write(interim);
          setTimeout(() => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'), 20);
        });
      });
      const result = await sendTo(listener);
      assert.deepEqual(
        [result.outcome, result.httpStatus, result.responseExcerpt],
        ['SUCCEEDED', 200, 'ok'],
      );
    });
  }

  it('keep the connection for the next webhook', async () => {
    const answer = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n';
    let connections = 0;
    const listener = await startTlsListener(authority, (socket) => {
      connections += 1;
      socket.on('data', () => socket.write(answer));
    });
    const sender = createSender();
    for (let n = 0; n < 3; n += 1) {
      assert.equal((await sender.send(webhookTo(listener.url))).outcome, 'SUCCEEDED');
    }
    await sender.close();
    await listener.close();
    assert.equal(connections, 1);
  });
});

describe('a lease that is nearly over', () => {
  it('lets nothing be sent, and keeps the connection', async () => {
    const listener = await startHttpsListener({ authority });
    const sender = createSender();
    await assert.rejects(
      sender.send(webhookTo(listener.url), () => false),
      SentTooLate,
    );
    assert.equal(listener.requests.length, 0);
    assert.equal((await sender.send(webhookTo(listener.url))).outcome, 'SUCCEEDED');
    assert.equal(listener.connections(), 1);
    await sender.close();
    await listener.close();
  });
});

describe('an answer that is none', () => {
  const cases: readonly (readonly [string, DeliveryOutcome, (n: number) => string])[] = [
    ['something else than HTTP', 'MALFORMED_ANSWER', () => 'SSH-2.0-OpenSSH_9.9\r\n'],
    [
      '101',
      'MALFORMED_ANSWER',
      () => 'HTTP/1.1 101 X\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    ],
    [
      'two lengths',
      'MALFORMED_ANSWER',
      () => 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab',
    ],
    [
      'a huge header',
      'ANSWER_TOO_LARGE',
      () => `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`,
    ],
    [
      'endless headers',
      'ANSWER_TOO_LARGE',
      (n) => (n === 0 ? 'HTTP/1.1 200 OK\r\n' : `x${n}: ${'y'.repeat(1_000)}\r\n`),
    ],
    [
      'an endless status line',
      'ANSWER_TOO_LARGE',
      (n) => (n === 0 ? 'HTTP/1.1 200 ' : 'O'.repeat(16_000)),
    ],
    [
      'endless interim answers',
      'ANSWER_TOO_LARGE',
      () => 'HTTP/1.1 103 Early Hints\r\nx: y\r\n\r\n'.repeat(100),
    ],
    ['endless 100 Continue', 'ANSWER_TOO_LARGE', () => 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(200)],
    [
      'endless chunk extensions',
      'ANSWER_TOO_LARGE',
      (n) =>
        n === 0 ? 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;' : 'e'.repeat(16_000),
    ],
  ];
  for (const [what, outcome, chunk] of cases) {
    it(`with ${what} is ${outcome}, soon`, async () => {
      const listener = await startTlsListener(authority, (socket) => {
        socket.once('data', () => {
          let n = 0;
          const pour = setInterval(() => socket.write(chunk(n++)), 5);
          socket.on('close', () => clearInterval(pour));
        });
      });
      const result = await sendTo(listener);
      assert.equal(result.outcome, outcome);
      assert.ok(result.durationMs < EXCHANGE_MS, `${result.durationMs} ms`);
    });
  }

  it('that ends early is CONNECTION_LOST', async () => {
    const listener = await startTlsListener(authority, (socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc'));
    });
    assert.equal((await sendTo(listener)).outcome, 'CONNECTION_LOST');
  });

  it('that never begins is CONNECTION_LOST', async () => {
    const listener = await startTlsListener(authority, (socket) => {
      socket.once('data', () => socket.destroy());
    });
    assert.equal((await sendTo(listener)).outcome, 'CONNECTION_LOST');
  });
});

describe('a kept connection', () => {
  it('that the listener has just closed is replaced without a failure', async () => {
    const sockets: { destroy(): void }[] = [];
    let exchanges = 0;
    const listener = await startTlsListener(authority, (socket) => {
      let isFirst = true;
      socket.on('data', () => {
        exchanges += 1;
        // The second request on a connection is met by its end.
        if (!isFirst) socket.destroy();
        else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
        isFirst = false;
      });
      sockets.push(socket);
    });
    const sender = createSender();
    assert.equal((await sender.send(webhookTo(listener.url))).outcome, 'SUCCEEDED');
    assert.equal((await sender.send(webhookTo(listener.url))).outcome, 'SUCCEEDED');
    assert.equal(sockets.length, 2);
    assert.ok(exchanges >= 2);
    await sender.close();
    await listener.close();
  });

  it('is not used by two exchanges at once', async () => {
    const waiting: (() => void)[] = [];
    const listener = await startHttpsListener({
      authority,
      answering: (_request, response) => waiting.push(() => response.end()),
    });
    const sender = createSender();
    const both = Promise.all([
      sender.send(webhookTo(listener.url)),
      sender.send(webhookTo(listener.url)),
    ]);
    await eventually(() => waiting.length === 2, 'both requests under way');
    assert.equal(listener.connections(), 2);
    for (const answer of waiting) answer();
    assert.deepEqual(
      (await both).map(({ outcome }) => outcome),
      ['SUCCEEDED', 'SUCCEEDED'],
    );
    await sender.close();
    await listener.close();
  });
});

describe('TLS', () => {
  async function outcomeWith(tls: Parameters<typeof startHttpsListener>[0]) {
    const listener = await startHttpsListener({ authority, ...tls });
    const { requests } = listener;
    const result = await sendTo(listener);
    assert.equal(requests.length, 0, 'nothing may be sent');
    return result.outcome;
  }

  it('refuses a certificate of an authority it does not know', async () => {
    const other = await createTestAuthority();
    assert.equal(await outcomeWith({ tls: await other.issue() }), 'CERTIFICATE_INVALID');
  });

  it('refuses a certificate for another name', async () => {
    const tls = await authority.issue({ names: ['shop.example', '127.0.0.2'] });
    assert.equal(await outcomeWith({ tls }), 'CERTIFICATE_INVALID');
  });

  it('refuses an expired certificate', async () => {
    const tls = await authority.issue({ notAfter: new Date(Date.now() - 1_000) });
    assert.equal(await outcomeWith({ tls }), 'CERTIFICATE_INVALID');
  });

  it('refuses TLS 1.1 and below', async () => {
    const tls = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' } as const;
    assert.equal(await outcomeWith({ tls }), 'TLS_FAILED');
  });

  it('verifies a certificate for an address, and sends its name to none', async () => {
    let servername: unknown = 'not asked';
    const listener = await startHttpsListener({ authority });
    const url = listener.url.replace('localhost', '127.0.0.1');
    listener.answerWith((_request, response) => {
      servername = (response.socket as { servername?: unknown }).servername;
      response.end();
    });
    assert.equal((await sendTo({ ...listener, url })).outcome, 'SUCCEEDED');
    assert.equal(servername, false);
  });
});

describe('a listener that is not there', () => {
  it('is CONNECTION_REFUSED', async () => {
    const listener = await startHttpsListener({ authority });
    await listener.close();
    assert.equal((await sendTo(listener)).outcome, 'CONNECTION_REFUSED');
  });

  it('is FORBIDDEN_ADDRESS where the guard refuses it, and no connection is made', async () => {
    const listener = await startHttpsListener({ authority });
    const sender = createWebhookSender({
      clock: systemClock,
      guard: createWebhookUrlGuard({ allowCidrs: [], allowPorts: '*', resolvers: [] }),
      caPem: authority.caPem,
    });
    for (const host of ['localhost', 'localhost.', '127.0.0.1', '2130706433', '[::ffff:7f00:1]']) {
      const { outcome } = await sender.send(webhookTo(`https://${host}:${listener.port}/`));
      assert.equal(outcome, 'FORBIDDEN_ADDRESS', host);
    }
    assert.equal(listener.connections(), 0);
    await sender.close();
    await listener.close();
  });

  it('is FORBIDDEN_URL where the URL itself is wrong', async () => {
    const sender = createSender();
    for (const url of ['http://localhost/', 'https://a:b@localhost/', 'not a URL']) {
      assert.equal((await sender.send(webhookTo(url))).outcome, 'FORBIDDEN_URL', url);
    }
    await sender.close();
  });
});
