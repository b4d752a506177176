import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createCustomer } from './support/customer.ts';
import { type ShopWithService, startShopWithService } from './support/shop-with-service.ts';

describe('a shop whose payment service is in EUR', () => {
  let running: ShopWithService;
  before(async () => {
    running = await startShopWithService({ hasEndpoint: false, currency: 'EUR' });
  });
  after(() => running?.stop());

  it('shows and asks for the same amount in EUR on every page', async () => {
    const customer = createCustomer(running.shopUrl);
    const order = await customer.placeOrder();
    await customer.post('/basket/add', { sku: 'harbour' });
    for (const path of ['/', '/basket', '/checkout', order]) {
      const { text } = await customer.get(path);
      assert.match(text, /€\d+\.\d\d/, path);
      assert.doesNotMatch(text, /\$\d/, path);
    }
    assert.match((await customer.get('/?lang=fr')).text, /15,75\u00a0€/);
    const { status, paymentLink = '' } = await customer.pay(order);
    assert.equal(status, 200);
    assert.match(await (await fetch(paymentLink)).text(), /€31\.50/);
  });
});

describe('the shop’s pages', () => {
  let running: ShopWithService;
  before(async () => {
    running = await startShopWithService({ environment: 'sandbox', hasEndpoint: false });
  });
  after(() => running?.stop());

  it('show all faults of a checkout at once and keep the input', async () => {
    const customer = createCustomer(running.shopUrl);
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

  it('place one order for a checkout page that is sent repeatedly', async () => {
    const customer = createCustomer(running.shopUrl);
    const token = crypto.randomUUID();
    const paths = new Set<string>();
    for (const _ of [1, 2, 3]) paths.add(await customer.placeOrder({ token }));
    assert.equal(paths.size, 1);
  });

  it('write no unknown product into a cookie', async () => {
    for (const sku of ['x; Path=/; Domain=evil', 'nothing', '']) {
      const answer = await fetch(new URL('/basket/add', running.shopUrl), {
        method: 'POST',
        redirect: 'manual',
        headers: { 'sec-fetch-site': 'same-origin' },
        body: new URLSearchParams({ sku }),
      });
      assert.equal(answer.status, 303);
      assert.deepEqual(answer.headers.getSetCookie(), []);
    }
  });

  it('refuse a form of another site', async () => {
    const customer = createCustomer(running.shopUrl);
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

  it('keep the order and report it while the payment service is unavailable', async () => {
    const customer = createCustomer(running.shopUrl);
    const order = await customer.placeOrder();
    const other = await startShopWithService({ environment: 'sandbox' });
    try {
      const customerOfOther = createCustomer(other.shopUrl);
      const path = await customerOfOther.placeOrder();
      const paid = await customerOfOther.placeOrder();
      await customerOfOther.pay(paid);
      await other.stopService();
      assert.equal((await customerOfOther.pay(path)).status, 503);
      const page = await customerOfOther.post(`${path}/payment`);
      assert.equal(page.status, 503);
      assert.match(page.text, /The payment service does not answer/);
      assert.equal(await customerOfOther.orderState(path), 'UNPAID');
      assert.match((await customerOfOther.get(paid)).text, /this is\s+what we knew last/);
    } finally {
      await other.stop();
    }
    assert.equal((await customer.get(order)).status, 200);
  });

  it('answer 404 for unknown orders and paths, and 405 for another method', async () => {
    const customer = createCustomer(running.shopUrl);
    for (const path of ['/nowhere', `/orders/${'0'.repeat(32)}`, '/orders/1', '/basket/add']) {
      const { status, text } = await customer.get(path);
      assert.equal(status, path === '/basket/add' ? 405 : 404, path);
      assert.match(text, /There is nothing here/);
    }
    assert.equal((await customer.get('/checkout')).location, '/basket', 'with an empty basket');
  });

  it('forbid foreign scripts and frames, and keep the payment window connected', async () => {
    const { headers } = await fetch(running.shopUrl);
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.doesNotMatch(policy, /unsafe/);
    assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin-allow-popups');
    assert.equal(headers.get('referrer-policy'), 'same-origin');
    const order = await createCustomer(running.shopUrl).placeOrder();
    const back = await fetch(running.shopUrl + order);
    assert.equal(back.headers.get('cross-origin-opener-policy'), 'unsafe-none');
  });

  it('keep the language that the customer chose', async () => {
    const customer = createCustomer(running.shopUrl);
    const french = await customer.get('/basket?lang=fr');
    assert.match(french.text, /<html lang="fr">/);
    assert.match(french.text, /Votre panier est vide/);
    assert.match(
      french.text,
      /href="\/basket\?lang=en" hreflang="en" lang="en"><span[^>]*>English</,
    );
    assert.match((await customer.get('/')).text, /<html lang="fr">/);
    const order = await customer.placeOrder();
    assert.match((await customer.get(`${order}?lang=en`)).text, /Your goods/);
    for (const lang of ['xx', 'en;', '']) {
      assert.match((await customer.get(`/?lang=${lang}`)).text, /<html lang="en">/, lang);
    }
    const { headers } = await fetch(`${running.shopUrl}/?lang=fr;x`);
    assert.deepEqual(headers.getSetCookie(), []);
  });

  it('answer a path of two slashes without a link to another host', async () => {
    const { status, text } = await createCustomer(running.shopUrl).get('//evil.example/');
    assert.equal(status, 404);
    assert.doesNotMatch(text, /evil/);
  });

  it('refuse a form above 16 KiB', async () => {
    const customer = createCustomer(running.shopUrl);
    const { status } = await customer.post('/basket/add', { sku: 'x'.repeat(20_000) });
    assert.equal(status, 413);
  });
});
