import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';
import {
  answerOf,
  type ClientOptions,
  createClient,
  InvalidArgumentError,
  NoAnswerError,
  type ReceivedResponse,
  SDK_VERSION,
  type SentRequest,
} from '@payment-requests/sdk';
import { createFakeService, json, networkFault, problem } from './fake-service.ts';

const NEW = { amount: '25.50', payer: { name: 'Ada', email: 'ada@example.com' } } as const;

function setUp(options: Partial<ClientOptions> = {}) {
  const service = createFakeService();
  return { service, client: createClient({ ...service.options, ...options }) };
}

describe('the options of one call', () => {
  it('replace the retries of the client', async () => {
    const { service, client } = setUp({ maxRetries: 4 });
    service.reply(networkFault());
    await assert.rejects(client.getPaymentRequest('1', { retries: 0 }), NoAnswerError);
    assert.equal(service.calls.length, 1);
    service.reply(...Array.from({ length: 7 }, networkFault));
    await client.createPaymentRequest(NEW, { retries: 7 });
    assert.equal(service.calls.length, 9);
  });

  it('replace the time-out of the client, also in every page of a list', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { service, client } = setUp({ timeoutMs: 5_000, maxRetries: 0 });
    const limits = { timeoutMs: 100 };
    const reads = [
      () => client.getPaymentRequest('1', limits),
      () => first(client.listPaymentRequests({}, limits)),
      () => first(client.readEvents(limits)),
      () => client.deleteWebhookEndpoint('1', limits),
    ];
    for (const read of reads) {
      service.reply(hang);
      const failing = assert.rejects(read(), { code: 'TIMEOUT', message: /within 100 ms/ });
      await turn();
      t.mock.timers.tick(100);
      await failing;
    }
  });

  it('are refused out of range, before a call is sent', async () => {
    const { service, client } = setUp();
    const wrong = [
      { timeoutMs: 0 },
      { timeoutMs: Number.NaN },
      { timeoutMs: 2 ** 31 },
      { retries: -1 },
      { retries: 1.5 },
      { retries: 11 },
      { idempotencyKey: '' },
      { idempotencyKey: 'Zoë' },
      { idempotencyKey: 'x'.repeat(256) },
    ];
    for (const options of wrong) {
      await assert.rejects(client.createPaymentRequest(NEW, options), InvalidArgumentError);
    }
    for (const options of [{ timeoutMs: 0 }, { maxRetries: 11 }]) {
      assert.throws(() => createClient({ ...service.options, ...options }), InvalidArgumentError);
    }
    assert.equal(service.calls.length + service.tokenCalls.length, 0);
  });

  it('are strict by default with credentials of the sandbox alone', async () => {
    for (const [prefix, preference] of [
      ['sbx_', 'handling=strict'],
      ['prd_', null],
      ['c2-sbx_', 'handling=strict'],
      ['c999-prd_', null],
    ] as const) {
      const { service, client } = setUp({ username: `${prefix}u`, apiKey: `${prefix}k` });
      await client.createPaymentRequest(NEW);
      await client.updatePaymentRequest('1', { displayMessage: 'Hello' });
      await client.createPaymentRequest(NEW, { strict: false });
      await client.createWebhookEndpoint({ url: 'https://a.test' }, { strict: true });
      const sent = service.calls.map(({ headers }) => headers.get('prefer'));
      assert.deepEqual(sent, [preference, preference, null, 'handling=strict']);
    }
  });
});

describe('createClient', () => {
  it('refuses credentials of two environments', () => {
    const { options } = createFakeService();
    const mixed = { ...options, username: 'prd_a', apiKey: 'sbx_b' };
    assert.throws(
      () => createClient(mixed),
      /username is a credential of production, apiKey of san/,
    );
  });

  it('names the package, its version and the runtime in User-Agent', async () => {
    const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
    assert.equal(SDK_VERSION, JSON.parse(manifest).version);
    const { service, client } = setUp();
    await client.getPaymentRequest('1');
    const agents = [...service.calls, ...service.tokenCalls].map(({ headers }) =>
      headers.get('user-agent'),
    );
    const wanted = new RegExp(`^payment-requests-sdk/${SDK_VERSION} Node\\.js/v?\\d+`);
    assert.equal(agents.length, 2);
    for (const agent of agents) assert.match(agent ?? '', wanted);
  });
});

describe('answerOf', () => {
  it('gives the request id, the version and the attempts behind a result', async () => {
    const { service, client } = setUp();
    const headers = { 'x-request-id': 'r-7', etag: '"3"', 'idempotency-replayed': 'true' };
    service.reply(networkFault(), json(201, { id: '1' }, headers));
    const created = await client.createPaymentRequest(NEW);
    assert.deepEqual(answerOf(created), {
      status: 201,
      requestId: 'r-7',
      entityTag: '"3"',
      isReplayed: true,
      attempts: 2,
    });
    assert.deepEqual(Object.keys(created), ['id']);
    assert.equal(answerOf({ ...created }), undefined);
  });
});

describe('the hooks', () => {
  it('see every attempt, token calls included, without secrets or the query', async () => {
    const requests: SentRequest[] = [];
    const responses: ReceivedResponse[] = [];
    const { service, client } = setUp({
      onRequest: (request) => requests.push(request),
      onResponse: (response) => responses.push(response),
    });
    service.reply(networkFault(), json(200, { data: [] }, { 'x-request-id': 'r-2' }));
    await first(client.listPaymentRequests({ payerEmail: 'ada@example.com' }));
    const seen = requests.map(({ method, url, attempt }) => [method, url, attempt]);
    assert.deepEqual(seen, [
      ['POST', 'https://pay.test/oauth2/token', 1],
      ['GET', 'https://pay.test/v1/payment-requests', 1],
      ['GET', 'https://pay.test/v1/payment-requests', 2],
    ]);
    const [, failed, answered] = responses;
    assert.deepEqual([failed?.status, failed?.requestId], [null, undefined]);
    assert.ok((failed?.retryInMs ?? 0) > 0);
    assert.deepEqual(
      [answered?.status, answered?.requestId, answered?.retryInMs],
      [200, 'r-2', null],
    );
    assert.equal(requests[1]?.headers.authorization, '[redacted]');
    assert.equal(requests[1]?.headers['x-api-key'], '[redacted]');
    const all = JSON.stringify([requests, responses]);
    for (const secret of ['prd_secret', 'token-1', 'ada@', 'Basic ']) {
      assert.ok(!all.includes(secret), secret);
    }
  });

  it('change no call when they throw or reject', async () => {
    const { client } = setUp({
      onRequest: () => {
        throw new Error('broken hook');
      },
      onResponse: (async () => {
        throw new Error('broken hook');
      }) as () => void,
    });
    assert.deepEqual(await client.getPaymentRequest('1'), { id: '1' });
    await turn();
  });
});

describe('a hook that gives a promise of another realm', () => {
  it('changes no call when it rejects', async () => {
    const foreign = runInNewContext('async () => { throw new Error("broken hook") }');
    const { client } = setUp({ onRequest: foreign, onResponse: foreign });
    assert.deepEqual(await client.getPaymentRequest('1'), { id: '1' });
    // The runner fails a test that leaves a rejection unhandled.
    await turn();
  });
});

describe('a refusal of a call', () => {
  it('is shown to the hooks as the last attempt with its status', async () => {
    const responses: ReceivedResponse[] = [];
    const { service, client } = setUp({ onResponse: (response) => responses.push(response) });
    service.reply(problem(404, 'PAYMENT_REQUEST_NOT_FOUND', { 'x-request-id': 'r-4' }));
    await assert.rejects(client.getPaymentRequest('1'), { requestId: 'r-4' });
    const { status, retryInMs } = responses.at(-1) ?? {};
    assert.deepEqual([status, retryInMs], [404, null]);
  });
});

async function first<Item>(items: AsyncIterable<Item>): Promise<Item | undefined> {
  for await (const item of items) return item;
  return undefined;
}

/** Never answers; rejects like `fetch` when its signal is aborted. */
function hang({ signal }: { readonly signal: AbortSignal }): Promise<Response> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}
