import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { nextStateChangeMs, signingKeyStates } from '#access/signing-keys/states.ts';

const at = (minutes: number) => new Date(minutes * 60_000);
const key = (keyId: string, signsFromMinute: number, removedAtMinute?: number) => ({
  keyId,
  signsFrom: at(signsFromMinute),
  removedAt: removedAtMinute === undefined ? null : at(removedAtMinute),
});

/** The keys newest first, as the store lists them, and their states at a minute. */
function statesAt(minute: number, keys: ReturnType<typeof key>[]): string {
  return signingKeyStates(keys, at(minute))
    .map(({ key: { keyId }, state }) => `${keyId} ${state}`)
    .join(', ');
}

describe('the state of signing keys follows from their times', () => {
  it('the newest that has begun signs, its predecessor verifies for an hour and a minute', () => {
    const keys = [key('b', 10), key('a', 0)];
    assert.equal(statesAt(9, keys), 'b UPCOMING, a SIGNING');
    assert.equal(statesAt(10, keys), 'b SIGNING, a VERIFYING');
    assert.equal(statesAt(70.9, keys), 'b SIGNING, a VERIFYING');
    assert.equal(statesAt(71, keys), 'b SIGNING, a RETIRED');
  });

  it('each key’s time counts from the one after it', () => {
    const keys = [key('c', 100), key('b', 50), key('a', 0)];
    assert.equal(statesAt(100, keys), 'c SIGNING, b VERIFYING, a VERIFYING');
    assert.equal(statesAt(111, keys), 'c SIGNING, b VERIFYING, a RETIRED');
  });

  it('a removed key counts for nothing', () => {
    const keys = [key('c', 20), key('b', 10, 15), key('a', 0)];
    assert.equal(statesAt(16, keys), 'c UPCOMING, b REMOVED, a SIGNING');
    assert.equal(statesAt(20, keys), 'c SIGNING, b REMOVED, a VERIFYING');
  });

  it('without keys, or before the first begins, nothing signs', () => {
    assert.equal(statesAt(0, []), '');
    assert.equal(statesAt(0, [key('a', 1)]), 'a UPCOMING');
  });

  it('and stays until the next change', () => {
    const minute = fc.integer({ min: 0, max: 200 });
    const anyKey = fc.tuple(minute, fc.boolean());
    fc.assert(
      fc.property(fc.array(anyKey, { maxLength: 5 }), minute, (made, from) => {
        const keys = made
          .toSorted(([left], [right]) => right - left)
          .map(([signsFrom, isRemoved], index) =>
            isRemoved ? key(`k${index}`, signsFrom, 0) : key(`k${index}`, signsFrom),
          );
        const next = nextStateChangeMs(keys, from * 60_000) / 60_000;
        assert.ok(next > from);
        for (let later = from; later < Math.min(next, 300); later += 1) {
          assert.equal(statesAt(later, keys), statesAt(from, keys));
        }
      }),
    );
  });
});
