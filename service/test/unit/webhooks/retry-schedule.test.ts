import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DeliveryOutcome } from '#webhooks/model/outcomes.ts';
import { type AttemptEnd, nextStep, parseRetryAfter } from '#webhooks/model/retry-schedule.ts';

const SCHEDULE = [0, 5, 30, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400];
const NOW = new Date('2026-03-01T12:00:00.000Z');
const exactly = { schedule: SCHEDULE, random: () => 0 };

function ended(outcome: DeliveryOutcome, rest: Partial<AttemptEnd> = {}): AttemptEnd {
  return { outcome, httpStatus: null, retryAfterSeconds: null, ...rest };
}

describe('the act after an attempt', () => {
  it('waits after each failed attempt as the schedule says, and gives up after the eleventh', () => {
    const waits = SCHEDULE.map((_, made) =>
      nextStep(exactly, ended('CONNECTION_REFUSED'), made + 1, false),
    );
    assert.deepEqual(
      waits.map(({ delaySeconds }) => delaySeconds),
      [5, 30, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400, null],
    );
    assert.deepEqual(
      waits.map(({ status }) => status),
      [...Array(10).fill('PENDING'), 'EXHAUSTED'],
    );
  });

  it('spreads the eleven attempts over more than 75 hours', () => {
    const seconds = SCHEDULE.reduce((sum, wait) => sum + wait, 0);
    assert.ok(seconds / 3600 > 75, `${seconds / 3600} h`);
  });

  it('is over after a success', () => {
    const step = nextStep(exactly, ended('SUCCEEDED', { httpStatus: 204 }), 1, true);
    assert.deepEqual(step, { status: 'SUCCEEDED', delaySeconds: null, pauseEndpoint: false });
  });

  it('adds jitter of at most a tenth and takes none away', () => {
    const delay = (random: number, attempt: number) =>
      nextStep(
        { schedule: SCHEDULE, random: () => random },
        ended('CONNECTION_LOST'),
        attempt,
        false,
      ).delaySeconds ?? Number.NaN;
    for (let attempt = 1; attempt < SCHEDULE.length; attempt += 1) {
      const scheduled = SCHEDULE[attempt] as number;
      for (const random of [0, 0.25, 0.5, 0.999999]) {
        assert.ok(delay(random, attempt) >= scheduled);
        assert.ok(delay(random, attempt) <= scheduled * 1.1);
      }
      assert.ok(delay(0.999999, attempt) > scheduled * 1.09);
    }
  });

  for (const httpStatus of [429, 502, 503, 504]) {
    it(`waits at least a minute after a ${httpStatus}`, () => {
      const end = ended('REFUSED_BY_LISTENER', { httpStatus });
      assert.equal(nextStep(exactly, end, 1, false).delaySeconds, 60);
      assert.equal(nextStep(exactly, end, 2, false).delaySeconds, 60);
      assert.equal(nextStep(exactly, end, 3, false).delaySeconds, 300);
    });
  }

  for (const outcome of ['TIMED_OUT', 'CONNECT_TIMED_OUT', 'NAME_TIMED_OUT'] as const) {
    it(`waits at least a minute after ${outcome}`, () => {
      assert.equal(nextStep(exactly, ended(outcome), 1, false).delaySeconds, 60);
    });
  }

  for (const httpStatus of [400, 404, 500, 501, 505]) {
    it(`keeps to the schedule after a ${httpStatus}`, () => {
      const end = ended('REFUSED_BY_LISTENER', { httpStatus });
      assert.equal(nextStep(exactly, end, 1, false).delaySeconds, 5);
    });
  }

  it('lets Retry-After push an attempt later, never earlier', () => {
    const end = ended('REFUSED_BY_LISTENER', { httpStatus: 500, retryAfterSeconds: 90 });
    assert.equal(nextStep(exactly, end, 1, false).delaySeconds, 90);
    assert.equal(nextStep(exactly, end, 3, false).delaySeconds, 300);
    assert.equal(nextStep(exactly, { ...end, httpStatus: 503 }, 1, false).delaySeconds, 90);
    const hasty = { ...end, httpStatus: 503, retryAfterSeconds: 1 };
    assert.equal(nextStep(exactly, hasty, 1, false).delaySeconds, 60);
  });

  it('ends at once after a 410 without an endpoint', () => {
    const step = nextStep(exactly, ended('GONE', { httpStatus: 410 }), 1, false);
    assert.deepEqual(step, { status: 'EXHAUSTED', delaySeconds: null, pauseEndpoint: false });
  });

  it('pauses the endpoint after a 410 and holds the delivery, also after the last attempt', () => {
    const end = ended('GONE', { httpStatus: 410 });
    assert.deepEqual(nextStep(exactly, end, 1, true), {
      status: 'PENDING',
      delaySeconds: 5,
      pauseEndpoint: true,
    });
    assert.deepEqual(nextStep(exactly, end, 11, true), {
      status: 'PENDING',
      delaySeconds: 86400,
      pauseEndpoint: true,
    });
  });
});

describe('Retry-After', () => {
  const read: readonly (readonly [unknown, number | null])[] = [
    ['0', 0],
    ['120', 120],
    [' 120 ', 120],
    ['3600', 3600],
    ['3601', 3600],
    ['99999999999999999999', 3600],
    ['Sun, 01 Mar 2026 12:01:30 GMT', 90],
    ['Sunday, 01-Mar-26 12:01:30 GMT', 90],
    ['Sun Mar  1 12:01:30 2026', 90],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 3600],
    ['-5', null],
    ['1.5', null],
    ['1e3', null],
    ['0x10', null],
    ['5 apples', null],
    ['2026-03-01T12:01:30Z', null],
    ['Sun, 99 Foo 2026 12:01:30 GMT', null],
    ['xSun, 01 Mar 2026 12:01:30 GMT', null],
    ['Sun, 01 Mar 2026 12:01:30 GMT (UTC)', null],
    ['xSunday, 01-Mar-26 12:01:30 GMT', null],
    ['Sunday, 01-Mar-26 12:01:30 GMT (UTC)', null],
    ['Mon-Fri, 01-Mar-26 12:01:30 GMT', null],
    ['Sun, 01 March 2026 12:01:30 GMT', null],
    ['xSun Mar  1 12:01:30 2026', null],
    ['Sun Mar  1 12:01:30 2026 (UTC)', null],
    ['Sun Mar 11 12:01:30 2026', 3600],
    ['soon', null],
    ['', null],
    [undefined, null],
    [['120', '240'], null],
    [120, null],
  ];
  for (const [value, expected] of read) {
    it(`${JSON.stringify(value)} is ${expected === null ? 'ignored' : `${expected} s`}`, () => {
      assert.equal(parseRetryAfter(value, NOW), expected);
    });
  }
});
