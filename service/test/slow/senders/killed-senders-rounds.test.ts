import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { ServiceProcess } from '../../support/service/service-process.ts';
import { commitEvents } from '../../support/webhooks/commit-events.ts';
import {
  assertKept,
  assertOnlyLeasedRepeat,
  untilDelivered,
} from '../../support/webhooks/delivered-events.ts';
import { createSenderFleet, type SenderFleet } from '../../support/webhooks/sender-fleet.ts';

const LEASE_SECONDS = 45;
/** On a busy machine a kill may come before the senders have begun. */
const isOneMore = (round: number, found: number) => round < 3 || (round < 10 && found === 0);

let fleet: SenderFleet;
beforeEach(async () => {
  fleet = await createSenderFleet();
});
afterEach(() => fleet.close());

describe('senders that are killed with SIGKILL at random moments', () => {
  it('lose no event and no order, and send again only what was on its way', async () => {
    const onTheirWay = new Map<string, string>();
    let committed: ReadonlySet<string> = new Set();
    for (let round = 0; isOneMore(round, onTheirWay.size); round += 1) {
      const senders = [await fleet.startSender(), await fleet.startSender()];
      const committing = commitEvents(fleet, 170);
      await wait(50 + Math.random() * 300);
      for (const [lease, id] of await fleet.kill(senders)) onTheirWay.set(lease, id);
      committed = await committing;
      // No sender is left whose lease this could end too early.
      await fleet.skip(LEASE_SECONDS);
    }
    await fleet.startSender();
    await untilDelivered(fleet);
    assert.ok(committed.size >= 500);
    assertKept(fleet, committed);
    assertOnlyLeasedRepeat(fleet, onTheirWay);
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
      await untilDelivered(fleet);
      assertKept(fleet, committed);
      assert.deepEqual(fleet.received.duplicates, new Map());
    }
    for (const sender of senders) assert.match(sender.output(), /"msg":"webhook attempt"/);
  });
});
