import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { joinLoops, startLoop } from '#lib/loop.ts';

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
});
