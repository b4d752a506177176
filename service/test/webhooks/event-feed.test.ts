import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { FEED_READING } from '#webhooks/deliveries/gauge-store.ts';
import { enqueueWebhookEvent } from '#webhooks/events/outbox.ts';
import { encodeFeedCursor } from '#webhooks/feed/cursor.ts';
import { eventually } from '../support/eventually.ts';
import { faultsOf, paymentRequestCalls } from '../support/payment-requests/payment-requests.ts';
import {
  buyToken,
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

let service: TestService;
let merchant: TestMerchant;
/** A payment request's JSON, as a resource of made-up events. */
let resource: string;

before(async () => {
  service = await startTestService();
});
after(() => service?.stop());
beforeEach(async () => {
  merchant = await service.createMerchant();
  resource = (await paymentRequestCalls(service, merchant).create()).text;
});

const read = (query = '', headers: Record<string, string> = merchant.headers) =>
  service.call('GET', `/v1/events${query}`, { headers });

/** Reads until so many events have come: other tests' transactions may hold the feed back. */
async function follow(count: number, after = '') {
  let cursor = after;
  const bodies: { id: string; resource: { id: string } }[] = [];
  await eventually(async () => {
    const { json } = await read(`?limit=2${cursor && `&after=${cursor}`}`);
    cursor = json.nextCursor;
    bodies.push(...json.data);
    return bodies.length >= count;
  }, `${count} events`);
  return { bodies, cursor };
}

function writeEvent(tx: Parameters<typeof enqueueWebhookEvent>[0]): Promise<void> {
  return enqueueWebhookEvent(tx, {
    merchantId: merchant.merchantId,
    paymentRequestId: randomUUID(),
    sequence: 1,
    eventType: 'PAYMENT-COMPLETED',
    message: 'The payer completed the transaction.',
    resource,
    webhookUrl: null,
    createdAt: service.clock.now(),
  });
}
const commitEvent = () => service.database.db.transaction(writeEvent);

/** An event whose transaction ends when the test says so. */
async function holdEvent() {
  const written = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const over = service.database.db.transaction(async (tx) => {
    await writeEvent(tx);
    written.resolve();
    await release.promise;
  });
  await Promise.race([written.promise, over]);
  return async () => {
    release.resolve();
    await over;
  };
}

describe('the feed of events', () => {
  it('answers the webhook bodies themselves, oldest first, and always a cursor', async () => {
    const { create, simulate } = paymentRequestCalls(service, merchant);
    const ids: string[] = [];
    for (const outcome of ['PAID', 'FAILED', 'EXPIRED']) {
      const { id } = (await create()).json;
      await simulate(id, { outcome });
      ids.push(id);
    }
    const { bodies, cursor } = await follow(3);
    assert.deepEqual(
      bodies.map((body) => body.resource.id),
      ids,
    );
    const stored = await service.database.sql<{ body: string }>(
      'SELECT body FROM webhook_events WHERE merchant_id = $1 ORDER BY feed_position',
      [merchant.merchantId],
    );
    const { text } = await read();
    assert.ok(text.startsWith(`{"data":[${stored.map(({ body }) => body).join(',')}],`));

    const end = await read(`?after=${cursor}`);
    assert.deepEqual(end.json.data, []);
    assert.equal(end.json.hasMore, false);
    assert.equal(end.json.nextCursor, cursor);
  });

  it('gives an empty feed a cursor that the first event comes after', async () => {
    const empty = await read();
    assert.deepEqual(empty.json.data, []);
    await commitEvent();
    const { bodies } = await follow(1, empty.json.nextCursor);
    assert.equal(bodies.length, 1);
  });

  it('never skips an event whose transaction commits late', async () => {
    const start = (await read()).json.nextCursor;
    const commitFirst = await holdEvent();
    await commitEvent();
    const [{ committed } = { committed: 0 }] = await service.database.sql<{ committed: number }>(
      'SELECT count(*)::int AS committed FROM webhook_events WHERE merchant_id = $1',
      [merchant.merchantId],
    );
    assert.equal(committed, 1);
    const held = await read(`?after=${start}&waitSeconds=1`);
    assert.deepEqual(held.json.data, [], 'the later one is held back');
    await commitFirst();

    const { bodies } = await follow(2, held.json.nextCursor);
    const rows = await service.database.sql<{ id: string }>(
      'SELECT id FROM webhook_events WHERE merchant_id = $1 ORDER BY feed_position',
      [merchant.merchantId],
    );
    assert.deepEqual(
      bodies.map(({ id }) => id),
      rows.map(({ id }) => id),
    );
  });

  it('loses and repeats nothing while many transactions commit out of order', async () => {
    let isOver = false;
    const seen: string[] = [];
    const reading = (async () => {
      let cursor = '';
      for (;;) {
        const wasOver = isOver;
        const { json } = await read(`?limit=7${cursor && `&after=${cursor}`}`);
        seen.push(...json.data.map(({ id }: { id: string }) => id));
        cursor = json.nextCursor;
        if (wasOver && seen.length >= 60) return;
      }
    })();
    for (let round = 0; round < 20; round += 1) {
      const commitLast = await holdEvent();
      await Promise.all([commitEvent(), commitEvent()]);
      await commitLast();
    }
    isOver = true;
    await reading;
    const rows = await service.database.sql<{ id: string }>(
      'SELECT id FROM webhook_events WHERE merchant_id = $1 ORDER BY transaction_id, feed_position',
      [merchant.merchantId],
    );
    assert.deepEqual(
      seen,
      rows.map(({ id }) => id),
    );
  });

  it('tells how far it is behind', async () => {
    const commitFirst = await holdEvent();
    await commitEvent();
    await service.leap(40);
    const lagSeconds = async () =>
      (await FEED_READING.read(service.database.db)).webhook_feed_lag_seconds;
    assert.equal(await lagSeconds(), 40);
    await commitFirst();
    await eventually(async () => (await lagSeconds()) === 0);
  });

  it('waits for an event, and answers at once when it comes', async () => {
    const { nextCursor } = (await read('?after=latest')).json;
    const startedMs = performance.now();
    const waiting = read(`?after=${nextCursor}&waitSeconds=30`);
    const { create, simulate } = paymentRequestCalls(service, merchant);
    const { id } = (await create()).json;
    await simulate(id, { outcome: 'PAID' });
    const { json } = await waiting;
    assert.deepEqual(
      json.data.map((body: { resource: { id: string } }) => body.resource.id),
      [id],
    );
    assert.ok(performance.now() - startedMs < 30_000, 'the event ends the wait, not its time');
  });

  it('answers an empty page when the wait is over', async () => {
    const startedMs = performance.now();
    const { status, json } = await read('?waitSeconds=1');
    assert.equal(status, 200);
    assert.deepEqual(json.data, []);
    assert.ok(performance.now() - startedMs > 900);
  });

  it('lets 50 calls of a merchant wait without a connection each, and refuses one more', async () => {
    const { nextCursor } = (await read('?after=latest')).json;
    const calls = Array.from({ length: 51 }, () => read(`?after=${nextCursor}&waitSeconds=30`));
    // The one that finds no place is answered at once, the others only when something happens.
    const refused = await Promise.race(calls);
    assert.equal(refused.status, 429);
    assert.equal(refused.json.code, 'RATE_LIMITED');
    assert.equal(refused.headers.get('retry-after'), '1');
    assert.equal((await read('?after=latest')).status, 200);
    await commitEvent();
    const answers = (await Promise.all(calls)).filter((answer) => answer !== refused);
    assert.equal(answers.length, 50);
    assert.ok(answers.every(({ status, json }) => status === 200 && json.data.length === 1));
  });

  it('begins with what happens from now on when asked for the latest', async () => {
    await commitEvent();
    await follow(1);
    const { json } = await read('?after=latest');
    assert.deepEqual(json.data, []);
    await commitEvent();
    const { bodies } = await follow(1, json.nextCursor);
    assert.equal(bodies.length, 1);
  });

  it('gives the last event’s place as the latest: a crash numbers no event below it', async () => {
    // Transactions that leave nothing: their numbers come again after a crash.
    const burn = () => service.database.sql('SELECT pg_current_xact_id()');
    const latest = async (headers?: Record<string, string>) =>
      (await read('?after=latest', headers)).json.nextCursor;
    const other = await service.createMerchant();
    await burn();
    const start = (await read('', other.headers)).json.nextCursor;
    assert.equal(await latest(other.headers), start, 'without an event: the beginning');
    await commitEvent();
    const { cursor } = await follow(1);
    await burn();
    assert.equal(await latest(), cursor);
  });

  it('shows a merchant its own events alone, and takes no cursor of another', async () => {
    await commitEvent();
    const { cursor } = await follow(1);
    const other = await service.createMerchant();
    assert.deepEqual((await read('', other.headers)).json.data, []);
    const refused = await read(`?after=${cursor}`, other.headers);
    assert.deepEqual(faultsOf(refused), [['after', 'INVALID_FORMAT']]);
  });

  it('refuses what is no cursor, or one of another database', async () => {
    const { nextCursor } = (await read()).json;
    for (const bad of ['x', `${nextCursor}A`, nextCursor.slice(1), 'LATEST', '%00']) {
      const refused = await read(`?after=${bad}`);
      assert.equal(refused.status, 400, bad);
      assert.deepEqual(faultsOf(refused), [['after', 'INVALID_FORMAT']]);
    }
    const ahead = { transactionId: '18000000000000000000', position: '1' };
    const refused = await read(`?after=${encodeFeedCursor(merchant.merchantId, ahead)}`);
    assert.deepEqual(faultsOf(refused), [['after', 'INVALID_VALUE']]);
  });

  it('refuses the place of an event that a restore has lost, and takes a pruned one’s', async () => {
    await commitEvent();
    const { bodies, cursor } = await follow(1);
    const id = bodies[0]?.id;
    const [place] = await service.database.sql<{ transactionId: string; position: string }>(
      `SELECT transaction_id::text AS "transactionId", feed_position::text AS position
       FROM webhook_events WHERE id = $1`,
      [id],
    );
    assert.ok(place);
    // The number of the transaction and the count of events came again; the random bits did not.
    const lost = { ...place, position: String(BigInt(place.position) ^ 1n) };
    const refused = await read(`?after=${encodeFeedCursor(merchant.merchantId, lost)}`);
    assert.deepEqual(faultsOf(refused), [['after', 'INVALID_VALUE']]);
    await service.database.sql('DELETE FROM webhook_events WHERE id = $1', [id]);
    await commitEvent();
    const next = await follow(1, cursor);
    assert.notEqual(next.bodies[0]?.id, id);
  });

  it('gives places random bits: a restore gives numbers out again, and no place', async () => {
    const rows = await service.database.sql<{ bits: string }>(
      'SELECT (commit_position() & 1048575)::text AS bits FROM generate_series(1, 5)',
    );
    assert.ok(new Set(rows.map(({ bits }) => bits)).size > 1, JSON.stringify(rows));
  });

  it('tells all faults of its parameters at once', async () => {
    const refused = await read('?limit=101&waitSeconds=31&from=1');
    assert.equal(refused.status, 400);
    assert.deepEqual(faultsOf(refused).sort(), [
      ['from', 'UNKNOWN_FIELD'],
      ['limit', 'TOO_HIGH'],
      ['waitSeconds', 'TOO_HIGH'],
    ]);
  });

  it('needs the scope event/read', async () => {
    const { call } = service;
    const tokenFor = async (scope: string) => ({
      ...merchant.headers,
      authorization: `Bearer ${await buyToken(call, merchant, scope)}`,
    });
    assert.equal((await read('', await tokenFor('event/read'))).status, 200);
    const refused = await read('', await tokenFor('payment_request/read'));
    assert.equal(refused.status, 403);
    assert.equal(refused.json.code, 'INSUFFICIENT_SCOPE');
  });
});
