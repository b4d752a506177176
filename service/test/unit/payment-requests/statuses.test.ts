import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  CAUSES,
  type CauseName,
  findTransition,
  STATUSES,
  type Status,
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
