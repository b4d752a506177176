import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  reasonOfStanding,
  STANDING_REASONS,
  type Standing,
} from '#console/payment-requests/model/standing.ts';
import { STATUSES } from '#payment-requests/model/statuses.ts';
import { REFUND_STATUSES } from '#refunds/model/statuses.ts';

const QUIET: Standing = {
  ...{ status: 'PAID', isPart: false, isTakenBack: false, isLate: false },
  ...{ refund: null, isRefundProposed: false, hasOpenCase: false },
};
const FLAGS = ['isPart', 'isTakenBack', 'isLate', 'isRefundProposed', 'hasOpenCase'] as const;

/** Every combination of the facts. */
function everyStanding(): Standing[] {
  const flags = Array.from({ length: 2 ** FLAGS.length }, (_, bits) =>
    Object.fromEntries(FLAGS.map((name, place) => [name, (bits & (1 << place)) !== 0])),
  );
  return STATUSES.flatMap((status) =>
    [null, ...REFUND_STATUSES].flatMap((refund) =>
      flags.map((each) => ({ ...QUIET, ...each, status, refund })),
    ),
  );
}

describe('the reason why a payment request stands as it does', () => {
  it('is said in each standing but those that wait for the payer, or ended as asked', () => {
    for (const standing of everyStanding()) {
      const { status, refund, isPart, ...flags } = standing;
      const isOver = ['FAILED', 'EXPIRED', 'CANCELLED'].includes(status);
      const isMissing = isPart && ['CREATED', 'PROCESSING'].includes(status);
      const isRefunding = refund !== null && refund !== 'COMPLETED';
      const isTold = isOver || isMissing || isRefunding || Object.values(flags).includes(true);
      assert.equal(reasonOfStanding(standing) !== null, isTold, JSON.stringify(standing));
    }
  });

  it('is one of the table, and each of the table is reached', () => {
    const reached = new Set(everyStanding().map(reasonOfStanding));
    assert.deepEqual([...reached].filter(Boolean).sort(), Object.keys(STANDING_REASONS).sort());
  });

  it('is the money that a person waits for, before the end that is known', () => {
    const of = (facts: Partial<Standing>) => reasonOfStanding({ ...QUIET, ...facts });
    const all = { isTakenBack: true, isLate: true, isRefundProposed: true, hasOpenCase: true };
    assert.equal(of({ ...all, refund: 'FAILED' }), 'REFUND_FAILED');
    assert.equal(of({ ...all, refund: 'PROCESSING' }), 'REFUND_PROPOSED');
    assert.equal(of({ ...all, isRefundProposed: false }), 'TAKEN_BACK');
    assert.equal(of({ hasOpenCase: true, refund: 'CREATED' }), 'CASE_OPEN');
    assert.equal(of({ status: 'EXPIRED', isPart: true, hasOpenCase: true }), 'CASE_OPEN');
    assert.equal(of({ status: 'CREATED', isPart: true }), 'PART_MISSING');
    assert.equal(of({ status: 'CANCELLED', isPart: true }), 'CANCELLED');
    assert.equal(of({ isLate: true, refund: 'COMPLETED' }), 'PAID_LATE');
  });
});
