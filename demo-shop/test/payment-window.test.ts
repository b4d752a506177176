import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { makeTestWebhook } from '@payment-requests/sdk';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startBrowser, WITHOUT_BROWSER } from '../../service/test/support/browser/browser.ts';
import { TOTAL } from './support/customer.ts';
import { type ShopWithService, startShopWithService } from './support/shop-with-service.ts';

/** The user agent of an in-app browser on a phone. */
const IN_APP =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 [FBAN/FBIOS]';

/** The label or text of the focused element. */
const FOCUSED = '(document.activeElement.labels?.[0] ?? document.activeElement).textContent';

describe('the payment window of the shop', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser;
  /** The merchant's endpoint is the shop's listener. */
  let running: ShopWithService;
  /** Only the tests send webhooks to this shop. */
  let withoutEndpoint: ShopWithService;

  before(async () => {
    browser = await startBrowser();
    running = await startShopWithService({ environment: 'sandbox' });
    withoutEndpoint = await startShopWithService({ environment: 'sandbox', hasEndpoint: false });
  });
  after(async () => {
    await browser?.close();
    await running?.stop();
    await withoutEndpoint?.stop();
  });

  async function visit(
    { shopUrl }: ShopWithService,
    work: (page: Page) => Promise<void>,
    options: BrowserContextOptions = {},
  ): Promise<void> {
    const context = await browser.newContext(options);
    const faults: string[] = [];
    context.on('weberror', (fault) => faults.push(String(fault.error())));
    context.on('console', (message) => {
      if (/Content.Security.Policy|Cross-Origin/i.test(message.text())) faults.push(message.text());
    });
    try {
      const page = await context.newPage();
      await page.goto(shopUrl);
      await work(page);
      assert.deepEqual(faults, []);
    } finally {
      await context.close();
    }
  }

  /** Fills basket and checkout, up to the button that places the order. */
  async function fillBasket(page: Page): Promise<void> {
    for (const _ of [1, 2]) await page.getByRole('button', { name: /^Add Harbour/ }).click();
    await page.getByRole('link', { name: 'Go to the basket' }).click();
    await page.getByRole('link', { name: 'Check out' }).click();
    await page.getByLabel('Your name').fill('Ada Lovelace');
    await page.getByLabel('E-mail address').fill('ada@example.com');
    // Until its script has run, the form is sent without a window.
    await page.waitForLoadState('load');
  }

  async function placeOrder(page: Page): Promise<Page> {
    await fillBasket(page);
    const popup = page.waitForEvent('popup');
    await page.getByRole('button', { name: /^Place the order/ }).click();
    const opened = await popup;
    await opened.waitForURL(/\/pay\//);
    await shows(page, 'Your order is waiting for its payment');
    return opened;
  }

  const shows = (page: Page, heading: string) =>
    page.getByRole('heading', { level: 1, name: heading }).waitFor();
  /** Follows a link back to the shop from within the page; `page.goto` would drop the opener. */
  async function comeBack(popup: Page, returnUrl: string): Promise<void> {
    const closed = popup.waitForEvent('close');
    // The page closes and may therefore not answer.
    await popup.evaluate(`location.assign('${returnUrl}')`).catch(() => {});
    await closed;
  }
  const orderIdOf = (page: Page) => new URL(page.url()).pathname.replace('/orders/', '');

  async function simulate(
    { service, merchant }: ShopWithService,
    orderId: string,
    outcome: string,
  ) {
    const { headers } = merchant;
    const list = `/v1/payment-requests?merchantTransactionId=${orderId}-1`;
    const { json } = await service.call('GET', list, { headers });
    assert.equal(json.data.length, 1, 'one payment request');
    const path = `/v1/sandbox/payment-requests/${json.data[0].id}/simulations`;
    const answer = await service.call('POST', path, { headers, body: { outcome } });
    assert.equal(answer.status, 202, answer.text);
    return json.data[0];
  }

  it('opens with the click, and the page follows the payment to the release', () =>
    visit(running, async (page) => {
      const popup = await placeOrder(page);
      assert.match(popup.url(), new RegExp(`^${running.service.publicApiUrl.slice(0, -3)}/pay/`));
      await page.getByText('Pay in the window that has opened').waitFor();
      await simulate(running, orderIdOf(page), 'PAID');
      await shows(page, 'Paid. Your order is released');
      assert.equal(await page.locator('#payment-window').isVisible(), false);
      assert.equal(await page.locator('#news').textContent(), 'Paid. Your order is released');
      assert.equal(popup.isClosed(), false, 'the payer closes it');
      await page.reload();
      await shows(page, 'Paid. Your order is released');
    }));

  it('makes one order and one window for a double click', () =>
    visit(running, async (page) => {
      await fillBasket(page);
      const popups: Page[] = [];
      page.on('popup', (popup) => popups.push(popup));
      await page.getByRole('button', { name: /^Place the order/ }).dblclick();
      await shows(page, 'Your order is waiting for its payment');
      assert.equal(popups.length, 1);
      await simulate(running, orderIdOf(page), 'PAID');
      await shows(page, 'Paid. Your order is released');
    }));

  it('can be closed early: the page continues polling and reopens the window', () =>
    visit(running, async (page) => {
      const popup = await placeOrder(page);
      const link = popup.url();
      await popup.close();
      await page.getByText('The payment window is closed').waitFor();
      await page.getByRole('button', { name: 'Check again' }).click();
      const again = page.waitForEvent('popup');
      await page.getByRole('button', { name: 'Reopen the window' }).click();
      const reopened = await again;
      await reopened.waitForURL(link);
      await page.getByText('Pay in the window that has opened').waitFor();
      await reopened.close();
      await simulate(running, orderIdOf(page), 'PAID');
      await shows(page, 'Paid. Your order is released');
    }));

  it('is replaced by the same tab when it is blocked; Back leads to the order', () =>
    visit(running, async (page) => {
      await page.addInitScript('window.open = () => null');
      await fillBasket(page);
      await page.getByRole('button', { name: /^Place the order/ }).click();
      await page.waitForURL(/\/pay\//);
      await page.goBack();
      await page.waitForURL(/\/orders\//);
      await shows(page, 'Your order is waiting for its payment');
      await simulate(running, orderIdOf(page), 'PAID');
      await shows(page, 'Paid. Your order is released');
    }));

  it('is replaced by the same tab in a browser inside another app', () =>
    visit(
      running,
      async (page) => {
        await fillBasket(page);
        await page.getByRole('button', { name: /^Place the order/ }).click();
        await page.waitForURL(/\/pay\//);
        assert.equal(page.context().pages().length, 1);
      },
      { userAgent: IN_APP },
    ));

  it('is not needed: the page waits for a late webhook, which releases the order', () =>
    visit(withoutEndpoint, async (page) => {
      const popup = await placeOrder(page);
      const orderId = orderIdOf(page);
      const { id } = await simulate(withoutEndpoint, orderId, 'PAID');
      await shows(page, 'Your payment has arrived');
      await popup.close();
      await page.reload();
      await shows(page, 'Your payment has arrived');
      const webhook = await makeTestWebhook(
        { id, amount: TOTAL, merchantTransactionId: `${orderId}-1` },
        withoutEndpoint.merchant.listener,
      );
      for (const _ of [1, 2]) assert.equal(await withoutEndpoint.sendWebhook(webhook), 204);
      await shows(page, 'Paid. Your order is released');
      // The page stops polling after the release, perhaps before the repeat arrived.
      await page.reload();
      await page.getByRole('link', { name: /^Behind the counter/ }).click();
      await page.getByText('came 2 times, repeats ignored').waitFor();
    }));

  it('is not needed: the shop’s page can be closed and opened again', () =>
    visit(running, async (page) => {
      const popup = await placeOrder(page);
      const address = page.url();
      const orderId = orderIdOf(page);
      await page.close();
      await simulate(running, orderId, 'EXPIRED');
      const later = await popup.context().newPage();
      await later.goto(address);
      await shows(later, 'The payment page has expired');
      const second = later.waitForEvent('popup');
      await later.getByRole('button', { name: /^Start a new payment/ }).click();
      await (await second).waitForURL(/\/pay\//);
      await shows(later, 'Your order is waiting for its payment');
    }));

  it('stays closed while the checkout has a fault; the form is sent once', () =>
    visit(running, async (page) => {
      await fillBasket(page);
      const [windows, posts]: [unknown[], unknown[]] = [[], []];
      page.on('popup', (popup) => windows.push(popup));
      page.on('request', (request) => request.method() === 'POST' && posts.push(request));
      const faulty = {
        'Enter your name': { name: ' ', email: 'ada@example.com' },
        'Enter your e-mail address, or': { name: 'Ada Lovelace', email: '' },
        'Enter an e-mail address such as': { name: 'Ada Lovelace', email: 'nowhere' },
      };
      for (const [fault, { name, email }] of Object.entries(faulty)) {
        await page.getByLabel('Your name').fill(name);
        await page.getByLabel('E-mail address').fill(email);
        await page.getByRole('button', { name: /^Place the order/ }).click();
        const summary = page.getByRole('alert').filter({ hasText: fault });
        await summary.waitFor();
        assert.match(await page.evaluate<string>(FOCUSED), new RegExp(fault));
      }
      assert.equal(await page.title(), 'Error: check out · Demo Shop');
      assert.equal(await page.getByLabel('Your name').inputValue(), 'Ada Lovelace');
      assert.equal(posts.length, Object.keys(faulty).length);
      assert.equal(windows.length, 0);
    }));

  it('closes when it comes back to the order’s page, which the first tab shows', () =>
    visit(running, async (page) => {
      const popup = await placeOrder(page);
      await simulate(running, orderIdOf(page), 'PAID');
      const returnUrl = page.url();
      // The customer has gone on in the first tab meanwhile.
      await page.getByRole('link', { name: 'Demo Shop' }).click();
      await shows(page, 'Coffee, and what it takes');
      await comeBack(popup, returnUrl);
      await page.waitForURL(returnUrl);
      await shows(page, 'Paid. Your order is released');
    }));

  it('closes unpaid as well; the first tab offers the payment again', () =>
    visit(running, async (page) => {
      const popup = await placeOrder(page);
      await comeBack(popup, page.url());
      await page.getByText('The payment window is closed').waitFor();
      await page.getByRole('button', { name: 'Reopen the window' }).waitFor();
      await page.getByRole('button', { name: /^Go to the payment/ }).waitFor();
    }));

  it('shows the order itself when the first tab is gone', () =>
    visit(running, async (page) => {
      const popup = await placeOrder(page);
      const returnUrl = page.url();
      await simulate(running, orderIdOf(page), 'PAID');
      await page.close();
      await popup.evaluate(`location.assign('${returnUrl}')`);
      await shows(popup, 'Paid. Your order is released');
    }));

  it('is not needed without script: the tab leads to the payment, and the page reloads', () =>
    visit(
      running,
      async (page) => {
        await fillBasket(page);
        await page.getByRole('button', { name: /^Place the order/ }).click();
        await shows(page, 'Your order is waiting for its payment');
        const returnUrl = page.url();
        const orderId = orderIdOf(page);
        await page.getByRole('button', { name: /^Pay/ }).click();
        await page.waitForURL(/\/pay\//);
        await page.goto(returnUrl);
        await shows(page, 'Your order is waiting for its payment');
        assert.equal(await page.locator('meta[http-equiv=refresh]').count(), 1);
        await simulate(running, orderId, 'PAID');
        await page.reload();
        await shows(page, 'Paid. Your order is released');
      },
      { javaScriptEnabled: false },
    ));

  it('can be reached with the keyboard alone', () =>
    visit(running, async (page) => {
      const go = async (name: RegExp) => {
        for (let tabs = 0; tabs < 60; tabs += 1) {
          await page.keyboard.press('Tab');
          const focused = await page.evaluate<string>(FOCUSED);
          if (name.test(focused)) return;
        }
        assert.fail(`no way to ${name}`);
      };
      await go(/^Add Harbour/);
      await page.keyboard.press('Enter');
      await page.getByText('Harbour is in your basket').waitFor();
      await go(/^Go to the basket/);
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/basket$/);
      await go(/^Check out/);
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/checkout$/);
      await go(/^Your name/);
      await page.keyboard.type('Ada');
      await go(/^Mobile number/);
      await page.keyboard.type('416 555 0199');
      const popup = page.waitForEvent('popup');
      await page.keyboard.press('Enter');
      await (await popup).waitForURL(/\/pay\//);
      await shows(page, 'Your order is waiting for its payment');
    }));
});

describe('the shop while the payment service is unavailable', { skip: WITHOUT_BROWSER }, () => {
  it('closes the window, keeps the order and reports it', async () => {
    const running = await startShopWithService({ environment: 'sandbox' });
    const browser = await startBrowser();
    try {
      const page = await browser.newPage();
      await page.goto(running.shopUrl);
      await page.getByRole('button', { name: /^Add Harbour/ }).click();
      await page.goto(`${running.shopUrl}/checkout`);
      await page.getByLabel('Your name').fill('Ada');
      await page.getByLabel('E-mail address').fill('ada@example.com');
      await running.stopService();
      const popup = page.waitForEvent('popup');
      await page.getByRole('button', { name: /^Place the order/ }).click();
      const opened = await popup;
      await page.getByText('The payment page could not be opened').waitFor();
      await page.getByRole('heading', { name: 'Your order is waiting for its payment' }).waitFor();
      assert.match(page.url(), /\/orders\//);
      assert.equal(opened.isClosed(), true);
    } finally {
      await browser.close();
      await running.stop();
    }
  });
});
