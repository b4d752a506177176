import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isId, newId } from '#lib/new-id.ts';
import { randomPoolBytes } from '#lib/random-pool.ts';
import { isShortCode, newShortCode } from '#payment-requests/model/short-code.ts';

const many = <Value>(make: () => Value, count = 20_000) => Array.from({ length: count }, make);

describe('an identifier', () => {
  it('is a UUID of version 7 that carries the present millisecond', () => {
    const beforeMs = Date.now();
    const id = newId();
    assert.ok(isId(id));
    assert.match(id, /^.{14}7.{4}[89ab]/);
    const atMs = Number.parseInt(id.replace('-', '').slice(0, 12), 16);
    assert.ok(atMs >= beforeMs && atMs <= Date.now());
  });

  it('rises, also within a millisecond, and does not come twice', () => {
    const ids = many(newId);
    assert.deepEqual(ids, [...ids].sort());
    assert.equal(new Set(ids).size, ids.length);
  });

  it('rises when the clock goes back', ({ mock }) => {
    const first = newId();
    mock.timers.enable({ apis: ['Date'], now: 1_700_000_000_000 });
    assert.ok(newId() > first);
  });
});

describe('a short code', () => {
  it('is 16 characters base62, each as likely as any other, and does not come twice', () => {
    const codes = many(() => newShortCode(1));
    assert.ok(codes.every(isShortCode));
    assert.equal(new Set(codes).size, codes.length);
    const counts = new Map<string, number>();
    for (const letter of codes.join('')) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    assert.equal(counts.size, 62);
    // 320,000 letters: 5,161 of each, give or take six standard deviations of 71.
    for (const count of counts.values()) assert.ok(Math.abs(count - 5_161) < 430, `${count}`);
  });
});

describe('random bytes from the pool', () => {
  it('are never given twice, and stay as they were given', () => {
    const given = many(() => randomPoolBytes(16), 2_000);
    const texts = given.map((bytes) => Buffer.from(bytes).toString('hex'));
    assert.equal(new Set(texts).size, given.length);
    randomPoolBytes(4_096);
    assert.deepEqual(
      given.map((bytes) => Buffer.from(bytes).toString('hex')),
      texts,
    );
    assert.throws(() => randomPoolBytes(4_097), RangeError);
  });
});
