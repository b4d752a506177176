import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { commitEvents } from '../support/webhooks/commit-events.ts';
import {
  assertKept,
  assertOnlyLeasedRepeat,
  untilDelivered,
} from '../support/webhooks/delivered-events.ts';
import { createSenderFleet, type SenderFleet } from '../support/webhooks/sender-fleet.ts';

const LEASE_SECONDS = 45;

let fleet: SenderFleet;
beforeEach(async () => {
  fleet = await createSenderFleet();
});
afterEach(() => fleet.close());

/** A kill may come just between two batches: then another round follows. */
const MOST_ROUNDS = 5;

describe('senders that are killed with SIGKILL while webhooks are on their way', () => {
  it('lose no event and no order, and send again only what was on its way', async () => {
    const onTheirWay = new Map<string, string>();
    let committed: ReadonlySet<string> = new Set();
    for (let round = 0; round < MOST_ROUNDS && onTheirWay.size === 0; round += 1) {
      const senders = [await fleet.startSender(), await fleet.startSender()];
      const committing = commitEvents(fleet, 170);
      await eventually(async () => (await fleet.leased()).size > 0, 'a lease');
      for (const [lease, id] of await fleet.kill(senders)) onTheirWay.set(lease, id);
      committed = await committing;
      // No sender is left whose lease this could end too early.
      await fleet.skip(LEASE_SECONDS);
    }
    await fleet.startSender();
    await untilDelivered(fleet);
    assert.ok(committed.size >= 170);
    assertKept(fleet, committed);
    assertOnlyLeasedRepeat(fleet, onTheirWay);
  });
});

describe('sender processes side by side', () => {
  it('share the work without a duplicate', async () => {
    const senders = await Promise.all([fleet.startSender(), fleet.startSender()]);
    const committed = await commitEvents(fleet, 300);
    await untilDelivered(fleet);
    assertKept(fleet, committed);
    assert.deepEqual(fleet.received.duplicates, new Map());
    for (const sender of senders) assert.match(sender.output(), /"msg":"webhook attempt"/);
  });
});
