import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Database } from '#database/database.ts';
import { claimDeliveries } from '#webhooks/sending/claim-store.ts';
import { DeliverySlots } from '#webhooks/sending/concurrency-limits.ts';
import type { ClaimedDelivery } from '#webhooks/sending/lease-store.ts';
import { recordAttempts } from '#webhooks/sending/record-store.ts';
import {
  createWebhookDeliveries,
  type WebhookDeliveries,
} from '../../support/webhooks/webhook-deliveries.ts';

const LEASE_SECONDS = 45;
/** A claim reads 256 at once. */
const DESTINATIONS = 1_000;
const OWED_BY_ONE = 20_000;

let outbox: WebhookDeliveries;
let merchantId: string;

before(async () => {
  outbox = await createWebhookDeliveries();
});
beforeEach(async () => {
  await outbox.database.sql('TRUNCATE webhook_events, webhook_destinations CASCADE');
  merchantId = (await outbox.addMerchant()).id;
});
after(() => outbox.close());

/** A process by its claims and records: nothing is sent. */
function createProcess(db: Database = outbox.database.db) {
  const slots = new DeliverySlots();
  const walk = { position: '' };
  const underWay = new Set<ClaimedDelivery>();
  return {
    underWay,
    async claim() {
      const limits = slots.limits();
      assert.ok(limits);
      const claimed = await claimDeliveries(db, randomUUID(), LEASE_SECONDS, limits, [], walk);
      slots.take(limits, claimed);
      for (const each of claimed) underWay.add(each);
      return claimed;
    },
    /** @returns the ids that were recorded as sent */
    async record(attempts: readonly ClaimedDelivery[] = [...underWay]) {
      const records = attempts.map((each) => ({
        id: each.id,
        leaseToken: each.leaseToken,
        nextStatus: 'SUCCEEDED' as const,
        delaySeconds: null,
        pauseEndpoint: false,
        startedAt: new Date('2026-03-01T12:00:00Z'),
        durationMs: 12,
        times: {},
        outcome: 'SUCCEEDED' as const,
        httpStatus: 200,
        responseBody: null,
        address: null,
        isProbe: false,
      }));
      const recorded = await recordAttempts(db, records);
      for (const each of attempts) {
        underWay.delete(each);
        slots.free(each);
      }
      return recorded.map(({ id }) => id);
    },
  };
}

/** Due deliveries, so many to each of so many origins. */
const owe = (destinations: number, each: number) =>
  outbox.database.sql(
    `WITH events AS (
       INSERT INTO webhook_events (id, merchant_id, payment_request_id, sequence, event_type, body)
       SELECT gen_random_uuid(), $1, gen_random_uuid(), 1, 'PAYMENT-COMPLETED', '{}'
       FROM generate_series(1, $2::int * $3::int) RETURNING id, payment_request_id
     ), numbered AS (
       SELECT *, 'https://' || row_number() OVER () % $2::int || '.example' AS origin FROM events)
     INSERT INTO webhook_deliveries (id, event_id, merchant_id, payment_request_id, sequence, url,
                                     destination)
     SELECT gen_random_uuid(), id, $1, payment_request_id, 1, origin || '/', $1 || ' ' || origin
     FROM numbered`,
    [merchantId, destinations, each],
  );

describe('processes side by side', () => {
  it(`share ${DESTINATIONS} destinations with an event each`, async () => {
    await owe(DESTINATIONS, 1);
    const processes = [createProcess(), createProcess()];
    const sent: string[] = [];
    let idle = 0;
    for (let round = 0; idle < 4; round += 1) {
      assert.ok(round < DESTINATIONS, `${sent.length} were sent`);
      const before = processes.map(({ underWay }) => [...underWay]);
      const claims = await Promise.all(processes.map((each) => each.claim()));
      idle = claims.flat().length === 0 ? idle + 1 : 0;
      // The claims pass over the deliveries that are under way.
      for (const [n, each] of processes.entries()) sent.push(...(await each.record(before[n])));
    }
    assert.equal(sent.length, DESTINATIONS);
    assert.equal(new Set(sent).size, DESTINATIONS);
  });

  it(`send ${OWED_BY_ONE} to one destination eight at a time, and beside them another one`, async () => {
    await owe(1, OWED_BY_ONE);
    const [one, other] = [createProcess(), createProcess()];
    assert.equal((await one.claim()).length, 8);
    assert.deepEqual(await one.claim(), []);
    await outbox.enqueue({ merchantId, webhookUrl: 'https://well.example/' });
    const beside = await other.claim();
    assert.equal(beside.filter(({ url }) => url === 'https://well.example/').length, 1);
    assert.equal(beside.length, 9);
    assert.equal((await one.record()).length, 8);
    assert.equal((await one.claim()).length, 8);
  });

  it('give one that joins its part of each destination, and what a dead one had', async () => {
    await owe(4, 10);
    const old = createProcess();
    assert.equal((await old.claim()).length, 4 * 8);
    const joined = createProcess();
    const claimed = await joined.claim();
    assert.equal(claimed.length, 4 * 2);
    assert.equal(new Set(claimed.map((each) => each.destination)).size, 4);
    await joined.record();
    assert.deepEqual(await joined.claim(), []);
    // The old process does not come back: no destination waits for longer than its lease.
    await outbox.leap(LEASE_SECONDS);
    assert.equal((await joined.claim()).length, 4 * 8);
  });

  it('fence one that comes back after a pause', async () => {
    await owe(1, 10);
    const [paused, next] = [createProcess(), createProcess()];
    const before = await paused.claim();
    await outbox.leap(LEASE_SECONDS);
    const taken = await next.claim();
    assert.deepEqual(new Set(taken.map(({ id }) => id)), new Set(before.map(({ id }) => id)));
    assert.deepEqual(await paused.record(), []);
    assert.equal((await next.record()).length, 8);
    assert.equal((await paused.claim()).length, 2, 'by another lease');
  });
});
