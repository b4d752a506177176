import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { makeTestWebhook, type TestWebhookResource } from '@payment-requests/sdk';
import { eventually } from '../../service/test/support/eventually.ts';
import { type Customer, createCustomer, TOTAL } from './support/customer.ts';
import { type ShopWithService, startShopWithService } from './support/shop-with-service.ts';

/** The merchant has no endpoint: only the tests send webhooks. */
describe('an order of the shop', () => {
  let running: ShopWithService;
  let customer: Customer;

  before(async () => {
    running = await startShopWithService({ environment: 'sandbox', hasEndpoint: false });
  });
  beforeEach(() => {
    customer = createCustomer(running.shopUrl);
  });
  after(() => running?.stop());

  const idOf = (orderPath: string) => orderPath.replace('/orders/', '');
  const make = (orderPath: string, resource: TestWebhookResource = {}, attempt = 1) =>
    makeTestWebhook(
      { amount: TOTAL, merchantTransactionId: `${idOf(orderPath)}-${attempt}`, ...resource },
      running.merchant.listener,
    );
  async function simulate(paymentRequestId: string, outcome: string, reason?: string) {
    const path = `/v1/sandbox/payment-requests/${paymentRequestId}/simulations`;
    const { headers } = running.merchant;
    const answer = await running.service.call('POST', path, { headers, body: { outcome, reason } });
    assert.equal(answer.status, 202, answer.text);
  }
  async function paymentRequestOf(orderPath: string, attempt = 1) {
    const query = `merchantTransactionId=${idOf(orderPath)}-${attempt}`;
    const { headers } = running.merchant;
    const { json } = await running.service.call('GET', `/v1/payment-requests?${query}`, {
      headers,
    });
    assert.equal(json.data.length, 1);
    return json.data[0];
  }

  it('creates a payment request of exactly its total with its own reference', async () => {
    const order = await customer.placeOrder();
    const { paymentLink } = await customer.pay(order);
    const { status, amount, invoiceNumber, displayMessage, payer, ...rest } =
      await paymentRequestOf(order);
    assert.equal(rest.paymentLink, paymentLink);
    assert.equal(status, 'CREATED');
    assert.equal(amount, 31.5);
    assert.equal(displayMessage, `Order ${invoiceNumber}: 2 × Harbour`);
    assert.equal(rest.returnUrl, running.shopUrl + order);
    assert.deepEqual(payer, { name: 'Ada', email: 'ada@example.com', preferredLanguage: 'en' });
    assert.equal(await customer.orderState(order), 'AWAITING_PAYMENT');
  });

  it('is not released by reading PAID, only by the webhook', async () => {
    const order = await customer.placeOrder();
    await customer.pay(order);
    const { id } = await paymentRequestOf(order);
    await simulate(id, 'PAID');
    await eventually(async () => (await customer.orderState(order)) === 'PAID_NOT_CONFIRMED');
    const { text } = await customer.get(order);
    assert.match(text, /waiting for the payment service to notify us/);
    assert.equal((await customer.pay(order)).status, 409, 'refuses a second payment');
    assert.equal(await running.sendWebhook(await make(order, { id })), 204);
    assert.equal(await customer.orderState(order), 'RELEASED');
  });

  it('is released once by a repeated webhook', async () => {
    const order = await customer.placeOrder();
    await customer.pay(order);
    const webhook = await make(order, await paymentRequestOf(order).then(({ id }) => ({ id })));
    for (const _ of [1, 2, 3]) assert.equal(await running.sendWebhook(webhook), 204);
    const { text } = await customer.get(`${order}/webhooks`);
    assert.match(text, /order released; came 3 times, repeats ignored/);
  });

  it('is not released by a forged or old webhook', async () => {
    const order = await customer.placeOrder();
    await customer.pay(order);
    const webhook = await make(order);
    const { headers, body } = webhook;
    const signature = { 'webhook-signature': 'v1,AAAA' };
    for (const forged of [
      { headers: { ...headers, authorization: 'Basic eDp5' }, body },
      { headers: { ...headers, ...signature }, body },
      { headers, body: body.replace('PAID', 'PAID ') },
      await makeTestWebhook({}, running.merchant.listener, {
        now: new Date(Date.now() - 3_600_000),
      }),
    ]) {
      assert.equal(await running.sendWebhook(forged), 401);
    }
    assert.equal(await customer.orderState(order), 'AWAITING_PAYMENT');
  });

  it('is not released by a webhook of another amount or another order', async () => {
    const order = await customer.placeOrder();
    await customer.pay(order);
    const { id } = await paymentRequestOf(order);
    assert.equal(await running.sendWebhook(await make(order, { id, amount: '0.01' })), 204);
    assert.match((await customer.get(`${order}/webhooks`)).text, /the amount is not the order’s/);
    const nobodys = await makeTestWebhook({ amount: TOTAL }, running.merchant.listener);
    assert.equal(await running.sendWebhook(nobodys), 204);
    assert.notEqual(await customer.orderState(order), 'RELEASED');
  });

  it('is released by a webhook that overtakes the creation’s answer', async () => {
    const order = await customer.placeOrder();
    assert.equal(await customer.orderState(order), 'UNPAID');
    assert.equal(await running.sendWebhook(await make(order)), 204);
    assert.equal(await customer.orderState(order), 'RELEASED');
  });

  it('tells why a payment failed, and starts another one', async () => {
    const order = await customer.placeOrder();
    const first = await customer.pay(order);
    await simulate((await paymentRequestOf(order)).id, 'FAILED', 'INSUFFICIENT_FUNDS');
    await eventually(async () => (await customer.orderState(order)) === 'FAILED');
    assert.match((await customer.get(order)).text, /account does not hold enough money/);
    const second = await customer.pay(order);
    assert.notEqual(second.paymentLink, first.paymentLink);
    assert.equal((await customer.pay(order)).paymentLink, second.paymentLink);
    assert.equal(await customer.orderState(order), 'AWAITING_PAYMENT');
  });

  it('cancels the later payment request when the earlier one is paid late', async () => {
    const order = await customer.placeOrder();
    await customer.pay(order);
    const { id } = await paymentRequestOf(order);
    await simulate(id, 'FAILED', 'NETWORK_REJECTED');
    await eventually(async () => (await customer.orderState(order)) === 'FAILED');
    await customer.pay(order);
    assert.equal(await running.sendWebhook(await make(order, { id })), 204);
    assert.equal(await customer.orderState(order), 'RELEASED');
    await eventually(async () => (await paymentRequestOf(order, 2)).status === 'CANCELLED');
    const again = await make(order, { id: (await paymentRequestOf(order, 2)).id }, 2);
    assert.equal(await running.sendWebhook(again), 204);
    assert.match((await customer.get(`${order}/webhooks`)).text, /paid a second time/);
  });

  it('keeps its state and its webhooks over a restart of the shop', async () => {
    const other = createCustomer(running.shopUrl);
    const [paid, open] = [await customer.placeOrder(), await other.placeOrder()];
    await customer.pay(paid);
    await customer.pay(open);
    const webhook = await make(paid, { id: (await paymentRequestOf(paid)).id });
    await running.sendWebhook(webhook);
    await running.stopShop();
    await simulate((await paymentRequestOf(open)).id, 'EXPIRED');
    await running.startShop();
    assert.equal(await customer.orderState(paid), 'RELEASED');
    assert.equal(await running.sendWebhook(webhook), 204);
    assert.match((await customer.get(`${paid}/webhooks`)).text, /came 2 times/);
    assert.equal(await customer.orderState(open), 'EXPIRED', 'reads the status again');
  });

  it('creates one payment request for two concurrent payment calls', async () => {
    const order = await customer.placeOrder();
    const both = await Promise.all([customer.pay(order), customer.pay(order)]);
    assert.equal(both[0].paymentLink, both[1].paymentLink);
    await paymentRequestOf(order);
  });

  it('is not released online when the customer pays at the counter', async () => {
    const order = await customer.placeOrder({ tender: 'AT_PICKUP' });
    assert.equal(await customer.orderState(order), 'AT_PICKUP');
    assert.equal((await customer.pay(order)).status, 409);
  });
});
