import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { acceptCase } from '#cases/accept-case.ts';
import type { SettledCase } from '#cases/settle-case.ts';
import { newId } from '#lib/new-id.ts';
import { CURRENCY, MERCHANT } from '../payments/payment-world.ts';
import {
  ASKED,
  accept,
  assign,
  CaseWorld,
  mismatched,
  OTHER_MERCHANT,
  refund,
  refuses,
} from './case-world.ts';

describe('a case that is accepted', () => {
  it('makes PAID with what truly arrived, once, and stands in the audit log', async () => {
    const { world, request, references, id } = await mismatched(300, 600);
    const settled = await accept(world, id, 'as agreed');
    const about = { kind: 'AMOUNT_MISMATCH', settlement: 'ACCEPTED', outcome: 'PAID' } as const;
    assert.deepEqual(settled, { id, ...about, paymentRequestId: request } satisfies SettledCase);
    assert.deepEqual(world.money(request), ['PAID', 900, 0, 0]);
    const [one, two] = references;
    assert.deepEqual(world.entries, [
      `UNMATCHED 300 ${one} -`,
      `UNMATCHED 600 ${two} -`,
      `ASSIGNED -300 ${one} -`,
      `ASSIGNED 300 ${one} own`,
      `ASSIGNED -600 ${two} -`,
      `ASSIGNED 600 ${two} own`,
    ]);
    const none = { returnedCents: 0, refundingCents: 0, refundedCents: 0 };
    const details = {
      ...{ caseId: id, ...about, paymentRequestId: request },
      before: { status: 'CREATED', receivedCents: 0, ...none },
      after: { status: 'PAID', receivedCents: 900, ...none },
      note: 'as agreed',
    };
    assert.deepEqual(world.audited, [
      { action: 'OPERATOR_CASE_SETTLED', merchant: MERCHANT.id, details },
    ]);
    assert.equal(world.cases.rows.get(id)?.settlement, 'ACCEPTED');
    const payment = world.requests.rows.get(request)?.payment_institution;
    assert.equal(payment, 'A Bank');
    await refuses(accept(world, id), /settled before \(ACCEPTED\)/);
  });

  it('is known, open, and names a payment request', async () => {
    const world = new CaseWorld();
    await refuses(accept(world, 'no id'), /No open case has the id no id/);
    await refuses(accept(world, newId()), /No open case has the id/);
    await refuses(accept(world, world.open({})), /names no payment request/);
    const kind = 'MONEY_RETURNED';
    const refused = world.open({ kind, paymentRequestId: null });
    await refuses(accept(world, refused), /cannot be settled by accept: .* It allows: close\.$/);
    const mismatch = world.open({ kind: 'AMOUNT_MISMATCH' });
    const ways = /It allows: accept, refund, split, close\.$/;
    await refuses(assign(world, mismatch, world.request()), ways);
    const overtaken = world.open({ closedAt: world.clock.now() });
    await refuses(accept(world, overtaken), /overtaken/);
  });

  it('was settled by another operator at the same moment', async () => {
    const { world, id } = await mismatched(900);
    world.meanwhile = (statement) => {
      if (statement !== 'payment-request-lock') return;
      world.cases.rows.patch(id, { closedAt: world.clock.now(), settlement: 'CLOSED' });
    };
    await refuses(accept(world, id), /settled before \(CLOSED\)/);
  });

  it('tells the sandbox’s receiver how to misbehave, and the audit log no empty note', async () => {
    const { world, request, id } = await mismatched(900);
    const misbehaviourOf = () => 'NO_ANSWER' as never;
    await acceptCase({ ...world.settling, misbehaviourOf }, id, null);
    const told = world.events.of(request).map(({ misbehaviour }) => misbehaviour);
    assert.deepEqual(told, ['NO_ANSWER']);
    assert.equal(Object.hasOwn(world.audited[0]?.details ?? {}, 'note'), false);
  });

  it('takes the parts of a payment request that is over as its payment', async () => {
    const world = new CaseWorld();
    const request = world.request();
    await world.part(request, 300);
    await world.part(request, 200);
    world.requests.rows.patch(request, { status: 'FAILED' });
    const id = world.open({ kind: 'PART_PAYMENT', paymentRequestId: request });
    assert.equal((await accept(world, id)).outcome, 'PAID');
    assert.deepEqual(world.money(request), ['PAID', 500, 0, 0]);
    assert.equal(world.requests.rows.get(request)?.payment_institution, 'Unknown');
    assert.deepEqual(world.audited[0]?.details, {
      ...(world.audited[0]?.details ?? {}),
      before: {
        ...{ status: 'FAILED', receivedCents: 500, returnedCents: 0 },
        ...{ refundingCents: 0, refundedCents: 0 },
      },
    });
    const empty = world.request();
    const none = world.open({ kind: 'PART_PAYMENT', paymentRequestId: empty });
    await refuses(accept(world, none), /does not wait any more/);
  });

  it('records a refund that the merchant’s bank made', async () => {
    const world = new CaseWorld();
    const request = world.request();
    await world.pay(request, ASKED);
    const details = {
      ...{ networkReference: 'OUT', arrivedCents: 400 },
      ...{ bankReference: 'B-OUT', bookingDate: '2026-03-02' },
    };
    const openedAt = new Date('2026-03-02T00:00:00.000Z');
    const id = world.open({ paymentRequestId: request, details, openedAt });
    const settled = await accept(world, id);
    assert.equal(settled.outcome, 'REFUND_RECORDED');
    assert.deepEqual(world.money(request), ['PAID', ASKED, 0, 400]);
    const [made] = world.refunds.rows.all();
    assert.deepEqual(
      [made?.status, made?.operatorCaseId, made?.completedAt, made?.movementReference],
      ['COMPLETED', id, openedAt, null],
    );
    assert.deepEqual(made?.isOfPayment, true);
    const entry = world.ledger.rows.all().at(-1);
    assert.deepEqual(
      [entry?.network_reference, entry?.bank_reference, entry?.booking_date],
      ['OUT', 'B-OUT', '2026-03-02'],
    );
    const audited = world.audited[0]?.details as { refundIds?: string[] };
    assert.deepEqual(audited.refundIds, [made?.id]);
    for (const broken of [{ arrivedCents: 400 }, { networkReference: 'OUT' }]) {
      const other = world.open({ paymentRequestId: request, details: broken });
      await refuses(accept(world, other), /names no refund/);
    }
  });

  it('is refused when nothing of its money waits any more', async () => {
    const { world, request, id } = await mismatched(900);
    world.requests.rows.patch(request, { status: 'PAID', payment_network_reference: 'X' });
    world.requests.rows.patch(request, { payment_completed_at: new Date(0) });
    world.requests.rows.patch(request, { payment_institution: 'A Bank' });
    await refuses(accept(world, id), /PAID already/);
    assert.deepEqual(world.audited, []);
    const gone = await mismatched(900);
    await refund(gone.world, gone.id);
    const other = gone.world.open({
      ...{ kind: 'AMOUNT_MISMATCH', paymentRequestId: gone.request },
      details: { networkReference: gone.references[0] },
    });
    await refuses(accept(gone.world, other), /does not wait any more/);
  });
});

describe('a booking of another amount than its refunds that is accepted', () => {
  const booked = async (details: object, openedAt = new Date('2026-03-02T00:00:00.000Z')) => {
    const world = new CaseWorld();
    const request = world.request();
    const [old = ''] = await world.pay(request, ASKED);
    const movements = [{ networkReference: old, amountCents: ASKED }];
    const unclear = { kind: 'REFUND_ACCOUNT_UNCLEAR', paymentRequestId: request } as const;
    await refund(world, world.open({ ...unclear, details: { movements, refundCents: 100 } }), old);
    const refundId = world.refunds.rows.all()[0]?.id ?? '';
    world.refunds.rows.patch(refundId, { status: 'PROCESSING' });
    const named = Object.hasOwn(details, 'refundIds') ? { refundIds: [refundId, 7] } : { refundId };
    const reference = { networkReference: 'OUT', bankReference: 'B', bookingDate: '2026-03-02' };
    const all = { ...reference, bookedCents: 105, ...details, ...named };
    const id = world.open({ kind: 'REFUND_AMOUNT', details: all, openedAt });
    return { world, id, refundId, openedAt };
  };

  it('completes the refund, or brings its money back, with the charges of the bank', async () => {
    for (const [details, outcome, status] of [
      [{ direction: 'DEBIT' }, 'REFUND_COMPLETED', 'COMPLETED'],
      [{ refundIds: [] }, 'REFUND_COMPLETED', 'COMPLETED'],
      [{ direction: 'CREDIT', bookedCents: 95 }, 'REFUND_RETURNED', 'FAILED'],
    ] as const) {
      const { world, id, refundId, openedAt } = await booked(details);
      assert.equal((await accept(world, id)).outcome, outcome);
      const row = world.refunds.rows.get(refundId);
      assert.equal(row?.status, status);
      if (status === 'COMPLETED') assert.deepEqual(row?.completedAt, openedAt);
      const audited = world.audited.at(-1)?.details as { refundIds?: unknown };
      assert.deepEqual(audited.refundIds, [refundId]);
      const entry = world.ledger.rows.where((each) => each.network_reference === 'OUT')[0];
      assert.deepEqual([entry?.bank_reference, entry?.booking_date], ['B', '2026-03-02']);
      const fees = world.ledger.rows.where(({ type }) => type === 'FEE');
      assert.deepEqual(
        fees.map((each) => each.amount_cents),
        [-5],
      );
    }
  });

  it('moves nothing when the ledger has the money already, and needs an amount', async () => {
    const { world, id, refundId } = await booked({ isBooked: true, bookedCents: null });
    const entries = world.entries.length;
    assert.equal((await accept(world, id)).outcome, 'CHARGES_ACCEPTED');
    assert.equal(world.entries.length, entries);
    const audited = world.audited.at(-1)?.details as { refundIds?: unknown };
    assert.deepEqual(audited.refundIds, [refundId]);
    const listed = await booked({ isBooked: true, refundIds: [] });
    await accept(listed.world, listed.id);
    const told = listed.world.audited.at(-1)?.details as { refundIds?: unknown };
    assert.deepEqual(told.refundIds, [listed.refundId]);
    const none = await booked({ bookedCents: null });
    await refuses(accept(none.world, none.id), /names no amount/);
  });
});

describe('money that is assigned', () => {
  const beside = async (cents: number) => {
    const world = new CaseWorld();
    const paid = world.request();
    await world.pay(paid, ASKED);
    const [reference = ''] = await world.pay(paid, cents);
    return { world, paid, reference, id: world.openCase, target: world.request() };
  };

  for (const [cents, outcome, status, received] of [
    [1_000, 'PAID', 'PAID', 1_000],
    [999, 'PART', 'CREATED', 999],
    [1_001, 'MISMATCH', 'CREATED', 0],
  ] as const) {
    it(`follows the table: ${cents} of 1,000 is ${outcome}`, async () => {
      const { world, paid, reference, id, target } = await beside(cents);
      const settled = await assign(world, id, target);
      assert.deepEqual([settled.outcome, settled.paymentRequestId], [outcome, target]);
      assert.deepEqual(world.money(target), [status, received, 0, 0]);
      assert.deepEqual(world.money(paid), ['PAID', ASKED, 0, 0]);
      const moved = [`ASSIGNED -${cents} ${reference} -`, `ASSIGNED ${cents} ${reference} own`];
      assert.deepEqual(world.entries.slice(2), outcome === 'MISMATCH' ? [] : moved);
      const open = world.cases.open().map(({ kind, details }) => [kind, details.arrivedCents]);
      assert.deepEqual(open, outcome === 'MISMATCH' ? [['AMOUNT_MISMATCH', cents]] : []);
      assert.deepEqual(world.locked.slice(0, 3), [...[paid, target].sort(), id]);
    });
  }

  it('goes to a known, unpaid payment request of its merchant', async () => {
    const { world, paid, id } = await beside(5);
    await refuses(assign(world, id, 'x'), /must be an id/);
    const unknown = newId();
    await refuses(assign(world, id, unknown), new RegExp(`no payment request ${unknown}`));
    await refuses(assign(world, id, paid), /PAID already/);
    const foreign = world.request(ASKED, { merchant_id: OTHER_MERCHANT });
    await refuses(assign(world, id, foreign), /belongs to another merchant than the money/);
    assert.equal(world.cases.rows.get(id)?.closedAt, null);
  });

  it('is all that is left of the case, in its currency and of its merchant', async () => {
    const { world, id, target, reference } = await beside(5);
    await refuses(
      assign(world, world.open({ kind: 'SECOND_PAYMENT' }), target),
      /not wait any more/,
    );
    const [entry] = world.ledger.rows.where((row) => row.network_reference === reference);
    assert.ok(entry);
    world.ledger.rows.patch(entry.id, { currency: 'USD' });
    await refuses(assign(world, id, target), /another currency/);
    world.ledger.rows.patch(entry.id, { currency: CURRENCY, merchant_id: OTHER_MERCHANT });
    await refuses(assign(world, id, target), /account of another merchant/);
    world.ledger.rows.patch(entry.id, { merchant_id: null });
    const unowned = world.open({
      ...{ kind: 'SECOND_PAYMENT', merchantId: null },
      details: { networkReference: reference },
    });
    assert.equal((await assign(world, unowned, target)).outcome, 'PART');
  });

  it('is a refund of the payment request when it is a debit', async () => {
    const world = new CaseWorld();
    const request = world.request();
    await world.pay(request, ASKED);
    const foreign = world.request(ASKED, { merchant_id: OTHER_MERCHANT });
    const id = world.open({ details: { networkReference: 'OUT', arrivedCents: 400 } });
    await refuses(assign(world, id, foreign), /belongs to another merchant than the money/);
    assert.equal((await assign(world, id, request)).outcome, 'REFUND_RECORDED');
    assert.deepEqual(world.money(request), ['PAID', ASKED, 0, 400]);
  });

  it('changes the named payment request, and follows all others that its cases name', async () => {
    const world = new CaseWorld();
    const target = world.request();
    const paid = world.request();
    await world.pay(paid, ASKED);
    const [networkReference] = await world.pay(paid, 5);
    const kind = 'SECOND_PAYMENT';
    const paymentRequestId = world.request();
    const other = world.open({ kind, paymentRequestId, details: { networkReference } });
    const id = world.cases.open().find((each) => each.paymentRequestId === paid)?.id ?? '';
    await assign(world, id, target);
    assert.deepEqual(world.locked.slice(0, 3), [target, paid, id]);
    const audited = world.audited[0]?.details as { before?: { status?: string } };
    assert.equal(audited.before?.status, 'CREATED');
    assert.notEqual(world.cases.rows.get(other)?.closedAt, null);
  });

  it('is the sum of several movements', async () => {
    const { world, references } = await mismatched(300, 600);
    const details = { networkReferences: [...references, 'N0'] };
    const target = world.request(900);
    const id = world.open({ kind: 'SECOND_PAYMENT', details });
    assert.equal((await assign(world, id, target)).outcome, 'PAID');
    assert.deepEqual(world.money(target), ['PAID', 900, 0, 0]);
  });
});
