import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { eventually } from '../support/eventually.ts';
import type { ServiceProcess } from '../support/service/service-process.ts';
import { commitEvents } from '../support/webhooks/commit-events.ts';
import { createSenderFleet, type SenderFleet } from '../support/webhooks/sender-fleet.ts';

const LEASE_SECONDS = 45;

let fleet: SenderFleet;
beforeEach(async () => {
  fleet = await createSenderFleet();
});
afterEach(() => fleet.close());

const allOver = () => eventually(async () => (await fleet.pending()) === 0, 'all delivered');

function assertKept(committed: ReadonlySet<string>): void {
  const { received } = fleet;
  assert.deepEqual(received.acknowledged, committed, 'what was committed is what came');
  assert.deepEqual(received.changed, new Set(), 'the same bytes each time');
  assert.deepEqual(received.outOfOrder, []);
  assert.deepEqual(received.tooSoon, []);
}

describe('senders that are killed with SIGKILL at random moments', () => {
  it('lose no event and no order, and send again only what was on its way', async () => {
    const onTheirWay = new Map<string, string>();
    let committed: ReadonlySet<string> = new Set();
    for (let round = 0; round < 3; round += 1) {
      const senders = [await fleet.startSender(), await fleet.startSender()];
      const committing = commitEvents(fleet, 170);
      await wait(50 + Math.random() * 300);
      for (const [lease, id] of await fleet.kill(senders)) onTheirWay.set(lease, id);
      committed = await committing;
      // No sender is left whose lease this could end too early.
      await fleet.skip(LEASE_SECONDS);
    }
    await fleet.startSender();
    await allOver();
    assert.ok(committed.size >= 500);
    assertKept(committed);
    const again = [...fleet.received.duplicates];
    const inFlight = new Set(onTheirWay.values());
    assert.deepEqual(
      again.filter(([id]) => !inFlight.has(id)),
      [],
      'only what was on its way comes twice',
    );
    const duplicates = again.reduce((sum, [, times]) => sum + times, 0);
    assert.ok(duplicates <= onTheirWay.size, `${duplicates} of ${onTheirWay.size}`);
    assert.ok(onTheirWay.size > 0, 'a kill found something under way');
  });
});

describe('sender processes side by side', () => {
  it('share the work without a duplicate, two of them and four', async () => {
    const senders: ServiceProcess[] = [];
    const startTwo = async () =>
      senders.push(...(await Promise.all([fleet.startSender(), fleet.startSender()])));
    for (const count of [2, 4]) {
      await startTwo();
      assert.equal(senders.length, count);
      const committed = await commitEvents(fleet, 300);
      await allOver();
      assertKept(committed);
      assert.deepEqual(fleet.received.duplicates, new Map());
    }
    for (const sender of senders) assert.match(sender.output(), /"msg":"webhook attempt"/);
  });
});
