import assert from 'node:assert/strict';
import { eventually } from '../eventually.ts';
import type { SenderFleet } from './sender-fleet.ts';

export function untilDelivered(fleet: SenderFleet): Promise<unknown> {
  return eventually(async () => (await fleet.pending()) === 0, 'all delivered');
}

/** Every committed event came, with the same bytes each time, in order and in time. */
export function assertKept({ received }: SenderFleet, committed: ReadonlySet<string>): void {
  assert.deepEqual(received.acknowledged, committed, 'what was committed is what came');
  assert.deepEqual(received.changed, new Set(), 'the same bytes each time');
  assert.deepEqual(received.outOfOrder, []);
  assert.deepEqual(received.tooSoon, []);
}

/**
 * Only deliveries that a killed sender had leased came twice.
 *
 * @param onTheirWay the event's id by the lease, for each killed sender
 */
export function assertOnlyLeasedRepeat(
  { received }: SenderFleet,
  onTheirWay: ReadonlyMap<string, string>,
): void {
  const again = [...received.duplicates];
  const inFlight = new Set(onTheirWay.values());
  assert.deepEqual(
    again.filter(([id]) => !inFlight.has(id)),
    [],
    'only what was on its way comes twice',
  );
  const duplicates = again.reduce((sum, [, times]) => sum + times, 0);
  assert.ok(duplicates <= onTheirWay.size, `${duplicates} of ${onTheirWay.size}`);
  assert.ok(onTheirWay.size > 0, 'a kill found something under way');
}
