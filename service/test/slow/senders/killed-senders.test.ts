import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { ServiceProcess } from '../../support/service/service-process.ts';
import { commitEvents } from '../../support/webhooks/commit-events.ts';
import { createSenderFleet, type SenderFleet } from '../../support/webhooks/sender-fleet.ts';

const EVENTS = 10_000;
const SENDERS = 3;
const REFUSED_SHARE = 0.02;
/** A refused delivery comes back after 5 s, 30 s or 5 min; one in flight after 45 s. */
const PATIENCE_MS = 15 * 60_000;

let fleet: SenderFleet;
before(async () => {
  fleet = await createSenderFleet(REFUSED_SHARE);
});
after(() => fleet.close());

describe('three senders of which one is killed every second or so', () => {
  it(`deliver ${EVENTS} events without a loss, in order, and repeat only what was on its way`, async (t) => {
    const senders: ServiceProcess[] = [];
    for (let n = 0; n < SENDERS; n += 1) senders.push(await fleet.startSender());
    let isCommitted = false;
    const committing = (async () => {
      let committed: ReadonlySet<string> = new Set();
      while (committed.size < EVENTS) {
        committed = await commitEvents(fleet, 250);
        // About as fast as they can be sent here, so that there is always something on its way.
        await wait(1_000);
      }
      isCommitted = true;
      return committed;
    })();

    let kills = 0;
    const onTheirWay = new Map<string, string>();
    while (!isCommitted) {
      await wait(200 + Math.random() * 1_000);
      const index = Math.floor(Math.random() * SENDERS);
      const leased = await fleet.kill([senders[index] as ServiceProcess]);
      kills += 1;
      for (const [lease, id] of leased) onTheirWay.set(lease, id);
      senders[index] = await fleet.startSender();
    }
    const committed = await committing;

    const giveUpAt = performance.now() + PATIENCE_MS;
    while ((await fleet.pending()) > 0) {
      assert.ok(performance.now() < giveUpAt, `${await fleet.pending()} are still to be delivered`);
      await wait(500);
    }
    const { received } = fleet;
    const inFlight = new Set(onTheirWay.values());
    const repeated = [...received.duplicates];
    const duplicates = repeated.reduce((sum, [, times]) => sum + times, 0);
    t.diagnostic(
      `${committed.size} events, ${kills} kills with ${onTheirWay.size} on their way, ${duplicates} duplicates`,
    );
    assert.deepEqual(received.acknowledged, committed);
    assert.deepEqual(received.changed, new Set());
    assert.deepEqual(received.outOfOrder, []);
    assert.deepEqual(received.tooSoon, []);
    assert.deepEqual(
      repeated.filter(([id]) => !inFlight.has(id)),
      [],
    );
    assert.ok(duplicates <= onTheirWay.size);
  });
});
