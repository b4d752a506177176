import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { joinLoops, type LoopWork, oneAfterAnother, slowLoops, startLoop } from '#lib/loop.ts';

describe('the turns of background loops', () => {
  it('count a failed run, and name a loop whose run does not end', async () => {
    const hanging = Promise.withResolvers<boolean>();
    const all = joinLoops([
      startLoop({ name: 'hangs', intervalMs: 1, run: () => hanging.promise, onError() {} }),
      startLoop({
        name: 'fails',
        intervalMs: 1,
        run: () => Promise.reject(new Error('no')),
        onError() {},
      }),
    ]);
    await wait(50);
    const since = () => all.turns().map(({ name, sinceMs }) => ({ name, sinceMs }));
    assert.deepEqual(
      all.turns().map(({ name }) => name),
      ['hangs', 'fails'],
    );
    const [hangs, fails] = since();
    assert.ok((hangs?.sinceMs ?? 0) >= 49);
    assert.ok((fails?.sinceMs ?? 0) < (hangs?.sinceMs ?? 0));
    hanging.resolve(false);
    await wait(10);
    assert.ok((since()[0]?.sinceMs ?? 100) < (hangs?.sinceMs ?? 0), 'it turned');
    await all.stop();
  });

  it('come less often in loops that a test slows, up to its pause, and later as often', async () => {
    const start = (intervalMs: number) =>
      startLoop({ name: 'polls', intervalMs, run: async () => false, onError() {} });
    slowLoops({ factor: 5, upToMs: 5_000, seldomFromMs: Infinity, startsPaused: false });
    const slow = [500, 3_000, 60_000].map(start);
    slowLoops(null);
    const all = joinLoops([...slow, start(500)]);
    assert.deepEqual(
      all.turns().map(({ intervalMs }) => intervalMs),
      [2_500, 5_000, 60_000, 500],
    );
    await all.stop();
  });

  it('come in seldom loops of a test only once as much time has passed', async () => {
    const runs: string[] = [];
    slowLoops({ factor: 1, upToMs: 0, seldomFromMs: 60_000, startsPaused: false });
    const works = oneAfterAnother(
      [60_000, 2_000].map((intervalMs) => ({
        name: `${intervalMs}`,
        intervalMs,
        run: async () => runs.push(`${intervalMs}`) < 0,
      })),
    );
    const all = joinLoops(
      works.map((work) => startLoop({ ...work, onError: (error) => assert.fail(`${error}`) })),
    );
    slowLoops(null);
    const expect = async (expected: readonly string[]) => {
      await wait(10);
      assert.deepEqual(runs.splice(0), expected);
    };
    await expect(['60000', '2000']);
    all.wake(59_999);
    await expect(['2000']);
    all.wake(1);
    await expect(['60000', '2000']);
    all.wake(59_999);
    await expect(['2000']);
    all.wake();
    await expect(['60000', '2000']);
    await all.stop();
  });

  it('begin after a pause, or once woken, in loops that a test starts paused', async () => {
    let runs = 0;
    slowLoops({ factor: 1, upToMs: 0, seldomFromMs: Infinity, startsPaused: true });
    const loop = startLoop({
      name: 'paused',
      intervalMs: 60_000,
      run: async () => ++runs < 0,
      onError() {},
    });
    slowLoops(null);
    await wait(10);
    assert.equal(runs, 0);
    loop.wake();
    await wait(10);
    assert.equal(runs, 1);
    await loop.stop();
  });
});

describe('the first runs of loops', () => {
  const order: string[] = [];
  const workOf = (name: string, run: LoopWork['run']): LoopWork => ({
    name,
    intervalMs: 60_000,
    run: async (signal, wake) => {
      order.push(`${name} begins`);
      const isMore = await run(signal, wake);
      order.push(`${name} ends`);
      return isMore;
    },
  });
  const start = (works: readonly LoopWork[]) =>
    joinLoops(
      oneAfterAnother(works).map((work) =>
        startLoop({ ...work, onError: (error) => assert.fail(`${error}`) }),
      ),
    );

  beforeEach(() => order.splice(0));

  it('follow one another, and each later run only its own interval', async () => {
    const over = Promise.withResolvers<void>();
    const loops = start([
      workOf('first', async () => false),
      workOf('second', async () => {
        over.resolve();
        return false;
      }),
    ]);
    await over.promise;
    await loops.stop();
    assert.deepEqual(order, ['first begins', 'first ends', 'second begins', 'second ends']);
  });

  it('wait in vain for no run that hangs', async () => {
    const hung = Promise.withResolvers<boolean>();
    const over = Promise.withResolvers<void>();
    const loops = start([
      workOf('hung', () => hung.promise),
      workOf('other', async () => {
        over.resolve();
        return false;
      }),
    ]);
    await over.promise;
    hung.resolve(false);
    await loops.stop();
    assert.deepEqual(order, ['hung begins', 'other begins', 'other ends', 'hung ends']);
  });

  it('are not made after the stop', async () => {
    const hung = Promise.withResolvers<boolean>();
    const loops = start([workOf('hung', () => hung.promise), workOf('other', async () => false)]);
    await Promise.resolve();
    const stopped = loops.stop();
    hung.resolve(false);
    await stopped;
    assert.deepEqual(order, ['hung begins', 'hung ends']);
  });
});
