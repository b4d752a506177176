import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { DatabaseUnavailable } from '#database/database.ts';
import { createLivePages, type LivePages } from '#http/live/live-pages.ts';
import { systemClock } from '#lib/clock.ts';
import { eventually } from '../../support/eventually.ts';

/** A table of versions, and every id that was read from it. */
let versions: Map<string, number>;
let reads: string[];
let isAway: boolean;
/** Readings wait for it. */
let gate: Promise<void>;
let pages: LivePages;

beforeEach(() => {
  versions = new Map([['known', 1]]);
  reads = [];
  isAway = false;
  gate = Promise.resolve();
  pages = createLivePages({
    clock: systemClock,
    findVersions: async (ids) => {
      reads.push(...ids);
      const found = new Map(ids.flatMap((id) => pairOf(id)));
      await gate;
      if (isAway) throw new DatabaseUnavailable(new Error('away'));
      return found;
    },
  });
});
afterEach(() => pages.close());

function pairOf(id: string): (readonly [string, number])[] {
  const version = versions.get(id);
  return version === undefined ? [] : [[id, version]];
}

describe('the table of live pages', () => {
  it('serves a stream and a poll after 20,000 unknown ids, of which it keeps none', async () => {
    const unknown = Array.from({ length: 20_000 }, (_, index) => `unknown ${index}`);
    const asked = await Promise.all(
      unknown.map((id, index) =>
        index % 2 === 0 ? pages.hasChanged(id, 0) : pages.follow(id, 0, () => {}),
      ),
    );
    assert.deepEqual(new Set(asked), new Set([null]));
    reads = [];
    pages.changed(null);
    await turn();
    assert.deepEqual(reads, [], 'nothing is kept that could be read again');

    let told = 0;
    const stop = await pages.follow('known', 1, () => {
      told += 1;
    });
    assert.ok(stop);
    assert.equal(await pages.hasChanged('known', 1), false);
    versions.set('known', 2);
    pages.changed(['known']);
    await eventually(() => told === 1);
    assert.equal(await pages.hasChanged('known', 1), true);
  });

  it('drops the oldest id that is polled for after 10,000, and none that is followed', async () => {
    const ids = Array.from({ length: 10_001 }, (_, index) => `known ${index}`);
    for (const id of [...ids, 'followed']) versions.set(id, 1);
    const stop = await pages.follow('followed', 1, () => {});
    await Promise.all(ids.map((id) => pages.hasChanged(id, 1)));
    reads = [];
    assert.equal(await pages.hasChanged('known 10000', 1), false);
    assert.equal(await pages.hasChanged('followed', 1), false);
    assert.deepEqual(reads, []);
    assert.equal(await pages.hasChanged('known 0', 1), false);
    assert.deepEqual(reads, ['known 0']);
    stop?.();
  });

  it('reads an id once for all who ask for it at the same moment', async () => {
    await Promise.all(Array.from({ length: 50 }, () => pages.hasChanged('known', 1)));
    assert.deepEqual(reads, ['known']);
  });

  it('hears of a change that was signalled while an id was read for the first time', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    let told = 0;
    const following = pages.follow('known', 1, () => {
      told += 1;
    });
    await eventually(() => reads.length === 1);
    versions.set('known', 2);
    pages.changed(['known']);
    resolve();
    await following;
    // Long before the sweep, which would find the change 15 s later.
    for (let turns = 0; turns < 50 && told === 0; turns++) await turn();
    assert.equal(told, 1);
  });

  it('throws while the database is away, and answers once it is back', async () => {
    isAway = true;
    await assert.rejects(pages.hasChanged('known', 1), DatabaseUnavailable);
    await assert.rejects(
      pages.follow('known', 1, () => {}),
      DatabaseUnavailable,
    );
    isAway = false;
    assert.equal(await pages.hasChanged('known', 0), true);
  });
});
