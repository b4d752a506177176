import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { DatabaseUnavailable } from '#database/database.ts';
import { rotatingKey } from '#lib/secret-key.ts';
import { newSigningSecret } from '#merchants/new-secret.ts';
import { createSenderSignal } from '#webhooks/events/wake-senders.ts';
import { eventually } from '../support/eventually.ts';
import { untilTurned } from '../support/until-turned.ts';
import {
  type HttpsListener,
  type ReceivedWebhook,
  startHttpsListener,
  startTlsListener,
} from '../support/webhooks/https-listener.ts';
import { untilIdle } from '../support/webhooks/until-idle.ts';
import {
  createWebhookDeliveries,
  failing,
  type ListenerSecrets,
  SCHEDULE_SECONDS,
  type WebhookDeliveries,
} from '../support/webhooks/webhook-deliveries.ts';

let outbox: WebhookDeliveries;
let listener: HttpsListener;
let merchant: { readonly id: string } & ListenerSecrets;

beforeEach(async () => {
  outbox = await createWebhookDeliveries();
  listener = await startHttpsListener({ authority: outbox.authority });
  merchant = await outbox.addMerchant();
});
afterEach(async () => {
  await outbox.close();
  await listener.close();
});

function enqueue(event: Partial<Parameters<WebhookDeliveries['enqueue']>[0]> = {}) {
  return outbox.enqueue({ merchantId: merchant.id, webhookUrl: listener.url, ...event });
}

async function theDelivery() {
  const [delivery, ...others] = await outbox.deliveries();
  assert.ok(delivery);
  assert.equal(others.length, 0);
  return delivery;
}

const becomes = (status: string) =>
  eventually(async () => {
    const delivery = await theDelivery();
    return delivery.status === status && delivery;
  }, `a delivery that is ${status}`);

const hasAttempts = (count: number) =>
  eventually(async () => {
    const delivery = await theDelivery();
    return delivery.attempts === count && delivery.lease_token === null && delivery;
  }, `${count} recorded attempts`);

const resourceIdOf = (body: string): string => JSON.parse(body).resource.id;

function assertSentWith(request: ReceivedWebhook | undefined, secrets: ListenerSecrets) {
  assert.ok(request);
  const headers = request.headers as Record<string, string>;
  const basic = Buffer.from(`${secrets.username}:${secrets.password}`).toString('base64');
  assert.equal(headers.authorization, `Basic ${basic}`);
  assert.ok(new Webhook(secrets.signingSecret).verify(request.body, headers));
}

describe('a delivery', () => {
  it('reaches the payment request’s own URL with the merchant’s credentials', async () => {
    const sender = outbox.startSender();
    const paymentRequestId = await enqueue();
    sender.wake();
    const [request] = await listener.received(1);
    assertSentWith(request, merchant);
    const body = JSON.parse(request?.body ?? '');
    assert.equal(body.resource.id, paymentRequestId);
    assert.equal(request?.headers['webhook-id'], body.id);

    const delivery = await becomes('SUCCEEDED');
    assert.equal(delivery.attempts, 1);
    assert.equal(delivery.next_attempt_at, null);
    const [attempt, ...others] = await outbox.attempts(delivery.id);
    assert.equal(others.length, 0);
    assert.equal(attempt?.attempt, 1);
    assert.equal(attempt?.outcome, 'SUCCEEDED');
    assert.equal(attempt?.http_status, 200);
    assert.equal(attempt?.response_body, 'ok');
    assert.equal(attempt?.address, '127.0.0.1');
  });

  it('reaches an endpoint with the endpoint’s own credentials', async () => {
    const endpoint = await outbox.addEndpoint(merchant.id, listener.url);
    const sender = outbox.startSender();
    await enqueue();
    sender.wake();
    assertSentWith((await listener.received(1))[0], endpoint);
    assert.equal((await becomes('SUCCEEDED')).endpoint_id, endpoint.id);
  });

  it('is signed with the older secret too until the rotation’s end', async () => {
    const endpoint = await outbox.addEndpoint(merchant.id, listener.url);
    const older = { ...endpoint, signingSecret: newSigningSecret() };
    await outbox.addPreviousSecret(endpoint.id, older.signingSecret, 3_600);
    const sender = outbox.startSender();
    await enqueue();
    sender.wake();
    const [during] = await listener.received(1);
    assertSentWith(during, endpoint);
    assertSentWith(during, older);

    await hasAttempts(1);
    await outbox.advance(3_600);
    await enqueue();
    sender.wake();
    const [, afterwards] = await listener.received(2);
    assertSentWith(afterwards, endpoint);
    assert.throws(() => assertSentWith(afterwards, older), /No matching signature/);
  });

  it('leaves one log line and its measurements, without secrets, payer or query', async () => {
    const sender = outbox.startSender();
    const paymentRequestId = await enqueue({ webhookUrl: `${listener.url}?token=hidden` });
    sender.wake();
    await becomes('SUCCEEDED');
    const line = await eventually(() =>
      outbox.logLines.find(({ msg }) => msg === 'webhook attempt'),
    );
    const delivery = await theDelivery();
    assert.equal(line.deliveryId, delivery.id);
    assert.equal(line.eventId, delivery.event_id);
    assert.equal(line.paymentRequestId, paymentRequestId);
    assert.equal(line.merchantId, merchant.id);
    assert.equal(line.host, `localhost:${listener.port}`);
    assert.equal(line.outcome, 'SUCCEEDED');
    assert.equal(line.httpStatus, 200);
    assert.equal(line.attempt, 1);
    assert.equal(typeof line.durationMs, 'number');
    assert.equal(typeof line.lagMs, 'number');
    assert.equal(line.droppedFields, undefined);
    const text = JSON.stringify(outbox.logLines);
    for (const secret of [merchant.password, merchant.signingSecret, 'hidden', 'webhooks?']) {
      assert.ok(!text.includes(secret), secret);
    }
    const attempts = outbox.measured.filter(({ name }) => name === 'deliveryAttempt');
    assert.equal(attempts.length, 1);
  });
});

describe('a delivery that fails', () => {
  it('is tried again as the schedule says, same id and bytes, and then exhausted', async () => {
    // Others go well meanwhile: it is this event that the listener cannot take, and no outage.
    let refusedId = '';
    const refused = () => listener.requests.filter(({ body }) => resourceIdOf(body) === refusedId);
    listener.answerWith(({ body }, response) =>
      response.writeHead(resourceIdOf(body) === refusedId ? 500 : 200).end('answered'),
    );
    const sender = outbox.startSender();
    refusedId = await enqueue();
    sender.wake();
    const wasRefused = (times: number) =>
      eventually(async () => {
        const [delivery] = await outbox.deliveries();
        return delivery?.attempts === times && delivery.lease_token === null && delivery;
      }, `${times} recorded attempts`);
    for (const [index, seconds] of SCHEDULE_SECONDS.slice(1).entries()) {
      const delivery = await wasRefused(index + 1);
      assert.equal(delivery.status, 'PENDING');
      await enqueue();
      // Nothing is sent one second early; then it is.
      await outbox.advance(seconds - 1);
      await eventually(async () =>
        (await outbox.deliveries()).slice(1).every(({ status }) => status === 'SUCCEEDED'),
      );
      assert.equal(refused().length, index + 1, `before ${seconds} s`);
      await outbox.advance(1);
      await eventually(() => refused().length === index + 2);
    }
    const delivery = await wasRefused(11);
    assert.equal(delivery.status, 'EXHAUSTED');
    assert.equal(new Set(refused().map(({ body }) => body)).size, 1);
    assert.equal(new Set(refused().map(({ headers }) => headers['webhook-id'])).size, 1);
    await outbox.advance(1_000_000);
    await untilIdle(outbox, sender);
    assert.equal(refused().length, 11);
    assert.deepEqual(
      (await outbox.attempts(delivery.id)).map(({ attempt, http_status }) => [
        attempt,
        http_status,
      ]),
      Array.from({ length: 11 }, (_, n) => [n + 1, 500]),
    );
    assert.ok(outbox.logLines.some(({ msg }) => msg === 'webhook delivery exhausted'));
  });

  it('waits for what Retry-After asks of it', async () => {
    listener.answerWith((_request, response) =>
      response.writeHead(503, { 'retry-after': '90' }).end(),
    );
    const sender = outbox.startSender();
    await enqueue();
    sender.wake();
    await hasAttempts(1);
    await outbox.advance(89);
    await untilIdle(outbox, sender);
    assert.equal(listener.requests.length, 1);
    await outbox.advance(1);
    await listener.received(2);
  });

  it('succeeds later and is then over', async () => {
    let isUp = false;
    listener.answerWith((_request, response) => response.writeHead(isUp ? 200 : 500).end());
    const sender = outbox.startSender();
    await enqueue();
    sender.wake();
    await hasAttempts(1);
    isUp = true;
    await outbox.advance(5);
    assert.equal((await becomes('SUCCEEDED')).attempts, 2);
  });

  it('is not acknowledged by a late second answer to another merchant’s webhook', async () => {
    const once = 'HTTP/1.1 204 No Content\r\n\r\n';
    const requests: string[] = [];
    const shared = await startTlsListener(outbox.authority, (socket) => {
      let isAnswered = false;
      socket.on('data', (bytes) => {
        const path = String(bytes).split(' ')[1] ?? '';
        requests.push(path);
        // The second answer comes when another request is on the connection.
        if (path.endsWith('/late') || isAnswered) socket.write(once);
        else socket.destroy();
        isAnswered = true;
      });
    });
    const sender = outbox.startSender();
    await enqueue({ webhookUrl: `${shared.url}/late` });
    sender.wake();
    const { id: acknowledged } = await becomes('SUCCEEDED');
    const victim = await outbox.addMerchant();
    await enqueue({ merchantId: victim.id, webhookUrl: `${shared.url}/victim?n=1` });
    sender.wake();
    const delivery = await eventually(async () => {
      const other = (await outbox.deliveries()).find(({ id }) => id !== acknowledged);
      return other?.attempts === 1 && other.lease_token === null && other;
    }, 'an attempt for the other merchant');
    const [attempt] = await outbox.attempts(delivery.id);
    await shared.close();
    assert.deepEqual([delivery.status, attempt?.outcome], ['PENDING', 'CONNECTION_LOST']);
    assert.deepEqual(requests, ['/webhooks/late', '/webhooks/victim?n=1']);
  });

  it('keeps an answer that no database would take as it is', async () => {
    listener.answerWith((_request, response) =>
      response.writeHead(500).end(Buffer.from('\0\xff\0', 'latin1')),
    );
    const sender = outbox.startSender();
    await enqueue();
    sender.wake();
    const { id } = await hasAttempts(1);
    const [attempt] = await outbox.attempts(id);
    assert.equal(attempt?.response_body, '\uFFFD\uFFFD\uFFFD');
  });

  it('is exhausted at once by a 410 without an endpoint', async () => {
    listener.answerWith((_request, response) => response.writeHead(410).end());
    const sender = outbox.startSender();
    await enqueue();
    sender.wake();
    assert.equal((await becomes('EXHAUSTED')).attempts, 1);
  });

  it('pauses its endpoint by a 410, and is held until it is resumed', async () => {
    const endpoint = await outbox.addEndpoint(merchant.id, listener.url);
    listener.answerWith((_request, response) => response.writeHead(410).end());
    const sender = outbox.startSender();
    await enqueue();
    sender.wake();
    assert.equal((await hasAttempts(1)).status, 'PENDING');
    const [paused] = await outbox.database.sql('SELECT * FROM webhook_endpoints');
    assert.equal(paused?.status, 'PAUSED');
    assert.equal(paused?.paused_reason, 'GONE');
    // The notice comes after the write.
    await eventually(() => outbox.logLines.some(({ msg }) => msg === 'webhook endpoint paused'));
    assert.deepEqual(
      outbox.measured.filter(({ name }) => name === 'operatorNotice').map(({ value }) => value),
      ['ENDPOINT_PAUSED'],
    );
    await enqueue();
    await outbox.advance(100_000);
    await untilIdle(outbox, sender);
    assert.equal(listener.requests.length, 1);

    listener.answerWith((_request, response) => response.end());
    await outbox.database.sql("UPDATE webhook_endpoints SET status = 'ACTIVE'");
    sender.wake();
    await listener.received(3);
    const rows = await eventually(async () => {
      const all = await outbox.deliveries();
      return all.every(({ status }) => status === 'SUCCEEDED') && all;
    });
    assert.deepEqual(
      rows.map(({ endpoint_id }) => endpoint_id),
      [endpoint.id, endpoint.id],
    );
  });

  it('uses up no attempt where the fault is ours, and is found by a sender that can', async () => {
    const wrong = outbox.startSender({
      secretsKey: rotatingKey(randomBytes(32).toString('base64')),
    });
    await enqueue();
    wrong.wake();
    await eventually(() =>
      outbox.logLines.some(({ msg }) => msg === 'webhook delivery cannot be opened'),
    );
    await wrong.stop();
    assert.equal((await theDelivery()).attempts, 0);
    outbox.startSender();
    await outbox.advance(60);
    assert.equal((await becomes('SUCCEEDED')).attempts, 1);
  });
});

describe('the events of one payment request', () => {
  it('come to a URL in order: the next waits until the one before is acknowledged', async () => {
    let isUp = false;
    listener.answerWith((_request, response) => response.writeHead(isUp ? 200 : 500).end());
    const sender = outbox.startSender();
    const paymentRequestId = await enqueue({ eventType: 'PAYMENT-FAILED' });
    await enqueue({ paymentRequestId, sequence: 2 });
    sender.wake();
    const recorded = (count: number) =>
      eventually(async () => {
        const [first] = await outbox.deliveries();
        return first?.attempts === count && first.lease_token === null;
      }, `${count} recorded attempts`);
    await recorded(1);
    await outbox.advance(5);
    await recorded(2);
    await outbox.advance(4);
    isUp = true;
    await outbox.advance(26);
    await listener.received(4);
    const sequences = listener.requests.map(({ body }) => JSON.parse(body).sequence);
    assert.deepEqual(sequences, [1, 1, 1, 2]);
  });

  it('wait for an endpoint that has the URL, not for one that has moved away from it', async () => {
    const { id } = await outbox.addEndpoint(merchant.id, listener.url, { status: 'PAUSED' });
    const sender = outbox.startSender();
    const paymentRequestId = await enqueue({ eventType: 'PAYMENT-FAILED' });
    await outbox.database.sql(
      `UPDATE webhook_endpoints SET event_types = '{PAYMENT-FAILED}' WHERE id = $1`,
      [id],
    );
    // The endpoint moves; the payment request's own URL stays.
    await outbox.database.sql(
      `UPDATE webhook_endpoints SET url = 'https://moved.example/' WHERE id = $1`,
      [id],
    );
    await enqueue({ paymentRequestId, sequence: 2 });
    sender.wake();
    const [request] = await listener.received(1);
    assert.equal(JSON.parse(request?.body ?? '').sequence, 2);

    // It comes back to the URL: what it is owed goes before the payment request's next event.
    await outbox.database.sql('UPDATE webhook_endpoints SET url = $2 WHERE id = $1', [
      id,
      listener.url,
    ]);
    await outbox.database.sql(
      `UPDATE webhook_deliveries SET status = 'PENDING', next_attempt_at = service_now(),
         completed_at = NULL WHERE sequence = 2`,
    );
    await untilIdle(outbox, sender);
    assert.equal(listener.requests.length, 1);
  });

  it('go on when the one before is exhausted', async () => {
    listener.answerWith((request, response) =>
      response.writeHead(JSON.parse(request.body).sequence === 1 ? 410 : 200).end(),
    );
    const sender = outbox.startSender();
    const paymentRequestId = await enqueue({ eventType: 'PAYMENT-FAILED' });
    await enqueue({ paymentRequestId, sequence: 2 });
    sender.wake();
    await listener.received(2);
    const rows = await eventually(async () => {
      const all = await outbox.deliveries();
      return all.every(({ status }) => status !== 'PENDING') && all;
    });
    assert.deepEqual(
      rows.map(({ status }) => status),
      ['EXHAUSTED', 'SUCCEEDED'],
    );
  });

  it('do not wait for another URL, nor for another payment request', async () => {
    const other = await startHttpsListener({ authority: outbox.authority });
    await outbox.addEndpoint(merchant.id, other.url);
    listener.answerWith((_request, response) => response.writeHead(500).end());
    const sender = outbox.startSender();
    const paymentRequestId = await enqueue();
    await enqueue({ paymentRequestId, sequence: 2 });
    await enqueue();
    sender.wake();
    await other.received(3);
    await listener.received(2);
    await untilIdle(outbox, sender);
    assert.equal(listener.requests.length, 2);
    await other.close();
  });
});

describe('a lease', () => {
  // A claim counts these before it sends anything.
  const endedLeases = () => outbox.measured.filter(({ name }) => name === 'leaseExpired');

  it('that ended lets the delivery go out again, and the late record hits no row', async () => {
    const held: (() => void)[] = [];
    listener.answerWith((_request, response) => held.push(() => response.end()));
    const slow = outbox.startSender();
    await enqueue();
    slow.wake();
    await eventually(() => held.length === 1);
    await outbox.leap(44);
    await untilTurned(slow);
    assert.deepEqual(endedLeases(), []);
    assert.equal(held.length, 1, 'the lease still holds');
    const quick = outbox.startSender();
    await outbox.leap(1);
    quick.wake();
    await eventually(() => held.length === 2);
    held[1]?.();
    const delivery = await becomes('SUCCEEDED');
    held[0]?.();
    await eventually(() =>
      outbox.logLines.some(({ msg }) => /after its lease had ended/.test(String(msg))),
    );
    assert.deepEqual(await theDelivery(), delivery);
    assert.equal((await outbox.attempts(delivery.id)).length, 1);
    const [first, second] = listener.requests;
    assert.equal(first?.body, second?.body);
    assert.equal(first?.headers['webhook-id'], second?.headers['webhook-id']);
    assert.ok(outbox.measured.some(({ name, value }) => name === 'leaseExpired' && value === 1));
  });

  it('brings back what a sender sent that died before it recorded', async () => {
    const dying = outbox.startSender({
      db: failing(outbox.database.db, 'webhook-delivery-record', () => new Error('killed')),
    });
    await enqueue();
    dying.wake();
    await listener.received(1);
    await eventually(() =>
      outbox.logLines.some(({ msg }) => msg === 'webhook attempt not recorded'),
    );
    await dying.stop();
    const next = outbox.startSender();
    await outbox.leap(44);
    await untilTurned(next);
    assert.deepEqual(endedLeases(), []);
    assert.equal(listener.requests.length, 1);
    await outbox.leap(1);
    const [first, second] = await listener.received(2);
    assert.equal(first?.body, second?.body);
    await becomes('SUCCEEDED');
  });
});

describe('two senders', () => {
  it('share the work, and each webhook comes exactly once', async () => {
    const senders = [outbox.startSender(), outbox.startSender()];
    const paymentRequestIds = new Set<string>();
    for (let n = 0; n < 150; n += 1) {
      paymentRequestIds.add(await enqueue());
      if (n % 10 === 0) for (const sender of senders) sender.wake();
    }
    for (const sender of senders) sender.wake();
    await listener.received(150);
    await eventually(async () =>
      (await outbox.deliveries()).every(({ status }) => status === 'SUCCEEDED'),
    );
    assert.equal(listener.requests.length, 150);
    const received = listener.requests.map(({ body }) => JSON.parse(body).resource.id);
    assert.deepEqual(new Set(received), paymentRequestIds);
    assert.ok((await outbox.deliveries()).every(({ attempts }) => attempts === 1));
  });
});

describe('a listener that hangs', () => {
  it('holds eight connections and nobody else up', async () => {
    const other = await startHttpsListener({ authority: outbox.authority });
    const held: (() => void)[] = [];
    listener.answerWith((_request, response) => held.push(() => response.end()));
    const sender = outbox.startSender();
    for (let n = 0; n < 90; n += 1) await enqueue();
    sender.wake();
    await eventually(() => held.length === 8);
    for (let n = 0; n < 5; n += 1) await enqueue({ webhookUrl: other.url });
    sender.wake();
    await other.received(5);
    assert.equal(held.length, 8);
    assert.equal(listener.connections(), 8);
    // When the listener answers, the rest follows at once. Polls, one a second and eight deliveries
    // each, would take ten seconds.
    listener.answerWith((_request, response) => response.end());
    const answeredAt = performance.now();
    for (const answer of held) answer();
    await listener.received(90);
    const tookMs = performance.now() - answeredAt;
    assert.ok(tookMs < 8_000, `${tookMs} ms`);
    await other.close();
  });
});

describe('a sender', () => {
  it('records what it sent when the database comes back, without sending again', async () => {
    let isAway = true;
    let failures = 0;
    const failure = () => (isAway && ++failures ? new DatabaseUnavailable('away') : null);
    const sender = outbox.startSender({
      db: failing(outbox.database.db, 'webhook-delivery-record', failure),
    });
    await enqueue();
    sender.wake();
    await listener.received(1);
    await eventually(() => failures > 1, 'a second failed record');
    assert.equal((await theDelivery()).status, 'PENDING');
    isAway = false;
    await becomes('SUCCEEDED');
    assert.equal(listener.requests.length, 1);
  });

  it('goes on by itself after the database was away', async () => {
    let isAway = true;
    const failure = () => (isAway ? new DatabaseUnavailable('away') : null);
    outbox.startSender({ db: failing(outbox.database.db, 'webhook-delivery-claim', failure) });
    await enqueue();
    await eventually(() => outbox.measured.some(({ name }) => name === 'loopFailed'));
    isAway = false;
    await becomes('SUCCEEDED');
  });

  it('ends what it is sending before it stops, and claims nothing more', async () => {
    const held: (() => void)[] = [];
    listener.answerWith((_request, response) => held.push(() => response.end()));
    let claims = 0;
    const counting = failing(outbox.database.db, 'webhook-delivery-claim', () => {
      claims += 1;
      return null;
    });
    const sender = outbox.startSender({ db: counting });
    await enqueue();
    sender.wake();
    await eventually(() => held.length === 1);
    const stopped = sender.stop();
    const claimsBefore = claims;
    await enqueue();
    sender.wake();
    held[0]?.();
    await stopped;
    assert.equal(claims, claimsBefore);
    const statuses = (await outbox.deliveries()).map(({ status, attempts }) => [status, attempts]);
    assert.deepEqual(statuses, [
      ['SUCCEEDED', 1],
      ['PENDING', 0],
    ]);
    assert.equal(listener.requests.length, 1);
  });

  it('keeps polling: what nobody announced is found within about a second', async () => {
    await untilTurned(outbox.startSender());
    await enqueue();
    await becomes('SUCCEEDED');
  });
});

describe('the first attempt', () => {
  let running: WebhookDeliveries;
  let near: HttpsListener;
  before(async () => {
    running = await createWebhookDeliveries({ isClockStopped: false });
    near = await startHttpsListener({ authority: running.authority });
  });
  after(async () => {
    await running.close();
    await near.close();
  });

  it('comes within 100 ms of the commit for most, woken by the signal of any process', async () => {
    const { id } = await running.addMerchant();
    const sender = running.startSender();
    const signal = createSenderSignal(running.database.db);
    await eventually(async () => {
      const listening = await running.database.sql(
        `SELECT FROM pg_stat_activity
         WHERE datname = current_database() AND query LIKE 'LISTEN %' AND state = 'idle'`,
      );
      return listening.length > 0;
    }, 'a sender that listens');
    const lags: number[] = [];
    for (let n = 1; n <= 21; n += 1) {
      await running.enqueue({ merchantId: id, webhookUrl: near.url });
      const committedAt = Date.now();
      signal.raise();
      const request = (await near.received(n)).at(-1);
      lags.push((request?.receivedAt.getTime() ?? Number.NaN) - committedAt);
    }
    const median = lags.toSorted((a, b) => a - b)[10] ?? Number.NaN;
    assert.ok(median < 100, `median ${median} ms of ${lags.join(', ')}`);
    await sender.stop();
  });

  it('comes by the poll after the commit where each wake-up is lost', async () => {
    const { id } = await running.addMerchant();
    let polls = 0;
    let lastPoll = Number.POSITIVE_INFINITY;
    const countPoll = () => {
      polls += 1;
      return polls > lastPoll ? new Error('a poll too many') : null;
    };
    running.startSender({
      db: failing(running.database.db, 'webhook-delivery-claim', countPoll),
    });
    await eventually(() => polls > 0, 'the first poll');
    const before = near.requests.length;
    for (let n = 1; n <= 3; n += 1) {
      await running.enqueue({ merchantId: id, webhookUrl: near.url });
      // A poll under way at the commit may have begun before it. No later one finds anything.
      lastPoll = polls + 2;
      await near.received(before + n);
    }
  });
});
