import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFailureLimit } from '#rate-limits/failure-limit.ts';
import { createFakeClock } from '../support/fake-clock.ts';

describe('failed token calls', () => {
  it('are counted by address and by username, a second at a time', () => {
    const clock = createFakeClock();
    const failures = createFailureLimit({ clock, limit: 2 });
    const from = (address: string, username?: string) => failures.count({ address, username });
    assert.deepEqual([from('192.0.2.1', 'ada'), from('192.0.2.1', 'ada')], [true, true]);
    assert.equal(from('192.0.2.1', 'bob'), false, 'the address is over its limit');
    assert.equal(from('192.0.2.2', 'ada'), false, 'the username is over its limit');
    assert.equal(from('192.0.2.1'), false);
    assert.equal(from('192.0.2.3', 'eve'), true);
    clock.advance(1_000);
    assert.equal(from('192.0.2.1', 'ada'), true);
  });

  it('within an IPv6 network count as one source', () => {
    const failures = createFailureLimit({ clock: createFakeClock(), limit: 2 });
    const from = (address: string) => failures.count({ address, username: undefined });
    assert.deepEqual([from('2001:db8:1:2::1'), from('2001:db8:1:2:ffff::2')], [true, true]);
    assert.equal(from('2001:db8:1:2:a:b:c:d'), false);
    assert.equal(from('2001:db8:1:3::1'), true);
  });

  it('take a bounded memory: beyond it every further source is one too many', () => {
    const clock = createFakeClock();
    const failures = createFailureLimit({ clock, limit: 2 });
    const within = Array.from({ length: 20_000 }, (_, index) =>
      failures.count({ address: `address-${index}`, username: `username-${index}` }),
    ).filter(Boolean).length;
    assert.equal(within, 5_000);
    clock.advance(1_000);
    assert.equal(failures.count({ address: 'address-19999', username: undefined }), true);
  });

  it('are not limited at 0', () => {
    const failures = createFailureLimit({ clock: createFakeClock(), limit: 0 });
    for (let index = 0; index < 100; index++) {
      assert.equal(failures.count({ address: '::1', username: 'ada' }), true);
    }
  });
});
