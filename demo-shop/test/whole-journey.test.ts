import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startBrowser, WITHOUT_BROWSER } from '../../service/test/support/browser/browser.ts';
import { type ShopWithService, startShopWithService } from './support/shop-with-service.ts';

/** Later than a payment that settles after 20 s (journey §1). */
const SETTLED_SECONDS = 25;

/** In production, on the simulated network: from the shop's page to the release of the order. */
describe('the whole journey from the shop', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser;
  let beside: ShopWithService;

  before(async () => {
    browser = await startBrowser();
    beside = await startShopWithService({ environment: 'production' });
  });
  after(async () => {
    await browser?.close();
    await beside?.stop();
  });

  async function visit(
    work: (shop: Page) => Promise<void>,
    options: BrowserContextOptions = {},
  ): Promise<void> {
    const context = await browser.newContext({ locale: 'en-CA', ...options });
    const faults: string[] = [];
    context.on('weberror', (fault) => faults.push(String(fault.error())));
    context.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    try {
      const shop = await context.newPage();
      await shop.goto(beside.shopUrl);
      await work(shop);
      assert.deepEqual(faults, []);
    } finally {
      await context.close();
    }
  }

  const shows = (page: Page, heading: string | RegExp) =>
    page.getByRole('heading', { level: 1, name: heading }).waitFor();

  async function order(shop: Page): Promise<Page> {
    for (const _ of [1, 2]) await shop.getByRole('button', { name: /^Add Harbour/ }).click();
    await shop.getByRole('link', { name: 'Go to the basket' }).click();
    await shop.getByRole('link', { name: 'Check out' }).click();
    await shop.getByLabel('Your name').fill('Ada Lovelace');
    await shop.getByLabel('E-mail address').fill('ada@example.com');
    return opens(shop, /^Place the order/);
  }

  /** Presses a button of the shop that opens the payment window; gives the window. */
  async function opens(shop: Page, button: RegExp): Promise<Page> {
    const popup = shop.waitForEvent('popup');
    await shop.getByRole('button', { name: button }).click();
    return popup;
  }

  /** In the payment window, as a test user of the simulated network. */
  async function signIn(popup: Page, username: string): Promise<void> {
    await popup.getByRole('radio', { name: 'Boreal Bank' }).check();
    await popup.getByRole('button', { name: 'Continue', exact: true }).click();
    await popup.getByRole('link', { name: 'Go to Boreal Bank' }).click();
    await popup.getByLabel('Username').fill(username);
    await popup.getByLabel('Password').fill('demo');
    await popup.getByRole('button', { name: 'Sign in', exact: true }).click();
    await shows(popup, 'Confirm your payment');
    await popup.getByText('Demo Shop').first().waitFor();
    await popup.getByText(/Order \d+: 2 × Harbour/).waitFor();
  }

  const pay = (popup: Page) => popup.getByRole('button', { name: 'Pay $31.50' }).click();

  it('ends with the order released and the window closed by the payer', () =>
    visit(async (shop) => {
      const popup = await order(shop);
      await signIn(popup, 'approve');
      await pay(popup);
      await shows(shop, 'Paid. Your order is released');
      await shop.getByText(/Paid with Boreal Bank, reference/).waitFor();
      assert.equal(popup.isClosed(), false);
      const closed = popup.waitForEvent('close');
      // The click may be cut short by what it does.
      await popup
        .getByRole('button', { name: /Close/ })
        .click()
        .catch(() => {});
      await closed;
      assert.equal(shop.isClosed(), false);
    }));

  it('tells why a payment was refused, and goes on to another one', () =>
    visit(async (shop) => {
      const popup = await order(shop);
      await signIn(popup, 'funds');
      await pay(popup);
      await shows(shop, 'The payment did not go through');
      await shop.getByText('account does not hold enough money').waitFor();
      // The window of the first attempt is still open: it is the one that is used again.
      await shop.getByRole('button', { name: /^Try again/ }).click();
      await signIn(popup, 'approve');
      await pay(popup);
      await shows(shop, 'Paid. Your order is released');
    }));

  it('waits with a payment that settles late, without asking for another one', () =>
    visit(async (shop) => {
      const popup = await order(shop);
      await signIn(popup, 'slow');
      await pay(popup);
      await shows(shop, 'Your bank is settling the payment');
      assert.equal(await shop.getByRole('main').getByRole('button').count(), 0);
      // Nor does the page speak of the window any more, in which there is nothing left to do.
      const aboutWindow = shop.getByRole('region', { name: 'Payment window' });
      await aboutWindow.waitFor({ state: 'hidden' });
      await popup.close();
      await beside.service.advance(SETTLED_SECONDS);
      await shows(shop, 'Paid. Your order is released');
    }));

  it('works without any script', () =>
    visit(
      async (shop) => {
        for (const _ of [1, 2]) await shop.getByRole('button', { name: /^Add Harbour/ }).click();
        await shop.goto(`${beside.shopUrl}/checkout`);
        await shop.getByLabel('Your name').fill('Ada Lovelace');
        await shop.getByLabel('Mobile number').fill('416 555 0199');
        await shop.getByRole('button', { name: /^Place the order/ }).click();
        const tab = await opens(shop, /^Pay/);
        await signIn(tab, 'approve');
        await pay(tab);
        await shows(tab, /paid/i);
        await shop.reload();
        await shows(shop, 'Paid. Your order is released');
      },
      { javaScriptEnabled: false },
    ));

  it('speaks French to who prefers it', () =>
    visit(
      async (shop) => {
        const popup = await order(shop);
        await popup.getByRole('button', { name: 'Continuer', exact: true }).waitFor();
        assert.equal(await popup.locator('html').getAttribute('lang'), 'fr');
      },
      { locale: 'fr-CA' },
    ));

  it('leaves the truth on the order’s page after every page was closed in the middle', () =>
    visit(async (shop) => {
      const popup = await order(shop);
      await signIn(popup, 'approve');
      const address = shop.url();
      await shop.close();
      await pay(popup);
      await shows(popup, /paid/i);
      const later = await popup.context().newPage();
      await popup.close();
      await later.goto(address);
      await shows(later, 'Paid. Your order is released');
    }));
});
