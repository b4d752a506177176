import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { RefundStart, RefundState } from '#e-transfer/network-refunds.ts';
import { eventually } from '../support/eventually.ts';
import {
  createFakeNetwork,
  type FakeNetwork,
  success,
} from '../support/payment-requests/fake-network.ts';
import { SMALLEST_BODY } from '../support/payment-requests/payment-requests.ts';
import { newRefundId, type RefundCalls, refundCalls } from '../support/refunds/refund-calls.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

let service: TestService;
let merchant: TestMerchant;
let calls: RefundCalls;
let network: FakeNetwork;
let count = 0;
/** The answer to the next hand-overs, and the states that the network answers. */
let startAnswer: RefundStart | 'DOWN' = { state: 'PROCESSING' };
const states = new Map<string, RefundState>();
const started: string[] = [];

before(async () => {
  network = createFakeNetwork();
  service = await startTestService({
    environment: 'production',
    makeNetwork: (surroundings) => ({
      ...network.make(surroundings),
      refunds: {
        async start({ refundId }) {
          started.push(refundId);
          if (startAnswer === 'DOWN') throw new Error('connection refused');
          return startAnswer;
        },
        askState: async (id) => states.get(id) ?? { state: 'PROCESSING' },
      },
    }),
  });
  merchant = await service.createMerchant();
  calls = refundCalls(service, merchant);
});
after(() => service.stop());

async function createPaid(): Promise<string> {
  count += 1;
  const { json } = await service.call('POST', '/v1/payment-requests', {
    headers: merchant.headers,
    body: SMALLEST_BODY,
  });
  const outcome = success({ networkReference: `PAY-${count}` });
  const report = { paymentRequestId: json.id, outcome, isRevocable: false };
  assert.equal(await network.listener.report(report), 'TAKEN');
  return json.id;
}

const movement = (networkReference: string, amountCents = 1234) => ({
  networkReference,
  amountCents,
  bankReference: null,
  bookingDate: '2026-03-02',
});

const becomes = (id: string, status: string) =>
  eventually(async () => {
    const { json } = await calls.read(id);
    return json.status === status && json;
  }, `${id} ${status}`);

const casesOf = (paymentRequestId: string) =>
  service.database.sql<{ kind: string; details: Record<string, unknown> }>(
    'SELECT kind, details FROM operator_cases WHERE payment_request_id = $1 ORDER BY opened_at',
    [paymentRequestId],
  );

/** Less than nothing: more has left, or is on its way, than came in. */
async function availableOf(paymentRequestId: string): Promise<number | undefined> {
  const [row] = await service.database.sql<{ cents: number }>(
    `SELECT (received_cents - returned_cents - refunded_cents - refunding_cents)::int AS cents
     FROM payment_requests WHERE id = $1`,
    [paymentRequestId],
  );
  return row?.cents;
}

const ledgerOf = (refundId: string) =>
  service.database.sql<{ type: string; cents: number }>(
    `SELECT type, amount_cents::int AS cents FROM ledger_entries WHERE refund_id = $1
     ORDER BY position`,
    [refundId],
  );

async function refunded(members: object = {}): Promise<{ id: string; paymentRequestId: string }> {
  const paymentRequestId = await createPaid();
  const { json } = await calls.created(paymentRequestId, members);
  return { id: json.id, paymentRequestId };
}

describe('a refund at the network', () => {
  it('is PROCESSING once the network has it, and COMPLETED by its report', async () => {
    const { id } = await refunded();
    await service.advance(1);
    await becomes(id, 'PROCESSING');
    const completedAt = new Date('2026-03-02T08:00:00.000Z');
    const outcome = { state: 'COMPLETED', movement: movement(`OUT-${id}`), completedAt } as const;
    await network.listener.reportRefunds([{ refundId: id, outcome }]);
    // Reports come at least once.
    await network.listener.reportRefunds([{ refundId: id, outcome }]);
    const { payment, events } = (await calls.read(id)).json;
    assert.deepEqual(payment, {
      networkReference: `OUT-${id}`,
      completedDateTime: '2026-03-02T08:00:00.000Z',
    });
    assert.equal(events.length, 3);
    assert.deepEqual(await ledgerOf(id), [{ type: 'REFUND', cents: -1234 }]);
  });

  it('is handed over again after the network was down', async () => {
    startAnswer = 'DOWN';
    const { id } = await refunded();
    await service.advance(1);
    await eventually(() => started.includes(id));
    startAnswer = { state: 'PROCESSING' };
    await eventually(async () => {
      await service.advance(11);
      return (await calls.read(id)).json.status === 'PROCESSING';
    });
  });

  it('stays CREATED while the network keeps it in a queue', async () => {
    startAnswer = { state: 'QUEUED' };
    const { id } = await refunded();
    await service.advance(1);
    await eventually(() => started.includes(id));
    assert.equal((await calls.read(id)).json.status, 'CREATED');
    startAnswer = { state: 'PROCESSING' };
    let written = 0;
    await network.listener.reportRefunds(
      [{ refundId: id, outcome: { state: 'PROCESSING' } }],
      async () => {
        written += 1;
      },
    );
    assert.equal(written, 1);
    assert.equal((await calls.read(id)).json.status, 'PROCESSING');
  });

  it('keeps nothing of the reports when the network’s own rows cannot be written', async () => {
    startAnswer = { state: 'QUEUED' };
    const { id } = await refunded();
    const reports = [{ refundId: id, outcome: { state: 'PROCESSING' } as const }];
    const failing = () => Promise.reject(new Error('disk full'));
    await assert.rejects(network.listener.reportRefunds(reports, failing), /disk full/);
    assert.equal((await calls.read(id)).json.status, 'CREATED');
    startAnswer = { state: 'PROCESSING' };
  });

  it('fails with the network’s reason', async () => {
    startAnswer = { state: 'FAILED', reason: 'PAYER_ACCOUNT_UNKNOWN' };
    const { id } = await refunded();
    await service.advance(1);
    const failed = await becomes(id, 'FAILED');
    startAnswer = { state: 'PROCESSING' };
    assert.equal(failed.statusReason.code, 'PAYER_ACCOUNT_UNKNOWN');
  });

  it('fails and opens a case when the payment came from several accounts', async () => {
    startAnswer = {
      state: 'ACCOUNT_UNCLEAR',
      movements: [movement('IN-1', 1000), movement('IN-2')],
    };
    const { id, paymentRequestId } = await refunded();
    await service.advance(1);
    await becomes(id, 'FAILED');
    startAnswer = { state: 'PROCESSING' };
    const [opened] = await casesOf(paymentRequestId);
    assert.equal(opened?.kind, 'REFUND_ACCOUNT_UNCLEAR');
    assert.equal(opened?.details.refundCents, 1234);
  });

  it('whose report was lost is found by asking', async () => {
    const { id } = await refunded();
    await service.advance(1);
    await becomes(id, 'PROCESSING');
    const completedAt = service.clock.now();
    states.set(id, { state: 'COMPLETED', movement: movement(`OUT-${id}`), completedAt });
    // The next poll is planned after the status is written: it may be due only by a later step.
    await eventually(async () => {
      await service.advance(11);
      return (await calls.read(id)).json.status === 'COMPLETED';
    });
  });

  it('comes back from COMPLETED and from PROCESSING, and the ledger sums to zero', async () => {
    const first = await refunded();
    const second = await refunded();
    await service.advance(1);
    await becomes(first.id, 'PROCESSING');
    await becomes(second.id, 'PROCESSING');
    const completedAt = service.clock.now();
    await network.listener.reportRefunds([
      {
        refundId: first.id,
        outcome: { state: 'COMPLETED', movement: movement(`OUT-${first.id}`), completedAt },
      },
    ]);
    for (const { id } of [first, second]) {
      const outcome = { state: 'RETURNED', movement: movement(`BACK-${id}`) } as const;
      await network.listener.reportRefunds([{ refundId: id, outcome }]);
      const { status, statusReason } = (await calls.read(id)).json;
      assert.deepEqual([status, statusReason.code], ['FAILED', 'REFUND_RETURNED']);
      assert.deepEqual(await ledgerOf(id), [
        { type: 'REFUND', cents: -1234 },
        { type: 'REFUND_RETURN', cents: 1234 },
      ]);
    }
    await calls.created(second.paymentRequestId);
  });

  it('that is executed after it had FAILED opens a case', async () => {
    startAnswer = { state: 'FAILED', reason: 'NETWORK_REJECTED' };
    const { id, paymentRequestId } = await refunded();
    await service.advance(1);
    await becomes(id, 'FAILED');
    startAnswer = { state: 'PROCESSING' };
    const completedAt = service.clock.now();
    const outcome = { state: 'COMPLETED', movement: movement(`OUT-${id}`), completedAt } as const;
    await network.listener.reportRefunds([{ refundId: id, outcome }]);
    assert.equal((await calls.read(id)).json.status, 'FAILED');
    assert.deepEqual(
      (await casesOf(paymentRequestId)).map(({ kind }) => kind),
      ['REFUNDED_OUTSIDE'],
    );
  });

  it('that a bank books twice opens a case, and its repeated booking does not', async () => {
    startAnswer = { state: 'PROCESSING' };
    const { id, paymentRequestId } = await refunded();
    await service.advance(1);
    const booked = (reference: string, bankReference: string | null) =>
      network.listener.reportRefunds([
        {
          refundId: id,
          outcome: {
            state: 'COMPLETED',
            movement: { ...movement(`${reference}-${id}`), bankReference },
            completedAt: service.clock.now(),
          },
        },
      ]);
    await booked('BANK-1', 'BANK-1');
    await becomes(id, 'COMPLETED');
    await booked('BANK-1', 'BANK-1');
    await booked('UNNAMED', null);
    assert.deepEqual(await casesOf(paymentRequestId), []);
    await booked('BANK-2', 'BANK-2');
    const kinds = (await casesOf(paymentRequestId)).map(({ kind }) => kind);
    assert.deepEqual(kinds, ['REFUNDED_OUTSIDE']);
  });
});

describe('money of a payment request that is taken back', () => {
  const returned = (paymentRequestId: string, networkReference: string, amountCents: number) =>
    network.listener.report({
      paymentRequestId,
      isRevocable: false,
      outcome: {
        state: 'RETURNED',
        currency: 'CAD',
        movement: movement(networkReference, amountCents),
        returnedReference: null,
        reason: 'AC04',
      },
    });

  it('fails CREATED refunds that are no longer covered, the youngest first', async () => {
    startAnswer = { state: 'QUEUED' };
    const paymentRequestId = await createPaid();
    const older = await calls.created(paymentRequestId, { amount: 5 });
    const younger = await calls.created(paymentRequestId, { amount: 5 });
    await returned(paymentRequestId, `RET-${paymentRequestId}`, 700);
    assert.equal((await calls.read(older.json.id)).json.status, 'CREATED');
    const failed = (await calls.read(younger.json.id)).json;
    assert.deepEqual([failed.status, failed.statusReason.code], ['FAILED', 'PAYMENT_RETURNED']);
    const kinds = (await casesOf(paymentRequestId)).map(({ kind }) => kind);
    assert.deepEqual(kinds, ['MONEY_RETURNED']);
    startAnswer = { state: 'PROCESSING' };
  });

  it('opens a case when the network has the refund already', async () => {
    startAnswer = { state: 'PROCESSING' };
    const { id, paymentRequestId } = await refunded();
    await service.advance(1);
    await becomes(id, 'PROCESSING');
    await returned(paymentRequestId, `RET-${paymentRequestId}`, 1234);
    assert.equal((await calls.read(id)).json.status, 'PROCESSING');
    const kinds = (await casesOf(paymentRequestId)).map(({ kind }) => kind).sort();
    assert.deepEqual(kinds, ['MONEY_RETURNED', 'REFUNDED_AND_RETURNED']);
    assert.equal(await availableOf(paymentRequestId), -1234);
    const refused = await calls.refund(paymentRequestId, { merchantRefundId: newRefundId() });
    assert.equal(refused.json.code, 'REFUND_AMOUNT_EXCEEDED');
  });

  it('lets a refund of more than is left come back, and be executed', async () => {
    const paymentRequestId = await createPaid();
    const first = (await calls.created(paymentRequestId, { amount: 5 })).json.id;
    const second = (await calls.created(paymentRequestId, { amount: 7 })).json.id;
    await service.advance(1);
    for (const id of [first, second]) await becomes(id, 'PROCESSING');
    await returned(paymentRequestId, `RET-${paymentRequestId}`, 1234);
    const back = { state: 'RETURNED', movement: movement(`BACK-${first}`, 500) } as const;
    await network.listener.reportRefunds([{ refundId: first, outcome: back }]);
    assert.equal(await availableOf(paymentRequestId), -700);
    const completedAt = service.clock.now();
    const executed = movement(`OUT-${second}`, 700);
    await network.listener.reportRefunds([
      { refundId: second, outcome: { state: 'COMPLETED', movement: executed, completedAt } },
    ]);
    assert.deepEqual(
      [(await calls.read(first)).json.status, (await calls.read(second)).json.status],
      ['FAILED', 'COMPLETED'],
    );
    assert.deepEqual(await ledgerOf(first), [
      { type: 'REFUND', cents: -500 },
      { type: 'REFUND_RETURN', cents: 500 },
    ]);
    assert.deepEqual(await ledgerOf(second), [{ type: 'REFUND', cents: -700 }]);
    assert.equal(await availableOf(paymentRequestId), -700);
  });
});

describe('a network without refunds', () => {
  it('answers 409 to every refund', async () => {
    const plain = createFakeNetwork();
    const other = await startTestService({
      environment: 'production',
      roles: ['api'],
      makeNetwork: plain.make,
    });
    try {
      const shop = await other.createMerchant();
      const { json } = await other.call('POST', '/v1/payment-requests', {
        headers: shop.headers,
        body: SMALLEST_BODY,
      });
      const report = { paymentRequestId: json.id, outcome: success(), isRevocable: false };
      await plain.listener.report(report);
      const body = { merchantRefundId: newRefundId() };
      const answer = await refundCalls(other, shop).refund(json.id, body);
      assert.deepEqual([answer.status, answer.json.code], [409, 'REFUNDS_NOT_SUPPORTED']);
    } finally {
      await other.stop();
    }
  });
});

// Last: the access token of the calls before has expired by then.
describe('a refund that is in progress for long', () => {
  it('opens one case after five working days', async () => {
    const { id, paymentRequestId } = await refunded();
    await service.advance(1);
    await becomes(id, 'PROCESSING');
    const kinds = async () => (await casesOf(paymentRequestId)).map(({ kind }) => kind);
    // 1 March 2026 is a Sunday: Monday to Friday end on Saturday, the 7th.
    await service.advance(4 * 86_400);
    await service.advance(3_600);
    assert.deepEqual(await kinds(), []);
    for (const seconds of [86_400, 3_600, 3_600]) await service.advance(seconds);
    await eventually(async () => (await kinds()).length === 1);
    assert.deepEqual(await kinds(), ['REFUND_OVERDUE']);
  });
});
