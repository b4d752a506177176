import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import {
  createPaid,
  newRefundId,
  type RefundCalls,
  refundCalls,
} from '../support/refunds/refund-calls.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

let service: TestService;
let merchant: TestMerchant;
let calls: RefundCalls;

before(async () => {
  service = await startTestService();
  merchant = await service.createMerchant();
  calls = refundCalls(service, merchant);
});
after(() => service.stop());

const becomes = (id: string, status: string) =>
  eventually(async () => {
    const { json } = await calls.read(id);
    return json.status === status && json;
  }, `${id} ${status}`);

const ledgerOf = (refundId: string) =>
  service.database.sql<{ type: string; cents: number; reference: string | null }>(
    `SELECT type, amount_cents::int AS cents, network_reference AS reference FROM ledger_entries
     WHERE refund_id = $1 ORDER BY position`,
    [refundId],
  );

const summaryOf = async (id: string) =>
  (await service.call('GET', `/v1/payment-requests/${id}`, { headers: merchant.headers })).json
    .refundSummary;

async function eventsOf(paymentRequestId: string) {
  const rows = await service.database.sql<{ type: string; sequence: number; body: string }>(
    `SELECT event_type AS type, sequence, body FROM webhook_events WHERE payment_request_id = $1
     ORDER BY sequence`,
    [paymentRequestId],
  );
  return rows.map(({ type, sequence, body }) => ({ type, sequence, body: JSON.parse(body) }));
}

describe('a refund in the sandbox', () => {
  it('is COMPLETED about ten seconds after its creation', async () => {
    const paymentRequestId = await createPaid(service, merchant, 10);
    const { json } = await calls.created(paymentRequestId, { amount: 4 });
    await service.advance(3);
    await becomes(json.id, 'PROCESSING');
    await service.advance(6);
    assert.equal((await calls.read(json.id)).json.status, 'PROCESSING');
    await service.advance(2);
    const completed = await becomes(json.id, 'COMPLETED');
    assert.deepEqual(
      completed.events.map(({ status }: { status: string }) => status),
      ['CREATED', 'PROCESSING', 'COMPLETED'],
    );
    const { networkReference } = completed.payment;
    assert.deepEqual(await ledgerOf(json.id), [
      { type: 'REFUND', cents: -400, reference: networkReference },
    ]);
    assert.deepEqual(await summaryOf(paymentRequestId), {
      status: 'PARTIAL',
      amountReceived: 10,
      amountReturned: 0,
      amountRefunded: 4,
      amountAvailable: 6,
    });
    const [, event] = await eventsOf(paymentRequestId);
    assert.equal(event?.type, 'REFUND-COMPLETED');
    assert.equal(event?.sequence, 2);
    assert.equal(event?.body.resourceType, 'Payments API');
    assert.deepEqual(event?.body.resource, completed);
  });

  it('ends as FAILED with the code of its message, and its amount is available again', async () => {
    const paymentRequestId = await createPaid(service, merchant, 10);
    const message = 'refundFail:ACCOUNT_RESTRICTED';
    const { json } = await calls.created(paymentRequestId, { message });
    await service.advance(3);
    await becomes(json.id, 'PROCESSING');
    await service.advance(8);
    const failed = await becomes(json.id, 'FAILED');
    assert.equal(failed.statusReason.code, 'ACCOUNT_RESTRICTED');
    assert.deepEqual(await ledgerOf(json.id), []);
    assert.equal((await summaryOf(paymentRequestId)).amountAvailable, 10);
    const [, event] = await eventsOf(paymentRequestId);
    assert.equal(event?.type, 'REFUND-FAILED');
    assert.equal(event?.body.message, failed.statusReason.message);
    await calls.created(paymentRequestId, { amount: 10 });
  });

  it('is COMPLETED after the seconds of its message', async () => {
    const paymentRequestId = await createPaid(service, merchant);
    const { json } = await calls.created(paymentRequestId, { message: 'refundSlow:60' });
    await service.advance(3);
    await becomes(json.id, 'PROCESSING');
    await service.advance(56);
    assert.equal((await calls.read(json.id)).json.status, 'PROCESSING');
    await service.advance(3);
    await becomes(json.id, 'COMPLETED');
  });

  it('comes back after its completion when the message says so', async () => {
    const paymentRequestId = await createPaid(service, merchant, 10);
    const { json } = await calls.created(paymentRequestId, { message: 'refundReturned' });
    await service.advance(3);
    await becomes(json.id, 'PROCESSING');
    await service.advance(8);
    await becomes(json.id, 'COMPLETED');
    assert.equal((await summaryOf(paymentRequestId)).status, 'FULL');
    await service.advance(11);
    const failed = await becomes(json.id, 'FAILED');
    assert.equal(failed.statusReason.code, 'REFUND_RETURNED');
    const entries = await ledgerOf(json.id);
    assert.deepEqual(
      entries.map(({ type, cents }) => [type, cents]),
      [
        ['REFUND', -1000],
        ['REFUND_RETURN', 1000],
      ],
    );
    const { status, amountAvailable } = await summaryOf(paymentRequestId);
    assert.deepEqual([status, amountAvailable], ['NONE', 10]);
    assert.deepEqual(
      (await eventsOf(paymentRequestId)).map(({ type }) => type),
      ['PAYMENT-COMPLETED', 'REFUND-COMPLETED', 'REFUND-FAILED'],
    );
  });

  it('no longer counts for the limit of the day when it has FAILED', async () => {
    const shop = await service.createMerchant();
    const own = refundCalls(service, shop);
    await service.database.sql('UPDATE merchants SET refunds_per_day_cents = 1000 WHERE id = $1', [
      shop.merchantId,
    ]);
    const id = await createPaid(service, shop, 50);
    const message = 'refundFail:NETWORK_REJECTED';
    const { json } = await own.created(id, { amount: 10, message });
    const next = { amount: 10, merchantRefundId: newRefundId() };
    assert.equal((await own.refund(id, next)).json.code, 'REFUND_LIMIT_REACHED');
    await service.advance(3);
    await eventually(async () => (await own.read(json.id)).json.status === 'PROCESSING');
    await service.advance(8);
    await eventually(async () => (await own.read(json.id)).json.status === 'FAILED');
    assert.equal((await own.refund(id, next)).status, 201);
  });

  it('warns of a message that nearly names an outcome', async () => {
    const id = await createPaid(service, merchant, 10);
    const warned = await calls.created(id, { amount: 1, message: 'RefundFail:NETWORK_REJECTED' });
    assert.match(warned.headers.get('payment-requests-warning') ?? '', /refundFail:CODE/);
    const wrongCode = await calls.refund(id, { amount: 1, message: 'refundFail:NONSENSE' });
    assert.equal(wrongCode.status, 400);
    const usual = await calls.created(id, { amount: 1, message: 'refundReturned' });
    assert.equal(usual.headers.get('payment-requests-warning'), null);
  });

  it('answers a call that waits for it when its status changes', async () => {
    const id = await createPaid(service, merchant, 10);
    const { json, headers } = await calls.created(id, { amount: 1 });
    const ifNoneMatch = { 'if-none-match': headers.get('etag') ?? '' };
    const unchanged = await calls.read(json.id, '', ifNoneMatch);
    assert.equal(unchanged.status, 304);
    const waiting = calls.read(json.id, '?waitSeconds=30', ifNoneMatch);
    await service.advance(3);
    assert.equal((await waiting).json.status, 'PROCESSING');
  });

  it('is held while its merchant is suspended', async () => {
    const shop = await service.createMerchant();
    const own = refundCalls(service, shop);
    const id = await createPaid(service, shop, 10);
    const { json } = await own.created(id);
    const setStatus = (status: string) =>
      service.database.sql('UPDATE merchants SET status = $2 WHERE id = $1', [
        shop.merchantId,
        status,
      ]);
    const statusOf = async () => {
      const [row] = await service.database.sql<{
        status: string;
        polls: number;
        isPlanned: boolean;
      }>(
        `SELECT status, polls, next_poll_at > service_now() + interval '20 s' AS "isPlanned"
         FROM refunds WHERE id = $1`,
        [json.id],
      );
      return row;
    };
    await setStatus('SUSPENDED');
    await service.advance(3);
    // The next look is planned, and no lease of this one ends later.
    await eventually(async () => (await statusOf())?.isPlanned);
    await service.advance(31);
    await eventually(async () => (await statusOf())?.isPlanned);
    const held = await statusOf();
    assert.deepEqual([held?.status, held?.polls], ['CREATED', 2]);
    await setStatus('ACTIVE');
    await service.advance(31);
    await eventually(async () => (await statusOf())?.status === 'PROCESSING');
  });
});

describe('the outcome of a refund by hand', () => {
  const outcomes = ['COMPLETED', 'FAILED', 'RETURNED'] as const;
  /** The possible outcomes (contract §11), listed by hand. */
  const POSSIBLE: Readonly<Record<string, readonly string[]>> = {
    CREATED: ['COMPLETED', 'FAILED', 'RETURNED'],
    COMPLETED: ['RETURNED'],
    FAILED: [],
  };
  for (const [status, possible] of Object.entries(POSSIBLE)) {
    for (const outcome of outcomes) {
      const isPossible = possible.includes(outcome);
      it(`${outcome} in ${status} is ${isPossible ? 'done at once' : 'refused'}`, async () => {
        const id = (await calls.created(await createPaid(service, merchant))).json.id;
        if (status !== 'CREATED') await calls.simulate(id, { outcome: status });
        const answer = await calls.simulate(id, { outcome });
        if (!isPossible) {
          assert.deepEqual([answer.status, answer.json.code], [409, 'REFUND_OUTCOME_IMPOSSIBLE']);
          assert.match(answer.json.detail, new RegExp(`is ${status}, .* become ${outcome}`));
          return;
        }
        assert.equal(answer.status, 202, answer.text);
        assert.equal(answer.json.status, outcome === 'COMPLETED' ? 'COMPLETED' : 'FAILED');
        assert.equal(answer.text, (await calls.read(id)).text);
      });
    }
  }

  it('says the reason that is asked for, or the one of a network', async () => {
    const paid = await createPaid(service, merchant);
    const codes = [];
    for (const reason of ['PAYER_ACCOUNT_UNKNOWN', undefined]) {
      const { id } = (await calls.created(paid, { amount: 1 })).json;
      const { json } = await calls.simulate(id, { outcome: 'FAILED', reason });
      codes.push(json.statusReason.code);
    }
    assert.deepEqual(codes, ['PAYER_ACCOUNT_UNKNOWN', 'NETWORK_REJECTED']);
  });

  it('stays, and the steps of its message do nothing', async () => {
    const paid = await createPaid(service, merchant);
    const { id } = (await calls.created(paid, { message: 'refundReturned:1' })).json;
    await calls.simulate(id, { outcome: 'FAILED' });
    await service.advance(30);
    const { events } = (await calls.read(id)).json;
    assert.equal(events.at(-1).status, 'FAILED');
    assert.equal(events.length, 2);
  });

  it('answers 404 to another merchant', async () => {
    const { id } = (await calls.created(await createPaid(service, merchant))).json;
    const stranger = refundCalls(service, await service.createMerchant());
    for (const each of [id, 'x']) {
      const { status, json } = await stranger.simulate(each, { outcome: 'COMPLETED' });
      assert.deepEqual([status, json.code], [404, 'REFUND_NOT_FOUND']);
    }
  });
});
