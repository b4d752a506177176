import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { DatabaseUnavailable } from '#database/database.ts';
import { createLivePages, type LivePages } from '#http/live/live-pages.ts';
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts';

/** A table of versions, and every id that was read from it. */
let versions: Map<string, number>;
let reads: string[];
let isAway: boolean;
/** Readings wait for it. */
let gate: Promise<void>;
let pages: LivePages;
let clock: FakeClock;

beforeEach(() => {
  versions = new Map([['known', 1]]);
  reads = [];
  isAway = false;
  gate = Promise.resolve();
  clock = createFakeClock();
  // The tests tick the sweep and the pause after a failed reading.
  mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
  pages = createLivePages({
    clock,
    findVersions: async (ids) => {
      reads.push(...ids);
      const found = new Map(ids.flatMap((id) => pairOf(id)));
      await gate;
      if (isAway) throw new DatabaseUnavailable(new Error('away'));
      return found;
    },
  });
});
afterEach(() => {
  pages.close();
  mock.timers.reset();
});

/** Readings pass a few turns of the event loop before they end; nothing else delays them. */
async function letReadingsEnd(): Promise<void> {
  for (let turns = 0; turns < 50; turns++) await turn();
}

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
    await letReadingsEnd();
    assert.equal(told, 1);
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
    await letReadingsEnd();
    assert.equal(reads.length, 1);
    versions.set('known', 2);
    pages.changed(['known']);
    resolve();
    await following;
    // Long before the sweep, which would find the change 15 s later.
    await letReadingsEnd();
    assert.equal(told, 1);
  });

  it('keeps at most 10,000 ids after 10,001 pages have come and gone', async () => {
    const ids = Array.from({ length: 10_001 }, (_, index) => `known ${index}`);
    for (const id of ids) versions.set(id, 1);
    const leaving = await Promise.all(
      ids.map((id) => pages.follow(id, 1, () => assert.fail(`${id} has not changed`))),
    );
    for (const leave of leaving) leave?.();
    reads = [];
    pages.changed(null);
    await letReadingsEnd();
    assert.equal(reads.length, 10_000);
  });

  it('reads a followed id again one second after a failed reading', async () => {
    let changes = 0;
    await pages.follow('known', 1, () => {
      changes += 1;
    });
    versions.set('known', 2);
    isAway = true;
    pages.changed(['known']);
    await letReadingsEnd();
    isAway = false;
    reads = [];
    mock.timers.tick(999);
    await letReadingsEnd();
    assert.deepEqual(reads, []);
    mock.timers.tick(1);
    await letReadingsEnd();
    assert.deepEqual(reads, ['known']);
    assert.equal(changes, 1);
  });

  it('finds a change whose signal was lost at the sweep after 15 s', async () => {
    let changes = 0;
    await pages.follow('known', 1, () => {
      changes += 1;
    });
    versions.set('known', 2);
    mock.timers.tick(14_999);
    await letReadingsEnd();
    assert.equal(changes, 0);
    mock.timers.tick(1);
    await letReadingsEnd();
    assert.equal(changes, 1);
  });

  it('forgets an id 60 s after the last poll and keeps a followed id', async () => {
    versions.set('polled', 1);
    await pages.hasChanged('polled', 1);
    await pages.follow('known', 1, () => {});
    clock.advance(61_000);
    reads = [];
    mock.timers.tick(15_000);
    await letReadingsEnd();
    assert.deepEqual(reads, ['known']);
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
