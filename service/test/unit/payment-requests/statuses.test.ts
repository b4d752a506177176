import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { canStillBePaid } from '#payment-requests/model/can-still-be-paid.ts';
import {
  CAUSES,
  type CauseName,
  type ClosedStatus,
  canExpire,
  findTransition,
  hasPayment,
  isInProgress,
  isOpen,
  isReachedBy,
  refusalOfStatus,
  STATUS_FACTS,
  STATUSES,
  type Status,
  sqlListOf,
  TRANSITIONS,
} from '#payment-requests/model/statuses.ts';

/** Contract §5, written a second time and by hand. */
const EXPECTED: Readonly<
  Record<string, readonly [to: Status, webhook: string | null, isLate: boolean, reason: string]>
> = {
  'CREATED PAYMENT_ACCEPTED': ['PROCESSING', null, false, 'KEPT'],
  'CREATED PAYMENT_SUCCEEDED': ['PAID', 'PAYMENT-COMPLETED', false, 'KEPT'],
  'PROCESSING PAYMENT_SUCCEEDED': ['PAID', 'PAYMENT-COMPLETED', false, 'KEPT'],
  'CREATED PAYMENT_REFUSED': ['FAILED', 'PAYMENT-FAILED', false, 'SET'],
  'PROCESSING PAYMENT_REFUSED': ['FAILED', 'PAYMENT-FAILED', false, 'SET'],
  'CREATED EXPIRY_PASSED': ['EXPIRED', 'PAYMENT-FAILED', false, 'LINK_EXPIRED'],
  'CREATED CANCELLED_BY_MERCHANT': ['CANCELLED', 'PAYMENT-FAILED', false, 'CANCELLED_BY_MERCHANT'],
  'FAILED PAYMENT_SUCCEEDED': ['PAID', 'PAYMENT-COMPLETED', true, 'CLEARED'],
  'EXPIRED PAYMENT_SUCCEEDED': ['PAID', 'PAYMENT-COMPLETED', true, 'CLEARED'],
  'CANCELLED PAYMENT_SUCCEEDED': ['PAID', 'PAYMENT-COMPLETED', true, 'CLEARED'],
};

describe('the table of transitions is the contract’s', () => {
  for (const from of STATUSES) {
    for (const cause of CAUSES as readonly CauseName[]) {
      const expected = EXPECTED[`${from} ${cause}`];
      it(`${cause} in ${from} ${expected ? `leads to ${expected[0]}` : 'is refused'}`, () => {
        const row = findTransition(from, cause);
        const found = row && [row.to, row.webhook, row.paidLate ?? false, row.reason];
        assert.deepEqual(found, expected);
        // Only the report of money brings a payment, and no transition loses one.
        assert.equal(row?.payment ?? 'KEPT', row?.to === 'PAID' ? 'SET' : 'KEPT');
      });
    }
  }
});

describe('the questions about a status', () => {
  it('agree with the transitions about a payment: the first brings it, none loses it', () => {
    for (const { from, to, payment } of TRANSITIONS) {
      const hadPayment = from !== null && hasPayment(from);
      assert.equal(hasPayment(to), hadPayment || payment === 'SET', `${from} to ${to}`);
    }
  });

  it('name the statuses of each answer', () => {
    const statusesWith = (is: (status: Status) => boolean) => STATUSES.filter(is);
    assert.deepEqual(statusesWith(isOpen), ['CREATED']);
    assert.deepEqual(statusesWith(hasPayment), ['PAID']);
    assert.deepEqual(statusesWith(canExpire), ['CREATED']);
    assert.deepEqual(statusesWith(isInProgress), ['PROCESSING']);
    assert.deepEqual(
      statusesWith((status) => canStillBePaid(status, 'ACTIVE')),
      ['CREATED', 'PROCESSING'],
    );
    assert.deepEqual(
      statusesWith((status) => canStillBePaid(status, 'SUSPENDED')),
      ['PROCESSING'],
    );
    assert.deepEqual(
      statusesWith((status) => STATUS_FACTS[status].isOver),
      ['PAID', 'FAILED', 'EXPIRED', 'CANCELLED'],
    );
  });

  it('name the network’s task of each', () => {
    const tasks = STATUSES.map((status) => STATUS_FACTS[status].network);
    assert.deepEqual(tasks, ['UPDATE', 'POLL', 'NONE', 'CANCEL', 'CANCEL', 'CANCEL']);
  });

  it('name the refusal of each that is not open', () => {
    const closed = STATUSES.filter((status): status is ClosedStatus => !isOpen(status));
    assert.deepEqual(
      closed.map((status) => refusalOfStatus(status).code),
      [
        'PAYMENT_IN_PROGRESS',
        'ALREADY_PAID',
        'ALREADY_FAILED',
        'ALREADY_EXPIRED',
        'ALREADY_CANCELLED',
      ],
    );
  });

  it('know which cause leads where', () => {
    for (const cause of CAUSES) {
      for (const status of STATUSES) {
        const isExpected = Object.entries(EXPECTED).some(
          ([key, [to]]) => key.endsWith(` ${cause}`) && to === status,
        );
        const isCreation = cause === 'CREATED' && status === 'CREATED';
        assert.equal(isReachedBy(cause, status), isExpected || isCreation, `${cause} ${status}`);
      }
    }
  });

  it('write a list for a statement', () => {
    assert.equal(
      sqlListOf((status) => status === 'CREATED' || status === 'PAID'),
      "'CREATED', 'PAID'",
    );
  });
});
