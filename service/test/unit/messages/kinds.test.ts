import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KINDS, type KindFacts, MESSAGE_KINDS, type Subject } from '#messages/model/kinds.ts';
import { STATUSES } from '#payment-requests/model/statuses.ts';
import { REFUND_STATUSES } from '#refunds/model/statuses.ts';

/** The statuses of a payment request, or of a refund, in which each kind says the truth. */
const TRUE_WHILE = {
  REQUEST: ['CREATED'],
  REMINDER: ['CREATED'],
  RECEIPT: ['PAID'],
  REFUND_RECEIPT: ['COMPLETED'],
  REFUND_RETURNED: ['FAILED'],
  CANCELLATION: ['CANCELLED'],
};

describe('a message to a payer', () => {
  for (const kind of KINDS) {
    const isOfRefund = kind.startsWith('REFUND');
    const facts: KindFacts = MESSAGE_KINDS[kind];

    it(`of the kind ${kind} is true in no other status than its own`, () => {
      const subjects = isOfRefund
        ? REFUND_STATUSES.map((status) => [status, { refund: { status } }] as const)
        : STATUSES.map((status) => [status, { paymentRequest: { status } }] as const);
      const whileTrue = subjects.filter(([, subject]) => facts.isTrue(subject as Subject));
      assert.deepEqual(
        whileTrue.map(([status]) => status),
        TRUE_WHILE[kind],
      );
    });
  }

  it('waits with its merchant where it asks for money, and lets others go before a reminder', () => {
    const having = (has: (facts: KindFacts) => unknown) =>
      KINDS.filter((kind) => has(MESSAGE_KINDS[kind]));
    assert.deepEqual(
      having(({ asksForMoney }) => asksForMoney),
      ['REQUEST', 'REMINDER'],
    );
    assert.deepEqual(
      having(({ isReminder }) => isReminder),
      ['REMINDER'],
    );
    assert.deepEqual(
      having(({ takesBack }) => takesBack === 'REQUEST'),
      ['CANCELLATION'],
    );
    assert.deepEqual(
      having(({ takesBack }) => takesBack === 'REFUND_RECEIPT'),
      ['REFUND_RETURNED'],
    );
  });
});
