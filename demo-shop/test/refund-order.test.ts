import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { makeTestRefundWebhook, makeTestWebhook, type Refund } from '@payment-requests/sdk';
import { eventually } from '../../service/test/support/eventually.ts';
import { EVENT_TYPES } from '../src/payment/name-event-types.ts';
import { type Customer, createCustomer, TOTAL } from './support/customer.ts';
import {
  type ShopWithService,
  STAFF_KEY,
  startShopWithService,
} from './support/shop-with-service.ts';

const REFUSED = /role="alert"/;

describe('the staff of the shop', () => {
  let running: ShopWithService;
  /** Buys. */
  let customer: Customer;
  /** Opened the staff's link. */
  let staff: Customer;

  before(async () => {
    running = await startShopWithService({ environment: 'sandbox' });
  });
  beforeEach(async () => {
    customer = createCustomer(running.shopUrl);
    staff = createCustomer(running.shopUrl);
    await staff.get(`/staff?key=${STAFF_KEY}`);
  });
  after(() => running?.stop());

  const idOf = (orderPath: string) => orderPath.replace('/orders/', '');
  const call = (method: string, path: string, body?: unknown) =>
    running.service.call(method, path, { headers: running.merchant.headers, body });

  async function paymentIdOf(order: string): Promise<string> {
    const reference = `${idOf(order)}-1`;
    const { json } = await call('GET', `/v1/payment-requests?merchantTransactionId=${reference}`);
    return json.data[0].id;
  }

  /** An order that is paid and released through the service's own webhook. */
  async function buy(): Promise<string> {
    const order = await customer.placeOrder();
    await customer.pay(order);
    const id = await paymentIdOf(order);
    const path = `/v1/sandbox/payment-requests/${id}/simulations`;
    assert.equal((await call('POST', path, { outcome: 'PAID' })).status, 202);
    await eventually(async () => (await customer.orderState(order)) === 'RELEASED');
    return order;
  }

  async function refundsOf(order: string) {
    const id = await paymentIdOf(order);
    const { json } = await call('GET', `/v1/payment-requests/${id}/refunds`);
    return json.data as Refund[];
  }

  const hidden = (text: string, name: string) =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '';

  /** The form of the page as a browser sends it. */
  async function formOf(order: string, fields: Record<string, string> = {}) {
    const { status, text } = await staff.get(`${order}/refunds`);
    assert.equal(status, 200, text);
    const given = Object.fromEntries(
      ['payment', 'available', 'token'].map((name) => [name, hidden(text, name)]),
    );
    return { ...given, amount: '10.00', reason: 'OTHER', message: '', ...fields };
  }

  it('gets the webhooks of refunds and of returned money', async () => {
    await eventually(async () => {
      const { json } = await call('GET', '/v1/webhook-endpoints');
      return EVENT_TYPES.every((type) => json.data[0].eventTypes?.includes(type));
    });
  });

  it('refunds a part of an order, and the customer’s page shows it', async () => {
    const order = await buy();
    const form = await formOf(order, { amount: '10,00', reason: 'DUPLICATE', message: 'Sorry' });
    const { status, location } = await staff.post(`${order}/refunds`, form);
    assert.deepEqual({ status, location }, { status: 303, location: `${order}/refunds` });
    const [refund, ...others] = await refundsOf(order);
    assert.deepEqual(others, []);
    assert.equal(refund?.amount, 10);
    assert.equal(refund?.reason, 'DUPLICATE');
    assert.equal(refund?.message, 'Sorry');
    assert.match((await staff.get(`${order}/refunds`)).text, /The money has not moved yet/);
    assert.doesNotMatch((await customer.get(order)).text, /Refunded/);
    const merchantRefundId = refund?.merchantRefundId ?? '';
    const paymentRequestId = await paymentIdOf(order);
    const about = { merchantRefundId, paymentRequestId, amount: '10.00' };
    const webhook = await makeTestRefundWebhook(about, running.merchant.listener);
    assert.equal(await running.sendWebhook(webhook), 204);
    assert.match((await customer.get(order)).text, /Refunded<\/dt><dd>\$10\.00 of \$31\.50/);
    assert.match((await staff.get(`${order}/refunds`)).text, /Given back\./);
    assert.match((await staff.get(`${order}/refunds`)).text, /At most \$21\.50/);
    assert.match((await staff.get('/staff')).text, /\$10\.00 of \$31\.50/);
    assert.equal(await customer.orderState(order), 'RELEASED');
  });

  it('find an order by a part of the name in any case, and see date and customer', async () => {
    const order = await customer.placeOrder({ name: 'Zoë Tremblay' });
    const { number = '' } =
      /Order (?<number>\d+)/.exec((await customer.get(order)).text)?.groups ?? {};
    for (const search of ['ZOË', 'tremblay', number]) {
      const { text } = await staff.get(`/staff?q=${encodeURIComponent(search)}`);
      assert.match(text, new RegExp(`href="${order}/refunds"`), search);
      assert.match(text, /Zoë Tremblay, \S+@/);
      assert.match(text, /<time datetime="20\d\d-[^"]+">/);
    }
    const { text } = await staff.get('/staff?q=%25');
    assert.match(text, /No order matches/);
    assert.doesNotMatch(text, /\/refunds"/);
  });

  it('have a page that follows a refund which is under way', async () => {
    const order = await buy();
    assert.match((await staff.get(`${order}/refunds`)).text, /data-over="yes"/);
    await staff.post(`${order}/refunds`, await formOf(order));
    assert.match((await staff.get(`${order}/refunds`)).text, /data-over="no"/);
  });

  it('refunds once when a form is posted repeatedly, at once and later', async () => {
    const order = await buy();
    const form = await formOf(order);
    const post = (fields = form) => staff.post(`${order}/refunds`, fields);
    const answers = await Promise.all([post(), post(), post()]);
    answers.push(await post(), await post({ ...form, amount: '20.00' }));
    for (const { status, text } of answers) assert.equal(status, 303, text);
    assert.deepEqual(
      (await refundsOf(order)).map(({ amount }) => amount),
      [10],
    );
  });

  it('refunds twice for two pages', async () => {
    const order = await buy();
    for (const _ of [1, 2]) await staff.post(`${order}/refunds`, await formOf(order));
    assert.equal((await refundsOf(order)).length, 2);
  });

  it('reads in words why the service refused, and no refund exists', async () => {
    const order = await buy();
    const tooMuch = await staff.post(`${order}/refunds`, await formOf(order, { amount: '31.51' }));
    assert.equal(tooMuch.status, 422);
    assert.match(tooMuch.text, REFUSED);
    assert.match(tooMuch.text, /the amount is above the amount available/);
    const older = await formOf(order, { amount: '5.00' });
    await staff.post(`${order}/refunds`, await formOf(order, { amount: '20.00' }));
    const overtaken = await staff.post(`${order}/refunds`, older);
    assert.match(overtaken.text, /the amount available has changed since/);
    assert.equal((await refundsOf(order)).length, 1);
  });

  it('reads that nothing was paid, and cannot refund another order’s payment', async () => {
    const paid = await buy();
    const unpaid = await createCustomer(running.shopUrl).placeOrder();
    assert.match((await staff.get(`${unpaid}/refunds`)).text, /There is nothing to give back/);
    const { status, text } = await staff.post(`${unpaid}/refunds`, await formOf(paid));
    assert.equal(status, 422);
    assert.match(text, /this payment was not paid/);
    assert.deepEqual(await refundsOf(paid), []);
  });

  it('reads the fault of a field, with the input kept', async () => {
    const order = await buy();
    for (const amount of ['', '0', '-1', '1.001', '1e3', 'x']) {
      const { status, text } = await staff.post(
        `${order}/refunds`,
        await formOf(order, { amount }),
      );
      assert.equal(status, 422, amount);
      assert.match(text, /Enter an amount above zero/, amount);
    }
    const message = '<i>'.repeat(47);
    const { text } = await staff.post(`${order}/refunds`, await formOf(order, { message }));
    assert.match(text, /at most 140 characters/);
    assert.match(text, /value="&lt;i&gt;/);
    assert.deepEqual(await refundsOf(order), []);
  });

  it('alone refunds: a stranger, a wrong key and another site are refused', async () => {
    const order = await buy();
    const form = await formOf(order);
    const stranger = createCustomer(running.shopUrl);
    const refused = [
      await stranger.post(`${order}/refunds`, form),
      await stranger.get(`${order}/refunds`),
      await stranger.get('/staff'),
      await stranger.get(`/staff?key=${STAFF_KEY.slice(1)}`),
      await stranger.get('/staff?key='),
      await stranger.post(`${order}/refunds`, form, { cookie: 'staff=' }),
      await stranger.post(`${order}/refunds`, { ...form, key: STAFF_KEY }),
      await customer.post(`${order}/refunds`, form),
      await staff.post(`${order}/refunds`, form, { 'sec-fetch-site': 'cross-site' }),
      await staff.post(`${order}/refunds`, form, { origin: 'https://evil.example' }),
    ];
    assert.deepEqual(
      refused.map(({ status }) => status),
      refused.map(() => 403),
    );
    for (const { text } of refused) assert.doesNotMatch(text, /Refund order/);
    assert.deepEqual(await refundsOf(order), []);
  });

  it('sees that money was taken back, and the order is not released', async () => {
    const order = await buy();
    const id = await paymentIdOf(order);
    const about = { id, amount: TOTAL, merchantTransactionId: `${idOf(order)}-1` };
    const options = { eventType: 'PAYMENT-RETURNED' } as const;
    const webhook = await makeTestWebhook(about, running.merchant.listener, options);
    assert.equal(await running.sendWebhook(webhook), 204);
    assert.match((await staff.get(`${order}/refunds`)).text, /do not ship\. Call the customer/);
    assert.match((await staff.get('/staff')).text, /do not ship, call the customer/);
    assert.equal(await customer.orderState(order), 'MONEY_RETURNED');
    assert.match((await customer.get(order)).text, /Your bank took the payment back/);
  });
});

describe('the staff of the shop, while the service does not answer', () => {
  it('keeps the asked refund and can send it again', async () => {
    const running = await startShopWithService({ environment: 'sandbox' });
    try {
      const customer = createCustomer(running.shopUrl);
      const staff = createCustomer(running.shopUrl);
      await staff.get(`/staff?key=${STAFF_KEY}`);
      const order = await customer.placeOrder();
      await customer.pay(order);
      const about = { id: '', amount: TOTAL, merchantTransactionId: `${order.slice(8)}-1` };
      const { json } = await running.service.call(
        'GET',
        `/v1/payment-requests?merchantTransactionId=${about.merchantTransactionId}`,
        { headers: running.merchant.headers },
      );
      const paid = { ...about, id: json.data[0].id };
      await running.sendWebhook(await makeTestWebhook(paid, running.merchant.listener));
      await running.stopService();
      const token = crypto.randomUUID();
      const form = { token, payment: paid.id, available: '3150', amount: '10.00', reason: 'OTHER' };
      assert.equal((await staff.post(`${order}/refunds`, form)).status, 303);
      const { status, text } = await staff.get(`${order}/refunds`);
      assert.equal(status, 200);
      assert.match(text, /The answer did not arrive/);
      assert.match(text, new RegExp(`name="token" value="${token}"`));
      assert.match(text, /The payment service does not answer/);
      assert.doesNotMatch(text, /name="amount"/, 'no second refund beside the open one');
    } finally {
      await running.stop();
    }
  });
});
