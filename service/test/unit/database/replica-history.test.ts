import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Database } from '#database/database.ts';
import { createReplicaReads, type ReplicaReads } from '#database/replica/overview-reads.ts';
import type { Loop } from '#lib/loop.ts';
import { eventually } from '../../support/eventually.ts';

/** Servers that answer with a place in their log, and a clock that stands. */
describe('a replica of a leader that was lost', () => {
  const places = { primary: 100, replica: 150 };
  const reasons: string[] = [];
  let asked = 0;
  let reads: ReplicaReads;
  let loop: Loop;
  const serverOf = (name: keyof typeof places) =>
    ({
      async query() {
        asked += 1;
        return [{ place: places[name], system: '1', database: '2' }];
      },
    }) as unknown as Database;

  before(async () => {
    reads = createReplicaReads({
      primary: serverOf('primary'),
      replica: serverOf('replica'),
      clock: { steadyMs: () => 0 },
      mostLagMs: 1_000,
      onChange: (isUsed, reason) => void reasons.push(isUsed ? 'used' : reason),
    });
    loop = await reads.start();
  });
  after(() => loop?.stop());

  /** Two comparisons end, of which the second began after this call. */
  async function compareAgain(): Promise<void> {
    const before = asked;
    await eventually(async () => asked >= before + 6, 'further comparisons');
  }

  it('is not used while its log goes further than the primary’s', () => {
    assert.deepEqual(reasons, ['it has another history']);
    assert.equal(reads.lagSeconds(), Number.POSITIVE_INFINITY);
  });

  it('is not used at the same place once the primary has passed the place', async () => {
    places.primary = 200;
    await compareAgain();
    assert.deepEqual(reasons, ['it has another history']);
  });

  it('is used once it follows the primary', async () => {
    places.replica = 200;
    await eventually(async () => reasons.at(-1) === 'used', 'the use of the replica');
  });
});
