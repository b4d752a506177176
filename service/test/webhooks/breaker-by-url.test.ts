import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import pg from 'pg';
import { attemptsOf } from '#webhooks/deliveries/attempt-store.ts';
import { pruneWebhookEvents } from '#webhooks/events/prune-events.ts';
import { tidyDestinations } from '#webhooks/sending/update-breakers.ts';
import { eventually } from '../support/eventually.ts';
import {
  type Answering,
  type HttpsListener,
  startHttpsListener,
} from '../support/webhooks/https-listener.ts';
import { untilIdle } from '../support/webhooks/until-idle.ts';
import {
  createWebhookDeliveries,
  type WebhookDeliveries,
} from '../support/webhooks/webhook-deliveries.ts';

let outbox: WebhookDeliveries;
let listener: HttpsListener;
let merchantId: string;

beforeEach(async () => {
  outbox = await createWebhookDeliveries();
  listener = await startHttpsListener({ authority: outbox.authority });
  merchantId = (await outbox.addMerchant()).id;
});
afterEach(async () => {
  await outbox.close();
  await listener.close();
});

const at = (path: string) => new URL(path, listener.url).href;
const enqueue = (path: string) => outbox.enqueue({ merchantId, webhookUrl: at(path) });

async function enqueueEach(paths: readonly string[]) {
  for (const path of paths) await enqueue(path);
}

/** 404 below /old, 204 elsewhere. */
const deadBelowOld: Answering = ({ path }, response) =>
  response.writeHead(path.startsWith('/old') ? 404 : 204).end();
/** The connection ends without an answer. */
const down: Answering = (_request, response) => response.socket?.destroy();

const paths = () => listener.requests.map(({ path }) => path);
const statuses = async () => (await outbox.deliveries()).map(({ status }) => status);
const sql = (text: string) => outbox.database.sql<{ count: number }>(text);

async function openRows() {
  return outbox.database.sql<{ url: string | null }>(
    'SELECT url FROM webhook_destinations WHERE opened_at IS NOT NULL ORDER BY destination',
  );
}

/** All that was claimed is recorded and counted. */
async function quiet() {
  await eventually(async () => {
    const [row] = await sql(
      `SELECT count(*)::int AS count FROM webhook_deliveries d, LATERAL ${attemptsOf('d.id')} log`,
    );
    const alone = await sql('SELECT FROM webhook_destinations WHERE alone_until IS NOT NULL');
    const leased = await sql('SELECT FROM webhook_deliveries WHERE lease_token IS NOT NULL');
    return row?.count === listener.requests.length && alone.length + leased.length === 0;
  });
}

/** Failures until the listener's only open breaker is there. */
async function openBreaker(path: string, count = 12) {
  const sender = outbox.startSender();
  for (let n = 0; n < count; n += 1) await enqueue(path);
  sender.wake();
  await eventually(async () => (await openRows()).length > 0, 'an open breaker');
  await quiet();
  return sender;
}

describe('a URL that answers with failures', () => {
  it('keeps no other URL of its origin waiting, however many of them fail', async () => {
    listener.answerWith(deadBelowOld);
    const sender = outbox.startSender();
    await enqueueEach(Array.from({ length: 60 }, (_, n) => `/old/${n}`));
    sender.wake();
    await listener.received(60);
    await enqueue('/new');
    sender.wake();
    await eventually(() => paths().includes('/new'));
    assert.deepEqual(await openRows(), []);
  });

  it('is probed alone, while other URLs of the origin get what is new at once', async () => {
    listener.answerWith(deadBelowOld);
    const sender = await openBreaker('/old');
    assert.deepEqual(await openRows(), [{ url: at('/old') }]);
    const sent = listener.requests.length;
    await enqueueEach(['/old', '/old', '/new', '/old']);
    sender.wake();
    await listener.received(sent + 1);
    assert.equal(paths().at(-1), '/new');
    // A lease of 45 s ends when the clock moves by 60 s: each answer is recorded first.
    await quiet();
    for (const seconds of [60, 120]) {
      const before = listener.requests.length;
      await outbox.advance(seconds);
      await listener.received(before + 1);
      await quiet();
      await untilIdle(outbox, sender);
      assert.deepEqual(paths().slice(before), ['/old'], `one probe after ${seconds} s`);
    }
  });

  it('gets what was held when a probe is answered, and no URL holds anything then', async () => {
    listener.answerWith(deadBelowOld);
    await openBreaker('/old');
    listener.answerWith((_request, response) => response.end());
    await outbox.advance(60);
    await outbox.advance(30);
    await eventually(async () => (await statuses()).every((status) => status === 'SUCCEEDED'));
    assert.deepEqual(await sql('SELECT FROM webhook_destinations'), []);
  });

  it('does not hold back a healthy URL whose delivery stands behind a thousand others', async () => {
    listener.answerWith(deadBelowOld);
    const sender = await openBreaker('/old');
    await sender.stop();
    await enqueue('/old');
    await outbox.database.sql(
      `WITH events AS (
         INSERT INTO webhook_events (id, merchant_id, payment_request_id, sequence, event_type, body)
         SELECT gen_random_uuid(), $1, gen_random_uuid(), 1, 'PAYMENT-COMPLETED', '{}'
         FROM generate_series(1, 2500)
         RETURNING id, payment_request_id)
       INSERT INTO webhook_deliveries (id, event_id, merchant_id, payment_request_id, sequence, url,
                                       destination)
       SELECT gen_random_uuid(), id, $1, payment_request_id, 1, $2, $1 || ' ' || $3::text
       FROM events`,
      [merchantId, at('/old'), new URL(listener.url).origin],
    );
    await enqueue('/new');
    const before = listener.requests.length;
    outbox.startSender();
    await listener.received(before + 1);
    assert.equal(paths().at(-1), '/new');
  });

  it('asks with Retry-After for itself alone', async () => {
    listener.answerWith(({ path }, response) =>
      path === '/old'
        ? response.writeHead(503, { 'retry-after': '3000' }).end()
        : response.writeHead(500).end(),
    );
    const sender = await openBreaker('/old');
    await enqueue('/new');
    sender.wake();
    await eventually(() => paths().includes('/new'));
    await quiet();
    await outbox.advance(6);
    await eventually(() => paths().filter((path) => path === '/new').length === 2);
  });

  it('counts for no breaker with 410, which exhausts the delivery', async () => {
    listener.answerWith((_request, response) => response.writeHead(410).end());
    const sender = outbox.startSender();
    await enqueueEach(Array(12).fill('/gone'));
    sender.wake();
    await eventually(async () => (await statuses()).every((status) => status === 'EXHAUSTED'));
    assert.deepEqual(await sql('SELECT FROM webhook_destinations'), []);
  });
});

describe('an origin that cannot be reached', () => {
  it('is probed with the URL that was never tried first, and then all of it flows', async () => {
    listener.answerWith(down);
    await openBreaker('/old');
    assert.deepEqual((await openRows())[0], { url: null });
    await enqueue('/new');
    const before = listener.requests.length;
    listener.answerWith(deadBelowOld);
    await outbox.advance(60);
    await eventually(() => paths().includes('/new'));
    assert.equal(paths()[before], '/new');
    // The origin answers: what is owed to other URLs comes by its own time.
    await outbox.advance(30);
    await eventually(() =>
      paths()
        .slice(before + 1)
        .includes('/old'),
    );
  });

  it('is probed with the least recently tried URL each time', async () => {
    listener.answerWith(down);
    await openBreaker('/a');
    await enqueueEach(['/b', '/c', '/b', '/c', '/a']);
    const before = listener.requests.length;
    let waitSeconds = 60;
    for (let n = 1; n <= 6; n += 1) {
      await outbox.advance(waitSeconds);
      await listener.received(before + n);
      await quiet();
      waitSeconds = Math.min(waitSeconds * 2, 3_600);
      // The order of the due times is another one.
      await sql(
        `UPDATE webhook_deliveries SET next_attempt_at = service_now()
           - CASE right(url, 1) WHEN 'a' THEN 3 WHEN 'c' THEN 2 ELSE 1 END * interval '1 h'
         WHERE destination >= '~'`,
      );
    }
    assert.deepEqual(paths().slice(before), ['/b', '/c', '/a', '/b', '/c', '/a']);
  });
});

describe('a delivery that was never attempted', () => {
  const FIVE_DAYS = 5 * 86_400;

  async function held() {
    listener.answerWith(down);
    await openBreaker('/old');
    await sql(`UPDATE webhook_destinations SET opened_at = opened_at - interval '5 days'`);
    await sql(`UPDATE webhook_deliveries SET created_at = created_at - interval '5 days'`);
    await enqueueEach(['/new', '/newer']);
    await sql(`UPDATE webhook_deliveries SET created_at = created_at - interval '${FIVE_DAYS} s'
               WHERE attempts = 0`);
  }

  it('does not end with the five days after which tried ones are given up', async () => {
    await held();
    await outbox.advance(60);
    await eventually(async () => (await statuses()).includes('EXHAUSTED'));
    await quiet();
    const rows = await outbox.deliveries();
    const untried = rows.filter(({ attempts }) => attempts === 0);
    assert.ok(untried.some(({ url }) => url === at('/newer')));
    assert.ok(untried.every(({ status }) => status === 'PENDING'));
  });

  it('ends when its event has been kept for 90 days, with a notice, and not before', async () => {
    await outbox.enqueue({ merchantId, webhookUrl: at('/never') });
    const ended: number[] = [];
    const prune = () =>
      pruneWebhookEvents(outbox.database.db, 90, (count) => void ended.push(count));
    await outbox.advance(90 * 86_400 - 1);
    await prune();
    assert.deepEqual([await statuses(), ended], [['PENDING'], []]);
    await outbox.advance(1);
    await prune();
    assert.deepEqual(ended, [1]);
    await prune();
    assert.deepEqual(await statuses(), [], 'removed with its event');
  });
});

describe('URLs whose queues are empty', () => {
  it('are cleared 1,000 at a time, but for those that are locked', async () => {
    await sql(`INSERT INTO webhook_destinations (destination, origin, url, is_holding)
               SELECT '~' || n, 'o', 'u', true FROM generate_series(1, 1002) n`);
    const holding = () =>
      outbox.database.sql<{ destination: string }>(
        'SELECT destination FROM webhook_destinations WHERE is_holding',
      );
    const locker = new pg.Client({ connectionString: outbox.database.url });
    await locker.connect();
    try {
      await locker.query('BEGIN');
      await locker.query(`SELECT FROM webhook_destinations WHERE destination = '~7' FOR UPDATE`);
      assert.equal(await tidyDestinations(outbox.database.db), true);
      assert.equal((await holding()).length, 2);
      assert.equal(await tidyDestinations(outbox.database.db), false);
      assert.deepEqual(await holding(), [{ destination: '~7' }]);
    } finally {
      await locker.end();
    }
  });
});

describe('deliveries in the queue of a URL that fails no more', () => {
  it('go back to their origin’s queue, also when the process ended in between', async () => {
    listener.answerWith(deadBelowOld);
    const sender = await openBreaker('/old');
    await sender.stop();
    const [held] = await sql(
      `SELECT count(*)::int AS count FROM webhook_deliveries WHERE destination >= '~'`,
    );
    assert.ok((held?.count ?? 0) > 0);
    // A process that ended in between freed the URL without moving its deliveries.
    await sql('DELETE FROM webhook_destinations');
    listener.answerWith((_request, response) => response.end());
    assert.equal(await tidyDestinations(outbox.database.db), false);
    outbox.startSender();
    await outbox.advance(100_000);
    await eventually(async () => (await statuses()).every((status) => status === 'SUCCEEDED'));
  });
});
