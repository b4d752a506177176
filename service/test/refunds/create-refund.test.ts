import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { faultsOf, SMALLEST_BODY } from '../support/payment-requests/payment-requests.ts';
import {
  createPaid,
  newRefundId,
  type RefundCalls,
  refundCalls,
} from '../support/refunds/refund-calls.ts';
import {
  buyToken,
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

let service: TestService;
let merchant: TestMerchant;
let calls: RefundCalls;

before(async () => {
  service = await startTestService({ roles: ['api'] });
  merchant = await service.createMerchant();
  calls = refundCalls(service, merchant);
});
after(() => service.stop());

const paid = (amount?: number) => createPaid(service, merchant, amount);
const summaryOf = async (id: string) =>
  (await service.call('GET', `/v1/payment-requests/${id}`, { headers: merchant.headers })).json
    .refundSummary;
const setLimit = (cents: number, id = merchant.merchantId) =>
  service.database.sql('UPDATE merchants SET refunds_per_day_cents = $2 WHERE id = $1', [
    id,
    cents,
  ]);

describe('POST /payment-requests/{id}/refunds', () => {
  it('answers 201 with the refund, its location and its entity tag', async () => {
    const id = await paid();
    const body = {
      amount: 2,
      merchantRefundId: newRefundId(),
      message: 'Order 7',
      reason: 'OTHER',
    };
    const answer = await calls.refund(id, body);
    assert.equal(answer.status, 201);
    const { json } = answer;
    assert.deepEqual(Object.keys(json), [
      'id',
      'paymentRequestId',
      'merchantRefundId',
      'reason',
      'message',
      'amount',
      'currency',
      'status',
      'createdDateTime',
      'events',
      'links',
    ]);
    assert.match(answer.text, /"amount":2\.00,"currency":"CAD","status":"CREATED"/);
    assert.equal(answer.headers.get('location'), `${service.publicApiUrl}/refunds/${json.id}`);
    assert.equal(answer.headers.get('etag'), '"1"');
    assert.equal(json.paymentRequestId, id);
    assert.deepEqual((await calls.read(json.id)).json, json);
  });

  it('refunds all that is available without an amount', async () => {
    const id = await paid(10);
    await calls.created(id, { amount: 3.21 });
    assert.equal((await calls.created(id)).json.amount, 6.79);
    assert.equal((await calls.refund(id, { merchantRefundId: newRefundId() })).status, 422);
  });

  it('reads the amount from its source text', async () => {
    const id = await paid(30);
    const sent = (amount: string) =>
      calls.refund(id, `{"amount":${amount},"merchantRefundId":"${newRefundId()}"}`);
    for (const amount of ['1', '1.0', '1.000', '1e0', '10e-1']) {
      assert.equal((await sent(amount)).json.amount, 1, amount);
    }
    for (const [amount, code] of [
      ['1.005', 'TOO_MANY_DECIMALS'],
      ['0', 'TOO_LOW'],
      ['-1', 'TOO_LOW'],
      ['1e400', 'TOO_HIGH'],
      ['"1.00"', 'INVALID_TYPE'],
    ] as const) {
      assert.deepEqual(faultsOf(await sent(amount)), [['amount', code]], amount);
    }
  });

  it('names every fault of a body at once', async () => {
    const answer = await calls.refund(await paid(), {
      amount: 0,
      merchantRefundId: 'r'.repeat(65),
      reason: 'BORED',
      message: 'm'.repeat(141),
      webhookUrl: 'http://shop.example/hook',
    });
    assert.deepEqual(faultsOf(answer).sort(), [
      ['amount', 'TOO_LOW'],
      ['merchantRefundId', 'TOO_LONG'],
      ['message', 'TOO_LONG'],
      ['reason', 'INVALID_VALUE'],
      ['webhookUrl', 'INVALID_VALUE'],
    ]);
  });

  it('needs merchantRefundId or Idempotency-Key', async () => {
    const id = await paid(10);
    const missing = [['merchantRefundId', 'REQUIRED_ONE_OF']];
    assert.deepEqual(faultsOf(await calls.refund(id, { amount: 1 })), missing);
    assert.deepEqual(faultsOf(await calls.refund(id)), missing);
    const key = { 'idempotency-key': 'only-a-key' };
    const first = await calls.refund(id, { amount: 1 }, key);
    assert.equal(first.status, 201);
    assert.equal('merchantRefundId' in first.json, false);
    const again = await calls.refund(id, { amount: 1 }, key);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    assert.equal(again.text, first.text);
    const other = await calls.refund(id, { amount: 2 }, key);
    assert.equal(other.json.code, 'IDEMPOTENCY_KEY_REUSED');
    assert.equal((await summaryOf(id)).amountAvailable, 9);
  });

  it('answers 200 with the existing refund when a merchantRefundId is repeated', async () => {
    const id = await paid(10);
    const body = { amount: 10, merchantRefundId: newRefundId(), expectedAmountAvailable: 10 };
    const first = await calls.refund(id, body);
    assert.equal(first.status, 201);
    // By now the amount and the guard would refuse it, and the limit would, too.
    await setLimit(0);
    const again = await calls.refund(id, body);
    await setLimit(1_000_000);
    assert.equal(again.status, 200);
    assert.deepEqual(again.json, first.json);
    assert.equal((await calls.ofPayment(id)).json.data.length, 1);
  });

  it('answers 200 for a repeated refund that has FAILED', async () => {
    const id = await paid(10);
    const body = { amount: 10, merchantRefundId: newRefundId() };
    const { json } = await calls.refund(id, body);
    await service.database.sql(
      `UPDATE refunds SET status = 'FAILED', status_reason_code = 'NETWORK_REJECTED' WHERE id = $1`,
      [json.id],
    );
    const again = await calls.refund(id, body);
    assert.deepEqual([again.status, again.json.status], [200, 'FAILED']);
  });

  it('answers 409 when a merchantRefundId comes with another body or payment request', async () => {
    const id = await paid(10);
    const merchantRefundId = newRefundId();
    await calls.created(id, { amount: 1, merchantRefundId });
    const other = await calls.refund(id, { amount: 2, merchantRefundId });
    const spelled = await calls.refund(
      id,
      `{"amount": 1,"merchantRefundId":"${merchantRefundId}"}`,
    );
    const elsewhere = await calls.refund(await paid(10), { merchantRefundId, amount: 1 });
    for (const answer of [other, spelled, elsewhere]) {
      assert.deepEqual([answer.status, answer.json.code], [409, 'DUPLICATE_MERCHANT_REFUND_ID']);
    }
  });

  it('looks a merchantRefundId up before a body that is invalid by now', async () => {
    const id = await paid(10);
    const merchantRefundId = newRefundId();
    await calls.created(id, { amount: 1, merchantRefundId });
    const invalid = await calls.refund(id, { amount: 0, merchantRefundId });
    assert.equal(invalid.json.code, 'DUPLICATE_MERCHANT_REFUND_ID');
  });

  it('lets two merchants use one merchantRefundId', async () => {
    const other = await service.createMerchant();
    const merchantRefundId = newRefundId();
    await calls.created(await paid(), { merchantRefundId });
    const id = await createPaid(service, other);
    const answer = await refundCalls(service, other).refund(id, { merchantRefundId });
    assert.equal(answer.status, 201);
  });

  it('answers 412 when another amount is available than expected', async () => {
    const id = await paid(10);
    const refund = (expectedAmountAvailable: number) =>
      calls.refund(id, { amount: 1, merchantRefundId: newRefundId(), expectedAmountAvailable });
    assert.equal((await refund(9.99)).json.code, 'REFUND_AMOUNT_MISMATCH');
    assert.equal((await refund(10)).status, 201);
    assert.equal((await refund(10)).status, 412);
    assert.equal((await refund(9)).status, 201);
    assert.equal((await refund(0)).status, 412);
  });

  it('answers 422 above the amount available, and counts open refunds', async () => {
    const id = await paid(10);
    const refund = (amount: number) =>
      calls.refund(id, { amount, merchantRefundId: newRefundId() });
    assert.equal((await refund(10.01)).json.code, 'REFUND_AMOUNT_EXCEEDED');
    assert.equal((await refund(6)).status, 201);
    assert.equal((await refund(4.01)).json.code, 'REFUND_AMOUNT_EXCEEDED');
    assert.equal((await refund(4)).status, 201);
    assert.deepEqual(await summaryOf(id), {
      status: 'PENDING',
      amountReceived: 10,
      amountReturned: 0,
      amountRefunded: 0,
      amountAvailable: 0,
    });
  });

  it('changes the entity tag of the payment request', async () => {
    const id = await paid(10);
    const read = () =>
      service.call('GET', `/v1/payment-requests/${id}`, { headers: merchant.headers });
    const before = (await read()).headers.get('etag');
    await calls.created(id, { amount: 1 });
    assert.notEqual((await read()).headers.get('etag'), before);
  });

  it('answers 409 for a payment request that is not paid', async () => {
    const { headers } = merchant;
    const open = await service.call('POST', '/v1/payment-requests', {
      headers,
      body: SMALLEST_BODY,
    });
    const answer = await calls.refund(open.json.id, { merchantRefundId: newRefundId() });
    assert.deepEqual([answer.status, answer.json.code], [409, 'NOT_PAID']);
  });

  it('answers 404 for an unknown payment request, and for another merchant’s', async () => {
    const other = await service.createMerchant();
    const foreign = await createPaid(service, other);
    for (const id of [foreign, '018f2c7e-95a4-7c3b-8d1e-3a4b5c6d7e8f', 'nothing']) {
      const answer = await calls.refund(id, { merchantRefundId: newRefundId() });
      assert.deepEqual([answer.status, answer.json.code], [404, 'PAYMENT_REQUEST_NOT_FOUND']);
    }
  });

  it('answers 403 while refunds are off', async () => {
    const id = await paid(10);
    await setLimit(0);
    const answer = await calls.refund(id, { merchantRefundId: newRefundId() });
    await setLimit(1_000_000);
    assert.deepEqual([answer.status, answer.json.code], [403, 'REFUNDS_DISABLED']);
  });

  it('needs the scope refund/write, which payment_request/write does not include', async () => {
    const id = await paid(10);
    const refundWith = async (scope: string) => {
      const token = await buyToken(service.call, merchant, scope);
      const headers = { ...merchant.headers, authorization: `Bearer ${token}` };
      return refundCalls(service, { headers }).refund(id, {
        amount: 1,
        merchantRefundId: newRefundId(),
      });
    };
    assert.equal((await refundWith('payment_request/write')).json.code, 'INSUFFICIENT_SCOPE');
    assert.equal((await refundWith('payment_request/read')).json.code, 'INSUFFICIENT_SCOPE');
    assert.equal((await refundWith('refund/write')).status, 201);
    assert.equal((await refundWith('payment_request/all')).status, 201);
  });
});

describe('the limit of a day', () => {
  it('refuses refunds above it, until FAILED ones no longer count or the day is over', async () => {
    const shop = await service.createMerchant();
    const own = refundCalls(service, shop);
    await setLimit(1_000, shop.merchantId);
    const id = await createPaid(service, shop, 50);
    const refund = (amount: number) => own.refund(id, { amount, merchantRefundId: newRefundId() });
    assert.equal((await refund(7)).status, 201);
    const above = await refund(3.01);
    assert.deepEqual([above.status, above.json.code], [409, 'REFUND_LIMIT_REACHED']);
    assert.equal((await refund(3)).status, 201);
    assert.equal((await refund(0.01)).status, 409);
    await service.advance(86_400);
    const authorization = `Bearer ${await buyToken(service.call, shop)}`;
    const nextDay = refundCalls(service, { headers: { ...shop.headers, authorization } });
    await nextDay.created(id, { amount: 10 });
  });
});
