import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { Executor } from '#database/database.ts';
import { findPaymentRequest } from '#payment-requests/lookup/find-store.ts';
import { createChangeWaiters, PAYMENT_REQUESTS } from '#payment-requests/read/wait-for-change.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { startTcpProxy } from '../support/network/tcp-proxy.ts';
import {
  type PaymentRequestCalls,
  paymentRequestCalls,
} from '../support/payment-requests/payment-requests.ts';
import {
  type Answer,
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';
import { startServiceBeside } from '../support/service/service-beside.ts';

let service: TestService;
let merchant: TestMerchant;
let calls: PaymentRequestCalls;

before(async () => {
  // Two connections, so that a call that held one while it waits would be felt.
  service = await startTestService({ roles: ['api'], settings: { DATABASE_POOL_SIZE: '2' } });
  merchant = await service.createMerchant();
  calls = paymentRequestCalls(service, merchant);
});
after(() => service.stop());

interface Waiting {
  readonly answer: Promise<Answer>;
  isAnswered(): boolean;
}

/** A read that waits, begun long enough ago to have had its first look. */
async function startWaiting(
  id: string,
  { seconds = 30, etag, at = service, as = merchant }: WaitOptions = {},
): Promise<Waiting> {
  const headers = { ...as.headers, ...(etag && { 'if-none-match': etag }) };
  let isAnswered = false;
  const answer = at
    .call('GET', `/v1/payment-requests/${id}?waitSeconds=${seconds}`, { headers })
    .finally(() => {
      isAnswered = true;
    });
  await wait(150);
  return { answer, isAnswered: () => isAnswered };
}

interface WaitOptions {
  readonly seconds?: number;
  readonly etag?: string;
  readonly at?: TestService;
  readonly as?: TestMerchant;
}

/** Far below what was asked to be waited, and far above what an answer takes. */
async function soon<Result>(promise: Promise<Result>): Promise<Result> {
  const late = wait(5_000, undefined, { ref: false }).then(() =>
    assert.fail('the answer did not come early'),
  );
  return Promise.race([promise, late]);
}

async function create(members?: object) {
  const { json, headers } = await calls.create(members);
  return { id: json.id as string, etag: headers.get('etag') as string };
}

describe('a read that waits', () => {
  it('is answered when the status changes, with the payment request as it is then', async () => {
    const { id } = await create();
    const waiting = await startWaiting(id);
    assert.equal(waiting.isAnswered(), false);
    await calls.cancel(id);
    const { status, text } = await soon(waiting.answer);
    assert.equal(status, 200);
    assert.equal(text, (await calls.read(id)).text);
    assert.equal(JSON.parse(text).status, 'CANCELLED');
  });

  it('is answered when anything else changes', async () => {
    const { id, etag } = await create();
    const waiting = await startWaiting(id, { etag });
    await calls.update(id, { displayMessage: 'Please hurry' });
    const { status, json } = await soon(waiting.answer);
    assert.deepEqual([status, json.displayMessage], [200, 'Please hurry']);
  });

  it('is not answered when another payment request changes', async () => {
    const [{ id }, other] = [await create(), await create()];
    const waiting = await startWaiting(id);
    await calls.cancel(other.id);
    await wait(150);
    assert.equal(waiting.isAnswered(), false);
    await calls.cancel(id);
    await soon(waiting.answer);
  });

  it('is answered when another process changes it', async () => {
    const beside = await startServiceBeside(service, { roles: ['api'] });
    try {
      const { id } = await create();
      const waiting = await startWaiting(id);
      await paymentRequestCalls(beside, merchant).cancel(id);
      assert.equal((await soon(waiting.answer)).json.status, 'CANCELLED');
    } finally {
      await beside.stop();
    }
  });

  it('ends after the time asked for: 200 as it is, or 304 for what the caller knows', async () => {
    const { id, etag } = await create();
    const startedMs = performance.now();
    const [plain, known] = await Promise.all([
      startWaiting(id, { seconds: 1 }).then(({ answer }) => answer),
      startWaiting(id, { seconds: 1, etag }).then(({ answer }) => answer),
    ]);
    assert.ok(performance.now() - startedMs >= 1_000);
    assert.deepEqual([plain.status, plain.json.status], [200, 'CREATED']);
    assert.deepEqual([known.status, known.text, known.headers.get('etag')], [304, '', etag]);
  });

  it('finds at its end what nobody told it of', async () => {
    const { id } = await create();
    const waiting = await startWaiting(id, { seconds: 1 });
    await service.database.sql(
      "UPDATE payment_requests SET display_message = 'untold', version = 2 WHERE id = $1",
      [id],
    );
    assert.equal((await waiting.answer).json.displayMessage, 'untold');
  });

  it('is answered at the moment of expiry, before anybody has written it', async () => {
    const alone = await startTestService({ roles: ['api'] });
    try {
      const as = await alone.createMerchant();
      const expiryDateTime = '2026-03-01T12:10:00.000Z';
      const { json } = await paymentRequestCalls(alone, as).create({ expiryDateTime });
      // Half a second before: the service looks again at that moment, by which the clock is there.
      await alone.advance(599.5);
      const waiting = await startWaiting(json.id, { at: alone, as });
      await alone.advance(0.5);
      const { status, events } = (await soon(waiting.answer)).json;
      assert.equal(status, 'EXPIRED');
      assert.equal(events.at(-1).dateTime, expiryDateTime);
      const [stored] = await alone.database.sql('SELECT status FROM payment_requests');
      assert.deepEqual(stored, { status: 'CREATED' });
    } finally {
      await alone.stop();
    }
  });
});

describe('a read that has nothing to wait for is answered at once', () => {
  it('when the caller knows an older version', async () => {
    const { id, etag } = await create();
    await calls.update(id, { displayMessage: 'new' });
    const { status } = await soon((await startWaiting(id, { etag })).answer);
    assert.equal(status, 200);
  });

  it('when the payment request has ended and the caller may not know', async () => {
    for (const outcome of ['FAILED', 'PAID']) {
      const { id } = await create();
      await calls.simulate(id, { outcome });
      const { status, json } = await soon((await startWaiting(id)).answer);
      assert.deepEqual([status, json.status], [200, outcome]);
    }
  });

  it('when it is PAID, which is final, also for a caller that knows', async () => {
    const { id } = await create();
    const { headers } = await calls.simulate(id, { outcome: 'PAID' });
    const etag = headers.get('etag') ?? '';
    const { status } = await soon((await startWaiting(id, { etag })).answer);
    assert.equal(status, 304);
  });

  it('but money may still arrive late for one that failed and is known to have', async () => {
    const { id } = await create();
    await calls.simulate(id, { outcome: 'FAILED' });
    const etag = (await calls.read(id)).headers.get('etag') ?? '';
    const waiting = await startWaiting(id, { etag });
    assert.equal(waiting.isAnswered(), false);
    await calls.simulate(id, { outcome: 'PAID' });
    assert.equal((await soon(waiting.answer)).json.paidLate, true);
  });

  it('when nothing is found: 404', async () => {
    const none = '01985f6e-0000-7000-8000-000000000000';
    assert.equal((await soon((await startWaiting(none)).answer)).status, 404);
    assert.equal((await soon((await startWaiting('x')).answer)).status, 404);
  });

  for (const query of [
    'waitSeconds=0',
    'waitSeconds=31',
    'waitSeconds=x',
    'wait=1',
    'waitSeconds=',
  ]) {
    it(`when the query is wrong: ${query}`, async () => {
      const { id } = await create();
      const { headers } = merchant;
      const answer = await service.call('GET', `/v1/payment-requests/${id}?${query}`, { headers });
      assert.equal(answer.status, 400);
      assert.equal(answer.json.errors[0].field, query.split('=')[0]);
    });
  }
});

describe('many who wait', () => {
  it('are 50 of a merchant at most, hold no connection, and leave their places when they go', async () => {
    const { id } = await create();
    const { headers } = merchant;
    const path = `/v1/payment-requests/${id}?waitSeconds=30`;
    const refused: http.IncomingMessage[] = [];
    const requests = Array.from({ length: 53 }, () =>
      http
        .get(service.url + path, { headers }, (answer) => refused.push(answer.resume()))
        .on('error', () => {}),
    );
    await eventually(() => refused.length === 3);
    for (const answer of refused) {
      assert.equal(answer.statusCode, 429);
      assert.match(answer.headers['retry-after'] ?? '', /^\d+$/);
    }
    const { json: problem } = await service.call('GET', path, { headers });
    assert.equal(problem.code, 'RATE_LIMITED');
    assert.equal((await soon(calls.read(id))).status, 200);
    const as = await service.createMerchant({ name: 'Other Shop' });
    const { json } = await paymentRequestCalls(service, as).create();
    const others = await startWaiting(json.id, { seconds: 1, as });
    assert.equal((await others.answer).status, 200);

    for (const request of requests) request.destroy();
    await eventually(async () => {
      const { answer } = await startWaiting(id, { seconds: 1 });
      return (await answer).status === 200;
    });
  });

  it('are all answered by one change', async () => {
    const { id } = await create();
    const waiting = await Promise.all(Array.from({ length: 50 }, () => startWaiting(id)));
    await calls.cancel(id);
    for (const { answer } of waiting) {
      assert.equal((await soon(answer)).json.status, 'CANCELLED');
    }
  });

  it('are looked up in one statement for all waiting calls', async () => {
    const { db } = service.database;
    const found = [];
    for (let count = 0; count < 20; count++) {
      const { id } = await create();
      found.push(await findPaymentRequest(db, id));
    }
    let statements = 0;
    const counting: Executor = {
      query: (statement, values) => {
        statements++;
        return db.query(statement, values);
      },
    };
    const waiters = createChangeWaiters({ db: counting, clock: service.clock }, PAYMENT_REQUESTS);
    const gone = new AbortController().signal;
    const answers = found.map((seen) => {
      assert.ok(seen);
      return waiters.join('merchant', seen.id).change(seen, 500, gone);
    });
    // Changes that come together are one look, or two where some come during the first.
    for (let count = 0; count < 100; count++) waiters.wake(null);
    assert.equal((await Promise.all(answers)).length, 20);
    assert.ok(statements <= 4, `${statements} statements`);
  });

  it('are all answered at once when the service stops', async () => {
    const alone = await startTestService({ roles: ['api'] });
    const as = await alone.createMerchant();
    const { json } = await paymentRequestCalls(alone, as).create();
    const waiting = [];
    for (let count = 0; count < 5; count++) {
      waiting.push(await startWaiting(json.id, { at: alone, as }));
    }
    const stopped = alone.stop();
    for (const { answer } of waiting) assert.equal((await soon(answer)).json.status, 'CREATED');
    await soon(stopped);
  });
});

describe('while the database is away', () => {
  it('a waiting call goes on waiting, and is answered 503 at the end', async () => {
    const start = new Date('2026-03-01T12:00:00.000Z');
    const database = await createTestDatabase('sandbox', start);
    const proxy = await startTcpProxy(database.address);
    const settings = { DATABASE_URL: database.urlAt(proxy.port) };
    const at = await startTestService({ database, settings, start, roles: ['api'] });
    try {
      const as = await at.createMerchant();
      const its = paymentRequestCalls(at, as);
      const [first, second] = [(await its.create()).json, (await its.create()).json];
      const short = await startWaiting(first.id, { at, as, seconds: 1 });
      const long = await startWaiting(second.id, { at, as });
      proxy.cut();
      const { status, json } = await short.answer;
      assert.deepEqual([status, json.code], [503, 'TEMPORARILY_UNAVAILABLE']);
      assert.equal(long.isAnswered(), false);
      proxy.restore();
      // Another process changes it; the word of it may come before this one listens again.
      const sql = `UPDATE payment_requests SET display_message = 'later', version = 2 WHERE id = $1`;
      await database.sql(sql, [second.id]);
      assert.equal((await soon(long.answer)).json.displayMessage, 'later');
    } finally {
      proxy.restore();
      await at.stop();
      await proxy.close();
    }
  });
});
