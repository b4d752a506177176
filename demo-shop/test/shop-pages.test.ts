import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createCustomer } from './support/customer.ts';
import { type ShopWithService, startShopWithService } from './support/shop-with-service.ts';

describe('the shop’s pages', () => {
  let beside: ShopWithService;
  before(async () => {
    beside = await startShopWithService({ environment: 'sandbox', hasEndpoint: false });
  });
  after(() => beside?.stop());

  it('tell all faults of a checkout at once, and keep what was typed', async () => {
    const customer = createCustomer(beside.shopUrl);
    await customer.post('/basket/add', { sku: 'kettle' });
    const token = crypto.randomUUID();
    const form = { name: '<b>', email: 'nowhere', mobileNumber: '12', tender: 'GOLD', token };
    const { status, text } = await customer.post('/orders', form);
    assert.equal(status, 422);
    for (const fault of [/e-mail address such as/, /10 to 15 digits/, /Choose how to pay/]) {
      assert.match(text, fault);
    }
    assert.match(text, /value="&lt;b&gt;"/);
    assert.doesNotMatch(text, /<b>/);
  });

  it('make one order of one checkout page, however often it is sent', async () => {
    const customer = createCustomer(beside.shopUrl);
    const token = crypto.randomUUID();
    const paths = new Set<string>();
    for (const _ of [1, 2, 3]) paths.add(await customer.placeOrder({ token }));
    assert.equal(paths.size, 1);
  });

  it('give an article that is not sold no way into a cookie', async () => {
    for (const sku of ['x; Path=/; Domain=evil', 'nothing', '']) {
      const answer = await fetch(new URL('/basket/add', beside.shopUrl), {
        method: 'POST',
        redirect: 'manual',
        headers: { 'sec-fetch-site': 'same-origin' },
        body: new URLSearchParams({ sku }),
      });
      assert.equal(answer.status, 303);
      assert.deepEqual(answer.headers.getSetCookie(), []);
    }
  });

  it('refuse a form that another site sends', async () => {
    const customer = createCustomer(beside.shopUrl);
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ]) {
      const { status } = await customer.post('/basket/add', { sku: 'kettle' }, headers);
      assert.equal(status, 403, JSON.stringify(headers));
    }
    assert.doesNotMatch((await customer.get('/')).text, /class="count"/);
  });

  it('keep the order and say so while the payment service is away', async () => {
    const customer = createCustomer(beside.shopUrl);
    const order = await customer.placeOrder();
    const other = await startShopWithService({ environment: 'sandbox' });
    try {
      const away = createCustomer(other.shopUrl);
      const path = await away.placeOrder();
      const paid = await away.placeOrder();
      await away.pay(paid);
      await other.stopService();
      assert.equal((await away.pay(path)).status, 503);
      const told = await away.post(`${path}/payment`);
      assert.equal(told.status, 503);
      assert.match(told.text, /The payment service does not answer/);
      assert.equal(await away.standing(path), 'UNPAID');
      assert.match((await away.get(paid)).text, /this is\s+what we knew last/);
    } finally {
      await other.stop();
    }
    assert.equal((await customer.get(order)).status, 200);
  });

  it('know nothing of orders that there are not, nor of other addresses', async () => {
    const customer = createCustomer(beside.shopUrl);
    for (const path of ['/nowhere', `/orders/${'0'.repeat(32)}`, '/orders/1', '/basket/add']) {
      const { status, text } = await customer.get(path);
      assert.equal(status, path === '/basket/add' ? 405 : 404, path);
      assert.match(text, /There is nothing here/);
    }
    assert.equal((await customer.get('/checkout')).location, '/basket', 'with an empty basket');
  });

  it('let nothing else run or frame them, and keep the tie to the payment window', async () => {
    const { headers } = await fetch(beside.shopUrl);
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.doesNotMatch(policy, /unsafe/);
    assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin-allow-popups');
    assert.equal(headers.get('referrer-policy'), 'same-origin');
  });

  it('take no form that is larger than a form', async () => {
    const customer = createCustomer(beside.shopUrl);
    const { status } = await customer.post('/basket/add', { sku: 'x'.repeat(20_000) });
    assert.equal(status, 413);
  });
});
