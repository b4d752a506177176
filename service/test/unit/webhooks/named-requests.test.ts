import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NamedRequests } from '#webhooks/events/named-requests.ts';

const named = (...added: (readonly string[])[]) => {
  const requests = new NamedRequests();
  for (const ids of added) requests.add(ids);
  return requests;
};

describe('named payment requests', () => {
  it('are each told once, and none again', () => {
    const requests = named(['a', 'b'], ['b', 'c']);
    assert.deepEqual(requests.take(), ['a', 'b', 'c']);
    assert.deepEqual(requests.take(), []);
  });

  it('are all where a wake names none', () => {
    const requests = named(['a'], [], ['b']);
    assert.deepEqual(requests.take(), []);
    requests.add(['c']);
    assert.deepEqual(requests.take(), ['c']);
  });

  it('are all beyond a hundred', () => {
    const ids = Array.from({ length: 101 }, (_, index) => `${index}`);
    assert.equal(named(ids.slice(1), ids.slice(1)).take().length, 100);
    assert.deepEqual(named(ids).take(), []);
  });
});
