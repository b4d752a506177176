import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KeyCounter } from '#lib/key-counter.ts';

describe('a key counter', () => {
  it('counts each key by itself', () => {
    const counter = new KeyCounter();
    for (const key of ['a', 'b', 'a']) counter.add(key);
    counter.remove('b');
    assert.deepEqual(
      ['a', 'b', 'c'].map((key) => counter.count(key)),
      [2, 0, 0],
    );
  });

  it('keeps no key whose count is 0', () => {
    const counter = new KeyCounter();
    for (const key of ['a', 'b', 'b']) counter.add(key);
    for (const key of ['a', 'b', 'never counted']) counter.remove(key);
    assert.deepEqual(counter.snapshot(), new Map([['b', 1]]));
  });

  it('gives a snapshot that later counts do not change', () => {
    const counter = new KeyCounter();
    counter.add('a');
    const snapshot = counter.snapshot();
    counter.add('a');
    assert.deepEqual(snapshot, new Map([['a', 1]]));
  });

  it('begins with counts that it is given, and does not change them', () => {
    const given = new Map([['a', 2]]);
    const counter = new KeyCounter(given);
    counter.add('a');
    counter.add('b');
    assert.deepEqual(given, new Map([['a', 2]]));
    assert.deepEqual(counter.keysFrom(3), new Set(['a']));
    assert.deepEqual(counter.keysFrom(1), new Set(['a', 'b']));
  });
});
