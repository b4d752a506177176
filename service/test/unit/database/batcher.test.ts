import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createBatcher } from '#database/batcher.ts';
import { DatabaseUnavailable } from '#database/database.ts';
import { currentCall, runInCall } from '#lib/call-context.ts';

/** A `run` whose ends the test decides. */
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

/** The error of a lock that was not free in time. */
const lockWait = () =>
  new DatabaseUnavailable(Object.assign(new Error('lock timeout'), { code: '55P03' }));

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Does its items in a while, or fails over one of them. */
function failingOver(bad: number) {
  return async (items: readonly number[]) => {
    await settle();
    if (items.includes(bad)) throw new Error(`${bad} is bad`);
    return items;
  };
}

describe('calls gathered into one', () => {
  it('what comes in one turn of the event loop runs together, and then what came meanwhile', async () => {
    const { run, runs } = controlled((item: number) => item * 10);
    const sizes: number[] = [];
    const call = createBatcher({ run, maxBatch: 3, maxQueue: 10, onBatch: (n) => sizes.push(n) });
    const results = [call(1), call(2)];
    await settle();
    results.push(...[3, 4, 5, 6].map((item) => call(item)));
    await settle();
    assert.equal(runs.length, 1, 'one run at a time');
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

  it('a lone call waits for nothing but its own turn', async () => {
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

  it('a run that is held up holds up no other', async (t) => {
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
    assert.deepEqual(items(), [[1], [2]], 'what waits goes beside it');
    runs[1]?.end();
    await settle();
    results.push(call(3));
    await settle();
    assert.deepEqual(items(), [[1], [2], [3]], 'and what comes later, at once');
    runs[0]?.end();
    await settle();
    results.push(call(4));
    await settle();
    assert.equal(runs.length, 3, 'once it is over there is one at a time again');
    runs[2]?.end();
    await settle();
    runs[3]?.end();
    assert.deepEqual(await Promise.all(results), [1, 2, 3, 4]);
  });

  it('one bad item does not fail its neighbours', async () => {
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

  it('a bad item is found by halves, not by one run for each of its neighbours', async () => {
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

  it('an absent database fails all of a run, once', async () => {
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

  it('a lock fails the group that waits for it, in a queue of its own, and no other', async () => {
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

  it('a lock without groups is found by halves', async () => {
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

  it('a batch runs outside of the calls whose items it holds', async () => {
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
      runInCall({ requestId: `call-${item}`, traceparent: null }, async () => {
        await call(item);
        return currentCall()?.requestId;
      });
    assert.deepEqual(await Promise.all([1, 2].map(inCall)), ['call-1', 'call-2']);
    assert.deepEqual(seen, [undefined, undefined]);
  });

  it('too many are told to come back', async () => {
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
