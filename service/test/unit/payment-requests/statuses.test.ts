import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  CAUSES,
  type CauseName,
  findTransition,
  STATUSES,
  type Status,
} from '#payment-requests/model/statuses.ts';

/** Contract §5, written down a second time and by hand: to status, webhook, paid late. */
const EXPECTED: Readonly<Record<string, readonly [Status, string | null, boolean]>> = {
  'CREATED PAYMENT_ACCEPTED': ['PROCESSING', null, false],
  'CREATED PAYMENT_SUCCEEDED': ['PAID', 'PAYMENT-COMPLETED', false],
  'PROCESSING PAYMENT_SUCCEEDED': ['PAID', 'PAYMENT-COMPLETED', false],
  'CREATED PAYMENT_REFUSED': ['FAILED', 'PAYMENT-FAILED', false],
  'PROCESSING PAYMENT_REFUSED': ['FAILED', 'PAYMENT-FAILED', false],
  'CREATED EXPIRY_PASSED': ['EXPIRED', 'PAYMENT-FAILED', false],
  'CREATED CANCELLED_BY_MERCHANT': ['CANCELLED', 'PAYMENT-FAILED', false],
  'FAILED PAYMENT_SUCCEEDED': ['PAID', 'PAYMENT-COMPLETED', true],
  'EXPIRED PAYMENT_SUCCEEDED': ['PAID', 'PAYMENT-COMPLETED', true],
  'CANCELLED PAYMENT_SUCCEEDED': ['PAID', 'PAYMENT-COMPLETED', true],
};

describe('the table of moves is the contract’s', () => {
  for (const from of STATUSES) {
    for (const cause of CAUSES as readonly CauseName[]) {
      const expected = EXPECTED[`${from} ${cause}`];
      it(`${cause} in ${from} ${expected ? `leads to ${expected[0]}` : 'is refused'}`, () => {
        const row = findTransition(from, cause);
        const found = row && [row.to, row.webhook, row.paidLate ?? false];
        assert.deepEqual(found, expected);
      });
    }
  }
});
