import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Database, Executor } from '#database/database.ts';
import type { RefundStart, RefundState } from '#e-transfer/network-refunds.ts';
import { newId } from '#lib/new-id.ts';
import { NetworkUnavailable } from '#payment-requests/network/client.ts';
import { createRefunds } from '#refunds/create/create-refunds.ts';
import { findRefunds } from '#refunds/lookup/find-store.ts';
import { createRefundReports } from '#refunds/network/apply-refund-reports.ts';
import { failUncoveredRefunds } from '#refunds/network/fail-uncovered.ts';
import { handOverRefunds } from '#refunds/network/hand-over.ts';
import { insertExecutedRefund } from '#refunds/status/change-refund-status.ts';
import { lockPaymentsById } from '#refunds/status/lock-store.ts';
import { MERCHANT, PaymentWorld } from '../payments/payment-world.ts';
import { Random } from '../run/random.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** The real use cases of refunds over tables in memory, with a network that answers as told. */
class RefundWorld extends PaymentWorld {
  startAnswer: RefundStart | Error = { state: 'PROCESSING' };
  state: RefundState | Error = { state: 'PROCESSING' };
  readonly handedOver: string[] = [];
  /** The signals to the rest of the process after the commits, and the notices. */
  told: string[] = [];
  readonly deps = {
    ...this.refundDeps,
    wakeSenders: () => void this.told.push('senders'),
    onRefundChanged: ({ from, to }: { from: string | null; to: string }) =>
      void this.told.push(`${from} ${to}`),
    onCaseOpened: ({ kind }: { kind: string }) => void this.told.push(kind),
    noticeOfFailure: async () => void this.told.push('notice'),
    log: {
      warn: () => void this.told.push('warning'),
      error: () => void this.told.push('error'),
    } as never,
    calls: {
      startRefund: async ({ refundId }: { refundId: string }) => {
        this.handedOver.push(refundId);
        if (this.startAnswer instanceof Error) throw this.startAnswer;
        return this.startAnswer;
      },
      askRefundState: async () => {
        if (this.state instanceof Error) throw this.state;
        return this.state;
      },
    } as never,
  };

  paid(cents = 100): string {
    const row = this.create(new Random(1), cents);
    this.requests.rows.patch(row.id, { status: 'PAID', received_cents: cents });
    return row.id;
  }

  async refund(paymentRequestId: string, ...amounts: readonly number[]): Promise<string[]> {
    const asked = amounts.map((amountCents) => ({
      merchant: MERCHANT,
      paymentRequestId,
      merchantRefundId: null,
      bodyHash: Buffer.alloc(32),
      identity: { id: newId(), requestId: null, traceparent: null },
      validated: {
        amountCents,
        expectedAvailableCents: null,
        reason: 'OTHER' as const,
        message: null,
        webhookUrl: null,
      },
    }));
    const created = await this.db.transaction((tx) => createRefunds(tx, this.deps, asked));
    created.publish();
    return asked.map(({ identity }) => identity.id);
  }

  async handOver(signal = new AbortController().signal): Promise<boolean> {
    this.told = [];
    return handOverRefunds(this.deps, signal);
  }

  /** Status, seconds until the next poll, and the polls in this status. */
  row(id = ''): readonly [string, number | null, number] {
    const row = this.refunds.rows.get(id);
    assert.ok(row);
    const { status, nextPollAt, polls } = row;
    const seconds = nextPollAt && (nextPollAt.getTime() - this.clock.now().getTime()) / 1_000;
    return [status, seconds, polls];
  }
}

const movement = (networkReference: string, bankReference: string | null = null) => ({
  networkReference,
  amountCents: 40,
  bankReference,
  bookingDate: '2026-03-02',
});

/** A world with one refund of 40 cents. */
async function worldWithRefund() {
  const world = new RefundWorld();
  const paymentRequestId = world.paid();
  const [id = ''] = await world.refund(paymentRequestId, 40);
  return { world, id, paymentRequestId };
}

describe('a refund that is handed over', () => {
  const answers: readonly (readonly [RefundStart, readonly string[], readonly unknown[]])[] = [
    [{ state: 'PROCESSING' }, ['CREATED PROCESSING'], ['PROCESSING', 10, 0]],
    [{ state: 'QUEUED' }, [], ['CREATED', 10, 1]],
    [
      { state: 'FAILED', reason: 'NETWORK_REJECTED' },
      ['notice', 'CREATED FAILED', 'senders'],
      ['FAILED', null, 1],
    ],
    [
      { state: 'ACCOUNT_UNCLEAR', movements: [movement('IN-1')] },
      ['notice', 'REFUND_ACCOUNT_UNCLEAR', 'CREATED FAILED', 'senders'],
      ['FAILED', null, 1],
    ],
  ];
  for (const [answer, told, row] of answers) {
    it(`is announced after the commit, and planned: ${answer.state}`, async () => {
      const { world, id } = await worldWithRefund();
      assert.deepEqual(world.told, ['null CREATED']);
      world.startAnswer = answer;
      assert.equal(await world.handOver(), false);
      assert.deepEqual(world.told, told);
      assert.deepEqual(world.row(id), row);
    });
  }

  it('names the movements among which an operator chooses', async () => {
    const { world, id, paymentRequestId } = await worldWithRefund();
    world.startAnswer = { state: 'ACCOUNT_UNCLEAR', movements: [movement('1'), movement('2')] };
    await world.handOver();
    const [opened] = world.cases.rows.all();
    assert.deepEqual(
      [opened?.paymentRequestId, opened?.merchantId, opened?.details],
      [
        paymentRequestId,
        MERCHANT.id,
        {
          refundId: id,
          refundCents: 40,
          movements: ['1', '2'].map((networkReference) => ({ networkReference, amountCents: 40 })),
        },
      ],
    );
    assert.equal(world.refunds.rows.get(id)?.statusReasonCode, 'PAYER_ACCOUNT_UNKNOWN');
  });

  it('waits while its merchant is suspended', async () => {
    const { world, id } = await worldWithRefund();
    world.requests.suspended.add(MERCHANT.id);
    await world.handOver();
    assert.deepEqual([world.handedOver, world.row(id)], [[], ['CREATED', 30, 0]]);
  });

  it('comes again later, each time later, when the network is not reached', async () => {
    const { world, id } = await worldWithRefund();
    world.startAnswer = new NetworkUnavailable(new Error('no answer'));
    for (const seconds of [10, 30, 60]) {
      await world.handOver();
      assert.deepEqual(world.told, ['warning']);
      assert.equal(world.row(id)[1], seconds);
      world.clock.advance(seconds * 1_000);
    }
  });

  it('throws a failure of our own after all others were handed over', async () => {
    const world = new RefundWorld();
    await world.refund(world.paid(), 1, 2, 3);
    world.startAnswer = new Error('a fault of our own');
    await assert.rejects(world.handOver(), /a fault of our own/);
    assert.equal(world.handedOver.length, 3);
  });

  it('stays where the process is stopping', async () => {
    const { world } = await worldWithRefund();
    await world.handOver(AbortSignal.abort());
    assert.deepEqual(world.handedOver, []);
  });

  it('comes in batches of 32, and a full batch tells that more may be due', async () => {
    const world = new RefundWorld();
    await world.refund(world.paid(), ...Array.from({ length: 33 }, () => 1));
    assert.equal(await world.handOver(), true);
    assert.equal(await world.handOver(), false);
    assert.equal(new Set(world.handedOver).size, 33);
  });
});

describe('a refund at the network', () => {
  const processing = async () => {
    const made = await worldWithRefund();
    made.world.clock.advance(2 * HOUR_MS);
    await made.world.handOver();
    made.world.clock.advance(10_000);
    return made;
  };

  for (const state of ['PROCESSING', 'QUEUED', 'UNKNOWN'] as const) {
    it(`is asked for again later while it is ${state}`, async () => {
      const { world, id } = await processing();
      world.state = { state };
      await world.handOver();
      assert.deepEqual([world.told, world.row(id)], [[], ['PROCESSING', 10, 1]]);
    });
  }

  it('is asked for again later when the network is not reached', async () => {
    const { world, id } = await processing();
    world.state = new NetworkUnavailable(new Error('no answer'));
    await world.handOver();
    assert.deepEqual([world.told, world.row(id)], [['warning'], ['PROCESSING', 10, 1]]);
  });

  it('is asked for again later each time', async () => {
    const { world, id } = await processing();
    for (const seconds of [10, 30, 60, 300, 1_800, 3_600]) {
      await world.handOver();
      assert.equal(world.row(id)[1], seconds);
      world.clock.advance(seconds * 1_000);
    }
  });

  it('is asked for no more once its outcome is known', async () => {
    const { world, id } = await processing();
    world.state = { state: 'COMPLETED', movement: movement('OUT'), completedAt: new Date(0) };
    await world.handOver();
    assert.deepEqual(world.told, ['PROCESSING COMPLETED', 'senders']);
    assert.deepEqual(world.row(id), ['COMPLETED', null, 1]);
  });

  it('is a case after five working days, once, beside the next poll', async () => {
    const { world, id, paymentRequestId } = await processing();
    const since = world.refunds.rows.get(id)?.events.at(-1)?.[1] ?? 0;
    world.clock.advance(since + 5 * DAY_MS - HOUR_MS - world.clock.now().getTime());
    await world.handOver();
    assert.deepEqual(world.told, []);
    // The start is a Sunday: the fifth working day ends on Friday.
    world.clock.advance(2 * HOUR_MS);
    await world.handOver();
    assert.deepEqual([world.told, world.row(id)[0]], [['REFUND_OVERDUE'], 'PROCESSING']);
    const [opened] = world.cases.rows.all();
    assert.deepEqual(
      [opened?.paymentRequestId, opened?.merchantId, opened?.details],
      [
        paymentRequestId,
        MERCHANT.id,
        { refundId: id, amountCents: 40, since: new Date(since).toISOString() },
      ],
    );
    world.clock.advance(2 * HOUR_MS);
    await world.handOver();
    assert.deepEqual(world.told, []);
  });
});

describe('reports of refunds', () => {
  const reports = (world: RefundWorld) => createRefundReports(world.deps);
  const completed = (reference = 'OUT', bankReference: string | null = null) =>
    ({
      state: 'COMPLETED',
      movement: movement(reference, bankReference),
      completedAt: new Date('2026-03-02T00:00:00.000Z'),
    }) as const;

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
    const sums: unknown[] = [];
    const db: Database = Object.create(world.db, {
      transaction: {
        value: (work: (tx: Executor) => Promise<unknown>) =>
          world.db.transaction((tx) =>
            work({
              query(statement, values = []) {
                if (statement.name === 'refund-save-moves') sums.push(JSON.parse(`${values[2]}`));
                return tx.query(statement, values);
              },
            }),
          ),
      },
    });
    const report = createRefundReports({ ...world.deps, db });
    await report([{ refundId: id, outcome: { state: 'PROCESSING' } }]);
    await report([{ refundId: id, outcome: completed() }]);
    const [payment] = world.requests.rows.all();
    const changed = { id: payment?.id, refunding: -40, refunded: 40, events: 1 };
    assert.deepEqual(sums, [[], [changed]]);
  });

  it('of a FAILED refund give its amount back to the limit of its day, if one counted it', async () => {
    const failed = { state: 'FAILED', reason: 'NETWORK_REJECTED' } as const;
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

  it('of an unknown refund are logged, and keep no other from its report', async () => {
    const { world, id } = await worldWithRefund();
    world.told = [];
    const outcome = { state: 'PROCESSING' } as const;
    await reports(world)([
      { refundId: newId(), outcome },
      { refundId: id, outcome },
    ]);
    assert.deepEqual(world.told, ['error', 'CREATED PROCESSING']);
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
    let transactions = 0;
    const db = {
      ...world.deps.db,
      transaction: (work: never) => {
        transactions += 1;
        return world.db.transaction(work);
      },
    } as never;
    const report = createRefundReports({ ...world.deps, db });
    const outcome = { state: 'PROCESSING' } as const;
    await report(Array.from({ length: 1_001 }, () => ({ refundId: id, outcome })));
    assert.equal(transactions, 3);
    await report([]);
    assert.equal(transactions, 3);
  });

  it('of money that left unasked open a case, and their repetition none', async () => {
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

  it('of a second booking open a case, of the known one and of an unnamed one none', async () => {
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

  it('of money that came back name both movements, or the one that was never named', async () => {
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
    const written = await world.db.transaction((tx) =>
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
    const events = world.refunds.rows.get(executed.id)?.events.map(([status]) => status);
    assert.deepEqual(events, ['CREATED', 'COMPLETED']);
    assert.equal(world.requests.rows.get(paymentRequestId)?.refunded_cents, 5);
  });
});
