import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { connectDatabase, type Database } from '#database/database.ts';
import { systemClock } from '#lib/clock.ts';
import { createWebhookUrlGuard } from '#webhooks/https/url-guard.ts';
import { eventually } from '../support/eventually.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { type HttpsListener, startHttpsListener } from '../support/webhooks/https-listener.ts';
import {
  createWebhookDeliveries,
  type WebhookDeliveries,
} from '../support/webhooks/webhook-deliveries.ts';

const LEASE_SECONDS = 45;

let outbox: WebhookDeliveries;
let listener: HttpsListener;
let otherDb: Database;

beforeEach(async () => {
  outbox = await createWebhookDeliveries();
  listener = await startHttpsListener({ authority: outbox.authority });
  otherDb = connectDatabase({ url: outbox.database.url, poolSize: 4 });
});
afterEach(async () => {
  await outbox.close();
  await Promise.all([listener.close(), otherDb.close()]);
});

/** A step that stands still until the test lets it go on. */
function createPause() {
  const reached = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  return {
    reached: reached.promise,
    end: over.resolve,
    wait: () => {
      reached.resolve();
      return over.promise;
    },
  };
}

const events = () =>
  listener.requests.map(({ body }) => (JSON.parse(body) as { sequence: number }).sequence);

describe('a sender that was frozen past its lease', () => {
  const guard = createWebhookUrlGuard({
    allowCidrs: ['127.0.0.1/32', '::1/128'],
    allowPorts: '*',
    resolvers: [],
  });
  /** It claims once: frozen as a whole, the process claims nothing more. */
  const claimingOnce = (pause: () => Promise<void>): Database => {
    const { db } = outbox.database;
    let isFrozen = false;
    return {
      ...db,
      async query(statement, values) {
        if (statement.name !== 'webhook-delivery-claim') return db.query(statement, values);
        if (isFrozen) return [];
        const rows = await db.query<never>(statement, values);
        isFrozen = rows.length > 0;
        if (isFrozen) await pause();
        return rows;
      },
    };
  };
  const freezes = {
    'after its claim': (pause: () => Promise<void>) => ({ db: claimingOnce(pause) }),
    'while it connects': (pause: () => Promise<void>) => ({
      db: claimingOnce(async () => {}),
      guard: {
        ...guard,
        async check(...asked: Parameters<typeof guard.check>) {
          const verdict = await guard.check(...asked);
          await pause();
          return verdict;
        },
      },
    }),
  };
  const clocks = {
    'the steady clock': (now: ReturnType<typeof createFakeClock>) => ({
      now: systemClock.now,
      steadyMs: now.steadyMs,
    }),
    'the calendar alone': (now: ReturnType<typeof createFakeClock>) => ({
      now: now.now,
      steadyMs: systemClock.steadyMs,
    }),
  };
  for (const [when, freeze] of Object.entries(freezes)) {
    for (const [which, clockOf] of Object.entries(clocks)) {
      it(`${when} sends nothing after the next event, as ${which} shows`, async () => {
        const { id: merchantId } = await outbox.addMerchant();
        const paymentRequestId = randomUUID();
        for (const sequence of [1, 2]) {
          const event = { merchantId, paymentRequestId, sequence, webhookUrl: listener.url };
          await outbox.enqueue(event);
        }
        const clock = createFakeClock();
        const pause = createPause();
        const frozen = outbox.startSender({ ...freeze(pause.wait), clock: clockOf(clock) });
        await pause.reached;

        await outbox.leap(LEASE_SECONDS);
        const other = outbox.startSender({ db: otherDb });
        await eventually(async () =>
          (await outbox.deliveries()).every(({ status }) => status === 'SUCCEEDED'),
        );
        clock.advance(LEASE_SECONDS * 1000);
        pause.end();
        const texts = [
          'webhook not sent: its lease is nearly over',
          // The time to connect is over by the same clock.
          'webhook attempt came after its lease had ended',
        ];
        const isGivenUp = () => outbox.logLines.some(({ msg }) => texts.includes(String(msg)));
        await eventually(() => isGivenUp() || listener.requests.length > 2);
        await Promise.all([frozen.stop(), other.stop()]);
        assert.deepEqual(events(), [1, 2]);
      });
    }
  }
});
