import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DatabaseUnavailable } from '#database/database.ts';
import { gather } from '#database/gather.ts';

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

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('calls gathered into one', () => {
  it('a lone call runs at once; those that come meanwhile run together', async () => {
    const { run, runs } = controlled((item: number) => item * 10);
    const sizes: number[] = [];
    const call = gather({ run, most: 3, lanes: 1, mostWaiting: 10, onRun: (n) => sizes.push(n) });
    const results = [1, 2, 3, 4, 5].map((item) => call(item));
    assert.deepEqual(
      runs.map(({ items }) => items),
      [[1]],
    );
    runs[0]?.end();
    await settle();
    runs[1]?.end();
    await settle();
    runs[2]?.end();
    assert.deepEqual(await Promise.all(results), [10, 20, 30, 40, 50]);
    assert.deepEqual(
      runs.map(({ items }) => items),
      [[1], [2, 3, 4], [5]],
    );
    assert.deepEqual(sizes, [1, 3, 1]);
  });

  it('uses as many lanes as it may, and no more', async () => {
    const { run, runs } = controlled((item: number) => item);
    const call = gather({ run, most: 10, lanes: 2, mostWaiting: 10 });
    const results = [1, 2, 3, 4].map((item) => call(item));
    assert.deepEqual(
      runs.map(({ items }) => items),
      [[1], [2]],
    );
    runs[1]?.end();
    await settle();
    assert.deepEqual(runs[2]?.items, [3, 4]);
    runs[0]?.end();
    runs[2]?.end();
    assert.deepEqual(await Promise.all(results), [1, 2, 3, 4]);
  });

  it('one bad item does not fail its neighbours', async () => {
    const call = gather({
      run: async (items: readonly number[]) => {
        await settle();
        if (items.includes(3)) throw new Error('three is bad');
        return items;
      },
      most: 10,
      lanes: 1,
      mostWaiting: 10,
    });
    const results = await Promise.allSettled([1, 2, 3, 4].map((item) => call(item)));
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
    );
  });

  it('an absent database fails all of a run, once', async () => {
    const { run, runs } = controlled((item: number) => item);
    const call = gather({ run, most: 10, lanes: 1, mostWaiting: 10 });
    const results = Promise.allSettled([1, 2, 3].map((item) => call(item)));
    runs[0]?.end();
    await settle();
    runs[1]?.end(new DatabaseUnavailable(new Error('away')));
    assert.deepEqual(
      (await results).map(({ status }) => status),
      ['fulfilled', 'rejected', 'rejected'],
    );
    assert.equal(runs.length, 2);
    const again = call(4);
    runs[2]?.end();
    assert.equal(await again, 4);
  });

  it('too many are told to come back', async () => {
    const { run, runs } = controlled((item: number) => item);
    const call = gather({ run, most: 10, lanes: 1, mostWaiting: 2 });
    const kept = [1, 2, 3].map((item) => call(item));
    await assert.rejects(call(4), DatabaseUnavailable);
    runs[0]?.end();
    await settle();
    runs[1]?.end();
    assert.deepEqual(await Promise.all(kept), [1, 2, 3]);
  });
});
