import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import {
  type BodyEnd,
  createUnfinishedBodies,
  FORM_TIMEOUT_MS,
  type UnfinishedBodies,
} from '#http/overload/unfinished-bodies.ts';

let bodies: UnfinishedBodies;
/** The bodies that were given up, in order. */
let ended: string[];

beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout'] });
  bodies = createUnfinishedBodies();
  ended = [];
});
afterEach(() => mock.timers.reset());

function add(name: string, address: string, isOfMerchant = false): () => void {
  const onEnd = (how: BodyEnd) => {
    ended.push(`${name} ${how}`);
    forget();
  };
  const forget = bodies.add({ address, isOfMerchant, onEnd });
  return forget;
}

/** Adds bodies that are named after their number. */
function addMany(count: number, addressOf: (n: number) => string, isOfMerchant = false): void {
  for (let n = 0; n < count; n += 1) add(`${n}`, addressOf(n), isOfMerchant);
}

describe('bodies that have not arrived whole', () => {
  it('number at most 1,000 for one address: a further body evicts the oldest of that address', () => {
    add('of another', '192.0.2.2');
    addMany(1_000, () => '192.0.2.1');
    assert.deepEqual(ended, []);
    add('one more', '192.0.2.1');
    assert.deepEqual(ended, ['0 evicted']);
    assert.equal(bodies.count(), 1_001);
  });

  it('count as one address for an IPv6 network of 64 bits', () => {
    addMany(1_000, (n) => `2001:db8::${n.toString(16)}`);
    add('of another network', '2001:db8:0:1::1');
    assert.deepEqual(ended, []);
    add('one more', '2001:db8::ffff:1');
    assert.deepEqual(ended, ['0 evicted']);
  });

  it('without an API key are 4,000 at most', () => {
    addMany(4_000, (n) => `192.0.2.${n % 200}`);
    assert.deepEqual(ended, []);
    add('one more', '198.51.100.1');
    assert.deepEqual(ended, ['0 evicted']);
    assert.equal(bodies.count(), 4_000);
  });

  it('with an API key are 1,000 at most, from any address, and evict only such bodies', () => {
    add('a form', '192.0.2.1');
    addMany(1_000, (n) => `192.0.2.${n % 200}`, true);
    assert.deepEqual(ended, []);
    add('one more', '198.51.100.1', true);
    assert.deepEqual(ended, ['0 evicted']);
  });

  it('give way no more once they are whole', () => {
    const forget = add('whole', '192.0.2.1');
    forget();
    addMany(1_000, () => '192.0.2.1');
    mock.timers.tick(FORM_TIMEOUT_MS - 1);
    assert.deepEqual(ended, []);
    assert.equal(bodies.count(), 1_000);
  });

  it('have 5 seconds without an API key', () => {
    add('a form', '192.0.2.1');
    add('a creation', '192.0.2.1', true);
    mock.timers.tick(FORM_TIMEOUT_MS);
    assert.deepEqual(ended, ['a form late']);
    assert.equal(bodies.count(), 1);
  });
});
