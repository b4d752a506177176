import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { unknownRequestCase } from '#payment-requests/network/decide-report.ts';
import {
  emptyMovementIndex,
  heldReferencesOf,
  type KnownMovement,
  rememberMovement,
  rememberTakenBack,
  waitingFor,
  waitingUnder,
} from '#payment-requests/network/money/movement-index.ts';
import { ID, known, move, NOW } from '../../support/payment-requests/report-decisions.ts';

/** The movements, of which some cents went back. */
function moneyOf(movements: readonly KnownMovement[], givenBack: Record<string, number> = {}) {
  const money = emptyMovementIndex();
  for (const each of movements) rememberMovement(money, each);
  for (const [reference, givenBackCents] of Object.entries(givenBack)) {
    money.facts.set(reference, { givenBackCents, takenBackCents: 0, cases: [] });
  }
  return money;
}

describe('money under network references', () => {
  const held = known('UNMATCHED', move('A', 100), null);
  const second = known('SECOND_PAYMENT', move('B', 100), ID);
  const counted = known('PART_PAYMENT', move('C', 100), ID);

  it('waits with the cents that are left, unless it counts or is not known', () => {
    const money = moneyOf([held, second, counted], { A: 30, B: 100 });
    assert.deepEqual(waitingUnder(money, ['A', 'B', 'C', 'D']), [{ ...held, amountCents: 70 }]);
  });

  it('waits for a payment request while some of it is left, and not beside its payment', () => {
    const money = moneyOf([held, second], { A: 30 });
    assert.deepEqual(waitingFor(ID, money, held), [{ ...held, amountCents: 70 }]);
    assert.deepEqual(waitingFor(ID, money, { ...second, paymentRequestId: null }), []);
    assert.deepEqual(waitingFor(ID, moneyOf([held], { A: 100 }), held), []);
  });

  it('has the cents of all plans that take it back', () => {
    const money = moneyOf([held], { A: 30 });
    for (const cents of [20, 5]) rememberTakenBack(money, 'A', cents);
    rememberTakenBack(money, 'B', 7);
    assert.deepEqual(
      [money.facts.get('A'), money.facts.get('B')],
      [
        { givenBackCents: 30, takenBackCents: 25, cases: [] },
        { givenBackCents: 0, takenBackCents: 7, cases: [] },
      ],
    );
  });

  it('is held when it fits no payment request, or comes beside its payment', () => {
    const unnamed = { ...held, networkReference: null };
    const entries = [held, counted, unnamed, second].map((each) => ({
      ...each,
      ...{ createdAt: NOW, refundId: null },
    }));
    assert.deepEqual(heldReferencesOf(entries), ['A', 'B']);
  });

  it('is a case without a merchant when there is no such payment request', () => {
    const facts = { networkReference: 'A', currency: 'CAD', institution: 'A Bank' };
    const money = { state: 'SUCCEEDED', amountCents: 100, completedAt: NOW, ...facts } as const;
    assert.deepEqual(unknownRequestCase(ID, money), {
      kind: 'UNKNOWN_PAYMENT_REQUEST',
      paymentRequestId: null,
      merchantId: null,
      details: { paymentRequestId: ID, arrivedCents: 100, ...facts },
    });
  });
});
