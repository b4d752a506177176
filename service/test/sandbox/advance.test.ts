import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { eventually } from '../support/eventually.ts';
import {
  faultsOf,
  type PaymentRequestCalls,
  paymentRequestCalls,
  statusesOf,
} from '../support/payment-requests/payment-requests.ts';
import { createPaid, type RefundCalls, refundCalls } from '../support/refunds/refund-calls.ts';
import type { TestMerchant } from '../support/service/service.ts';
import { type HttpsListener, startHttpsListener } from '../support/webhooks/https-listener.ts';
import { startWebhookService, type WebhookService } from '../support/webhooks/webhook-service.ts';

const DAY = 86_400;

let service: WebhookService;
let listener: HttpsListener;
let merchant: TestMerchant;
let calls: PaymentRequestCalls;
let refunds: RefundCalls;

before(async () => {
  service = await startWebhookService();
  listener = await startHttpsListener({ authority: service.authority });
});
after(async () => {
  await listener?.close();
  await service?.stop();
});
beforeEach(begin);

/** A merchant whose token is new, however far a test has moved the clock. */
async function begin(): Promise<void> {
  merchant = await service.createMerchant();
  calls = paymentRequestCalls(service, merchant);
  refunds = refundCalls(service, merchant);
  answerWith(204);
}

/** The statuses of the listener's answers, in their order; the last one repeats. */
function answerWith(...statuses: readonly number[]): void {
  let count = 0;
  listener.answerWith((_request, response) => {
    const status = statuses[Math.min(count++, statuses.length - 1)] ?? 204;
    response.writeHead(status).end();
  });
}

/** Holds the listener's answers. @returns lets them go */
function hold(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  listener.answerWith((_request, response) => {
    void promise.then(() => response.writeHead(204).end());
  });
  return resolve;
}

/** A payment request that has something to send at once. */
async function createSending(): Promise<string> {
  const members = { ...payerNamed('depositSubmit:0'), webhookUrl: listener.url };
  return (await calls.create(members)).json.id;
}

/** Advances the time of a payment request, and waits until all that fell due is over. */
async function advanceBy(id: string, seconds: number) {
  const { status, text, json } = await calls.advance(id, { seconds });
  assert.equal(status, 202, text);
  await eventually(async () => {
    const read = await calls.read(id);
    const isThere = read.json.sandboxAdvancedSeconds === json.sandboxAdvancedSeconds;
    return isThere && (await advancesOf(id)).length === 0;
  }, 'the end of the advance');
  return json;
}

const advancesOf = (id: string) =>
  service.database.sql('SELECT 1 FROM sandbox_advances WHERE payment_request_id = $1', [id]);

const deliveriesOf = async (id: string) =>
  (
    await service.call('GET', `/v1/webhook-deliveries?paymentRequestId=${id}`, {
      headers: merchant.headers,
    })
  ).json.data;

async function attemptsOf(id: string) {
  const [{ id: deliveryId }] = await deliveriesOf(id);
  const path = `/v1/webhook-deliveries/${deliveryId}`;
  const { json } = await service.call('GET', path, { headers: merchant.headers });
  return json;
}

const payerNamed = (name: string) => ({ payer: { name, email: 'ada@example.com' } });
const expiryIn = (seconds: number) =>
  new Date(service.clock.now().getTime() + seconds * 1_000).toISOString();

describe('the advanced time of a payment request', () => {
  it('makes it expire, at the real instant', async () => {
    const { id } = (await calls.create({ expiryDateTime: expiryIn(30 * DAY) })).json;
    const before = await calls.read(id);
    const answer = await advanceBy(id, 31 * DAY);
    const due = { type: 'EXPIRY', id, dueDateTime: before.json.expiryDateTime };
    assert.deepEqual(answer, {
      paymentRequestId: id,
      sandboxAdvancedSeconds: 31 * DAY,
      willRun: [due],
    });
    const { json } = await calls.read(id);
    const now = service.clock.now().toISOString();
    assert.deepEqual([json.status, json.expiryDateTime], ['EXPIRED', now]);
    assert.deepEqual(json.events, [before.json.events[0], { status: 'EXPIRED', dateTime: now }]);
    assert.equal(json.createdDateTime, before.json.createdDateTime);
  });

  it('makes a refund fail or come back', async () => {
    const id = await createPaid(service, merchant);
    const failed = (await refunds.created(id, { amount: 1, message: 'refundFail:NETWORK_TIMEOUT' }))
      .json;
    const back = (await refunds.created(id, { amount: 2, message: 'refundReturned:3600' })).json;
    await advanceBy(id, DAY);
    const [one, other] = [await refunds.read(failed.id), await refunds.read(back.id)];
    assert.equal(one.json.statusReason.code, 'NETWORK_TIMEOUT');
    assert.equal(other.json.statusReason.code, 'REFUND_RETURNED');
    assert.deepEqual(statusesOf(other), ['CREATED', 'PROCESSING', 'COMPLETED', 'FAILED']);
  });

  it('brings the attempts of three days, which are marked and count for no breaker', async () => {
    answerWith(500);
    const members = { ...payerNamed('depositSubmit:0'), webhookUrl: listener.url };
    const { id } = (await calls.create(members)).json;
    const seen = listener.requests.length;
    await advanceBy(id, 5 * DAY);
    const delivery = await attemptsOf(id);
    assert.deepEqual([delivery.status, delivery.attempts], ['EXHAUSTED', 11]);
    const marks = delivery.attemptLog.map((each: object) => 'sandboxAdvanced' in each);
    assert.deepEqual(marks, [false, ...Array(10).fill(true)]);
    const sent = listener.requests.slice(seen);
    const timestamp = String(Math.floor(service.clock.now().getTime() / 1_000));
    assert.deepEqual(
      new Set(sent.map(({ headers }) => headers['webhook-timestamp'])),
      new Set([timestamp]),
    );
    const rows = await service.database.sql<{ failures: number }>(
      'SELECT failures FROM webhook_destinations WHERE origin LIKE $1',
      [`%${merchant.merchantId}%`],
    );
    // The first attempt came at its own time, and counts.
    assert.deepEqual(rows, [{ failures: 1 }]);
  });

  it('waits for no breaker', async () => {
    answerWith(500, 204);
    const members = { ...payerNamed('depositSubmit:0'), webhookUrl: listener.url };
    const { id } = (await calls.create(members)).json;
    await advanceBy(id, 1);
    const closed = await service.database.sql<{ destination: string }>(
      `UPDATE webhook_destinations SET failures = 10, opened_at = service_now(),
         next_probe_at = service_now() + interval '1 hour' RETURNING destination`,
    );
    assert.ok(closed.length > 0);
    await advanceBy(id, 6);
    const delivery = await attemptsOf(id);
    assert.deepEqual([delivery.status, delivery.attempts], ['SUCCEEDED', 2]);
    await service.database.sql('DELETE FROM webhook_destinations');
  });

  it('gives what is left back to the queue of its destination', async () => {
    answerWith(500);
    const members = { ...payerNamed('depositSubmit:0'), webhookUrl: listener.url };
    const { id } = (await calls.create(members)).json;
    await advanceBy(id, 60);
    const [row] = await service.database.sql<{ destination: string; attempts: number }>(
      'SELECT destination, attempts FROM webhook_deliveries WHERE payment_request_id = $1',
      [id],
    );
    assert.equal(row?.attempts, 3);
    assert.equal(row?.destination, `${merchant.merchantId} ${new URL(listener.url).origin}`);
  });

  it('sends a reminder at any hour of the night', async () => {
    const delivery = { reminders: [24], quietHours: true };
    const expiryDateTime = expiryIn(10 * DAY);
    const members = { deliveryMode: 'EMAIL', delivery, expiryDateTime };
    const { id } = (await calls.create(members)).json;
    const { willRun } = await advanceBy(id, 11 * DAY);
    assert.deepEqual(
      willRun.map(({ type }: { type: string }) => type),
      ['MESSAGE', 'MESSAGE', 'EXPIRY'],
    );
    const { json } = await service.call('GET', `/v1/payment-requests/${id}/messages`, {
      headers: merchant.headers,
    });
    const ends = json.data.map((each: { kind: string; status: string }) => [
      each.kind,
      each.status,
    ]);
    assert.deepEqual(ends.toSorted(), [
      ['REMINDER', 'SENT'],
      ['REQUEST', 'SENT'],
    ]);
  });

  it('has its own nights, which go on after an advance', async () => {
    const delivery = { reminders: [24], quietHours: true };
    const members = { deliveryMode: 'EMAIL', delivery, expiryDateTime: expiryIn(10 * DAY) };
    const { id } = (await calls.create(members)).json;
    await advanceBy(id, 6 * 3_600);
    const reminder = async () => {
      const [row] = await service.database.sql<{ status: string; due: Date; next: Date | null }>(
        `SELECT status, due_at AS due, next_attempt_at AS next FROM messages
         WHERE payment_request_id = $1 AND kind = 'REMINDER'`,
        [id],
      );
      assert.ok(row);
      return row;
    };
    const dueMs = (await reminder()).due.getTime();
    // The merchant has moved: by the time of the payment request it is 23 h there.
    const hour = 23 - new Date(dueMs + 6 * 3_600_000).getUTCHours();
    const zone = hour > 14 ? `Etc/GMT+${24 - hour}` : `Etc/GMT-${hour}`;
    await service.database.sql(
      'INSERT INTO merchant_profiles (merchant_id, time_zone) VALUES ($1, $2)',
      [merchant.merchantId, zone],
    );
    await service.advance((dueMs - service.clock.now().getTime()) / 1_000 + 1);
    const held = await eventually(async () => {
      const read = await reminder();
      return read.status === 'SENT' || Number(read.next) > dueMs ? read : false;
    });
    assert.equal(held.status, 'SCHEDULED');
    const hours = (Number(held.next) - dueMs) / 3_600_000;
    assert.ok(hours > 8 && hours <= 9, `${hours} h until 8:00`);
  });

  it('adds up, and moves nothing of anybody else', async () => {
    answerWith(500);
    const members = { webhookUrl: listener.url, expiryDateTime: expiryIn(DAY) };
    const other = (await calls.create({ ...members, ...payerNamed('depositSubmit:3600') })).json.id;
    const { id } = (await calls.create(members)).json;
    const rowsOf = () =>
      service.database.sql(
        `SELECT expires_at, p.version, due_at, done_at FROM payment_requests p
         JOIN sandbox_steps ON payment_request_id = p.id WHERE p.id = $1`,
        [other],
      );
    const before = await rowsOf();
    await advanceBy(id, 100);
    await advanceBy(id, 200);
    const { json } = await calls.read(id);
    assert.equal(json.sandboxAdvancedSeconds, 300);
    assert.equal(json.expiryDateTime, expiryIn(DAY - 300));
    assert.deepEqual(await rowsOf(), before);
    assert.equal('sandboxAdvancedSeconds' in (await calls.read(other)).json, false);
  });

  it('advances once at a time, and once for its idempotency key', async () => {
    const release = hold();
    const id = await createSending();
    const key = { 'idempotency-key': `advance-${id}` };
    const first = await calls.advance(id, { seconds: 60 }, key);
    assert.equal(first.status, 202, first.text);
    assert.equal((await calls.advance(id, { seconds: 60 }, key)).text, first.text);
    const second = await calls.advance(id, { seconds: 60 });
    assert.deepEqual([second.status, second.json.code], [409, 'ADVANCE_RUNNING']);
    release();
    await eventually(async () => (await advancesOf(id)).length === 0);
    assert.equal((await calls.read(id)).json.sandboxAdvancedSeconds, 60);
    assert.equal((await calls.advance(id, { seconds: 1 })).status, 202);
    await eventually(async () => (await advancesOf(id)).length === 0);
  });

  it('goes on in another process when the first one is gone', async () => {
    const { id } = (await calls.create({ expiryDateTime: expiryIn(DAY) })).json;
    await service.database.sql(
      `INSERT INTO sandbox_advances (payment_request_id, remaining_us, claim_token, claimed_until)
       VALUES ($1, 2 * 86400 * 1000000::bigint, gen_random_uuid(), service_now())`,
      [id],
    );
    await service.advance(1);
    await eventually(async () => (await calls.read(id)).json.status === 'EXPIRED');
  });

  it('belongs to the process that has claimed it last, which renews its claim', async () => {
    const release = hold();
    const id = await createSending();
    await calls.advance(id, { seconds: 60 });
    const claims = () =>
      service.database.sql<{ token: string; seconds: number }>(
        `SELECT claim_token AS token,
           extract(epoch FROM claimed_until - service_now())::float8 AS seconds
         FROM sandbox_advances WHERE payment_request_id = $1`,
        [id],
      );
    const own = (await eventually(async () => (await claims()).find(({ token }) => token))).token;
    // Not `advance`, which would wait for the end of the attempt that the listener holds.
    await service.leap(9);
    await eventually(async () => (await claims())[0]?.seconds === 10, 'a new claim');
    assert.equal((await claims())[0]?.token, own);
    const take = (seconds: number) =>
      service.database.sql(
        `UPDATE sandbox_advances SET claim_token = gen_random_uuid(),
           claimed_until = service_now() + make_interval(secs => $2) WHERE payment_request_id = $1`,
        [id, seconds],
      );
    await take(3_600);
    release();
    // Another advance begins and ends after it.
    await advanceBy((await calls.create()).json.id, 1);
    assert.notEqual((await calls.read(id)).json.sandboxAdvancedSeconds, 60);
    await take(0);
    await service.advance(1);
    await eventually(async () => (await calls.read(id)).json.sandboxAdvancedSeconds === 60);
  });

  it('waits for two others of its merchant at most, and for none of another merchant', async () => {
    const release = hold();
    const ids: string[] = [];
    for (let count = 0; count < 9; count++) ids.push(await createSending());
    for (const id of ids) assert.equal((await calls.advance(id, { seconds: 5 })).status, 202);
    const own = calls;
    calls = paymentRequestCalls(service, await service.createMerchant());
    await advanceBy((await calls.create()).json.id, 5);
    assert.equal((await Promise.all(ids.map(advancesOf))).flat().length, 9);
    release();
    // No clock moves: the end of each of them wakes the next.
    const startMs = performance.now();
    await eventually(async () => (await Promise.all(ids.map(advancesOf))).flat().length === 0);
    const ms = performance.now() - startMs;
    // Two at a time, four polls begin the other seven, and the polls of a test are 5 s apart.
    assert.ok(ms < 15_000, `${ms} ms`);
    calls = own;
  });

  const ways: [string, (endpoint: string, delivery: string) => [path: string, body: object]][] = [
    ['redelivery', (_, delivery) => [`/v1/webhook-deliveries/${delivery}/redeliver`, {}]],
    [
      'replay',
      (endpoint) => [
        `/v1/webhook-endpoints/${endpoint}/replay`,
        { from: '2026-01-01T00:00:00Z', only: 'all' },
      ],
    ],
  ];
  for (const [way, callOf] of ways) {
    it(`is over for a ${way} of what has ended in it, to an endpoint`, async () => {
      const { headers } = merchant;
      const endpoint = await service.call('POST', '/v1/webhook-endpoints', {
        headers,
        body: { url: listener.url },
      });
      answerWith(500);
      const { id } = (await calls.create(payerNamed('depositSubmit:0'))).json;
      await advanceBy(id, 5 * DAY);
      answerWith(204);
      const { id: deliveryId, attempts } = await attemptsOf(id);
      // A replay ends before its instant.
      await service.advance(1);
      const [path, body] = callOf(endpoint.json.id, deliveryId);
      const answer = await service.call('POST', path, { headers, body });
      assert.ok(answer.status < 300, answer.text);
      const again = await eventually(async () => {
        await service.advance(1);
        const delivery = await attemptsOf(id);
        return delivery.status === 'SUCCEEDED' && delivery;
      }, 'the delivery');
      assert.equal('sandboxAdvanced' in again.attemptLog[attempts], false);
      const [row] = await service.database.sql<{ destination: string }>(
        'SELECT destination FROM webhook_deliveries WHERE id = $1',
        [deliveryId],
      );
      assert.equal(row?.destination, endpoint.json.id);
      const endpointPath = `/v1/webhook-endpoints/${endpoint.json.id}`;
      await service.call('DELETE', endpointPath, { headers });
    });
  }

  const refused = [
    [{}, 'REQUIRED'],
    [{ seconds: 0 }, 'TOO_LOW'],
    [{ seconds: 31_536_001 }, 'TOO_HIGH'],
    [{ seconds: 1.5 }, 'INVALID_TYPE'],
    [{ seconds: '60' }, 'INVALID_TYPE'],
  ] as const;
  it('takes whole seconds from 1 to a year', async () => {
    const { id } = (await calls.create()).json;
    for (const [body, code] of refused) {
      const answer = await calls.advance(id, body);
      assert.equal(answer.status, 400, answer.text);
      assert.deepEqual(faultsOf(answer), [['seconds', code]], JSON.stringify(body));
    }
    const stranger = paymentRequestCalls(service, await service.createMerchant());
    const foreign = await stranger.advance(id, { seconds: 1 });
    assert.equal(foreign.json.code, 'PAYMENT_REQUEST_NOT_FOUND');
  });
});

interface Story {
  readonly name: string;
  readonly seconds: number;
  readonly expirySeconds: number;
  /** How many of the listener's first answers are failures: ten would open a breaker. */
  readonly failures: number;
  readonly message: string | null;
}

const stories: fc.Arbitrary<Story> = fc.record({
  name: fc.constantFrom(
    'Ada',
    'depositSubmit',
    'depositDecline',
    'depositProcessing',
    'depositLate',
  ),
  // No step falls due while an attempt could, with any jitter of its wait.
  seconds: fc.constantFrom(10, 60, 400, 3_000),
  expirySeconds: fc.constantFrom(300, 10_000),
  failures: fc.nat({ max: 9 }),
  message: fc.constantFrom(null, 'refundFail:ACCOUNT_RESTRICTED', 'refundReturned:60'),
});

/** The statuses of a payment request, then of its refund. */
async function historyOf(id: string): Promise<string> {
  const rows = await service.database.sql<{ status: string }>(
    `SELECT status FROM (
       SELECT 0 AS place, position, status FROM payment_request_events
       WHERE payment_request_id = $1
       UNION ALL
       SELECT 1, position, e.status FROM refund_events e JOIN refunds r ON r.id = e.refund_id
       WHERE r.payment_request_id = $1) all_events ORDER BY place, position`,
    [id],
  );
  return rows.map(({ status }) => status).join(' ');
}

/** Lives through a story until all of it is over. @returns what happened, in order */
async function live(story: Story, pass: (id: string) => Promise<void>): Promise<string[]> {
  const { name, seconds, expirySeconds, failures, message } = story;
  await begin();
  const seen: string[] = [];
  let told = '';
  listener.answerWith((request, response) => {
    const { eventType, sequence, resource } = JSON.parse(request.body);
    // The clock moves what earlier tests have left, too.
    if (told !== (resource.paymentRequestId ?? resource.id)) return response.writeHead(204).end();
    const status = seen.length < failures ? 500 : 204;
    void historyOf(told).then((statuses) => {
      seen.push(`${sequence} ${eventType} answered ${status} after ${statuses}`);
      response.writeHead(status).end();
    });
    return;
  });
  const { id } = (
    await calls.create({
      ...payerNamed(name === 'Ada' ? name : `${name}:${seconds}`),
      webhookUrl: listener.url,
      expiryDateTime: expiryIn(expirySeconds),
    })
  ).json;
  told = id;
  if (message !== null) {
    await calls.simulate(id, { outcome: 'PAID' });
    await eventually(async () => seen.length > 0);
    await refunds.created(id, { message, webhookUrl: listener.url });
  }
  await pass(id);
  const ends = await service.database.sql<{ text: string }>(
    `SELECT sequence || ' ' || status || ' ' || attempts AS text FROM webhook_deliveries
     WHERE payment_request_id = $1 ORDER BY sequence`,
    [id],
  );
  return [...seen, ...ends.map(({ text }) => text), await historyOf(id)];
}

/** The seconds until the next due instant of a payment request; null: there is none. */
async function nextDueSeconds(id: string): Promise<number | null> {
  const [row] = await service.database.sql<{ seconds: number | null }>(
    `SELECT extract(epoch FROM min(at) - service_now())::float8 AS seconds FROM (
       SELECT expires_at AS at FROM payment_requests WHERE id = $1 AND status = 'CREATED'
       UNION ALL SELECT due_at FROM sandbox_steps
         WHERE payment_request_id = $1 AND done_at IS NULL
       UNION ALL SELECT next_poll_at FROM refunds WHERE payment_request_id = $1
       UNION ALL SELECT next_attempt_at FROM webhook_deliveries d
         WHERE payment_request_id = $1 AND NOT EXISTS (
           SELECT FROM webhook_deliveries e WHERE e.payment_request_id = $1
             AND e.sequence < d.sequence AND e.next_attempt_at IS NOT NULL)) due`,
    [id],
  );
  return row?.seconds ?? null;
}

/** Steps of a refund take a few milliseconds. */
const SETTLED_MS = 30;

/** Lets the clock of the service run from one due instant to the next. */
async function passReally(id: string): Promise<void> {
  for (;;) {
    const seconds = await eventually(async () => {
      const next = await nextDueSeconds(id);
      // A claimed step of a refund is due again after its lease: it must be over, too.
      await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
      const isSettled = next === (await nextDueSeconds(id));
      return isSettled && (next === null || next > 0) ? { next } : false;
    }, 'what is due to be over');
    if (seconds.next === null) return;
    await service.advance(seconds.next + 0.001);
  }
}

describe('a story whose time is advanced', () => {
  it('has the sequence of statuses, events and attempts that it has in real time', async () => {
    await fc.assert(
      fc.asyncProperty(stories, async (story) => {
        const real = await live(story, passReally);
        const advanced = await live(story, (id) => advanceBy(id, 30 * DAY).then(() => {}));
        assert.deepEqual(advanced, real);
      }),
      { numRuns: 6, endOnFailure: true },
    );
  });
});
