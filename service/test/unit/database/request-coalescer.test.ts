import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { DatabaseUnavailable } from '#database/database.ts';
import { RequestCoalescer } from '#database/request-coalescer.ts';
import { currentCall, runInCall } from '#lib/call-context.ts';

const connection = { destroy() {} };

/** Runs that end when the test says so; the result of a run is its number. */
function controlled() {
  const ends: ((error?: unknown) => void)[] = [];
  const callers: (string | undefined)[] = [];
  const work = () =>
    new Promise<number>((resolve, reject) => {
      const run = ends.length + 1;
      callers.push(currentCall()?.requestId);
      ends.push((error) => (error === undefined ? resolve(run) : reject(error)));
    });
  return { work, ends, callers };
}

/** Lets everything happen that waits for no timer. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('shared runs', () => {
  // On a busy machine a test may take longer than a run may before it counts as blocked.
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  it('begin at once for a lone call', () => {
    const { work, ends } = controlled();
    void new RequestCoalescer<number>().run('a', work);
    assert.equal(ends.length, 1);
  });

  it('give all equal calls that arrive during a run the next run together', async () => {
    const { work, ends } = controlled();
    const runs = new RequestCoalescer<number>();
    const calls = [runs.run('a', work), runs.run('a', work), runs.run('a', work)];
    await settle();
    assert.equal(ends.length, 1, 'a call joins a run that began before the call');
    ends[0]?.();
    await settle();
    assert.equal(ends.length, 2, 'two calls have a run each');
    calls.push(runs.run('a', work));
    ends[1]?.();
    await settle();
    ends[2]?.();
    assert.deepEqual(await Promise.all(calls), [1, 2, 2, 3]);
  });

  it('let no call wait for a different call', async () => {
    const { work, ends } = controlled();
    const runs = new RequestCoalescer<number>();
    void runs.run('a', work);
    const other = runs.run('b', work);
    ends[1]?.();
    assert.equal(await other, 2);
  });

  it('fail the calls of a run alone', async () => {
    const { work, ends } = controlled();
    const runs = new RequestCoalescer<number>();
    const [first, ...joined] = [runs.run('a', work), runs.run('a', work), runs.run('a', work)];
    ends[0]?.(new Error('the first is bad'));
    await assert.rejects(first as Promise<number>, /the first is bad/);
    await settle();
    ends[1]?.();
    assert.deepEqual(await Promise.all(joined), [2, 2]);
  });

  it('begin again for each later call', async () => {
    const { work, ends } = controlled();
    const runs = new RequestCoalescer<number>();
    for (const run of [1, 2]) {
      const call = runs.run('a', work);
      assert.equal(ends.length, run);
      ends[run - 1]?.();
      assert.equal(await call, run);
    }
  });

  it('begin a second run beside one that is blocked for 100 ms, and no third', async () => {
    const { work, ends } = controlled();
    const runs = new RequestCoalescer<number>();
    const calls = [runs.run('a', work), runs.run('a', work)];
    mock.timers.tick(99);
    assert.equal(ends.length, 1);
    mock.timers.tick(1);
    assert.equal(ends.length, 2);
    calls.push(runs.run('a', work));
    mock.timers.tick(10_000);
    assert.equal(ends.length, 2, 'a third run began');
    ends[1]?.();
    await settle();
    assert.equal(ends.length, 3, 'the end of the second run began no third');
    ends[0]?.();
    ends[2]?.();
    assert.deepEqual(await Promise.all(calls), [1, 2, 3]);
  });

  it('belong to the lone call, and to no call when several share one', async () => {
    const { work, ends, callers } = controlled();
    const runs = new RequestCoalescer<number>();
    for (const requestId of ['first', 'second', 'third']) {
      runInCall({ requestId, traceparent: null, connection }, () => void runs.run('a', work));
    }
    ends[0]?.();
    await settle();
    assert.deepEqual(callers, ['first', undefined]);
  });

  it('refuse a call beside 1,000 different ones, and admit it after one has ended', async () => {
    const { work, ends } = controlled();
    const runs = new RequestCoalescer<number>();
    const calls = Array.from({ length: 1_000 }, (_, key) => runs.run(String(key), work));
    const refused = runs.run('another', work);
    assert.equal(ends.length, 1_000);
    await assert.rejects(refused, DatabaseUnavailable);
    const joined = runs.run('0', work);
    ends[1]?.();
    await calls[1];
    void runs.run('another', work);
    assert.equal(ends.length, 1_001);
    ends[0]?.();
    await settle();
    ends[1_001]?.();
    assert.equal(await joined, 1_002);
  });
});
