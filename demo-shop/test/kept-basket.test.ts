import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { makeTestWebhook } from '@payment-requests/sdk';
import { type Customer, createCustomer, TOTAL } from './support/customer.ts';
import { type ShopWithService, startShopWithService } from './support/shop-with-service.ts';

/** The merchant has no endpoint: only the tests send webhooks. */
describe('the basket of an order', () => {
  let running: ShopWithService;
  let customer: Customer;

  before(async () => {
    running = await startShopWithService({ environment: 'sandbox', hasEndpoint: false });
  });
  beforeEach(() => {
    customer = createCustomer(running.shopUrl);
  });
  after(() => running?.stop());

  const referenceOf = (orderPath: string) => `${orderPath.replace('/orders/', '')}-1`;

  async function paymentOf(orderPath: string) {
    const list = `/v1/payment-requests?merchantTransactionId=${referenceOf(orderPath)}`;
    const { headers } = running.merchant;
    return (await running.service.call('GET', list, { headers })).json.data[0];
  }

  async function sendPaid(orderPath: string): Promise<void> {
    const merchantTransactionId = referenceOf(orderPath);
    const { id } = await paymentOf(orderPath);
    const resource = { id, amount: TOTAL, merchantTransactionId };
    const webhook = await makeTestWebhook(resource, running.merchant.listener);
    assert.equal(await running.sendWebhook(webhook), 204);
    assert.equal(await customer.orderState(orderPath), 'RELEASED');
  }

  async function simulate(orderPath: string, outcome: string, reason?: string): Promise<void> {
    const { id } = await paymentOf(orderPath);
    const path = `/v1/sandbox/payment-requests/${id}/simulations`;
    const { headers } = running.merchant;
    const body = { outcome, reason };
    const answer = await running.service.call('POST', path, { headers, body });
    assert.equal(answer.status, 202, answer.text);
  }

  /** The quantity of Harbour that the basket's page shows; undefined for an empty basket. */
  async function shownQuantity(): Promise<string | undefined> {
    const { text } = await customer.get('/basket');
    return /<option value="(\d)" selected>/.exec(text)?.[1];
  }
  const change = (quantity: string) =>
    customer.post('/basket/change', { sku: 'harbour', quantity });

  it('keeps its goods until the order is paid, and is empty then', async () => {
    const order = await customer.placeOrder();
    await customer.pay(order);
    assert.equal(await shownQuantity(), '2');
    const { text } = await customer.get('/basket');
    assert.match(text, /Order \d+ is not paid yet/);
    assert.ok(text.includes(`href="${order}"`));
    assert.match((await customer.get('/checkout')).text, /value="ada@example\.com"/);
    await sendPaid(order);
    assert.equal(await shownQuantity(), undefined);
    assert.equal((await customer.get('/checkout')).location, '/basket');
  });

  it('is empty after the payment, also when the customer changed it before', async () => {
    const order = await customer.placeOrder();
    await customer.pay(order);
    await change('3');
    assert.equal(await shownQuantity(), '3');
    await sendPaid(order);
    assert.equal(await shownQuantity(), undefined);
    await customer.post('/basket/add', { sku: 'harbour' });
    assert.equal(await shownQuantity(), '1', 'starts a new basket');
  });

  it('stays empty when the customer takes everything out of an unpaid order', async () => {
    await customer.placeOrder();
    await change('0');
    assert.equal(await shownQuantity(), undefined);
  });

  it('is empty after an order that is paid at the counter', async () => {
    await customer.placeOrder({ tender: 'AT_PICKUP' });
    assert.equal(await shownQuantity(), undefined);
  });

  it('keeps its goods after a failed payment', async () => {
    const order = await customer.placeOrder();
    await customer.pay(order);
    await simulate(order, 'EXPIRED');
    assert.equal(await customer.orderState(order), 'EXPIRED');
    assert.equal(await shownQuantity(), '2');
  });

  it('becomes a new order, whose payment replaces that of the earlier order', async () => {
    const earlier = await customer.placeOrder();
    await customer.pay(earlier);
    await change('1');
    // `placeOrder` adds two more.
    const later = await customer.placeOrder();
    assert.notEqual(later, earlier);
    assert.equal((await paymentOf(earlier)).status, 'CANCELLED');
    assert.equal(await customer.orderState(earlier), 'CANCELLED');
    await customer.pay(later);
    assert.equal((await paymentOf(later)).amount, 47.25);
  });

  it('becomes no new order once the earlier order’s payment is confirmed', async () => {
    const earlier = await customer.placeOrder();
    await customer.pay(earlier);
    await simulate(earlier, 'PROCESSING');
    await change('1');
    assert.equal(await customer.placeOrder(), earlier);
    assert.equal(await customer.orderState(earlier), 'SETTLING');
  });

  it('ignores quantities and products that the shop does not have', async () => {
    await customer.post('/basket/add', { sku: 'harbour' });
    for (const quantity of ['', '-1', '1e2', '1.5', 'NaN', '9999']) {
      await change(quantity);
      assert.equal(await shownQuantity(), '1', quantity);
    }
    await customer.post('/basket/change', { sku: 'gold', quantity: '1' });
    assert.doesNotMatch((await customer.get('/basket')).text, /gold/);
    await change('500');
    assert.equal(await shownQuantity(), '9');
  });

  it('and the customer’s name stay unknown to another browser with the order’s URL', async () => {
    const order = await customer.placeOrder();
    assert.match((await customer.get(order)).text, /For Ada<br>ada@example\.com/);
    const stranger = createCustomer(running.shopUrl);
    const { status, text } = await stranger.get(order);
    assert.equal(status, 200, 'a payer who came back on a phone reads the state');
    assert.match(text, /Your order is waiting for its payment/);
    assert.doesNotMatch(text, /Ada|Change the basket/);
    assert.doesNotMatch((await stranger.get(`${order}/webhooks`)).text, /Ada/);
    assert.doesNotMatch((await stranger.get('/basket')).text, /Harbour/);
  });

  it('and the reason of a refused account stay unknown to another browser', async () => {
    const order = await customer.placeOrder();
    await customer.pay(order);
    await simulate(order, 'FAILED', 'INSUFFICIENT_FUNDS');
    const stranger = createCustomer(running.shopUrl);
    for (const [browser, isOwn] of [
      [customer, true],
      [stranger, false],
    ] as const) {
      const { text } = await browser.get(order);
      assert.match(text, /data-state="FAILED"/);
      assert.equal(text.includes('does not hold enough money'), isOwn);
      const { text: data } = await browser.get(`${order}/webhooks`);
      assert.equal(data.includes('INSUFFICIENT_FUNDS'), isOwn);
    }
  });
});
