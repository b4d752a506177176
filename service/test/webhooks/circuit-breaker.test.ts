import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { connectDatabase, type Database } from '#database/database.ts';
import { attemptsOf } from '#webhooks/deliveries/attempt-store.ts';
import { eventually } from '../support/eventually.ts';
import { untilTurned } from '../support/until-turned.ts';
import { type HttpsListener, startHttpsListener } from '../support/webhooks/https-listener.ts';
import { untilIdle } from '../support/webhooks/until-idle.ts';
import {
  createWebhookDeliveries,
  failing,
  type WebhookDeliveries,
} from '../support/webhooks/webhook-deliveries.ts';

interface DestinationRow {
  readonly destination: string;
  readonly failures: number;
  readonly is_slow: boolean;
  readonly opened_at: Date | null;
  readonly probes: number;
  readonly alone_until: Date | null;
}

let outbox: WebhookDeliveries;
let listener: HttpsListener;
let merchantId: string;
let status: number;
const others: Database[] = [];

beforeEach(async () => {
  outbox = await createWebhookDeliveries();
  status = 500;
  listener = await startHttpsListener({
    authority: outbox.authority,
    answering: (_request, response) => response.writeHead(status).end(),
  });
  merchantId = (await outbox.addMerchant()).id;
});
afterEach(async () => {
  await outbox.close();
  await Promise.all([listener.close(), ...others.splice(0).map((db) => db.close())]);
});

async function enqueue(count: number) {
  for (let n = 0; n < count; n += 1) await outbox.enqueue({ merchantId, webhookUrl: listener.url });
}

/** A sender like that of another process: with connections of its own. */
function startOtherSender() {
  const db = connectDatabase({ url: outbox.database.url, poolSize: 4 });
  others.push(db);
  return outbox.startSender({ db });
}

async function destination(): Promise<DestinationRow | undefined> {
  const rows = await outbox.database.sql<DestinationRow>('SELECT * FROM webhook_destinations');
  return rows[0];
}

/** When every attempt that was sent is recorded and counted. */
async function settled(requests: number): Promise<void> {
  await listener.received(requests);
  await eventually(async () => {
    const [row] = await outbox.database.sql<{ count: number }>(
      `SELECT count(*)::int AS count FROM webhook_deliveries d, LATERAL ${attemptsOf('d.id')} log`,
    );
    const leased = await outbox.database.sql(
      'SELECT FROM webhook_deliveries WHERE lease_token IS NOT NULL',
    );
    const isSerialised = (await destination())?.alone_until ?? null;
    return row?.count === listener.requests.length && leased.length === 0 && isSerialised === null;
  }, `${requests} attempts recorded`);
}

/** Twelve deliveries of which ten have failed, so that the destination is only probed. */
async function openBreaker() {
  const first = outbox.startSender();
  await enqueue(12);
  first.wake();
  await eventually(async () => (await destination())?.opened_at ?? false, 'an open breaker');
  // The claimed deliveries are over when the sender has stopped: nothing more is on its way.
  await first.stop();
  return { sender: outbox.startSender(), sent: listener.requests.length };
}

const notices = (text: string) => outbox.logLines.filter(({ msg }) => msg === text);

describe('a destination that failed ten times in a row', () => {
  it('is only probed: one after a minute, then rarely, without using up attempts', async () => {
    const opened = await openBreaker();
    let { sent } = opened;
    assert.ok(sent < 18, `${sent} sent: eight at a time`);
    const before = (await outbox.deliveries()).map(({ attempts }) => attempts);
    await eventually(() => notices('webhook endpoint failing').length === 1);

    await outbox.advance(59);
    await untilIdle(outbox, opened.sender);
    assert.equal(listener.requests.length, sent, 'nothing within the minute');
    for (const seconds of [1, 120, 240, 480]) {
      await outbox.advance(seconds - 1);
      await untilIdle(outbox, opened.sender);
      assert.equal(listener.requests.length, sent, `before ${seconds} s`);
      await outbox.advance(1);
      sent += 1;
      await settled(sent);
    }
    await untilIdle(outbox, opened.sender);
    assert.equal(listener.requests.length, sent, 'one at a time');

    const rows = await outbox.deliveries();
    const attempts = rows.map((row) => row.attempts).reduce((sum, one) => sum + one, 0);
    assert.equal(attempts, sent, 'every probe is in the log');
    const counted = await outbox.database.sql<{ counted: number }>(
      'SELECT attempts - uncounted_attempts AS counted FROM webhook_deliveries ORDER BY id',
    );
    assert.deepEqual(
      counted.map((row) => row.counted),
      before,
    );
    assert.ok(rows.every((row) => row.status === 'PENDING'));
  });

  it('gets all that was held for it as soon as it answers a probe', async () => {
    const { sent } = await openBreaker();
    await enqueue(20);
    status = 200;
    await outbox.advance(60);
    await listener.received(sent + 1);
    // At once: the clock stands still. Deliveries whose next attempt is later come later.
    await listener.received(sent + 20);
    await outbox.advance(30);
    await eventually(async () =>
      (await outbox.deliveries()).every((row) => row.status === 'SUCCEEDED'),
    );
    assert.equal(await destination(), undefined);
    assert.equal(notices('webhook endpoint answers again').length, 1);
  });

  it('is left alone by other processes and after a restart, and probed by one of them', async () => {
    const { sender, sent } = await openBreaker();
    await sender.stop();
    const senders = [startOtherSender(), startOtherSender(), startOtherSender()];
    await untilIdle(outbox, ...senders);
    assert.equal(listener.requests.length, sent);
    // Each would have a slot for it: that it is one is for the destination's row to say.
    listener.answerWith((_request, response) =>
      setTimeout(() => response.writeHead(500).end(), 200),
    );
    await outbox.advance(60);
    await listener.received(sent + 1);
    for (const other of senders) other.wake();
    await settled(sent + 1);
    await untilIdle(outbox, ...senders);
    assert.equal(listener.requests.length, sent + 1);
  });

  it('is probed with another delivery each time: none of them is in the way', async () => {
    const { sent } = await openBreaker();
    for (const [index, seconds] of [60, 120, 240, 480].entries()) {
      await outbox.advance(seconds);
      await settled(sent + index + 1);
    }
    const probes = listener.requests.slice(sent).map(({ headers }) => headers['webhook-id']);
    assert.equal(new Set(probes).size, 4);
  });

  it('is probed again when the sender of a probe has died', async () => {
    const { sender, sent } = await openBreaker();
    await sender.stop();
    const dying = outbox.startSender({
      db: failing(outbox.database.db, 'webhook-delivery-record', () => new Error('killed')),
    });
    await outbox.advance(60);
    await listener.received(sent + 1);
    await eventually(() => notices('webhook attempt not recorded').length === 1);
    await dying.stop();
    const next = outbox.startSender();
    await outbox.leap(44);
    // The probe's lease stands in the database until its end.
    await untilTurned(next);
    assert.equal(listener.requests.length, sent + 1);
    await outbox.leap(1);
    await listener.received(sent + 2);
    await eventually(async () => (await destination())?.probes === 1);
  });

  it('is probed no sooner than its Retry-After says', async () => {
    listener.answerWith((_request, response) =>
      response.writeHead(503, { 'retry-after': '900' }).end(),
    );
    const { sender, sent } = await openBreaker();
    await outbox.advance(899);
    await untilIdle(outbox, sender);
    assert.equal(listener.requests.length, sent);
    await outbox.advance(1);
    await settled(sent + 1);
  });

  it('does not keep other destinations of its merchant waiting', async () => {
    await openBreaker();
    const other = await startHttpsListener({ authority: outbox.authority });
    await outbox.enqueue({ merchantId, webhookUrl: other.url });
    await outbox.advance(0);
    await other.received(1);
    await other.close();
  });
});

describe('an endpoint that has failed for five days', () => {
  async function failFiveDays() {
    const { sender, sent } = await openBreaker();
    await outbox.database.sql(
      `UPDATE webhook_destinations SET opened_at = opened_at - interval '5 days'`,
    );
    await outbox.advance(60);
    return { sender, sent: sent + 1 };
  }

  it('is paused, with a notice; what it is owed is held, and flows when it is resumed', async () => {
    const endpoint = await outbox.addEndpoint(merchantId, listener.url);
    const { sender, sent } = await failFiveDays();
    await eventually(() => notices('webhook endpoint paused').length === 1);
    const [paused] = await outbox.database.sql('SELECT * FROM webhook_endpoints');
    assert.equal(paused?.status, 'PAUSED');
    assert.equal(paused?.paused_reason, 'FAILING');
    assert.equal(notices('webhook endpoint paused')[0]?.endpointId, endpoint.id);
    await enqueue(3);
    await outbox.advance(100_000);
    await untilIdle(outbox, sender);
    assert.equal(listener.requests.length, sent);

    status = 200;
    await outbox.database.sql("UPDATE webhook_endpoints SET status = 'ACTIVE'");
    await outbox.advance(0);
    await eventually(async () =>
      (await outbox.deliveries()).every((row) => row.status === 'SUCCEEDED'),
    );
    assert.equal(listener.requests.length, sent + 15);
  });

  it('is paused at once by a 410 that answers a probe', async () => {
    await outbox.addEndpoint(merchantId, listener.url);
    await openBreaker();
    status = 410;
    await outbox.advance(60);
    await eventually(() => notices('webhook endpoint paused').length === 1);
    assert.equal(await eventually(async () => (await destination()) === undefined), true);
    assert.ok((await outbox.deliveries()).every((row) => row.status === 'PENDING'));
    assert.equal(notices('webhook endpoint answers again').length, 0);
  });

  it('without an endpoint loses deliveries that were held that long, and is still probed', async () => {
    const { sent } = await openBreaker();
    await outbox.database.sql(
      `UPDATE webhook_destinations SET opened_at = opened_at - interval '5 days'`,
    );
    await outbox.database.sql(
      `UPDATE webhook_deliveries SET created_at = created_at - interval '5 days',
         attempts = greatest(attempts, 1), next_attempt_at = service_now()`,
    );
    await eventually(async () => {
      const rows = await outbox.database.sql(
        `SELECT FROM webhook_deliveries WHERE destination >= '~'`,
      );
      return rows.length === 12;
    }, 'twelve deliveries in the URL’s queue');
    await enqueue(1);
    await outbox.advance(60);
    const [notice] = await eventually(() => {
      const lines = notices('webhook deliveries given up');
      return lines.length > 0 && lines;
    });
    assert.equal(notice?.count, 12);
    const rows = await outbox.deliveries();
    assert.deepEqual(
      rows.map((row) => row.status),
      [...Array(12).fill('EXHAUSTED'), 'PENDING'],
    );
    status = 200;
    await outbox.advance(120);
    await settled(sent + 2);
    assert.equal((await outbox.deliveries()).at(-1)?.status, 'SUCCEEDED');
  });
});

describe('a destination that timed out', () => {
  const DEADLINE_MS = 400;
  const TWO_DAYS_SECONDS = 172_800;

  it('is sent one at a time, by all processes together, until it answers', async () => {
    let sending = 0;
    let most = 0;
    let isSilent = true;
    listener.answerWith((_request, response) => {
      sending += 1;
      most = Math.max(most, sending);
      response.on('close', () => {
        sending -= 1;
      });
      if (!isSilent) setTimeout(() => response.end(), 50);
    });
    const senders = [
      outbox.startSender({ exchangeTimeoutMs: DEADLINE_MS }),
      outbox.startSender({ exchangeTimeoutMs: DEADLINE_MS }),
    ];
    await enqueue(1);
    senders[0]?.wake();
    await eventually(async () => (await destination())?.is_slow, 'a slow destination');
    await enqueue(20);
    for (const sender of senders) sender.wake();
    await listener.received(3);
    assert.equal(most, 1);

    // A busy machine does not answer within the short deadline.
    await Promise.all(senders.map((sender) => sender.stop()));
    isSilent = false;
    const patient = [outbox.startSender(), outbox.startSender()];
    for (const sender of patient) sender.wake();
    await eventually(() => most > 1, 'several at once after it had answered');
    assert.ok(most <= 16, `${most} at once`);
    // Those that timed out come again, in two days at most.
    await outbox.advance(TWO_DAYS_SECONDS);
    await eventually(async () =>
      (await outbox.deliveries()).every((row) => row.status === 'SUCCEEDED'),
    );
  });
});
