import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createAddressLimit, networkOf } from '#http/address-limit.ts';
import { createFakeClock } from '../support/fake-clock.ts';

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
    it(`of ${address} is ${network}`, () => assert.equal(networkOf(address), network));
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
    assert.equal(limit.isWithin('a'), false);
    assert.equal(limit.isWithin('b'), true);
    assert.equal(limit.retryAfterSeconds(), 50);
    clock.advance(50_000);
    assert.equal(limit.isWithin('a'), true);
    assert.equal(limit.count('a'), true);
  });

  it('keeps its memory bounded, and those it knows apart from a flood', () => {
    const { limit } = limitOf(3);
    limit.count('known');
    for (let address = 0; address < 250_000; address++) {
      if (address === 150_000) assert.equal(limit.isWithin('one more'), true, 'no flood so far');
      limit.count(`flood ${address}`);
    }
    assert.equal(limit.isWithin('known'), true);
    assert.equal(limit.isWithin('one more'), false);
  });
});
