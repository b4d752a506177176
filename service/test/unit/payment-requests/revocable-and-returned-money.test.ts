import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { NetworkReport } from '#e-transfer/e-transfer-network.ts';
import {
  emptyMovementIndex,
  type KnownMovement,
  rememberMovement,
} from '#payment-requests/network/money/movement-index.ts';
import { findRedirect } from '#payment-requests/network/money/redirect-return.ts';
import {
  ASKED,
  back,
  created,
  decide,
  ID,
  known,
  move,
  NONE,
  NOW,
  OTHER_ID,
  paid,
  shown,
  succeeded,
} from '../../support/payment-requests/report-decisions.ts';

describe('a payment that the network can take back', () => {
  const money = succeeded([move('A', ASKED)]);

  it('is taken while the payer may pay', () => {
    assert.equal(decide(money, { isRevocable: true }).verdict, 'TAKEN');
    const before = created({ status: 'PROCESSING' });
    assert.equal(decide(money, { isRevocable: true, before, suspended: true }).verdict, 'TAKEN');
  });

  it('is not taken after the end, nor for a suspended merchant', () => {
    const suspended = decide(money, { isRevocable: true, suspended: true });
    assert.deepEqual(shown(suspended), {
      verdict: 'NOT_TAKEN',
      status: 'CREATED',
      entries: [],
      cases: [],
    });
    const before = created({ expiresAt: NOW });
    const late = decide(money, { isRevocable: true, before });
    assert.deepEqual([late.verdict, late.plan.paymentRequest.status], ['NOT_TAKEN', 'EXPIRED']);
    assert.equal(decide(money, { before }).plan.paymentRequest.status, 'PAID');
    const accepted = decide({ state: 'ACCEPTED' }, { isRevocable: true, before });
    assert.deepEqual([accepted.verdict, shown(accepted).status], ['NOT_TAKEN', 'EXPIRED']);
  });

  it('is a case without an entry when it is another amount', () => {
    const decision = decide(succeeded([move('A', 1)]), { isRevocable: true });
    assert.deepEqual([shown(decision).entries, shown(decision).cases], [[], ['AMOUNT_MISMATCH']]);
  });

  it('is taken when the ledger has it already, also after the end', () => {
    const counted = known('PAYMENT', move('P', ASKED), ID);
    const told = { before: paid(), known: [counted], isRevocable: true, suspended: true };
    assert.equal(decide(succeeded([move('P', ASKED)]), told).verdict, 'TAKEN');
  });

  it('is weighed after the end only when the ledger has all of it', () => {
    const before = created({ status: 'CANCELLED', sums: { ...NONE, receivedCents: 400 } });
    const told = { before, known: [known('PART_PAYMENT', move('A', 400), ID)], isRevocable: true };
    const whole = decide(succeeded([move('A', 400)]), told);
    assert.deepEqual([whole.verdict, shown(whole).cases], ['NOT_TAKEN', ['AMOUNT_MISMATCH']]);
    const more = decide(succeeded([move('A', 400), move('B', 600)]), told);
    assert.deepEqual([more.verdict, shown(more).status], ['NOT_TAKEN', 'CANCELLED']);
  });

  it('is not accepted for a suspended merchant', () => {
    const accepted = { state: 'ACCEPTED' } as const;
    const suspended = decide(accepted, { isRevocable: true, suspended: true });
    assert.deepEqual([suspended.verdict, shown(suspended).status], ['NOT_TAKEN', 'CREATED']);
    const active = decide(accepted, { isRevocable: true });
    assert.deepEqual([active.verdict, shown(active).status], ['TAKEN', 'PROCESSING']);
  });
});

describe('a refusal', () => {
  const refused = { state: 'REFUSED', reason: 'PAYER_DECLINED' } as const;

  it('fails a payment in progress, unless money has arrived', () => {
    const before = created({ status: 'PROCESSING' });
    const failed = decide(refused, { before });
    assert.deepEqual([failed.verdict, shown(failed).status], ['TAKEN', 'FAILED']);
    const held = decide(refused, { before, moneyCase: true });
    assert.deepEqual([held.verdict, shown(held).status], ['NOT_TAKEN', 'PROCESSING']);
    assert.equal(shown(decide(refused, { moneyCase: true })).status, 'FAILED');
  });

  it('is TAKEN again, and not after a payment', () => {
    const failed = decide(refused, { before: created({ status: 'FAILED' }) });
    assert.deepEqual([failed.verdict, failed.plan.changes], ['TAKEN', []]);
    assert.equal(decide(refused, { before: paid() }).verdict, 'NOT_TAKEN');
    const accepted = { state: 'ACCEPTED' } as const;
    assert.equal(decide(accepted, { before: paid() }).verdict, 'TAKEN');
    const again = decide(accepted, { before: created({ status: 'PROCESSING' }) });
    assert.deepEqual([again.verdict, again.plan.changes], ['TAKEN', []]);
    assert.equal(decide(accepted, { before: created({ status: 'FAILED' }) }).verdict, 'NOT_TAKEN');
  });
});

describe('money that was taken back', () => {
  const counted = known('PAYMENT', move('P', ASKED), ID);

  it('lowers the sum of a payment, with an event and a case, once', () => {
    const told = { before: paid(), known: [counted] };
    const decision = decide(back(move('R', 300), 'P'), told);
    assert.deepEqual(shown(decision), {
      verdict: 'TAKEN',
      status: 'PAID',
      entries: ['RETURN -300 R own'],
      cases: ['MONEY_RETURNED'],
    });
    const { sums } = decision.plan.paymentRequest;
    assert.deepEqual([sums.receivedCents, sums.returnedCents], [ASKED, 300]);
    assert.equal(decision.plan.changes[0]?.webhook, 'PAYMENT-RETURNED');
    assert.deepEqual(decision.plan.operatorCases[0]?.details, {
      askedCents: ASKED,
      returnedCents: 300,
      networkReference: 'R',
      currency: 'CAD',
      returnedReference: 'P',
      reason: 'AC04',
    });
    assert.deepEqual(decision.plan.note, {
      type: 'MONEY_RETURNED',
      details: { amountCents: 300, reason: 'AC04' },
    });
    const bare = { ...back(move('R', 300), null), reason: null };
    const { plan } = decide(bare, { before: paid(), known: [] });
    assert.deepEqual(plan.operatorCases[0]?.details, {
      ...{ askedCents: ASKED, returnedCents: 300, networkReference: 'R', currency: 'CAD' },
    });
    assert.deepEqual(plan.note?.details, { amountCents: 300 });
    const returned = known('RETURN', move('R', 300), ID);
    const again = decide(back(move('R', 300), 'P'), { ...told, known: [counted, returned] });
    assert.deepEqual([again.verdict, again.plan.changes, again.plan.entries], ['TAKEN', [], []]);
  });

  it('waits for a person when it is a split transfer as a whole, and a replaced booking is a case', () => {
    const split = known('ASSIGNED', move('W', 5), null);
    const decision = decide(back(move('R', 5), 'W'), { before: paid(), known: [split] });
    assert.deepEqual(shown(decision), {
      verdict: 'TAKEN',
      status: 'PAID',
      entries: [],
      cases: ['REFUNDED_OUTSIDE'],
    });
    const [found] = decision.plan.operatorCases;
    const details = { networkReference: 'R', arrivedCents: 5, currency: 'CAD' };
    assert.deepEqual(
      [found?.paymentRequestId, found?.merchantId, found?.details],
      [
        null,
        'mer_1',
        {
          ...{ ...details, returnedReference: 'W' },
          ...{ bankReference: 'B-R', bookingDate: '2026-03-01', reason: 'AC04' },
        },
      ],
    );
    const bare = { ...move('R', 5), bankReference: null, bookingDate: null };
    const unexplained = { ...back(bare, 'W'), reason: null };
    const plain = decide(unexplained, { before: paid(), known: [split] });
    assert.deepEqual(plain.plan.operatorCases[0]?.details, { ...details, returnedReference: 'W' });
    const replaced = known('ADJUSTMENT', move('W', 5), ID);
    const other = decide(back(move('R', 5), 'W'), { before: paid(), known: [replaced] });
    assert.deepEqual(
      [shown(other).entries, shown(other).cases],
      [['RETURN -5 R -'], ['MONEY_RETURNED']],
    );
  });

  it('lowers the sum of parts in silence, while the parts explain it', () => {
    const before = created({ sums: { ...NONE, receivedCents: 300, returnedCents: 100 } });
    const whole = decide(back(move('R', 200), null), { before });
    assert.deepEqual([shown(whole).cases, whole.plan.changes[0]?.webhook], [[], null]);
    const more = decide(back(move('R', 201), null), { before });
    assert.deepEqual(shown(more).cases, ['MONEY_RETURNED']);
    assert.equal(more.plan.paymentRequest.sums.receivedCents, 300);
  });

  it('is a case alone where the money was part of no sum, or in another currency', () => {
    const second = known('SECOND_PAYMENT', move('Q', 5), ID);
    const other = known('PAYMENT', move('O', 5), OTHER_ID);
    for (const [outcome, money] of [
      [back(move('R', 5), 'Q'), second],
      [back(move('R', 5), 'O'), other],
      [back(move('R', 5), 'P', 'USD'), counted],
    ] as const) {
      const decision = decide(outcome, { before: paid(), known: [money] });
      assert.deepEqual(shown(decision), {
        verdict: 'TAKEN',
        status: 'PAID',
        entries: ['RETURN -5 R -'],
        cases: ['MONEY_RETURNED'],
      });
      assert.deepEqual(decision.plan.changes, []);
      assert.equal(decision.plan.outcome, 'HELD_FOR_OPERATOR');
    }
  });

  it('belongs to the payment request that an operator has assigned it to', () => {
    const report: NetworkReport = {
      paymentRequestId: ID,
      outcome: back(move('R', 5), 'Q'),
      isRevocable: false,
    };
    const ownerOf = (movements: readonly KnownMovement[], asked = report) => {
      const money = emptyMovementIndex();
      for (const each of movements) rememberMovement(money, each);
      const found = findRedirect(asked, money);
      return found?.kind === 'ASSIGNED' ? found.paymentRequestId : (found?.kind ?? null);
    };
    const assigned = known('ASSIGNED', move('Q', 5), OTHER_ID);
    assert.equal(ownerOf([assigned]), OTHER_ID);
    assert.equal(ownerOf([known('ASSIGNED', move('Q', 5), ID)]), null);
    assert.equal(ownerOf([known('PAYMENT', move('Q', 5), OTHER_ID)]), null);
    assert.equal(ownerOf([assigned, known('RETURN', move('R', 5), OTHER_ID)]), null);
    assert.equal(ownerOf([]), null);
    assert.equal(ownerOf([known('ADJUSTMENT', move('Q', 5), null)]), 'REPLACED');
    assert.equal(ownerOf([known('ADJUSTMENT', move('Q', 5), ID)]), 'REPLACED');
    // More than the movement had: a corrected booking explains it, or nothing.
    const more = { ...report, outcome: { ...back(move('R', 5), 'Q'), isMore: true } } as const;
    assert.equal(ownerOf([known('ASSIGNED', move('Q', 4), OTHER_ID)], more), 'REPLACED');
    // A network that says nothing of it may take several movements back in one.
    assert.equal(ownerOf([known('PAYMENT', move('Q', 4), ID)]), null);
    const split = [known('UNMATCHED', move('Q', 5), null), known('ADJUSTMENT', move('Q', 2), null)];
    const money = emptyMovementIndex();
    for (const each of split) rememberMovement(money, each);
    const whole = { kind: 'REPLACED', networkReference: 'Q' } as const;
    assert.deepEqual(findRedirect(report, money), whole);
    const nameless = { ...report, outcome: back(move('R', 5), null) };
    assert.equal(ownerOf([assigned], nameless), null);
    assert.equal(ownerOf([assigned], { ...report, outcome: { state: 'ACCEPTED' } }), null);
  });
});
