import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RefundStart } from '#e-transfer/network-refunds.ts';
import { NetworkUnavailable } from '#payment-requests/network/client.ts';
import { MERCHANT } from '../payments/payment-world.ts';
import { DAY_MS, HOUR_MS, movement, RefundWorld, worldWithRefund } from './refund-world.ts';

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
    for (const seconds of [10, 30, 60, 300, 900, 3_600]) {
      await world.handOver();
      assert.deepEqual(world.told, ['warning']);
      assert.deepEqual(world.logged.at(-1), { refundId: id, err: world.startAnswer });
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
    // A report has completed it while it was due.
    world.refunds.rows.patch(id, { nextPollAt: world.clock.now() });
    world.state = new Error('a fault of our own');
    await world.handOver();
    assert.deepEqual([world.told, world.row(id)], [[], ['COMPLETED', null, 2]]);
  });

  it('is no case when its outcome comes after a week', async () => {
    const { world } = await processing();
    world.clock.advance(14 * DAY_MS);
    world.state = { state: 'COMPLETED', movement: movement('OUT'), completedAt: new Date(0) };
    await world.handOver();
    assert.deepEqual(world.cases.rows.all(), []);
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
