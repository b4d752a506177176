import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readRetryAfter, retryDelayMs } from '../src/calls/retry-delay.ts';

const NONE = { status: null, code: undefined, retryAfterSeconds: undefined };
const first = { failed: 1, repeatable: true, random: 0 };

function at(status: number | null, retryAfterSeconds?: number, code?: string) {
  return { status, retryAfterSeconds, code };
}

describe('the delay before the next attempt', () => {
  it('follows a missing answer and transient answers only', () => {
    const retried = [null, 429, 500, 502, 503, 504, 520];
    const final = [200, 201, 301, 304, 400, 401, 403, 404, 409, 412, 422, 501, 505];
    for (const status of retried) assert.notEqual(retryDelayMs(at(status), first), null);
    for (const status of final) assert.equal(retryDelayMs(at(status), first), null, `${status}`);
    const running = at(409, 1, 'IDEMPOTENCY_IN_PROGRESS');
    assert.notEqual(retryDelayMs(running, first), null);
    assert.equal(retryDelayMs(at(409, undefined, 'ALREADY_PAID'), first), null);
  });

  it('grows by powers of two up to eight seconds with jitter in its upper half', () => {
    const least = [1, 2, 3, 4, 5, 6, 7, 20].map((failed) =>
      retryDelayMs(NONE, { ...first, failed, random: 0 }),
    );
    const most = [1, 2, 3, 4, 5, 6, 7, 20].map((failed) =>
      retryDelayMs(NONE, { ...first, failed, random: 1 }),
    );
    assert.deepEqual(least, [125, 250, 500, 1000, 2000, 4000, 4000, 4000]);
    assert.deepEqual(most, [250, 500, 1000, 2000, 4000, 8000, 8000, 8000]);
  });

  it('is never shorter than Retry-After and absent above 30 seconds', () => {
    assert.equal(retryDelayMs(at(429, 7), { ...first, random: 1 }), 7_250);
    assert.equal(retryDelayMs(at(503, 30), { ...first, random: 0 }), 30_125);
    assert.equal(retryDelayMs(at(503, 31), first), null);
  });

  it('follows a call that is not repeatable only after 429', () => {
    const once = { ...first, repeatable: false };
    assert.notEqual(retryDelayMs(at(429), once), null);
    for (const status of [null, 502, 503, 504]) {
      assert.equal(retryDelayMs(at(status), once), null, `${status}`);
    }
  });
});

describe('Retry-After', () => {
  const now = Date.parse('2026-03-01T12:00:00.000Z');

  it('is read as seconds or as a date; an invalid value is ignored', () => {
    assert.equal(readRetryAfter('12', now), 12);
    assert.equal(readRetryAfter('Sun, 01 Mar 2026 12:00:05 GMT', now), 5);
    assert.equal(readRetryAfter('Sun, 01 Mar 2026 11:00:00 GMT', now), 0);
    for (const junk of [null, '', 'soon', '-1.5x']) {
      assert.equal(readRetryAfter(junk, now), undefined, String(junk));
    }
  });
});
