import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import {
  type ClientOptions,
  createClient,
  entityTagOf,
  InvalidArgumentError,
  NoAnswerError,
  PaymentRequestsError,
  ProblemError,
} from '@payment-requests/sdk';
import { createFakeService, json, networkFault, problem } from './fake-service.ts';

const NEW = { amount: '25.50', payer: { name: 'Ada', email: 'ada@example.com' } } as const;

function setUp(options: Partial<ClientOptions> = {}) {
  const service = createFakeService();
  return { service, client: createClient({ ...service.options, ...options }) };
}

describe('a client', () => {
  it('refuses to start without a required option', () => {
    const { options } = createFakeService();
    for (const name of ['baseUrl', 'authUrl', 'username', 'password', 'apiKey'] as const) {
      assert.throws(() => createClient({ ...options, [name]: '' }), new RegExp(`needs ${name}`));
    }
  });

  it('refuses to start with a URL or key that no call can carry, and shows no secret', () => {
    const { options } = createFakeService();
    const refused: [Partial<ClientOptions>, RegExp][] = [
      [{ baseUrl: 'pay.test/v1' }, /baseUrl is no whole URL/],
      [{ baseUrl: 'localhost:3000/v1' }, /baseUrl is no whole URL/],
      [{ authUrl: 'ftp://pay.test/token' }, /authUrl is no whole URL/],
      [{ baseUrl: 'https://ada:pa55word@pay.test/v1' }, /baseUrl holds a user name or password/],
      [{ apiKey: 'prd_pa55word\nX-Other: 1' }, /apiKey has a blank/],
      [{ apiKey: 'prd_pa55word\u2019' }, /apiKey has a blank/],
    ];
    for (const [wrong, message] of refused) {
      assert.throws(
        () => createClient({ ...options, ...wrong }),
        (error) => {
          assert.ok(error instanceof InvalidArgumentError);
          assert.match(error.message, message);
          assert.doesNotMatch(JSON.stringify([error, error.message, error.cause]), /pa55word/);
          return true;
        },
      );
    }
  });

  it('sends each call to its URL with its method, body and headers', async () => {
    const { service, client } = setUp({ baseUrl: 'https://pay.test/v1/' });
    await client.createPaymentRequest(NEW, { strict: true });
    await client.getPaymentRequest('a/../b');
    await client.cancelPaymentRequest('1', { reason: 'ABANDONED' });
    await client.updatePaymentRequest('1', { invoiceNumber: null }, { ifMatch: '"3"' });
    await client.simulateOutcome('1', { outcome: 'PAID' });
    const sent = service.calls.map(({ method, url, body }) => [method, url, body ?? null]);
    assert.deepEqual(sent.slice(1), [
      ['GET', 'https://pay.test/v1/payment-requests/a%2F..%2Fb', null],
      ['POST', 'https://pay.test/v1/payment-requests/1/cancellation', '{"reason":"ABANDONED"}'],
      ['PATCH', 'https://pay.test/v1/payment-requests/1', '{"invoiceNumber":null}'],
      ['POST', 'https://pay.test/v1/sandbox/payment-requests/1/simulations', '{"outcome":"PAID"}'],
    ]);
    const [creation, , , update] = service.calls;
    assert.equal(creation?.headers.get('prefer'), 'handling=strict');
    assert.equal(update?.headers.get('content-type'), 'application/merge-patch+json');
    assert.equal(update?.headers.get('if-match'), '"3"');
    assert.ok(service.calls.every(({ redirect }) => redirect === 'manual'));
  });

  it('refuses an id whose URL would be that of another resource', async () => {
    const { service, client } = setUp();
    for (const id of ['', '.', '..', undefined as unknown as string]) {
      await assert.rejects(client.getPaymentRequest(id), InvalidArgumentError);
    }
    assert.equal(service.calls.length, 0);
  });

  it('gives an entity tag, and null while that version is the latest', async () => {
    const { service, client } = setUp();
    service.reply(json(200, { id: '1' }, { etag: '"7"' }), new Response(null, { status: 304 }));
    const read = await client.getPaymentRequest('1');
    assert.equal(entityTagOf(read), '"7"');
    const again = await client.getPaymentRequest('1', { waitSeconds: 20, ifNoneMatch: '"7"' });
    assert.equal(again, null);
    assert.equal(service.calls[1]?.headers.get('if-none-match'), '"7"');
    assert.ok(service.calls[1]?.url.endsWith('/payment-requests/1?waitSeconds=20'));
  });

  it('reads a list page by page and fetches no page that is not needed', async () => {
    const { service, client } = setUp();
    service.reply(
      json(200, { data: [{ id: '1' }, { id: '2' }], hasMore: true, nextCursor: 'c&1' }),
      json(200, { data: [{ id: '3' }], hasMore: false, nextCursor: null }),
      json(200, { data: [{ id: '1' }, { id: '2' }], hasMore: true, nextCursor: 'c&1' }),
    );
    const filters = {
      status: ['PAID', 'FAILED'],
      createdFrom: new Date('2026-03-01T00:00:00Z'),
      amountMin: '10.00',
    };
    const ids: string[] = [];
    for await (const { id } of client.listPaymentRequests(filters, { pageSize: 2 })) ids.push(id);
    assert.deepEqual(ids, ['1', '2', '3']);
    const query =
      'status=PAID&status=FAILED&createdFrom=2026-03-01T00%3A00%3A00.000Z&amountMin=10.00&limit=2';
    assert.deepEqual(
      service.calls.map(({ url }) => url.split('?')[1]),
      [query, `${query}&cursor=c%261`],
    );
    for await (const _ of client.listPaymentRequests()) break;
    assert.equal(service.calls.length, 3);
    assert.ok(service.calls[2]?.url.endsWith('/payment-requests'));
  });

  it('reads the timeline page by page and stops at a repeated cursor', async () => {
    const { service, client } = setUp();
    const page = () => json(200, { data: [{ type: 'UPDATED' }], hasMore: true, nextCursor: 'c' });
    service.reply(page(), page());
    const types: string[] = [];
    for await (const { type } of client.readTimeline('1')) types.push(type);
    assert.deepEqual(types, ['UPDATED', 'UPDATED']);
  });
});

describe('an answer without end', () => {
  it('is given up before it fills the memory', async () => {
    const { service, client } = setUp();
    let sentMegabytes = 0;
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sentMegabytes += 1;
        // Without a bound the body ends here, and is JSON.
        if (sentMegabytes <= 64) controller.enqueue(new Uint8Array(2 ** 20).fill(0x31));
        else controller.close();
      },
      cancel() {
        isCancelled = true;
      },
    });
    service.reply(new Response(body, { status: 200 }));
    const error = { code: 'UNEXPECTED_ANSWER', status: 200 };
    await assert.rejects(client.getPaymentRequest('1'), error);
    assert.ok(isCancelled && sentMegabytes < 40, `${sentMegabytes} MB were read`);
    assert.equal(service.calls.length, 1);
  });
});

describe('a call that fails', () => {
  it('is retried after a missing answer and a transient answer until it succeeds', async () => {
    const { service, client } = setUp();
    service.reply(
      networkFault(),
      problem(503, 'TEMPORARILY_UNAVAILABLE', { 'retry-after': '2' }),
      new Response('<h1>Bad gateway</h1>', { status: 502 }),
      problem(429, 'RATE_LIMITED', { 'retry-after': '1' }),
    );
    assert.deepEqual(await client.createPaymentRequest(NEW), { id: '1' });
    assert.equal(service.calls.length, 5);
    const [first = 0, second = 0, third = 0, fourth = 0] = service.clock.sleeps;
    assert.ok(first >= 125 && first <= 250, `${first}`);
    assert.ok(second >= 2_250 && second <= 2_500, `${second}`);
    assert.ok(third >= 500 && third <= 1_000, `${third}`);
    assert.ok(fourth >= 2_000 && fourth <= 3_000, `${fourth}`);
  });

  it('keeps one idempotency key in all attempts and gives each call its own', async () => {
    const { service, client } = setUp();
    service.reply(networkFault(), problem(409, 'IDEMPOTENCY_IN_PROGRESS', { 'retry-after': '1' }));
    await client.createPaymentRequest(NEW);
    await client.createPaymentRequest(NEW);
    await client.createPaymentRequest(NEW, { idempotencyKey: 'order-1042' });
    const keys = service.calls.map(({ headers }) => headers.get('idempotency-key'));
    const [key, again, third, other, own] = keys;
    assert.match(key ?? '', /^[0-9a-f-]{36}$/);
    assert.equal(again, key);
    assert.equal(third, key);
    assert.notEqual(other, key);
    assert.equal(own, 'order-1042');
    const bodies = new Set(service.calls.map(({ body }) => body));
    assert.equal(bodies.size, 1);
  });

  it('is retried after 500 under its idempotency key, and a GET after 500 too', async () => {
    const { service, client } = setUp();
    service.reply(problem(500, 'INTERNAL_ERROR'), problem(520, 'UNKNOWN'));
    assert.deepEqual(await client.createPaymentRequest(NEW), { id: '1' });
    const keys = service.calls.map(({ headers }) => headers.get('idempotency-key'));
    assert.equal(keys.length, 3);
    assert.equal(new Set(keys).size, 1);
    service.reply(problem(500, 'INTERNAL_ERROR', { 'retry-after': '3' }));
    assert.deepEqual(await client.getPaymentRequest('1'), { id: '1' });
    assert.ok((service.clock.sleeps.at(-1) ?? 0) >= 3_000);
    assert.equal(service.calls.length, 5);
  });

  it('ends after maxRetries with the last answer', async () => {
    const { service, client } = setUp({ maxRetries: 2 });
    const unavailable = () =>
      problem(503, 'TEMPORARILY_UNAVAILABLE', { 'retry-after': '1', 'x-request-id': 'r-9' });
    service.reply(unavailable(), unavailable(), unavailable());
    const error = await client.createPaymentRequest(NEW).catch((thrown) => thrown);
    assert.ok(error instanceof ProblemError && error instanceof PaymentRequestsError);
    assert.equal(error.code, 'TEMPORARILY_UNAVAILABLE');
    assert.equal(error.status, 503);
    assert.equal(error.retryAfterSeconds, 1);
    assert.equal(error.requestId, 'r-9');
    assert.equal(service.calls.length, 3);
  });

  it('is not retried after a final answer', async () => {
    const codes: readonly [number, string][] = [
      [400, 'VALIDATION_ERROR'],
      [403, 'MERCHANT_SUSPENDED'],
      [404, 'PAYMENT_REQUEST_NOT_FOUND'],
      [409, 'ALREADY_PAID'],
      [422, 'IDEMPOTENCY_KEY_REUSED'],
      [501, 'UNEXPECTED_ANSWER'],
    ];
    for (const [status, code] of codes) {
      const { service, client } = setUp();
      service.reply(problem(status, code));
      await assert.rejects(client.cancelPaymentRequest('1'), {
        name: 'ProblemError',
        code,
        status,
      });
      assert.equal(service.calls.length, 1);
    }
  });

  it('is not retried when Retry-After is above 30 s', async () => {
    const { service, client } = setUp();
    service.reply(problem(503, 'TEMPORARILY_UNAVAILABLE', { 'retry-after': '120' }));
    await assert.rejects(client.getPaymentRequest('1'), { retryAfterSeconds: 120 });
    assert.deepEqual(service.clock.sleeps, []);
  });

  it('is not repeated with ifMatch when it may have been done', async () => {
    const { service, client } = setUp();
    service.reply(networkFault());
    const changes = { displayMessage: 'Hello' };
    const update = () => client.updatePaymentRequest('1', changes, { ifMatch: '"1"' });
    await assert.rejects(update(), NoAnswerError);
    assert.equal(service.calls.length, 1);

    service.reply(problem(429, 'RATE_LIMITED'));
    await client.updatePaymentRequest('1', changes, { ifMatch: '"1"' });
    service.reply(networkFault());
    await client.updatePaymentRequest('1', changes);
    assert.equal(service.calls.length, 5);
  });

  it('reports every faulty field in its message and as data', async () => {
    const { service, client } = setUp();
    const errors = [
      { field: 'payer.email', pointer: '/payer/email', code: 'REQUIRED', message: 'Give it.' },
      { field: 'amount', pointer: '/amount', code: 'TOO_HIGH', message: 'Give less.' },
    ];
    const body = { code: 'VALIDATION_ERROR', detail: '2 fields are invalid.', errors };
    service.reply(json(400, { ...body, title: 'Invalid request', type: 'https://pay.test/p' }));
    const error = await client.createPaymentRequest(NEW).catch((thrown) => thrown);
    assert.ok(error instanceof ProblemError);
    assert.deepEqual(error.errors, errors);
    assert.equal(error.type, 'https://pay.test/p');
    assert.equal(
      error.message,
      'VALIDATION_ERROR: 2 fields are invalid. payer.email: Give it. amount: Give less.',
    );
  });

  it('is a ProblemError when a proxy answers or redirects', async () => {
    for (const answer of [
      new Response('<h1>Teapot</h1>', { status: 418 }),
      new Response(null, { status: 302, headers: { location: 'https://elsewhere.test/' } }),
      new Response('not JSON', { status: 200 }),
      new Response('"text"', { status: 200 }),
    ]) {
      const { service, client } = setUp();
      service.reply(answer);
      await assert.rejects(client.getPaymentRequest('1'), {
        name: 'ProblemError',
        code: 'UNEXPECTED_ANSWER',
        status: answer.status,
      });
      assert.equal(service.calls.length, 1);
    }
  });

  it('ends at the time-out and reports it', async () => {
    const { service, client } = setUp({ timeoutMs: 20, maxRetries: 1 });
    service.reply(hang, hang);
    const error = await client.getPaymentRequest('1').catch((thrown) => thrown);
    assert.ok(error instanceof NoAnswerError);
    assert.equal(error.code, 'TIMEOUT');
    assert.match(error.message, /pay\.test did not answer within 20 ms/);
    assert.equal(service.calls.length, 2);
  });

  it('adds waitSeconds to the time-out of an attempt', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { service, client } = setUp({ timeoutMs: 50, maxRetries: 0 });
    const late = Promise.withResolvers<Response>();
    service.reply((call) => Promise.race([late.promise, hang(call)]), hang);
    const answered = client.getPaymentRequest('1', { waitSeconds: 1 });
    await turn();
    t.mock.timers.tick(1_049);
    late.resolve(json(200, { id: 'late' }));
    assert.deepEqual(await answered, { id: 'late' });

    const unanswered = client.getPaymentRequest('1', { waitSeconds: 1 });
    await turn();
    t.mock.timers.tick(1_050);
    await assert.rejects(unanswered, { code: 'TIMEOUT', message: /within 1050 ms/ });
  });

  it('ends at once after an abort, also between two attempts', async () => {
    const { service, client } = setUp();
    const giveUp = new AbortController();
    service.reply((call) => {
      setTimeout(() => giveUp.abort(new Error('enough')));
      return hang(call);
    });
    const reading = client.getPaymentRequest('1', { signal: giveUp.signal });
    await assert.rejects(reading, { message: 'enough' });
    assert.equal(service.calls.length, 1);

    const between = new AbortController();
    service.reply(() => {
      between.abort(new Error('enough'));
      return problem(503, 'TEMPORARILY_UNAVAILABLE');
    });
    const waiting = client.getPaymentRequest('1', { signal: between.signal });
    await assert.rejects(waiting, { message: 'enough' });
    assert.equal(service.calls.length, 2);
  });
});

/** Never answers; rejects like `fetch` when its signal is aborted. */
function hang({ signal }: { readonly signal: AbortSignal }): Promise<Response> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}
