import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { secondsToNextPoll, workingDaysBetween } from '#refunds/network/schedule.ts';

const MINUTE = 60;
const HOUR = 3_600;

describe('the polls of a refund', () => {
  const waits = (status: 'CREATED' | 'PROCESSING') =>
    [0, 1, 2, 3, 4, 5, 6, 7, 100].map((polls) => secondsToNextPoll(status, polls));

  it('come later each time, then each hour', () => {
    const [soon, ...rest] = [10, 30, MINUTE, 5 * MINUTE];
    const late = [HOUR, HOUR, HOUR];
    assert.deepEqual(waits('CREATED'), [soon, soon, ...rest, 15 * MINUTE, ...late]);
    assert.deepEqual(waits('PROCESSING'), [soon, soon, ...rest, 30 * MINUTE, ...late]);
  });
});

describe('the working days of a refund', () => {
  const days = (from: string, to: string) =>
    workingDaysBetween('TARGET', new Date(`2026-${from}.000Z`), new Date(`2026-${to}.000Z`));

  it('are whole days that end on a working day', () => {
    assert.equal(days('03-02T12:00:00', '03-03T11:59:59'), 0);
    assert.equal(days('03-02T12:00:00', '03-03T12:00:00'), 1);
    assert.equal(days('03-06T12:00:00', '03-08T12:00:00'), 0);
    assert.equal(days('03-06T12:00:00', '03-09T12:00:00'), 1);
    assert.equal(days('03-02T12:00:00', '03-09T12:00:00'), 5);
    assert.equal(days('03-02T12:00:00', '03-02T12:00:00'), 0);
    assert.equal(days('03-03T12:00:00', '03-02T12:00:00'), 0);
  });

  it('are counted for a month at most', () => {
    assert.equal(days('03-02T12:00:00', '04-02T12:00:00'), 23);
    assert.equal(days('03-02T12:00:00', '12-02T12:00:00'), 23);
  });
});
