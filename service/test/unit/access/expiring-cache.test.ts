import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createExpiringCache } from '#access/expiring-cache.ts';

function createCounting(mostEntries = 100) {
  const loads: string[] = [];
  let nowMs = 0;
  const answers = new Map<string, PromiseWithResolvers<string>>();
  const cache = createExpiringCache<string>({
    clock: { now: () => new Date(nowMs), steadyMs: () => nowMs },
    lifetimeMs: 2_000,
    mostEntries,
    load: (key) => {
      loads.push(key);
      return answers.get(key)?.promise ?? Promise.resolve(`${key}${loads.length}`);
    },
  });
  return {
    cache,
    loads,
    answers,
    pass: (delayMs: number) => {
      nowMs += delayMs;
    },
  };
}

describe('the memory of access state', () => {
  it('loads once for a lifetime, then again', async () => {
    const { cache, loads, pass } = createCounting();
    assert.equal(await cache.get('a'), 'a1');
    pass(1_999);
    assert.equal(await cache.get('a'), 'a1');
    pass(1);
    assert.equal(await cache.get('a'), 'a2');
    assert.deepEqual(loads, ['a', 'a']);
  });

  it('asks once for callers that come together', async () => {
    const { cache, loads } = createCounting();
    await Promise.all([cache.get('a'), cache.get('a'), cache.get('a')]);
    assert.deepEqual(loads, ['a']);
  });

  it('counts the time from the start of a slow load, also for those who wait', async () => {
    const { cache, loads, answers, pass } = createCounting();
    const slow = Promise.withResolvers<string>();
    answers.set('a', slow);
    const first = cache.get('a');
    pass(2_000);
    answers.delete('a');
    assert.equal(await cache.get('a'), 'a2');
    slow.resolve('old');
    assert.equal(await first, 'old');
    assert.equal(await cache.get('a'), 'a2', 'the late answer does not come back');
    assert.equal(loads.length, 2);
  });

  it('does not remember a failure', async () => {
    const { cache, answers } = createCounting();
    const failing = Promise.withResolvers<string>();
    answers.set('a', failing);
    const first = cache.get('a');
    failing.reject(new Error('away'));
    await assert.rejects(first, /away/);
    answers.delete('a');
    assert.equal(await cache.get('a'), 'a2');
  });

  it('forgets what was loaded first when it is full', async () => {
    const { cache, loads } = createCounting(2);
    for (const key of ['a', 'b', 'c', 'b', 'c', 'a']) await cache.get(key);
    assert.deepEqual(loads, ['a', 'b', 'c', 'a']);
  });

  it('loads again what was dropped', async () => {
    const { cache } = createCounting();
    await cache.get('a');
    cache.drop('a');
    assert.equal(await cache.get('a'), 'a2');
  });

  it('gives a loaded value at once for its lifetime, and loads nothing for that', async () => {
    const { cache, loads, pass } = createCounting();
    assert.equal(cache.peek('a'), null, 'nothing is loaded');
    const loading = cache.get('a');
    assert.equal(cache.peek('a'), null, 'the load has not ended');
    await loading;
    assert.deepEqual(cache.peek('a'), { value: 'a1' });
    pass(1_999);
    assert.deepEqual(cache.peek('a'), { value: 'a1' });
    pass(1);
    assert.equal(cache.peek('a'), null, 'the lifetime is over');
    assert.deepEqual(loads, ['a']);
  });

  it('gives nothing at once after a failure', async () => {
    const { cache, answers } = createCounting();
    const failing = Promise.withResolvers<string>();
    answers.set('a', failing);
    const loading = cache.get('a');
    failing.reject(new Error('away'));
    await assert.rejects(loading, /away/);
    assert.equal(cache.peek('a'), null);
  });
});
