import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createAddressLimit, networkOf } from '#http/overload/address-limit.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

describe('the network of an address', () => {
  for (const [address, network] of [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
    ['', ''],
  ] as const) {
    it(`is ${network} for ${address}`, () => assert.equal(networkOf(address), network));
  }
});

describe('a limit by address', () => {
  const limitOf = (limit: number) => {
    const clock = createFakeClock(new Date('2026-03-01T12:00:10.000Z'));
    return { clock, limit: createAddressLimit({ clock, limit, windowMs: 60_000 }) };
  };

  it('counts each address alone, until the window is over', () => {
    const { clock, limit } = limitOf(2);
    assert.deepEqual([limit.count('a'), limit.count('a'), limit.count('a')], [true, true, false]);
    assert.equal(limit.count('b'), true);
    assert.equal(limit.retryAfterSeconds(), 50);
    clock.advance(50_000);
    assert.equal(limit.count('a'), true);
  });

  it('counts an address apart for each key', () => {
    const { limit } = limitOf(1);
    assert.deepEqual([limit.count('a', 'x'), limit.count('a', 'x')], [true, false]);
    assert.equal(limit.count('a', 'y'), true);
    assert.equal(limit.count('a'), true);
  });

  it('makes no address count for a flood of others, and remembers those that come back', () => {
    const { limit } = limitOf(3);
    for (let address = 0; address < 500_000; address++) {
      limit.count(`flood ${address}`);
      if (address % 90_000 === 0) limit.count('regular');
    }
    assert.equal(limit.count('one more'), true);
    assert.equal(limit.count('regular'), false);
  });
});
