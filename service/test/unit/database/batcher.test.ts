import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createBatcher } from '#database/batcher.ts';
import { DatabaseUnavailable } from '#database/database.ts';
import { currentCall, runInCall } from '#lib/call-context.ts';

const connection = { destroy() {} };

/** A `run` that ends when the test says so. */
function controlled<Item, Result>(answer: (item: Item) => Result) {
  const runs: { items: readonly Item[]; end: (error?: unknown) => void }[] = [];
  const run = (items: readonly Item[]) =>
    new Promise<Result[]>((resolve, reject) => {
      const end = (error?: unknown) => {
        if (error === undefined) resolve(items.map(answer));
        else reject(error);
      };
      runs.push({ items, end });
    });
  return { run, runs };
}

/** The error of a statement whose lock was not free in time. */
const lockWait = () =>
  new DatabaseUnavailable(Object.assign(new Error('lock timeout'), { code: '55P03' }));

const unavailable = () => new DatabaseUnavailable(new Error('away'));

const statusesOf = (results: readonly PromiseSettledResult<unknown>[]) =>
  results.map(({ status }) => status);

/** Lets everything happen that waits for no timer. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A steady clock that stands still until the test moves it. */
function stoppedClock() {
  const clock = { nowMs: 0, steadyMs: () => clock.nowMs };
  return clock;
}

/** Does its items in a later turn, or fails over the bad one. */
function failingOver(bad: number) {
  return async (items: readonly number[]) => {
    await settle();
    if (items.includes(bad)) throw new Error(`${bad} is bad`);
    return items;
  };
}

describe('a batcher', () => {
  it('batches the items of one turn of the event loop, then later items', async () => {
    const { run, runs } = controlled((item: number) => item * 10);
    const sizes: number[] = [];
    const call = createBatcher({ run, maxBatch: 3, maxQueue: 10, onBatch: (n) => sizes.push(n) });
    const results = [call(1), call(2)];
    await settle();
    results.push(...[3, 4, 5, 6].map((item) => call(item)));
    await settle();
    assert.equal(runs.length, 1, 'batches run at the same time');
    for (const at of [0, 1, 2]) {
      runs[at]?.end();
      await settle();
    }
    assert.deepEqual(await Promise.all(results), [10, 20, 30, 40, 50, 60]);
    assert.deepEqual(
      runs.map(({ items }) => items),
      [[1, 2], [3, 4, 5], [6]],
    );
    assert.deepEqual(sizes, [2, 3, 1]);
  });

  it('starts a lone item in the next turn of the event loop', async () => {
    const { run, runs } = controlled((item: number) => item);
    const call = createBatcher({ run, maxBatch: 3, maxQueue: 10 });
    for (const at of [0, 1]) {
      const result = call(at);
      await settle();
      assert.deepEqual(runs[at]?.items, [at]);
      runs[at]?.end();
      assert.equal(await result, at);
    }
  });

  it('starts a second batch when the first is blocked for 100 ms', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { run, runs } = controlled((item: number) => item);
    const call = createBatcher({ run, maxBatch: 10, maxQueue: 10 });
    const items = () => runs.map((each) => each.items);
    const results = [call(1)];
    await settle();
    results.push(call(2));
    t.mock.timers.tick(99);
    await settle();
    assert.deepEqual(items(), [[1]]);
    t.mock.timers.tick(1);
    await settle();
    assert.deepEqual(items(), [[1], [2]], 'the second batch did not start');
    runs[1]?.end();
    await settle();
    results.push(call(3));
    await settle();
    assert.deepEqual(
      items(),
      [[1], [2], [3]],
      'an item beside a blocked batch did not start at once',
    );
    runs[0]?.end();
    await settle();
    results.push(call(4));
    await settle();
    assert.equal(runs.length, 3, 'two batches run although none is blocked');
    runs[2]?.end();
    await settle();
    runs[3]?.end();
    assert.deepEqual(await Promise.all(results), [1, 2, 3, 4]);
  });

  it('rejects a bad item alone', async () => {
    const call = createBatcher({
      run: failingOver(3),
      maxBatch: 10,
      maxQueue: 10,
    });
    const results = await Promise.allSettled([1, 2, 3, 4].map((item) => call(item)));
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
    );
  });

  it('bisects a failed batch until the bad item is alone', async () => {
    const sizes: number[] = [];
    const call = createBatcher({
      run: failingOver(37),
      maxBatch: 100,
      maxQueue: 100,
      onBatch: (size) => sizes.push(size),
    });
    const all = Array.from({ length: 64 }, (_, index) => index);
    const results = await Promise.allSettled(all.map((item) => call(item)));
    const failed = all.filter((index) => results[index]?.status === 'rejected');
    assert.deepEqual(failed, [37]);
    assert.deepEqual(sizes, [64, 32, 32, 16, 8, 4, 4, 2, 1, 1, 2, 8, 16]);
  });

  it('rejects a whole batch after one run when the database is unavailable', async () => {
    const { run, runs } = controlled((item: number) => item);
    const call = createBatcher({ run, maxBatch: 10, maxQueue: 10 });
    const first = call(1);
    await settle();
    const results = Promise.allSettled([first, ...[2, 3].map((item) => call(item))]);
    runs[0]?.end();
    await settle();
    runs[1]?.end(new DatabaseUnavailable(new Error('away')));
    assert.deepEqual(
      (await results).map(({ status }) => status),
      ['fulfilled', 'rejected', 'rejected'],
    );
    assert.equal(runs.length, 2);
    const again = call(4);
    await settle();
    runs[2]?.end();
    assert.equal(await again, 4);
  });

  it('gives a group that waited for a lock its own queue, and fails no other group', async () => {
    const waits: [string, number | undefined][] = [];
    let isLocked = true;
    const call = createBatcher({
      run: async (items: readonly string[], lockWaitMs?: number) => {
        await settle();
        waits.push([items.join(), lockWaitMs]);
        if (isLocked && items.some((item) => item.startsWith('m'))) throw lockWait();
        return items;
      },
      groupOf: (item) => item[0] ?? '',
      maxBatch: 10,
      maxQueue: 10,
    });
    const first = await Promise.allSettled(['a1', 'm1', 'm2', 'b1'].map((item) => call(item)));
    const statuses = first.map(({ status }) => status);
    assert.deepEqual(statuses, ['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    assert.deepEqual(waits, [
      ['a1,m1,m2,b1', 300],
      ['a1,m1,m2', 300],
      ['a1', 300],
      ['m1,m2', 300],
      // The group now waits as long as any statement, beside the others.
      ['b1', 300],
      ['m1,m2', undefined],
      ['m1', undefined],
      ['m2', undefined],
    ]);
    waits.length = 0;
    isLocked = false;
    assert.deepEqual(await Promise.all([call('a2'), call('m3')]), ['a2', 'm3']);
    assert.deepEqual(
      new Map(waits),
      new Map([
        ['m3', undefined],
        ['a2', 300],
      ] as const),
    );
  });

  it('bisects a batch that waited for a lock when its items have no groups', async () => {
    const call = createBatcher({
      run: async (items: readonly number[]) => {
        await settle();
        if (items.includes(3)) throw lockWait();
        return items;
      },
      maxBatch: 10,
      maxQueue: 10,
    });
    const results = await Promise.allSettled([1, 2, 3, 4].map((item) => call(item)));
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
    );
  });

  it('runs a batch outside of the calls that its items came from', async () => {
    const seen: unknown[] = [];
    const call = createBatcher({
      run: async (items: readonly number[]) => {
        await settle();
        seen.push(currentCall());
        return items;
      },
      maxBatch: 1,
      maxQueue: 10,
    });
    const inCall = (item: number) =>
      runInCall({ requestId: `call-${item}`, traceparent: null, connection }, async () => {
        await call(item);
        return currentCall()?.requestId;
      });
    assert.deepEqual(await Promise.all([1, 2].map(inCall)), ['call-1', 'call-2']);
    assert.deepEqual(seen, [undefined, undefined]);
  });

  it('rejects an item with DatabaseUnavailable when the queue is full', async () => {
    const { run, runs } = controlled((item: number) => item);
    const call = createBatcher({ run, maxBatch: 10, maxQueue: 2 });
    const first = call(1);
    await settle();
    const kept = [first, call(2), call(3)];
    await assert.rejects(call(4), DatabaseUnavailable);
    runs[0]?.end();
    await settle();
    runs[1]?.end();
    assert.deepEqual(await Promise.all(kept), [1, 2, 3]);
  });
});

describe('a batcher whose batches are blocked', () => {
  it('never starts a third batch', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { run, runs } = controlled((item: number) => item);
    const call = createBatcher({ run, maxBatch: 1, maxQueue: 10 });
    const results = [1, 2, 3].map((item) => call(item));
    await settle();
    t.mock.timers.tick(100);
    await settle();
    t.mock.timers.tick(100);
    await settle();
    assert.deepEqual(
      runs.map(({ items }) => items),
      [[1], [2]],
    );
    for (const at of [0, 1, 2]) {
      runs[at]?.end();
      await settle();
    }
    assert.deepEqual(await Promise.all(results), [1, 2, 3]);
  });

  it('starts no second batch when it is serial', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { run, runs } = controlled((item: number) => item);
    const call = createBatcher({ run, maxBatch: 10, maxQueue: 10, isSerial: true });
    const results = [call(1)];
    await settle();
    results.push(call(2));
    t.mock.timers.tick(60_000);
    await settle();
    assert.equal(runs.length, 1);
    runs[0]?.end();
    await settle();
    runs[1]?.end();
    assert.deepEqual(await Promise.all(results), [1, 2]);
  });
});

describe('a batcher whose groups wait for locks', () => {
  /** Runs items named `<group><number>`; the groups in `locked` wait for a lock in vain. */
  function lockable({ maxQueue = 1_000 } = {}) {
    const locked = new Set<string>();
    const runs: string[] = [];
    const clock = stoppedClock();
    const call = createBatcher({
      run: async (items: readonly string[]) => {
        await settle();
        runs.push(items.join());
        if (items.some((item) => locked.has(item.slice(0, 1)))) throw lockWait();
        return items;
      },
      groupOf: (item) => item.slice(0, 1),
      maxBatch: 100,
      maxQueue,
      clock,
    });
    return { locked, runs, clock, call };
  }

  it('rejects a third locked group at once: two groups have their own queues', async () => {
    const { locked, runs, call } = lockable();
    for (const group of 'abc') locked.add(group);
    const results = await Promise.allSettled(['a1', 'b1', 'c1', 'd1'].map((item) => call(item)));
    assert.deepEqual(statusesOf(results), ['rejected', 'rejected', 'rejected', 'fulfilled']);
    const count = (item: string) => runs.filter((items) => items === item).length;
    assert.deepEqual(['a1', 'b1', 'c1', 'd1'].map(count), [2, 2, 1, 1]);
  });

  it('returns a group to the shared queue 5 s after its last wait for a lock', async () => {
    const { locked, runs, clock, call } = lockable();
    locked.add('a');
    await assert.rejects(call('a1'), DatabaseUnavailable);
    locked.clear();
    clock.nowMs = 4_999;
    runs.length = 0;
    await Promise.all([call('a2'), call('b2')]);
    assert.deepEqual(runs.toSorted(), ['a2', 'b2']);
    clock.nowMs = 5_000;
    runs.length = 0;
    await Promise.all([call('a3'), call('b3')]);
    assert.deepEqual(runs, ['a3,b3']);
  });

  it('keeps a group’s queue for 5 s more when the group waits for a lock again', async () => {
    const { locked, runs, clock, call } = lockable();
    locked.add('a');
    await assert.rejects(call('a1'), DatabaseUnavailable);
    clock.nowMs = 4_000;
    await assert.rejects(call('a2'), DatabaseUnavailable);
    clock.nowMs = 8_999;
    runs.length = 0;
    await Promise.allSettled([call('a3'), call('b3')]);
    assert.deepEqual(runs.toSorted(), ['a3', 'b3']);
  });

  it('holds 100 items in the queue of a locked group', async () => {
    const { locked, call } = lockable();
    locked.add('a');
    await assert.rejects(call('a0'), DatabaseUnavailable);
    const results = Array.from({ length: 101 }, (_, index) => call(`a${index}`));
    const last = results.pop();
    await assert.rejects(last ?? Promise.resolve(), /cannot be used/);
    locked.clear();
    assert.equal((await Promise.all(results)).length, 100);
  });

  it('stops to bisect after 3 s of lock waits, and rejects the items that are left', async () => {
    const { locked, runs, clock, call } = lockable();
    locked.add('a');
    const items = ['a1', 'b1', 'c1', 'd1'];
    const calls = Promise.allSettled(items.map((item) => call(item)));
    // The batch waits for its lock in vain, and then the half with the locked group.
    await settle();
    await settle();
    clock.nowMs = 3_000;
    assert.deepEqual(statusesOf(await calls), ['rejected', 'rejected', 'fulfilled', 'fulfilled']);
    assert.deepEqual(runs, ['a1,b1,c1,d1', 'a1,b1', 'c1,d1']);
  });
});

describe('a batcher that merges equal items', () => {
  it('does equal items that wait once, and answers all of them', async () => {
    const { run, runs } = controlled((item: string) => item.toUpperCase());
    const call = createBatcher({ run, maxBatch: 10, maxQueue: 2, merge: true });
    const results = ['a', 'b', 'a', 'a'].map((item) => call(item));
    await settle();
    assert.deepEqual(runs[0]?.items, ['a', 'b']);
    runs[0]?.end();
    assert.deepEqual(await Promise.all(results), ['A', 'B', 'A', 'A']);
  });

  it('does an item again that arrives while an equal item is done', async () => {
    const { run, runs } = controlled((item: string) => item);
    const call = createBatcher({ run, maxBatch: 10, maxQueue: 10, merge: true });
    const results = [call('a')];
    await settle();
    results.push(call('a'), call('a'));
    runs[0]?.end();
    await settle();
    assert.deepEqual(runs[1]?.items, ['a']);
    runs[1]?.end();
    assert.deepEqual(await Promise.all(results), ['a', 'a', 'a']);
    assert.equal(runs.length, 2);
  });

  it('does not merge equal items unless it is asked to', async () => {
    const { run, runs } = controlled((item: string) => item);
    const call = createBatcher({ run, maxBatch: 10, maxQueue: 10 });
    const results = [call('a'), call('a')];
    await settle();
    assert.deepEqual(runs[0]?.items, ['a', 'a']);
    runs[0]?.end();
    await Promise.all(results);
  });

  it('merges an item that is tried again with equal items that arrived since', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { run, runs } = controlled((item: string) => item);
    const call = createBatcher({
      run,
      maxBatch: 10,
      maxQueue: 10,
      merge: true,
      isSerial: true,
      pauseMs: (failures) => failures * 100,
      mayRetry: () => true,
    });
    const results = [call('a'), call('b')];
    await settle();
    results.push(call('a'));
    runs[0]?.end(unavailable());
    await settle();
    results.push(call('b'));
    t.mock.timers.tick(100);
    await settle();
    runs[1]?.end();
    assert.deepEqual(await Promise.all(results), ['a', 'b', 'a', 'b']);
    assert.deepEqual(
      runs.map(({ items }) => items),
      [
        ['a', 'b'],
        ['b', 'a'],
      ],
    );
  });
});

describe('a batcher that pauses', () => {
  it('pauses by how many batches in a row met an unavailable database', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { run, runs } = controlled((item: number) => item);
    const pauseMs = (failures: number) => (failures + 1) * 10;
    const call = createBatcher({ run, maxBatch: 1, maxQueue: 10, isSerial: true, pauseMs });
    const results = Promise.allSettled([1, 2, 3, 4, 5].map((item) => call(item)));
    const ends = [
      [undefined, 10],
      [unavailable(), 20],
      [lockWait(), 30],
      [new Error('bad item'), 10],
    ] as const;
    await settle();
    for (const [at, [error, ms]] of ends.entries()) {
      runs[at]?.end(error);
      await settle();
      t.mock.timers.tick(ms - 1);
      await settle();
      assert.equal(runs.length, at + 1, `the pause after batch ${at + 1} is too short`);
      t.mock.timers.tick(1);
      await settle();
      assert.equal(runs.length, at + 2, `the pause after batch ${at + 1} is too long`);
    }
    runs[4]?.end();
    assert.deepEqual(statusesOf(await results), [
      'fulfilled',
      'rejected',
      'rejected',
      'rejected',
      'fulfilled',
    ]);
  });
});

describe('a batcher while the database is unavailable', () => {
  it('tries items again, first and in their order, while they are in time', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const clock = stoppedClock();
    const { run, runs } = controlled((item: number) => item);
    const call = createBatcher({
      run,
      maxBatch: 3,
      maxQueue: 10,
      isSerial: true,
      pauseMs: (failures) => failures * 100,
      // An item is in time until as many milliseconds as it says.
      mayRetry: (untilMs, nextTryMs) => untilMs > nextTryMs,
      clock,
    });
    const results = [500, 100, 101].map((item) => call(item));
    await settle();
    results.push(call(900));
    const settled = Promise.allSettled(results);
    runs[0]?.end(unavailable());
    await settle();
    await assert.rejects(results[1] as Promise<number>, DatabaseUnavailable);
    t.mock.timers.tick(100);
    await settle();
    assert.deepEqual(runs[1]?.items, [500, 101, 900]);
    clock.nowMs = 100;
    runs[1]?.end();
    assert.deepEqual(statusesOf(await settled), [
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
    assert.equal(runs.length, 2);
  });

  it('never tries a bad item again', async () => {
    const sizes: number[] = [];
    const call = createBatcher({
      run: failingOver(2),
      maxBatch: 10,
      maxQueue: 10,
      mayRetry: () => true,
      onBatch: (size) => sizes.push(size),
    });
    const results = await Promise.allSettled([1, 2].map((item) => call(item)));
    assert.deepEqual(statusesOf(results), ['fulfilled', 'rejected']);
    assert.deepEqual(sizes, [2, 1, 1]);
  });

  it('rejects all items that wait when it is asked to', async () => {
    const { run, runs } = controlled((item: number) => item);
    const call = createBatcher({ run, maxBatch: 2, maxQueue: 10, rejectsQueue: true });
    const results = Promise.allSettled([1, 2, 3, 4, 5].map((item) => call(item)));
    await settle();
    runs[0]?.end(unavailable());
    assert.deepEqual(statusesOf(await results), Array(5).fill('rejected'));
    assert.equal(runs.length, 1);
    const later = call(6);
    await settle();
    runs[1]?.end();
    assert.equal(await later, 6);
  });

  it('rejects all items that wait also after a wait for a lock', async () => {
    const { run, runs } = controlled((item: number) => item);
    const call = createBatcher({ run, maxBatch: 1, maxQueue: 10, rejectsQueue: true });
    const results = Promise.allSettled([1, 2].map((item) => call(item)));
    await settle();
    runs[0]?.end(lockWait());
    assert.deepEqual(statusesOf(await results), ['rejected', 'rejected']);
    assert.equal(runs.length, 1);
  });

  it('gives up a serial batch that waited for a lock after one run', async () => {
    const { run, runs } = controlled((item: number) => item);
    const call = createBatcher({ run, maxBatch: 10, maxQueue: 10, isSerial: true });
    const results = Promise.allSettled([1, 2, 3, 4].map((item) => call(item)));
    await settle();
    runs[0]?.end(lockWait());
    assert.deepEqual(statusesOf(await results), Array(4).fill('rejected'));
    assert.equal(runs.length, 1);
  });
});
