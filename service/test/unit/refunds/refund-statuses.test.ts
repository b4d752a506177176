import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findUncovered } from '#refunds/model/cover.ts';
import { planRefundChange } from '#refunds/model/plan-change.ts';
import type { Refund, RefundCause, RefundedPayment } from '#refunds/model/refund.ts';
import {
  isRefundOpen,
  REFUND_STATUSES,
  type RefundStatus,
  sumOf,
} from '#refunds/model/statuses.ts';

const AT = new Date('2026-03-01T12:00:00.000Z');
const NOW = new Date('2026-03-02T12:00:00.000Z');
const movement = { networkReference: 'R-1', bankReference: null, bookingDate: null };

const refundOf = (status: RefundStatus, changes: Partial<Refund> = {}): Refund => ({
  id: '01890000-0000-7000-8000-000000000001',
  paymentRequestId: '01890000-0000-7000-8000-000000000002',
  merchantId: 'mer_1',
  merchantRefundId: null,
  amountCents: 100,
  status,
  statusReasonCode: status === 'FAILED' ? 'NETWORK_REJECTED' : null,
  reason: 'OTHER',
  message: null,
  webhookUrl: null,
  isOfPayment: true,
  movementReference: null,
  operatorCaseId: null,
  payment: null,
  countedOn: null,
  traceparent: null,
  version: 1,
  createdAt: AT,
  events: [{ status, occurredAt: AT }],
  ...changes,
});

const CAUSES: readonly RefundCause[] = [
  { name: 'HANDED_OVER' },
  { name: 'EXECUTED', movement, completedAt: AT },
  { name: 'REFUSED', reasonCode: 'ACCOUNT_RESTRICTED' },
  { name: 'PAYMENT_RETURNED' },
  { name: 'MONEY_CAME_BACK', movement },
];

/** The statuses that a refund reaches, its event and its ledger entries: contract §11. */
const TABLE: Readonly<Record<string, readonly [string, string | null, string | null, string]>> = {
  'CREATED HANDED_OVER': ['PROCESSING', null, null, ''],
  'CREATED EXECUTED': ['COMPLETED', null, 'REFUND-COMPLETED', 'REFUND'],
  'CREATED REFUSED': ['FAILED', 'ACCOUNT_RESTRICTED', 'REFUND-FAILED', ''],
  'CREATED PAYMENT_RETURNED': ['FAILED', 'PAYMENT_RETURNED', 'REFUND-FAILED', ''],
  'CREATED MONEY_CAME_BACK': [
    'PROCESSING FAILED',
    'REFUND_RETURNED',
    'REFUND-FAILED',
    'REFUND REFUND_RETURN',
  ],
  'PROCESSING EXECUTED': ['COMPLETED', null, 'REFUND-COMPLETED', 'REFUND'],
  'PROCESSING REFUSED': ['FAILED', 'ACCOUNT_RESTRICTED', 'REFUND-FAILED', ''],
  'PROCESSING MONEY_CAME_BACK': [
    'FAILED',
    'REFUND_RETURNED',
    'REFUND-FAILED',
    'REFUND REFUND_RETURN',
  ],
  'COMPLETED MONEY_CAME_BACK': ['FAILED', 'REFUND_RETURNED', 'REFUND-FAILED', 'REFUND_RETURN'],
};

describe('the table of a refund’s statuses', () => {
  for (const status of REFUND_STATUSES) {
    for (const cause of CAUSES) {
      const key = `${status} ${cause.name}`;
      const expected = TABLE[key];
      it(`${key} reaches ${expected?.[0] ?? 'nothing'}`, () => {
        const changes = planRefundChange(refundOf(status), cause, NOW);
        const last = changes.at(-1);
        const found = last && [
          changes.map(({ after }) => after.status).join(' '),
          last.after.statusReasonCode,
          changes.map(({ transition }) => transition.webhook).find((type) => type) ?? null,
          changes.flatMap(({ transition }) => transition.ledger).join(' '),
        ];
        assert.deepEqual(found, expected);
        assert.equal(last?.after.version ?? 1, 1 + changes.length);
      });
    }
  }

  it('counts each status in one sum at most', () => {
    assert.deepEqual(REFUND_STATUSES.map(sumOf), ['refunding', 'refunding', 'refunded', null]);
    assert.deepEqual(REFUND_STATUSES.filter(isRefundOpen), ['CREATED', 'PROCESSING']);
  });

  it('never runs backwards when the clock does', () => {
    const [change] = planRefundChange(refundOf('CREATED'), { name: 'HANDED_OVER' }, new Date(0));
    assert.deepEqual(change?.after.events.at(-1)?.occurredAt, AT);
    const [next] = planRefundChange(refundOf('CREATED'), { name: 'HANDED_OVER' }, NOW);
    assert.deepEqual(next?.after.events.at(-1)?.occurredAt, NOW);
  });
});

describe('the cover of refunds after money was taken back', () => {
  const payment = (returnedCents: number): RefundedPayment => ({
    id: '01890000-0000-7000-8000-000000000002',
    merchantId: 'mer_1',
    isPaid: true,
    receivedCents: 1_000,
    returnedCents,
    refundedCents: 0,
    refundingCents: 0,
    webhookSequence: 0,
    sendsReceipts: false,
  });
  const judge = (returnedCents: number, refunds: readonly [RefundStatus, number][]) => {
    const { uncoveredCents, toFail } = findUncovered(
      payment(returnedCents),
      refunds.map(([status, amountCents]) => refundOf(status, { amountCents })),
      new Set(),
    );
    return [uncoveredCents, toFail.map(({ amountCents }) => amountCents)];
  };

  it('keeps what is covered, and fails the younger CREATED refunds', () => {
    assert.deepEqual(
      judge(0, [
        ['CREATED', 500],
        ['CREATED', 500],
      ]),
      [0, []],
    );
    assert.deepEqual(
      judge(500, [
        ['CREATED', 500],
        ['CREATED', 400],
      ]),
      [0, [400]],
    );
    assert.deepEqual(
      judge(501, [
        ['CREATED', 500],
        ['CREATED', 400],
      ]),
      [0, [500]],
    );
    assert.deepEqual(
      judge(1_000, [
        ['CREATED', 500],
        ['FAILED', 400],
      ]),
      [0, [500]],
    );
  });

  it('names the cents that the network has given back without cover', () => {
    assert.deepEqual(
      judge(600, [
        ['COMPLETED', 500],
        ['CREATED', 100],
      ]),
      [100, [100]],
    );
    assert.deepEqual(judge(1_000, [['PROCESSING', 300]]), [300, []]);
    assert.deepEqual(judge(700, [['PROCESSING', 300]]), [0, []]);
  });

  describe('that name the movements they give back', () => {
    type Given = readonly [RefundStatus, number, string | null, isOfPayment: boolean];
    const judgeNamed = (returnedCents: number, given: readonly Given[]) => {
      const refunds = given.map(([status, amountCents, movementReference, isOfPayment]) =>
        refundOf(status, { amountCents, movementReference, isOfPayment }),
      );
      const found = findUncovered(payment(returnedCents), refunds, new Set(['M1', 'M2']));
      const toFail = found.toFail.map(({ amountCents }) => amountCents);
      return [found.uncoveredCents, found.returnedReferences, toFail];
    };

    it('counts one that went back, whether its money is the payment’s or waits beside it', () => {
      assert.deepEqual(judgeNamed(0, [['PROCESSING', 300, 'M1', false]]), [300, ['M1'], []]);
      assert.deepEqual(judgeNamed(300, [['COMPLETED', 300, 'M1', true]]), [300, ['M1'], []]);
      assert.deepEqual(judgeNamed(900, [['COMPLETED', 900, 'M1', true]]), [900, ['M1'], []]);
      assert.deepEqual(
        judgeNamed(200, [
          ['COMPLETED', 200, 'M1', true],
          ['PROCESSING', 100, 'M2', false],
          ['FAILED', 400, 'M2', true],
          ['PROCESSING', 50, 'M3', false],
        ]),
        [300, ['M1', 'M2'], []],
      );
    });

    it('counts it beside the money of the payment that is missing', () => {
      const given: readonly Given[] = [
        ['PROCESSING', 900, null, true],
        ['COMPLETED', 100, 'M2', false],
      ];
      assert.deepEqual(judgeNamed(300, given), [300, ['M2'], []]);
      // No refund of the payment: what is missing of the payment is nobody's second money.
      assert.deepEqual(judgeNamed(5_000, [['COMPLETED', 100, 'M2', false]]), [100, ['M2'], []]);
    });

    it('fails a CREATED refund of one that went back, once, and of no other movement', () => {
      const given: readonly Given[] = [
        ['CREATED', 400, 'M1', true],
        ['CREATED', 300, 'M2', false],
        ['CREATED', 9_000, 'M3', false],
        ['CREATED', 700, 'M3', true],
        ['CREATED', 301, null, true],
        ['CREATED', 300, null, true],
      ];
      assert.deepEqual(judgeNamed(0, given), [0, [], [400, 300, 301]]);
    });
  });
});
