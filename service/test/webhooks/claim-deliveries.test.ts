import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { DELIVERY_READING } from '#webhooks/deliveries/gauge-store.ts';
import { claimDeliveries } from '#webhooks/sending/claim-store.ts';
import type { ClaimLimits } from '#webhooks/sending/concurrency-limits.ts';
import { exhaustHeldDeliveries } from '#webhooks/sending/destination-store.ts';
import { releaseDeliveries } from '#webhooks/sending/lease-store.ts';
import {
  createWebhookDeliveries,
  type WebhookDeliveries,
} from '../support/webhooks/webhook-deliveries.ts';

const LIMITS: ClaimLimits = {
  most: 100,
  mostRetries: 100,
  mostPerOrigin: 8,
  mostPerMerchant: 100,
  fairPerOrigin: 100,
  mostPerMerchantOverShare: 100,
  mostOverShare: 100,
  sendingTo: new Map(),
  sendingAt: new Map(),
  sendingFor: new Map(),
};

let outbox: WebhookDeliveries;
let merchantId: string;

beforeEach(async () => {
  outbox = await createWebhookDeliveries();
  merchantId = (await outbox.addMerchant()).id;
});
afterEach(() => outbox.close());

function claim(limits: Partial<ClaimLimits> = {}) {
  return claimDeliveries(outbox.database.db, randomUUID(), 45, { ...LIMITS, ...limits });
}

async function enqueueTo(host: string, count: number, by = merchantId) {
  for (let n = 0; n < count; n += 1) {
    await outbox.enqueue({ merchantId: by, webhookUrl: `https://${host}/${n}` });
  }
}

function countBy<Row>(rows: readonly Row[], key: (row: Row) => string): Record<string, number> {
  const groups = Object.groupBy(rows, key);
  return Object.fromEntries(
    Object.entries(groups).map(([name, group]) => [name, group?.length ?? 0]),
  );
}

const hostOf = ({ url }: { readonly url: string }) => new URL(url).host;

describe('a claim', () => {
  it('takes what is due and nobody holds, once', async () => {
    await enqueueTo('a.example', 3);
    const [first, second] = await Promise.all([claim(), claim()]);
    assert.equal(first.length + second.length, 3);
    assert.equal(new Set([...first, ...second].map(({ id }) => id)).size, 3);
    assert.equal((await claim()).length, 0);
  });

  it('passes over what another sender is just claiming, without waiting for it', async () => {
    await enqueueTo('a.example', 5);
    const { db } = outbox.database;
    const [first, second] = await db.transaction(async (tx) => [
      await claimDeliveries(tx, randomUUID(), 45, { ...LIMITS, most: 5, mostPerOrigin: 2 }),
      await claim(),
    ]);
    assert.equal(first.length, 2);
    assert.equal(second.length, 3);
    assert.equal(new Set([...first, ...second].map(({ id }) => id)).size, 5);
  });

  it('takes eight of an origin, less what is being sent to it, by any path', async () => {
    await enqueueTo('a.example', 20);
    await enqueueTo('b.example', 2);
    const sendingAt = new Map([[`${merchantId} https://a.example`, 5]]);
    const claimed = await claim({ sendingAt });
    assert.deepEqual(countBy(claimed, hostOf), { 'a.example': 3, 'b.example': 2 });
    const full = new Map([[`${merchantId} https://a.example`, 8]]);
    assert.deepEqual(await claim({ sendingAt: full }), []);
    assert.equal((await claim()).length, 8);
  });

  it('counts an origin apart for each merchant, and its endpoints with it', async () => {
    const other = await outbox.addMerchant();
    await enqueueTo('a.example', 10);
    await enqueueTo('a.example', 10, other.id);
    await outbox.addEndpoint(other.id, 'https://a.example/endpoint');
    await outbox.addEndpoint(other.id, 'https://a.example:8443/');
    for (let n = 0; n < 10; n += 1) await outbox.enqueue({ merchantId: other.id });
    const claimed = await claim();
    assert.deepEqual(
      countBy(claimed, ({ origin }) => origin),
      {
        [`${merchantId} https://a.example`]: 8,
        [`${other.id} https://a.example`]: 8,
        [`${other.id} https://a.example:8443`]: 8,
      },
    );
    const sendingAt = new Map([[`${other.id} https://a.example:8443`, 7]]);
    await outbox.leap(45);
    const again = await claim({ sendingAt });
    assert.equal(countBy(again, ({ origin }) => origin)[`${other.id} https://a.example:8443`], 1);
  });

  it('leaves a merchant its share, less what is being sent for it', async () => {
    const other = await outbox.addMerchant();
    for (const host of ['a.example', 'b.example', 'c.example']) await enqueueTo(host, 4);
    await enqueueTo('d.example', 4, other.id);
    const claimed = await claim({ mostPerMerchant: 7, sendingFor: new Map([[merchantId, 2]]) });
    assert.deepEqual(
      countBy(claimed, (row) => row.merchantId),
      { [merchantId]: 5, [other.id]: 4 },
    );
  });

  it('takes one for a destination in trouble, though several processes ask at once', async () => {
    await enqueueTo('a.example', 5);
    await outbox.database.sql(
      'INSERT INTO webhook_destinations (destination, is_slow) VALUES ($1, true)',
      [`${merchantId} https://a.example`],
    );
    const claims = await Promise.all([claim(), claim(), claim(), claim()]);
    assert.deepEqual(
      claims.flat().map(({ serialisedAt, isProbe }) => [serialisedAt, isProbe]),
      [[`${merchantId} https://a.example`, false]],
    );
    assert.deepEqual(await claim(), []);
    await releaseDeliveries(outbox.database.db, claims.flat(), 0);
    assert.equal((await claim()).length, 1);
  });

  it('keeps what crowds a destination from the second half of its merchant’s slots', async () => {
    for (const host of ['a.example', 'b.example', 'c.example']) await enqueueTo(host, 4);
    const limits = { fairPerOrigin: 2, mostPerMerchant: 10, mostPerMerchantOverShare: 5 };
    const sendingAt = new Map([[`${merchantId} https://a.example`, 2]]);
    const claimed = await claim({ ...limits, sendingAt, sendingFor: new Map([[merchantId, 2]]) });
    // Two each for those that had none, which leaves no slot of the first half for more.
    assert.deepEqual(countBy(claimed, hostOf), { 'b.example': 2, 'c.example': 2 });
    const sending = new Map(['a', 'b', 'c'].map((n) => [`${merchantId} https://${n}.example`, 2]));
    const busy = { sendingAt: sending, sendingFor: new Map([[merchantId, 6]]) };
    await enqueueTo('d.example', 4);
    assert.deepEqual(countBy(await claim({ ...limits, ...busy }), hostOf), { 'd.example': 2 });
  });

  it('keeps what crowds a destination from the second half of all slots', async () => {
    const other = await outbox.addMerchant();
    await enqueueTo('a.example', 6);
    await enqueueTo('b.example', 6, other.id);
    const claimed = await claim({ fairPerOrigin: 2, mostOverShare: 1 });
    assert.equal(claimed.length, 5);
    assert.deepEqual(countBy(await claim({ fairPerOrigin: 0, mostOverShare: 0 }), hostOf), {});
  });

  it('takes first attempts before retries, and of retries no more than may be', async () => {
    await enqueueTo('a.example', 4);
    await outbox.database.sql('UPDATE webhook_deliveries SET attempts = 3');
    await outbox.advance(10);
    await enqueueTo('b.example', 4);
    // Two first attempts are over the fair share of their origin, and no retry is.
    await outbox.database.sql(
      `UPDATE webhook_deliveries SET next_attempt_at = service_now() + interval '1 h'
       WHERE id IN (SELECT id FROM webhook_deliveries WHERE attempts > 0 LIMIT 2)`,
    );
    const firstAttempts = await claim({ most: 4, fairPerOrigin: 2 });
    assert.deepEqual(countBy(firstAttempts, hostOf), { 'b.example': 4 });
    await releaseDeliveries(outbox.database.db, firstAttempts, 0);
    await outbox.advance(3_600);
    const claimed = await claim({ mostRetries: 1, most: 5 });
    assert.deepEqual(countBy(claimed, hostOf), { 'a.example': 1, 'b.example': 4 });
    assert.deepEqual(countBy(await claim({ most: 2 }), hostOf), { 'a.example': 2 });
  });

  it('takes nothing for a merchant whose slots are all in use', async () => {
    const other = await outbox.addMerchant();
    await enqueueTo('a.example', 2);
    await enqueueTo('b.example', 1, other.id);
    const full = new Map([[merchantId, 100]]);
    // No other limit is met: the merchant's slots are the reason alone.
    const limits = { mostPerMerchantOverShare: 1_000, mostOverShare: 1_000 };
    assert.deepEqual(countBy(await claim({ ...limits, sendingFor: full }), hostOf), {
      'b.example': 1,
    });
    const nearlyFull = new Map([[merchantId, 99]]);
    assert.deepEqual(countBy(await claim({ ...limits, sendingFor: nearlyFull }), hostOf), {
      'a.example': 1,
    });
  });

  it('keeps the order of a payment request’s events when their endpoint moves', async () => {
    const { sql } = outbox.database;
    const endpoint = await outbox.addEndpoint(merchantId, 'https://old.example/');
    const paymentRequestId = await outbox.enqueue({ merchantId, sequence: 1 });
    const [first] = await claim();
    // The first event waits for its retry at the old URL; the endpoint moves, and a second comes.
    await releaseDeliveries(outbox.database.db, first ? [first] : [], 60);
    await sql('UPDATE webhook_endpoints SET url = $2 WHERE id = $1', [
      endpoint.id,
      'https://new.example/',
    ]);
    await outbox.enqueue({ merchantId, paymentRequestId, sequence: 2 });
    assert.deepEqual(await claim(), []);
    await outbox.advance(61);
    const claimed = await claim();
    assert.deepEqual(
      claimed.map(({ sequence, url }) => [sequence, url]),
      [[1, 'https://new.example/']],
    );
  });

  it('is not ended under its sender when its destination is given up', async () => {
    const { db, sql } = outbox.database;
    await enqueueTo('a.example', 2);
    await sql('UPDATE webhook_deliveries SET attempts = 3');
    const [held] = await claim({ most: 1 });
    assert.ok(held);
    const [row] = await sql<{ now: Date }>('SELECT service_now() AS now');
    const exhausted = await exhaustHeldDeliveries(db, held.destination, row?.now ?? new Date(0));
    assert.equal(exhausted, 1);
    const statuses = new Map((await outbox.deliveries()).map(({ id, status }) => [id, status]));
    assert.equal(statuses.get(held.id), 'PENDING');
    assert.deepEqual([...statuses.values()].toSorted(), ['EXHAUSTED', 'PENDING']);
  });

  it('takes the oldest first where there are more than it may take', async () => {
    for (const host of ['z.example', 'a.example', 'm.example']) {
      await enqueueTo(host, 1);
      await outbox.advance(1);
    }
    const claimed = await claim({ most: 2 });
    assert.deepEqual(claimed.map(hostOf).toSorted(), ['a.example', 'z.example']);
  });

  it('leaves alone what is not due, and what a paused endpoint is owed', async () => {
    await enqueueTo('a.example', 1);
    await outbox.database.sql(
      `UPDATE webhook_deliveries SET next_attempt_at = service_now() + interval '1 s'`,
    );
    await outbox.addEndpoint(merchantId, 'https://paused.example/', { status: 'PAUSED' });
    await outbox.enqueue({ merchantId });
    assert.deepEqual(await claim(), []);
    await outbox.advance(1);
    assert.deepEqual((await claim()).map(hostOf), ['a.example']);
  });

  it('tells a lease that ended from a delivery that nobody held', async () => {
    await enqueueTo('a.example', 1);
    assert.deepEqual(
      (await claim()).map(({ leaseExpired }) => leaseExpired),
      [false],
    );
    await outbox.leap(44);
    assert.deepEqual(await claim(), []);
    await outbox.leap(1);
    assert.deepEqual(
      (await claim()).map(({ leaseExpired }) => leaseExpired),
      [true],
    );
  });

  it('can be given back, at once or for later, by its holder only', async () => {
    await enqueueTo('a.example', 1);
    const claimed = await claim();
    const stranger = claimed.map((one) => ({ ...one, leaseToken: randomUUID() }));
    await releaseDeliveries(outbox.database.db, stranger, 0);
    assert.deepEqual(await claim(), []);
    await releaseDeliveries(outbox.database.db, claimed, 0);
    const again = await claim();
    assert.equal(again.length, 1);
    await releaseDeliveries(outbox.database.db, again, 60);
    assert.deepEqual(await claim(), []);
    await outbox.advance(60);
    const [last] = await claim();
    assert.equal(last?.attempts, 0);
    assert.equal(last?.leaseExpired, false);
  });
});

describe('the backlog', () => {
  it('counts what is not over, and the age of the oldest that waits for us', async () => {
    const { db } = outbox.database;
    const backlog = async () => {
      const values = await DELIVERY_READING.read(db);
      return {
        pending: values.webhook_deliveries_pending,
        oldestDueSeconds: values.webhook_oldest_due_seconds,
      };
    };
    assert.deepEqual(await backlog(), { pending: 0, oldestDueSeconds: 0 });
    await outbox.addEndpoint(merchantId, 'https://paused.example/', { status: 'PAUSED' });
    await outbox.enqueue({ merchantId });
    await outbox.advance(30);
    assert.deepEqual(await backlog(), { pending: 1, oldestDueSeconds: 0 });
    const other = await outbox.addMerchant();
    await enqueueTo('a.example', 1, other.id);
    await outbox.advance(12);
    assert.deepEqual(await backlog(), { pending: 2, oldestDueSeconds: 12 });
    await claim();
    assert.deepEqual(await backlog(), { pending: 2, oldestDueSeconds: 0 });
  });
});
