import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startBrowser, WITHOUT_BROWSER } from '../../service/test/support/browser/browser.ts';
import { eventually } from '../../service/test/support/eventually.ts';
import {
  type ShopWithService,
  STAFF_KEY,
  startShopWithService,
} from './support/shop-with-service.ts';

/** The user agent of a browser inside another app on a phone. */
const IN_APP =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 [FBAN/FBIOS]';
/** Later than a payment that settles after 20 s (journey §1). */
const SETTLED_SECONDS = 25;

/** Production on the simulated network, from the shop's page to the release of the order. */
describe('the whole journey from the shop', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser;
  let running: ShopWithService;

  before(async () => {
    browser = await startBrowser();
    running = await startShopWithService({ environment: 'production' });
  });
  after(async () => {
    await browser?.close();
    await running?.stop();
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
      await shop.goto(running.shopUrl);
      await work(shop);
      assert.deepEqual(faults, []);
    } finally {
      await context.close();
    }
  }

  const shows = (page: Page, heading: string | RegExp) =>
    page.getByRole('heading', { level: 1, name: heading }).waitFor();

  async function fillIn(shop: Page): Promise<void> {
    for (const _ of [1, 2]) await shop.getByRole('button', { name: /^Add Harbour/ }).click();
    await shop.getByRole('link', { name: 'Go to the basket' }).click();
    await shop.getByRole('link', { name: 'Check out' }).click();
    await shop.getByLabel('Your name').fill('Ada Lovelace');
    await shop.getByLabel('E-mail address').fill('ada@example.com');
  }

  async function order(shop: Page): Promise<Page> {
    await fillIn(shop);
    return opens(shop, /^Place the order/);
  }

  /** Presses a button that opens the payment window; gives the window. */
  async function opens(shop: Page, button: RegExp): Promise<Page> {
    const popup = shop.waitForEvent('popup');
    await shop.getByRole('button', { name: button }).click();
    return popup;
  }

  /** Signs in as a test user of the simulated network in the payment window. */
  async function signIn(popup: Page, username: string): Promise<void> {
    await popup.getByRole('radio', { name: 'Boreal Bank' }).check();
    await popup.getByRole('button', { name: /^Continue/ }).click();
    await popup.getByLabel('Username').fill(username);
    await popup.getByLabel('Password').fill('demo');
    await popup.getByRole('button', { name: 'Sign in', exact: true }).click();
    await shows(popup, 'Confirm your payment');
    await popup.getByText('Demo Shop').first().waitFor();
    await popup.getByText(/Order \d+: 2 × Harbour/).waitFor();
  }

  /** Follows the link of the last payment page; the page may close with it. */
  const comesBack = (page: Page) =>
    page.getByRole('link', { name: 'Back to Demo Shop' }).click({ noWaitAfter: true });
  const pay = (popup: Page) => popup.getByRole('button', { name: 'Pay $31.50' }).click();

  /** Moves the clock of the service until a mail with this subject has come. */
  const mailed = (subject: RegExp) =>
    eventually(async () => {
      await running.service.advance(1);
      return running.inbox.list().find((mail) => subject.test(mail.subject));
    }, 'the mail');

  it('ends with the released order and a window that the payer closes', () =>
    visit(async (shop) => {
      const popup = await order(shop);
      await signIn(popup, 'approve');
      await pay(popup);
      await shows(shop, 'Paid. Your order is released');
      await shop.getByText(/Paid with Boreal Bank, reference/).waitFor();
      assert.equal(popup.isClosed(), false);
      const closed = popup.waitForEvent('close');
      // The click closes the page and may therefore reject.
      await popup
        .getByRole('button', { name: /Close/ })
        .click()
        .catch(() => {});
      await closed;
      assert.equal(shop.isClosed(), false);
    }));

  it('shows why a payment was refused and continues with another payment', () =>
    visit(async (shop) => {
      const popup = await order(shop);
      await signIn(popup, 'funds');
      await pay(popup);
      // The payer could choose another bank; the shop hears of the failure after this answer.
      await popup.getByRole('button', { name: 'Stop and tell Demo Shop' }).click();
      await shows(shop, 'The payment did not go through');
      await shop.getByText('account does not hold enough money').waitFor();
      // The window of the first attempt is still open and is used again.
      await shop.getByRole('button', { name: /^Try again/ }).click();
      await signIn(popup, 'approve');
      await pay(popup);
      await shows(shop, 'Paid. Your order is released');
    }));

  it('waits for a late settlement and offers no second payment', () =>
    visit(async (shop) => {
      const popup = await order(shop);
      await signIn(popup, 'slow');
      await pay(popup);
      await shows(shop, 'Your bank is settling the payment');
      assert.equal(await shop.getByRole('main').getByRole('button').count(), 0);
      // The page also hides the part about the window, which needs no more action.
      const aboutWindow = shop.getByRole('region', { name: 'Payment window' });
      await aboutWindow.waitFor({ state: 'hidden' });
      await popup.close();
      await running.service.advance(SETTLED_SECONDS);
      await shows(shop, 'Paid. Your order is released');
    }));

  it('works without any script', () =>
    visit(
      async (shop) => {
        for (const _ of [1, 2]) await shop.getByRole('button', { name: /^Add Harbour/ }).click();
        await shop.goto(`${running.shopUrl}/checkout`);
        await shop.getByLabel('Your name').fill('Ada Lovelace');
        await shop.getByLabel('Mobile number').fill('416 555 0199');
        await shop.getByRole('button', { name: /^Place the order/ }).click();
        await shop.getByRole('button', { name: /^Pay/ }).click();
        await signIn(shop, 'approve');
        await pay(shop);
        await comesBack(shop);
        await shows(shop, 'Paid. Your order is released');
      },
      { javaScriptEnabled: false },
    ));

  it('ends on the shop’s order page when the browser blocks the window', () =>
    visit(async (shop) => {
      await shop.addInitScript('window.open = () => null');
      await fillIn(shop);
      await shop.getByRole('button', { name: /^Place the order/ }).click();
      await signIn(shop, 'approve');
      await pay(shop);
      await comesBack(shop);
      await shows(shop, 'Paid. Your order is released');
      assert.equal(shop.context().pages().length, 1);
    }));

  it('ends on the shop’s order page in a browser inside another app', () =>
    visit(
      async (shop) => {
        await fillIn(shop);
        await shop.getByRole('button', { name: /^Place the order/ }).click();
        await signIn(shop, 'approve');
        await pay(shop);
        await comesBack(shop);
        await shows(shop, 'Paid. Your order is released');
        assert.equal(shop.context().pages().length, 1);
      },
      { userAgent: IN_APP },
    ));

  it('leads back without a payment, to an order that keeps its basket', () =>
    visit(async (shop) => {
      await shop.addInitScript('window.open = () => null');
      await fillIn(shop);
      await shop.getByRole('button', { name: /^Place the order/ }).click();
      await shop.getByRole('link', { name: 'Go back without paying' }).click();
      await shows(shop, 'Your order is waiting for its payment');
      await shop.getByRole('link', { name: 'Change the basket' }).click();
      await shop.getByText('2 items').waitFor();
    }));

  it('says in the shop’s own words that the payer declined', () =>
    visit(async (shop) => {
      const popup = await order(shop);
      await signIn(popup, 'approve');
      await popup.getByRole('button', { name: /Decline/ }).click();
      await shows(shop, 'You declined the payment');
      await shop.getByText('You chose not to pay on your bank’s page.').waitFor();
      assert.equal(await shop.getByRole('main').getByText('The payer').count(), 0);
    }));

  it('closes the window on the way back; the basket is then empty', () =>
    visit(async (shop) => {
      const popup = await order(shop);
      await signIn(popup, 'approve');
      await pay(popup);
      const closed = popup.waitForEvent('close');
      await comesBack(popup);
      await closed;
      await shows(shop, 'Paid. Your order is released');
      await shop.goto(`${running.shopUrl}/basket`);
      await shows(shop, 'Your basket is empty');
    }));

  it('is in French for a browser that prefers French, in the shop and in the window', () =>
    visit(
      async (shop) => {
        await shows(shop, 'Du café, et ce qu’il lui faut');
        await shop.getByRole('button', { name: /^Ajouter Vieux-Port/ }).click();
        await shop.getByRole('link', { name: 'Voir le panier' }).click();
        await shop.getByRole('link', { name: 'Commander' }).click();
        await shop.getByLabel('Votre nom').fill('Ada Lovelace');
        await shop.getByLabel('Adresse courriel').fill('ada@example.com');
        const popup = await opens(shop, /^Passer la commande/);
        await popup.locator('html[lang=fr]').getByText('Demo Shop').first().waitFor();
        await shows(shop, 'Votre commande attend son paiement');
      },
      { locale: 'fr-CA' },
    ));

  it('shows the release on the order’s page after all pages were closed', () =>
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

  it('goes by e-mail: pay later, the link, the payment, and its receipt', () =>
    visit(async (shop) => {
      await fillIn(shop);
      await shop.getByText('Pay later: send me the link').click();
      await shop.getByRole('button', { name: /^Place the order/ }).click();
      await shows(shop, 'We have e-mailed you the link');
      await mailed(/^Demo Shop asks you to pay/);
      const staff = await shop.context().newPage();
      await staff.goto(`${running.shopUrl}/staff?key=${STAFF_KEY}`);
      await staff.getByRole('link', { name: 'E-mails to customers' }).click();
      await staff
        .getByRole('link', { name: /^Demo Shop asks you to pay/ })
        .first()
        .click();
      await staff.getByRole('heading', { name: 'As text' }).waitFor();
      const opened = staff.waitForEvent('popup');
      const mail = staff.frameLocator('iframe');
      await mail.getByRole('link', { name: 'Pay $31.50' }).click();
      const payment = await opened;
      await signIn(payment, 'approve');
      await pay(payment);
      await shows(shop, 'Paid. Your order is released');
      await payment.getByText('to a…@example.com').waitFor();
      await payment.getByRole('button', { name: 'E-mail me a receipt' }).click();
      await payment.getByText('A receipt goes to a…@example.com.').waitFor();
      const receipt = await mailed(/^Demo Shop has received \$31\.50 from you/);
      assert.equal(receipt.to, 'ada@example.com');
      await staff.goto(`${running.shopUrl}/staff/mail?mail=${receipt.number}`);
      await mail.getByRole('heading', { name: 'You have paid $31.50 to Demo Shop' }).waitFor();
    }));
});
