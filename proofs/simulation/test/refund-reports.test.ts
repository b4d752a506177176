import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newId } from '#lib/new-id.ts';
import { findRefunds } from '#refunds/lookup/find-store.ts';
import { createRefundReports } from '#refunds/network/apply-refund-reports.ts';
import { failUncoveredRefunds } from '#refunds/network/fail-uncovered.ts';
import {
  changeRefundStatuses,
  insertExecutedRefund,
} from '#refunds/status/change-refund-status.ts';
import { lockPaymentsById, lockPaymentsOfRefunds } from '#refunds/status/lock-store.ts';
import { CURRENCY, MERCHANT } from '../payments/payment-world.ts';
import { HOUR_MS, movement, RefundWorld, worldWithRefund } from './refund-world.ts';

/** The causes of the events that each statement of a name has written. */
const causesIn = (world: RefundWorld, statement: string) =>
  world
    .valuesOf(statement)
    .map((values) => JSON.parse(`${values[1]}`).map(({ cause }: { cause: string }) => cause));

describe('reports of refunds', () => {
  const reports = (world: RefundWorld) => createRefundReports(world.deps);
  const completed = (reference = 'OUT', bankReference: string | null = null) =>
    ({
      state: 'COMPLETED',
      movement: movement(reference, bankReference),
      completedAt: new Date('2026-03-02T00:00:00.000Z'),
    }) as const;

  const failed = { state: 'FAILED', reason: 'NETWORK_REJECTED' } as const;
  const sumsOf = (world: RefundWorld) =>
    world.valuesOf('refund-save-moves').map((values) => JSON.parse(`${values[2]}`));
  it('are announced after their commit, and repeated ones are not', async () => {
    const { world, id } = await worldWithRefund();
    for (const told of [['CREATED COMPLETED', 'senders'], []]) {
      world.told = [];
      await reports(world)([{ refundId: id, outcome: completed() }]);
      assert.deepEqual(world.told, told);
    }
  });

  it('in one transaction build on each other', async () => {
    const { world, id } = await worldWithRefund();
    world.told = [];
    await reports(world)([
      { refundId: id, outcome: { state: 'PROCESSING' } },
      { refundId: id, outcome: { state: 'FAILED', reason: 'NETWORK_REJECTED' } },
      { refundId: id, outcome: completed() },
    ]);
    const told = ['notice', 'REFUNDED_OUTSIDE', 'CREATED PROCESSING', 'PROCESSING FAILED'];
    assert.deepEqual(world.told, [...told, 'senders']);
    assert.equal(world.refunds.rows.get(id)?.version, 3);
  });

  it('write no sums of a payment request that keeps them', async () => {
    const { world, id } = await worldWithRefund();
    await reports(world)([{ refundId: id, outcome: { state: 'PROCESSING' } }]);
    await reports(world)([{ refundId: id, outcome: completed() }]);
    const sums = sumsOf(world);
    const [payment] = world.requests.rows.all();
    const changed = { id: payment?.id, refunding: -40, refunded: 40, events: 1 };
    assert.deepEqual(sums, [[], [changed]]);
    const other = await worldWithRefund();
    await reports(other.world)([{ refundId: other.id, outcome: failed }]);
    const less = { id: other.paymentRequestId, refunding: -40, refunded: 0, events: 1 };
    assert.deepEqual(sumsOf(other.world), [[less]]);
  });

  it('write their cause beside each event, and nothing when they are repeated', async () => {
    const { world, id } = await worldWithRefund();
    assert.deepEqual(causesIn(world, 'refund-insert'), [['CREATED']]);
    const processing = { refundId: id, outcome: { state: 'PROCESSING' } } as const;
    await reports(world)([processing]);
    assert.deepEqual(causesIn(world, 'refund-save-moves'), [['HANDED_OVER']]);
    assert.deepEqual(world.valuesOf('webhook-enqueue'), []);
    world.ran = [];
    await reports(world)([processing]);
    assert.deepEqual(world.valuesOf('refund-save-moves'), []);
  });

  it('tell whether they have changed anything', async () => {
    const { world, id } = await worldWithRefund();
    const [refund] = await findRefunds(world.db, [id]);
    assert.ok(refund);
    const caused = { refund, cause: { name: 'HANDED_OVER' } } as const;
    const written = await world.deps.db.transaction(async (tx) =>
      changeRefundStatuses(tx, world.deps, await lockPaymentsOfRefunds(tx, [id]), [caused, caused]),
    );
    assert.deepEqual(written.isChanged, [true, false]);
  });

  it('send a sentence with their event', async () => {
    for (const [outcome, message] of [
      [completed(), 'The refund was sent to the payer’s account.'],
      [failed, 'The e-transfer network rejected the refund.'],
    ] as const) {
      const { world, id, paymentRequestId } = await worldWithRefund();
      await reports(world)([{ refundId: id, outcome }]);
      const [event] = world.events.of(paymentRequestId);
      assert.equal(JSON.parse(event?.body ?? '{}').message, message);
    }
  });

  it('make money of a case wait again when its refund failed', async () => {
    for (const [isOfPayment, status, isFollowed] of [
      [true, 'PAID', false],
      [true, 'FAILED', true],
      [false, 'PAID', true],
      [false, 'FAILED', true],
    ] as const) {
      const { world, id, paymentRequestId } = await worldWithRefund();
      world.refunds.rows.patch(id, { isOfPayment });
      world.requests.rows.patch(paymentRequestId, { status });
      await reports(world)([{ refundId: id, outcome: failed }]);
      const followed = isFollowed ? [[[paymentRequestId]]] : [];
      assert.deepEqual(
        world.valuesOf('network-money-find-cases'),
        followed.map(([ids]) => [ids, []]),
      );
    }
  });

  it('book the charges of the bank, or its correction', async () => {
    const entriesOf = (world: RefundWorld) =>
      world.ledger.rows.all().map((each) => `${each.type} ${each.amount_cents}`);
    const returned = { state: 'RETURNED', movement: movement('BACK', 'B-BACK') } as const;
    for (const [fee, booked] of [
      [5, 'FEE -5'],
      [-5, 'ADJUSTMENT 5'],
    ] as const) {
      const { world, id } = await worldWithRefund();
      const paid = { ...completed('OUT', 'B-OUT'), feeCents: fee };
      await reports(world)([{ refundId: id, outcome: paid }]);
      assert.deepEqual(entriesOf(world), ['REFUND -40', booked]);
      const other = await worldWithRefund();
      const back = { refundId: other.id, outcome: { ...returned, feeCents: fee } };
      for (const _ of [1, 2]) await reports(other.world)([back]);
      const entries = ['REFUND -40', 'REFUND_RETURN 40', booked];
      assert.deepEqual(entriesOf(other.world), entries);
      const late = { ...completed('LATE', 'B-LATE'), feeCents: fee };
      other.world.clock.advance(HOUR_MS);
      await reports(other.world)([{ refundId: other.id, outcome: late }]);
      assert.deepEqual(entriesOf(other.world), [...entries, booked]);
      const last = other.world.ledger.rows.all().at(-1);
      assert.deepEqual(
        [last?.network_reference, last?.bank_reference, last?.currency, last?.created_at],
        [`${other.id}-DEBIT`, 'B-LATE', CURRENCY, other.world.clock.now()],
      );
      assert.deepEqual(other.world.cases.rows.all(), []);
    }
  });

  it('give the amount of a FAILED refund back to the limit of its day, if one counted it', async () => {
    for (const [countedOn, cents] of [
      ['2026-03-01', 0],
      [null, 40],
    ] as const) {
      const { world, id } = await worldWithRefund();
      world.refunds.rows.patch(id, { countedOn });
      await reports(world)([{ refundId: id, outcome: failed }]);
      const days = world.refunds.days.all();
      assert.deepEqual(days, [{ merchant_id: MERCHANT.id, day: '2026-03-01', cents }]);
    }
  });

  it('are logged for an unknown refund, and keep no other from its report', async () => {
    const { world, id } = await worldWithRefund();
    world.told = [];
    const unknown = newId();
    const outcome = { state: 'PROCESSING' } as const;
    await reports(world)([
      { refundId: unknown, outcome },
      { refundId: id, outcome },
    ]);
    assert.deepEqual(world.told, ['error', 'CREATED PROCESSING']);
    assert.deepEqual(world.logged, [{ refundId: unknown }]);
  });

  it('are written with rows of the network, which may come without a report', async () => {
    const { world, id } = await worldWithRefund();
    let written = 0;
    const alsoWrite = async () => {
      written += 1;
    };
    await reports(world)([{ refundId: id, outcome: { state: 'PROCESSING' } }], alsoWrite);
    await reports(world)([], alsoWrite);
    assert.equal(written, 2);
    assert.equal(world.row(id)[0], 'PROCESSING');
  });

  it('come in any number, 500 in a transaction, and none without one', async () => {
    const { world, id } = await worldWithRefund();
    const outcome = { state: 'PROCESSING' } as const;
    await reports(world)(Array.from({ length: 1_001 }, () => ({ refundId: id, outcome })));
    const counts = () =>
      world.valuesOf('refund-find-payments-of').map(([ids]) => JSON.parse(`${ids}`).length);
    assert.deepEqual(counts(), [500, 500, 1]);
    await reports(world)([]);
    assert.equal(counts().length, 3);
  });

  it('open a case of money that left unasked, and their repetition none', async () => {
    const { world, id, paymentRequestId } = await worldWithRefund();
    await reports(world)([
      { refundId: id, outcome: { state: 'FAILED', reason: 'NETWORK_REJECTED' } },
    ]);
    for (const told of [['REFUNDED_OUTSIDE'], []]) {
      world.told = [];
      await reports(world)([{ refundId: id, outcome: completed() }]);
      assert.deepEqual(world.told, told);
    }
    const [opened] = world.cases.rows.all();
    assert.deepEqual(
      [opened?.paymentRequestId, opened?.merchantId, opened?.details],
      [
        ...[paymentRequestId, MERCHANT.id],
        { refundId: id, arrivedCents: 40, networkReference: 'OUT', bookingDate: '2026-03-02' },
      ],
    );
  });

  it('name only the facts that the bank gave of money that left unasked', async () => {
    const { world, id } = await worldWithRefund();
    await reports(world)([{ refundId: id, outcome: failed }]);
    const out = { ...movement('OUT', 'B-OUT'), bookingDate: null };
    await reports(world)([{ refundId: id, outcome: { ...completed(), movement: out } }]);
    const reference = { networkReference: 'OUT', bankReference: 'B-OUT' };
    assert.deepEqual(world.cases.rows.all()[0]?.details, {
      ...{ refundId: id, arrivedCents: 40, ...reference },
    });
  });

  it('open a case of a second booking, of the known one and of an unnamed one none', async () => {
    const { world, id } = await worldWithRefund();
    const told = async (reference: string, bankReference: string | null) => {
      world.told = [];
      await reports(world)([{ refundId: id, outcome: completed(reference, bankReference) }]);
      return world.told;
    };
    await told('BANK-1', 'BANK-1');
    assert.deepEqual(await told('BANK-1', 'BANK-1'), []);
    assert.deepEqual(await told('UNNAMED', null), []);
    assert.deepEqual(await told('BANK-2', 'BANK-2'), ['REFUNDED_OUTSIDE']);
    const back = { state: 'RETURNED', movement: movement('BACK') } as const;
    await reports(world)([{ refundId: id, outcome: back }]);
    assert.deepEqual(await told('BANK-3', 'BANK-3'), ['REFUNDED_OUTSIDE']);
    assert.deepEqual(await told('BANK-1', 'BANK-1'), []);
    const named = await worldWithRefund();
    const own = { ...completed(`${named.id}-1`), movement: movement(`${named.id}-1`) };
    await reports(named.world)([{ refundId: named.id, outcome: own }]);
    named.world.told = [];
    await reports(named.world)([{ refundId: named.id, outcome: completed('B', 'B') }]);
    assert.deepEqual(named.world.told, []);
  });

  it('name both movements of money that came back, or the one that was never named', async () => {
    const references = async (isNamed: boolean) => {
      const { world, id } = await worldWithRefund();
      if (isNamed) await reports(world)([{ refundId: id, outcome: completed('OUT', 'B-OUT') }]);
      const back = { state: 'RETURNED', movement: movement('BACK', 'B-BACK') } as const;
      await reports(world)([{ refundId: id, outcome: back }]);
      return world.ledger.rows
        .all()
        .map((each) => [each.type, each.amount_cents, each.network_reference, each.bank_reference]);
    };
    const returned = ['REFUND_RETURN', 40, 'BACK', 'B-BACK'];
    assert.deepEqual(await references(true), [['REFUND', -40, 'OUT', 'B-OUT'], returned]);
    assert.deepEqual(await references(false), [['REFUND', -40, null, null], returned]);
  });
});

describe('refunds whose payment was taken back', () => {
  it('fail or become a case, each of its own payment, and are announced', async () => {
    const world = new RefundWorld();
    const [one, other] = [world.paid(), world.paid()];
    const [sent = '', older = '', younger = ''] = await world.refund(one, 30, 20, 10);
    const [kept = ''] = await world.refund(other, 100);
    const report = createRefundReports(world.deps);
    await report([{ refundId: sent, outcome: { state: 'PROCESSING' } }]);
    world.requests.rows.patch(one, { returned_cents: 80 });
    world.told = [];
    const written = await world.db.transaction((tx) =>
      failUncoveredRefunds(tx, world.deps, [one, other], ['RETURNED']),
    );
    assert.deepEqual(world.told, ['notice', 'notice']);
    written.publish();
    assert.deepEqual(world.told.slice(2), [
      'REFUNDED_AND_RETURNED',
      'CREATED FAILED',
      'CREATED FAILED',
      'senders',
    ]);
    const statuses = [sent, older, younger, kept].map((id) => world.row(id)[0]);
    assert.deepEqual(statuses, ['PROCESSING', 'FAILED', 'FAILED', 'CREATED']);
    const sequences = world.events.of(one).map(({ sequence }) => sequence);
    assert.deepEqual(sequences, [1, 2]);
    const [opened] = world.cases.rows.all();
    assert.deepEqual(
      [opened?.paymentRequestId, opened?.merchantId, opened?.details],
      [one, MERCHANT.id, { uncoveredCents: 10, returnedCents: 80 }],
    );
    const sums = world.requests.rows.get(one);
    assert.deepEqual([sums?.refunding_cents, sums?.webhook_sequence], [30, 2]);
    assert.equal(world.refunds.days.all()[0]?.cents, 130);
  });

  it('name the movements that went back twice', async () => {
    const { world, id, paymentRequestId } = await worldWithRefund();
    world.refunds.rows.patch(id, { movementReference: 'M1', status: 'PROCESSING' });
    world.requests.rows.patch(paymentRequestId, { returned_cents: 40 });
    await world.db.transaction((tx) =>
      failUncoveredRefunds(tx, world.deps, [paymentRequestId], ['M1']),
    );
    const [opened] = world.cases.rows.all();
    assert.deepEqual(opened?.details, {
      uncoveredCents: 40,
      returnedCents: 40,
      returnedReferences: ['M1'],
    });
  });

  it('change nothing where all of them are covered', async () => {
    const { world, paymentRequestId } = await worldWithRefund();
    world.told = [];
    const written = await world.db.transaction((tx) =>
      failUncoveredRefunds(tx, world.deps, [paymentRequestId], []),
    );
    written.publish();
    assert.deepEqual([world.told, world.cases.rows.all()], [[], []]);
  });
});

describe('a refund that a bank made without the service', () => {
  it('is COMPLETED from the start, with its entry, its sums and its event', async () => {
    const { world, id, paymentRequestId } = await worldWithRefund();
    const [refund] = await world.db.transaction((tx) => findRefunds(tx, [id]));
    assert.ok(refund);
    const executed = { ...refund, id: newId(), amountCents: 5, countedOn: null };
    const payments = await world.db.transaction((tx) => lockPaymentsById(tx, [paymentRequestId]));
    const payment = payments.get(paymentRequestId);
    assert.ok(payment);
    world.told = [];
    const completedAt = new Date('2026-03-02T00:00:00.000Z');
    const written = await world.deps.db.transaction((tx) =>
      insertExecutedRefund(tx, world.deps, {
        payment,
        refund: executed,
        movement: movement('OUT', 'B-OUT'),
        completedAt,
      }),
    );
    assert.deepEqual(world.told, []);
    written.publish();
    assert.deepEqual(world.told, ['null CREATED', 'CREATED COMPLETED', 'senders']);
    assert.deepEqual(written.isChanged, [true]);
    assert.deepEqual(
      written.refunds.map(({ status, payment: paid }) => [status, paid]),
      [['COMPLETED', { networkReference: 'OUT', completedAt }]],
    );
    assert.deepEqual(
      world.ledger.rows.all().map((each) => [each.type, each.amount_cents, each.refund_id]),
      [['REFUND', -5, executed.id]],
    );
    assert.deepEqual(
      world.events.of(paymentRequestId).map((each) => [each.sequence, each.event_type]),
      [[1, 'REFUND-COMPLETED']],
    );
    assert.deepEqual(causesIn(world, 'refund-insert').at(-1), ['CREATED', 'EXECUTED']);
    const events = world.refunds.rows.get(executed.id)?.events.map(([status]) => status);
    assert.deepEqual(events, ['CREATED', 'COMPLETED']);
    assert.equal(world.requests.rows.get(paymentRequestId)?.refunded_cents, 5);
  });
});
