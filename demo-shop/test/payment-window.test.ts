import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { makeTestWebhook } from '@payment-requests/sdk';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startBrowser, WITHOUT_BROWSER } from '../../service/test/support/browser/browser.ts';
import { TOTAL } from './support/customer.ts';
import { type ShopWithService, startShopWithService } from './support/shop-with-service.ts';

/** As an in-app browser of a phone names itself. */
const IN_APP =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 [FBAN/FBIOS]';

/** What a person would call the element that has the focus. */
const FOCUSED = '(document.activeElement.labels?.[0] ?? document.activeElement).textContent';

describe('the payment window of the shop', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser;
  /** The merchant's endpoint is the shop's listener. */
  let beside: ShopWithService;
  /** Webhooks come only when a test sends them. */
  let unheard: ShopWithService;

  before(async () => {
    browser = await startBrowser();
    beside = await startShopWithService({ environment: 'sandbox' });
    unheard = await startShopWithService({ environment: 'sandbox', hasEndpoint: false });
  });
  after(async () => {
    await browser?.close();
    await beside?.stop();
    await unheard?.stop();
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

  /** Up to the button that places the order. */
  async function fillBasket(page: Page): Promise<void> {
    for (const _ of [1, 2]) await page.getByRole('button', { name: /^Add Harbour/ }).click();
    await page.getByRole('link', { name: 'Go to the basket' }).click();
    await page.getByRole('link', { name: 'Check out' }).click();
    await page.getByLabel('Your name').fill('Ada Lovelace');
    await page.getByLabel('E-mail address').fill('ada@example.com');
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

  it('opens with the click, leads to the payment, and the page follows to the release', () =>
    visit(beside, async (page) => {
      const popup = await placeOrder(page);
      assert.match(popup.url(), new RegExp(`^${beside.service.publicApiUrl.slice(0, -3)}/pay/`));
      await page.getByText('Pay in the window that has opened').waitFor();
      await simulate(beside, orderIdOf(page), 'PAID');
      await shows(page, 'Paid. Your order is released');
      assert.equal(await page.locator('#payment-window').isVisible(), false);
      assert.equal(await page.locator('#news').textContent(), 'Paid. Your order is released');
      assert.equal(popup.isClosed(), false, 'the payer closes it');
      await page.reload();
      await shows(page, 'Paid. Your order is released');
    }));

  it('makes one order and one window of a double click', () =>
    visit(beside, async (page) => {
      await fillBasket(page);
      const popups: Page[] = [];
      page.on('popup', (popup) => popups.push(popup));
      await page.getByRole('button', { name: /^Place the order/ }).dblclick();
      await shows(page, 'Your order is waiting for its payment');
      assert.equal(popups.length, 1);
      await simulate(beside, orderIdOf(page), 'PAID');
      await shows(page, 'Paid. Your order is released');
    }));

  it('may be closed early: the page asks on, and opens it again', () =>
    visit(beside, async (page) => {
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
      await simulate(beside, orderIdOf(page), 'PAID');
      await shows(page, 'Paid. Your order is released');
    }));

  it('is replaced by the same tab where it is blocked; Back leads to the order', () =>
    visit(beside, async (page) => {
      await page.addInitScript('window.open = () => null');
      await fillBasket(page);
      await page.getByRole('button', { name: /^Place the order/ }).click();
      await page.waitForURL(/\/pay\//);
      await page.goBack();
      await page.waitForURL(/\/orders\//);
      await shows(page, 'Your order is waiting for its payment');
      await simulate(beside, orderIdOf(page), 'PAID');
      await shows(page, 'Paid. Your order is released');
    }));

  it('is replaced by the same tab in a browser inside another app', () =>
    visit(
      beside,
      async (page) => {
        await fillBasket(page);
        await page.getByRole('button', { name: /^Place the order/ }).click();
        await page.waitForURL(/\/pay\//);
        assert.equal(page.context().pages().length, 1);
      },
      { userAgent: IN_APP },
    ));

  it('is not needed for the truth: a late webhook is waited for, and then it is released', () =>
    visit(unheard, async (page) => {
      const popup = await placeOrder(page);
      const orderId = orderIdOf(page);
      const { id } = await simulate(unheard, orderId, 'PAID');
      await shows(page, 'Your payment has arrived');
      await popup.close();
      await page.reload();
      await shows(page, 'Your payment has arrived');
      const webhook = await makeTestWebhook(
        { id, amount: TOTAL, merchantTransactionId: `${orderId}-1` },
        unheard.merchant.listener,
      );
      for (const _ of [1, 2]) assert.equal(await unheard.sendWebhook(webhook), 204);
      await shows(page, 'Paid. Your order is released');
      // The page asks no more once it knows, which may have been before the repeat came.
      await page.reload();
      await page.getByText('Behind the counter').click();
      await page.getByText('came 2 times, repeats ignored').waitFor();
    }));

  it('is not needed for the truth: the shop’s page may be closed and opened again', () =>
    visit(beside, async (page) => {
      const popup = await placeOrder(page);
      const address = page.url();
      const orderId = orderIdOf(page);
      await page.close();
      await simulate(beside, orderId, 'EXPIRED');
      const later = await popup.context().newPage();
      await later.goto(address);
      await shows(later, 'The payment page has expired');
      const second = later.waitForEvent('popup');
      await later.getByRole('button', { name: /^Start a new payment/ }).click();
      await (await second).waitForURL(/\/pay\//);
      await shows(later, 'Your order is waiting for its payment');
    }));

  it('stays closed when the checkout has a fault, which the page tells', () =>
    visit(beside, async (page) => {
      await fillBasket(page);
      await page.getByLabel('E-mail address').fill('nowhere');
      await page.getByRole('button', { name: /^Place the order/ }).click();
      await page.getByRole('alert').getByText('Enter an e-mail address').waitFor();
      assert.equal(page.context().pages().length, 1);
      assert.equal(await page.getByLabel('Your name').inputValue(), 'Ada Lovelace');
    }));

  it('is not needed without script: a tab of its own, and a page that loads itself', () =>
    visit(
      beside,
      async (page) => {
        await fillBasket(page);
        await page.getByRole('button', { name: /^Place the order/ }).click();
        await shows(page, 'Your order is waiting for its payment');
        const tab = page.waitForEvent('popup');
        await page.getByRole('button', { name: /^Pay/ }).click();
        await (await tab).waitForURL(/\/pay\//);
        await simulate(beside, orderIdOf(page), 'PAID');
        assert.equal(await page.locator('meta[http-equiv=refresh]').count(), 1);
        await page.reload();
        await shows(page, 'Paid. Your order is released');
      },
      { javaScriptEnabled: false },
    ));

  it('is reached by keyboard alone', () =>
    visit(beside, async (page) => {
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

describe('the shop while the payment service is away', { skip: WITHOUT_BROWSER }, () => {
  it('closes the window again, keeps the order and says so', async () => {
    const beside = await startShopWithService({ environment: 'sandbox' });
    const browser = await startBrowser();
    try {
      const page = await browser.newPage();
      await page.goto(beside.shopUrl);
      await page.getByRole('button', { name: /^Add Harbour/ }).click();
      await page.goto(`${beside.shopUrl}/checkout`);
      await page.getByLabel('Your name').fill('Ada');
      await page.getByLabel('E-mail address').fill('ada@example.com');
      await beside.stopService();
      const popup = page.waitForEvent('popup');
      await page.getByRole('button', { name: /^Place the order/ }).click();
      const opened = await popup;
      await page.getByText('The payment page could not be opened').waitFor();
      await page.getByRole('heading', { name: 'Your order is waiting for its payment' }).waitFor();
      assert.match(page.url(), /\/orders\//);
      assert.equal(opened.isClosed(), true);
    } finally {
      await browser.close();
      await beside.stop();
    }
  });
});
