import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { closeCase } from '#cases/close-case.ts';
import { refundCase } from '#cases/refund-case.ts';
import { MERCHANT } from '../payments/payment-world.ts';
import {
  ASKED,
  accept,
  CaseWorld,
  mismatched,
  OTHER_MERCHANT,
  referenceOf,
  refund,
  refuses,
} from './case-world.ts';

describe('money that is given back', () => {
  it('is a refund of each movement, beside the sums, and the first names the case', async () => {
    const { world, request, references, id } = await mismatched(300, 600);
    const settled = await refund(world, id);
    assert.equal(settled.outcome, 'REFUND_CREATED');
    assert.deepEqual(world.refundsTold, [
      [300, references[0], false, id],
      [600, references[1], false, null],
    ]);
    assert.deepEqual(world.money(request), ['CREATED', 0, 0, 0]);
    const audited = world.audited[0]?.details as { refundIds?: string[] };
    assert.deepEqual(
      audited.refundIds,
      world.refunds.rows.all().map((row) => row.id),
    );
    world.requests.rows.patch(request, { received_cents: 900 });
    await refuses(refund(world, id), /settled before \(REFUNDED\)/);
    world.requests.rows.patch(request, { received_cents: 0 });
    for (const row of world.refunds.rows.all()) {
      world.refunds.rows.patch(row.id, { status: 'FAILED' });
    }
    assert.equal((await accept(world, id)).outcome, 'PAID');
  });

  it('needs a network with refunds, a payment request, money that is left, and no choice', async () => {
    const { world, id, request } = await mismatched(900);
    const without = { ...world.settling, canRefund: false };
    await refuses(refundCase(without, id, { movement: null, note: null }), /cannot give money/);
    await refuses(refund(world, id, 'N1'), /REFUND_ACCOUNT_UNCLEAR alone/);
    const kind = 'AMOUNT_MISMATCH';
    await refuses(refund(world, world.open({ kind })), /names no payment request/);
    const empty = world.open({ kind, paymentRequestId: request });
    await refuses(refund(world, empty), /Nothing is left/);
    const foreign = world.open({ kind, paymentRequestId: request, merchantId: OTHER_MERCHANT });
    await refuses(refund(world, foreign), /on the account of the merchant "mer_2"/);
    const details = { networkReference: referenceOf() };
    const unowned = world.open({ kind, paymentRequestId: request, merchantId: null, details });
    assert.equal((await refund(world, unowned)).outcome, 'REFUND_CREATED');
  });

  const parts = async () => {
    const world = new CaseWorld();
    const request = world.request();
    await world.part(request, 300);
    await world.part(request, 200);
    world.requests.rows.patch(request, { status: 'FAILED' });
    const id = world.open({ kind: 'PART_PAYMENT', paymentRequestId: request });
    return { world, request, id, names: [referenceOf(1), referenceOf()] };
  };

  it('is each part of a payment request that is over, and again what has failed', async () => {
    const { world, request, id, names } = await parts();
    await refuses(refund(world, id, 'N1'), /REFUND_ACCOUNT_UNCLEAR alone/);
    const closedAt = world.clock.now();
    const part = { kind: 'PART_PAYMENT', paymentRequestId: request } as const;
    const overtaken = world.open({ ...part, closedAt, details: { receivedCents: 1 } });
    await refuses(refund(world, overtaken), /overtaken/);
    const details = { receivedCents: 300 };
    const earlier = world.open({ kind: 'PART_PAYMENT', paymentRequestId: request, details });
    await refund(world, id);
    assert.notEqual(world.cases.rows.get(earlier)?.closedAt, null);
    assert.deepEqual(world.refundsTold, [
      [300, names[0], true, id],
      [200, names[1], true, null],
    ]);
    assert.deepEqual(world.money(request), ['FAILED', 500, 500, 0]);
    await refuses(refund(world, id), /settled before/);
    const [, second] = world.refunds.rows.all();
    world.refunds.rows.patch(second?.id ?? '', { status: 'FAILED' });
    world.requests.rows.patch(request, { refunding_cents: 300 });
    await refuses(accept(world, id), /settled before/);
    await refund(world, id);
    assert.deepEqual(world.refundsTold.slice(2), [[200, null, true, null]]);
    const settled = { kind: 'PART_PAYMENT', closedAt, settlement: 'REFUNDED' } as const;
    const unnamed = world.open({ ...settled, paymentRequestId: null });
    world.refunds.rows.patch(second?.id ?? '', { operatorCaseId: unnamed, status: 'CREATED' });
    await refuses(refund(world, unnamed), /settled before/);
    const empty = world.open({ kind: 'PART_PAYMENT', paymentRequestId: world.request() });
    await refuses(refund(world, empty), /No part of the amount is left/);
  });

  it('is the rest of the parts by one refund after a return', async () => {
    const { world, request, id } = await parts();
    world.requests.rows.patch(request, { returned_cents: 100 });
    await refund(world, id);
    assert.deepEqual(world.refundsTold, [[400, null, true, id]]);
  });

  it('is the movement that the operator chooses, at most what is left of all', async () => {
    const world = new CaseWorld();
    const request = world.request();
    const [one = ''] = await world.pay(request, 600, 400);
    const movements = [{ networkReference: one, amountCents: 600 }];
    const unclear = (details: object) =>
      world.open({
        ...{ kind: 'REFUND_ACCOUNT_UNCLEAR', paymentRequestId: request },
        details: { ...details },
      });
    await refuses(refund(world, unclear({ movements })), /has N\d+\./);
    await refuses(refund(world, unclear({ movements }), 'x'), /Give --movement/);
    await refuses(refund(world, unclear({})), /has no movements/);
    await refund(world, unclear({ movements, refundCents: 250 }), one);
    await refund(world, unclear({ movements, refundCents: 500 }), one);
    assert.deepEqual(
      world.refunds.rows.all().map((row) => [row.amountCents, row.movementReference]),
      [
        [250, one],
        [350, one],
      ],
    );
    await refuses(refund(world, unclear({ movements }), one), /Nothing of the movement is left/);
    const other = new CaseWorld();
    const paid = other.request();
    const [all = ''] = await other.pay(paid, ASKED);
    other.requests.rows.patch(paid, { returned_cents: 700 });
    const named = { movements: [{ networkReference: all, amountCents: ASKED }] };
    const kind = 'REFUND_ACCOUNT_UNCLEAR';
    await refund(other, other.open({ kind, paymentRequestId: paid, details: named }), all);
    const third = new CaseWorld();
    const taken = third.request();
    const [from = ''] = await third.pay(taken, 600, 400);
    third.open({
      kind: 'MONEY_RETURNED',
      details: { returnedReference: from, returnedCents: 100 },
    });
    const whole = { movements: [{ networkReference: from, amountCents: 600 }] };
    await refund(third, third.open({ kind, paymentRequestId: taken, details: whole }), from);
    assert.equal(third.refunds.rows.all()[0]?.amountCents, 500);
    assert.deepEqual(other.refundsTold[0], [300, all, true, other.cases.rows.all()[0]?.id]);
  });
});

describe('a case that is closed', () => {
  it('moves no money, and the audit log says why', async () => {
    const { world, request, id } = await mismatched(900);
    const settled = await closeCase(world.settling, id, 'given back at the bank');
    assert.deepEqual([settled.outcome, settled.paymentRequestId], ['CLOSED', request]);
    assert.deepEqual(world.money(request), ['CREATED', 0, 0, 0]);
    const details = { caseId: id, kind: 'AMOUNT_MISMATCH', note: 'given back at the bank' };
    assert.deepEqual(world.audited, [
      { action: 'OPERATOR_CASE_CLOSED', merchant: MERCHANT.id, details },
    ]);
    await refuses(closeCase(world.settling, id, 'again'), /settled before \(CLOSED\)/);
    const unowned = world.open({ kind: 'MONEY_RETURNED', merchantId: 'mer_3' });
    world.locked.length = 0;
    await closeCase(world.settling, unowned, 'seen');
    assert.equal(world.audited.at(-1)?.merchant, 'mer_3');
    assert.deepEqual(world.locked, [unowned]);
  });
});
