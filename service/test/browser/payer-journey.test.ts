import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startBrowsable } from '../support/browser/browsable.ts';
import {
  openVisitor,
  signInAs,
  startBrowser,
  switchLanguage,
  type Visitor,
  WITHOUT_BROWSER,
} from '../support/browser/browser.ts';
import { pressUntil, readInOrder } from '../support/browser/keyboard.ts';
import { cookiesOf } from '../support/browser/payer-pages.ts';
import { eventually } from '../support/eventually.ts';
import { createPayer } from '../support/payment-requests/payer.ts';
import type { Production } from '../support/service/production.ts';

const naturalWidth = (image: { naturalWidth: number }) => image.naturalWidth;

describe('a payer’s browser', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser;
  let production: Production;

  before(async () => {
    browser = await startBrowser();
    production = await startBrowsable();
  });
  after(async () => {
    await browser?.close();
    await production?.stop();
  });

  /** Lets a browser of its own work, and holds it to asking and breaking nothing. */
  async function visit(
    work: (visitor: Visitor) => Promise<void>,
    options: BrowserContextOptions = {},
  ): Promise<void> {
    const visitor = await openVisitor(browser, production.service.url, options);
    try {
      await work(visitor);
      assert.deepEqual(visitor.faults, []);
    } finally {
      await visitor.close();
    }
  }

  const shows = (page: Page, heading: string | RegExp) =>
    page.getByRole('heading', { level: 1, name: heading }).waitFor();

  async function chooseInstitution(page: Page, name: string, go = 'Continue to') {
    await page.getByRole('radio', { name }).check();
    await page.getByRole('button', { name: `${go} ${name}`, exact: true }).click();
  }

  async function signIn(page: Page, paymentLink: string, username: string): Promise<void> {
    await page.goto(paymentLink);
    await chooseInstitution(page, 'Boreal Bank');
    await page.getByLabel('Username').fill(username);
    await page.getByLabel('Password').fill('demo');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await shows(page, 'Confirm your payment');
  }

  /**
   * Signs in by calls, and shows the page of the confirmation: for tests of what follows it. Every
   * page until there takes the browser a tenth of a second of CPU.
   */
  async function comeSignedIn(page: Page, paymentLink: string, username: string): Promise<void> {
    const payer = createPayer(production.service);
    const { address } = await payer.signIn(paymentLink, username);
    const { href } = new URL(address, production.service.url);
    await page.context().addCookies(cookiesOf(payer, href));
    await page.goto(href);
    await shows(page, 'Confirm your payment');
  }

  const pay = (page: Page) => page.getByRole('button', { name: 'Pay $12.34' }).click();

  async function becomes(id: string, status: string): Promise<void> {
    await eventually(async () => (await production.read(id)).status === status, status);
  }

  it('pays in a real pop-up, which its opener sees and can close', async () => {
    const { id, paymentLink } = await production.createLink();
    await visit(async ({ page }) => {
      // A page of the same origin stands in for the merchant's.
      await page.goto(`${production.service.url}/problems`);
      const opened = page.waitForEvent('popup');
      await page.evaluate(
        `globalThis.paying = open(${JSON.stringify(paymentLink)}, 'pay', 'popup,width=480,height=720')`,
      );
      const popup = await opened;
      const isClosed = () => page.evaluate('globalThis.paying.closed');
      await shows(popup, 'Pay $12.34 to Harbour Books');
      await signIn(popup, paymentLink, 'approve');
      assert.equal(await isClosed(), false);
      await pay(popup);
      await shows(popup, 'You paid $12.34 to Harbour Books');
      await becomes(id, 'PAID');
      const { networkReference } = (await production.read(id)).payment;
      await popup.getByText(networkReference).waitFor();
      assert.equal(await isClosed(), false);
      const close = popup.getByRole('button', { name: 'Close this window' });
      assert.equal(await popup.locator('.button:not(.quiet):visible').count(), 1);
      await popup.getByRole('button', { name: 'Copy: Reference for your bank' }).waitFor();
      // The click may be cut short by what it does.
      await close.click().catch(() => {});
      await eventually(isClosed, 'the closed pop-up');
    });
  });

  it('shows no button that could not close its window, and prints without controls', async () => {
    const { id, shortCode, paymentLink } = await production.createLink();
    await production.cancel(id);
    await visit(async ({ page }) => {
      await page.goto(`${production.service.url}/problems`);
      await page.goto(paymentLink);
      assert.equal(await page.getByRole('button', { name: 'Close this window' }).count(), 0);
      await page.getByText('You can close this window').waitFor();
      await page.getByRole('button', { name: 'Copy: Reference' }).waitFor();
      await page.emulateMedia({ media: 'print' });
      assert.equal(await page.getByRole('button').count(), 0);
      await page.getByText(shortCode).waitFor();
    });
  });

  it('declines', async () => {
    const { id, paymentLink } = await production.createLink();
    await visit(async ({ page }) => {
      await comeSignedIn(page, paymentLink, 'approve');
      await page.getByRole('button', { name: 'Decline' }).click();
      await shows(page, 'You declined this payment');
    });
    await becomes(id, 'FAILED');
  });

  it('hears that there is not enough money, and stops', async () => {
    const { id, paymentLink } = await production.createLink();
    await visit(async ({ page }) => {
      await comeSignedIn(page, paymentLink, 'funds');
      await pay(page);
      await shows(page, 'Boreal Bank did not make the payment');
      await page.getByText('There is not enough money').waitFor();
      await page.getByRole('button', { name: 'Stop and tell Harbour Books' }).dblclick();
      await shows(page, 'The payment did not go through');
      await page.getByText('There is not enough money').waitFor();
    });
    await becomes(id, 'FAILED');
    assert.deepEqual(await production.webhooksOf(id), ['PAYMENT-FAILED']);
  });

  it('pays at another institution when the first one does not answer', async () => {
    const { id, paymentLink } = await production.createLink();
    await visit(async ({ page }) => {
      await comeSignedIn(page, paymentLink, 'timeout');
      await pay(page);
      await shows(page, 'Waiting for Boreal Bank');
      await production.service.advance(10);
      await shows(page, 'Boreal Bank did not make the payment');
      await page.getByRole('button', { name: 'Try Boreal Bank again' }).click();
      await shows(page, 'Sign in to Boreal Bank');
      await page.getByRole('link', { name: 'Choose another bank' }).click();
      await chooseInstitution(page, 'Kestrel Digital Bank');
      await signInAs(page, 'Sign in as approve');
      await pay(page);
      await shows(page, 'You paid $12.34 to Harbour Books');
    });
    assert.deepEqual(await production.statusesOf(id), ['CREATED', 'PAID']);
  });

  it('signs in by a button of the simulation', async () => {
    const { paymentLink } = await production.createLink();
    await visit(async ({ page }) => {
      await page.goto(paymentLink);
      await chooseInstitution(page, 'Kestrel Digital Bank');
      await signInAs(page, 'Sign in as limit');
      await pay(page);
      await shows(page, 'Kestrel Digital Bank did not make the payment');
      await page.getByText('The amount is above a limit').waitFor();
    });
  });

  it('follows money that settles late, without doing anything', async () => {
    const { id, paymentLink } = await production.createLink();
    await visit(async ({ page }) => {
      await comeSignedIn(page, paymentLink, 'slow');
      await pay(page);
      await shows(page, 'Your payment is on its way');
      await production.service.advance(20);
      await shows(page, 'You paid $12.34 to Harbour Books');
    });
    await becomes(id, 'PAID');
  });

  it('follows by asking where events do not get through', async () => {
    const { paymentLink } = await production.createLink();
    const visitor = await openVisitor(browser, production.service.url);
    const { page } = visitor;
    await page.route('**/live/**', (route) => {
      const isStream = route.request().headers().accept?.includes('event-stream');
      return isStream ? route.fulfill({ status: 503 }) : route.continue();
    });
    await comeSignedIn(page, paymentLink, 'slow');
    await pay(page);
    await shows(page, 'Your payment is on its way');
    await production.service.advance(20);
    await shows(page, 'You paid $12.34 to Harbour Books');
    await visitor.close();
  });

  it('sees that a link has expired, also one that is open', async () => {
    const expiryDateTime = new Date(production.service.clock.now().getTime() + 600_000);
    const { paymentLink } = await production.createLink({ expiryDateTime });
    await visit(async ({ page }) => {
      await comeSignedIn(page, paymentLink, 'approve');
      await production.service.advance(600);
      await shows(page, 'This payment link has expired');
      await page.goto(paymentLink);
      await shows(page, 'This payment link has expired');
    });
  });

  it('sees that the merchant has cancelled, on the page where it stands', async () => {
    const { id, paymentLink } = await production.createLink();
    await visit(async ({ page }) => {
      await comeSignedIn(page, paymentLink, 'approve');
      await production.cancel(id);
      await shows(page, 'This payment request was cancelled');
      await page.goto(paymentLink);
      await shows(page, 'This payment request was cancelled');
    });
  });

  it('sees what became of a link that it opens again', async () => {
    const { paymentLink } = await production.createLink();
    await visit(async ({ page }) => {
      await comeSignedIn(page, paymentLink, 'approve');
      const confirm = page.url();
      await pay(page);
      await shows(page, /^You paid/);
      for (const address of [paymentLink, confirm]) {
        await page.goto(address);
        await shows(page, /^You paid/);
      }
      await page.goBack();
      await shows(page, /^You paid/);
    });
  });

  it('pays once by a double click', async () => {
    const { id, paymentLink } = await production.createLink();
    await visit(async ({ page }) => {
      await comeSignedIn(page, paymentLink, 'approve');
      await page.getByRole('button', { name: 'Pay $12.34' }).dblclick();
      await shows(page, /^You paid/);
    });
    assert.deepEqual(await production.webhooksOf(id), ['PAYMENT-COMPLETED']);
  });

  it('pays once from two tabs', async () => {
    const { id, paymentLink } = await production.createLink();
    await visit(async ({ page, newPage }) => {
      await comeSignedIn(page, paymentLink, 'approve');
      const second = await newPage();
      await second.goto(paymentLink);
      await shows(second, 'Confirm your payment');
      await Promise.all([pay(page), pay(second).catch(() => {})]);
      await Promise.all([shows(page, /^You paid/), shows(second, /^You paid/)]);
    });
    assert.deepEqual(await production.statusesOf(id), ['CREATED', 'PAID']);
    assert.deepEqual(await production.webhooksOf(id), ['PAYMENT-COMPLETED']);
  });

  it('gets through without JavaScript', async () => {
    const { id, paymentLink } = await production.createLink();
    await visit(
      async ({ page }) => {
        await page.goto(paymentLink);
        assert.equal(await page.getByRole('searchbox').count(), 0);
        await page.getByRole('button', { name: 'Choose a bank to continue' }).click();
        await page.getByText('Choose a bank first').waitFor();
        await page.getByRole('radio', { name: 'Boreal Bank' }).check();
        await page.getByRole('button', { name: 'Continue', exact: true }).click();
        await signInAs(page, 'Sign in as wrong');
        await page.getByText('4 tries are left').waitFor();
        await page.getByLabel('Username').fill('slow');
        await page.getByLabel('Password').fill('demo');
        await page.getByLabel('Password').press('Enter');
        await shows(page, 'Confirm your payment');
        await pay(page);
        await shows(page, 'Your payment is on its way');
        assert.equal(await page.getByRole('button').count(), 0);
        await production.service.advance(20);
        await becomes(id, 'PAID');
        // The page asks again by itself.
        await shows(page, /^You paid/);
      },
      { javaScriptEnabled: false },
    );
  });

  it('speaks French to who prefers it, from the link to the result', async () => {
    const { paymentLink } = await production.createLink();
    await visit(
      async ({ page }) => {
        await page.goto(paymentLink);
        await shows(page, /^Payer 12,34\s\$ à Harbour Books$/);
        await chooseInstitution(page, 'Caisse du Vieux-Port', 'Continuer vers');
        await shows(page, 'Connexion à Caisse du Vieux-Port');
        await signInAs(page, 'Se connecter comme approve');
        await page.getByRole('button', { name: /^Payer 12,34/ }).click();
        await shows(page, /^Vous avez payé 12,34\s\$ à Harbour Books$/);
        assert.equal(await page.locator('html').getAttribute('lang'), 'fr');
      },
      { locale: 'fr-CA' },
    );
  });

  it('keeps the language that was asked for', async () => {
    const { paymentLink } = await production.createLink();
    await visit(async ({ page }) => {
      await page.goto(paymentLink);
      await switchLanguage(page, 'Français');
      await shows(page, /^Payer 12,34/);
      await chooseInstitution(page, 'Boreal Bank', 'Continuer vers');
      await signInAs(page, 'Se connecter comme funds');
      await page.getByRole('button', { name: /^Payer 12,34/ }).click();
      await shows(page, 'Boreal Bank n’a pas effectué le paiement');
      await page.getByRole('button', { name: 'Arrêter et aviser Harbour Books' }).click();
      await shows(page, 'Le paiement n’a pas abouti');
    });
  });

  it('is led by the keyboard alone, reads in order, and shows its focus', async () => {
    const { paymentLink } = await production.createLink();
    await visit(async ({ page: opener }) => {
      await opener.goto(`${production.service.url}/problems`);
      const opened = opener.waitForEvent('popup');
      await opener.evaluate(
        `open(${JSON.stringify(paymentLink)}, 'pay', 'popup,width=480,height=760')`,
      );
      const page = await opened;
      const outlineOf = (selector: string) =>
        page.evaluate<string>(
          `getComputedStyle(document.activeElement.closest('${selector}')).outlineStyle`,
        );
      await shows(page, 'Pay $12.34 to Harbour Books');
      await pressUntil(page, 'Tab', 'Boreal Bank');
      assert.match(await outlineOf('label'), /solid/);
      await pressUntil(page, 'ArrowDown', 'Harbour Trust');
      const choose = (await readInOrder(page)).filter((stop) => !stop.startsWith('radio'));
      assert.deepEqual(choose, [
        'group Language: English',
        'heading Pay $12.34 to Harbour Books',
        'group Two books · INV-77 Details',
        'group Choose your bank or credit union',
        'searchbox Search by name',
        'heading Often chosen',
        'heading All others',
        'button Continue to Harbour Trust',
        'group Pay on another device?',
      ]);
      await pressUntil(page, 'Tab', 'Continue to Harbour Trust');
      await page.keyboard.press('Enter');
      await shows(page, 'Sign in to Harbour Trust');
      await page.waitForURL(/harbour-trust\/sign-in/);
      assert.deepEqual(await readInOrder(page), [
        'group Language: English',
        'heading Sign in to Harbour Trust',
        'term To',
        'term Amount',
        'textbox Username',
        'textbox Password',
        'button Sign in',
        'link Choose another bank',
        'group This is a simulation: sign in as a test user',
      ]);
      await pressUntil(page, 'Tab', 'Username');
      await page.keyboard.type('approve');
      await page.keyboard.press('Tab');
      await page.keyboard.type('demo');
      await page.keyboard.press('Enter');
      await shows(page, 'Confirm your payment');
      assert.deepEqual(await readInOrder(page), [
        'group Language: English',
        'heading Confirm your payment',
        'link Not you?',
        'term To',
        'term Amount',
        'term From',
        'term Message',
        'term Invoice',
        'term Good until',
        'button Pay $12.34',
        'button Decline',
        'link Choose another bank',
      ]);
      await pressUntil(page, 'Tab', 'Pay $12.34');
      assert.match(await outlineOf('button'), /solid/);
      await page.keyboard.press('Enter');
      await shows(page, /^You paid/);
      assert.deepEqual(await readInOrder(page), [
        'group Language: English',
        'heading You paid $12.34 to Harbour Books',
        'button Close this window',
        'term To',
        'term Amount',
        'term Message',
        'term Invoice',
        'term From',
        'term Paid',
        'term Reference',
        'button Copy: Reference',
        'term Reference for your bank',
        'button Copy: Reference for your bank',
        'button Print or save as PDF',
        'heading Questions about this payment?',
        'button Copy the reference',
        'group I did not order this',
      ]);
      await pressUntil(page, 'Tab', 'Close this window');
      const closed = page.waitForEvent('close');
      // The press may be cut short by what it does.
      await page.keyboard.press('Enter').catch(() => {});
      await closed;
    });
  });

  it('goes on on a phone, and the first screen follows', async () => {
    const { paymentLink } = await production.createLink();
    await visit(
      async ({ page }) => {
        await page.goto(paymentLink);
        const code = page.getByRole('img', { name: 'QR code of this payment link' });
        await code.waitFor();
        const width = () => code.evaluate<number, { naturalWidth: number }>(naturalWidth);
        await eventually(async () => (await width()) > 200, 'the image of the code');
        await visit(
          async ({ page: phone }) => {
            await phone.goto(paymentLink);
            assert.equal(await phone.getByRole('img', { name: /QR/ }).count(), 0);
            await chooseInstitution(phone, 'Boreal Bank');
            await shows(page, 'The payment continues on another device');
            await page.getByText('The other device is signing in at a bank.').waitFor();
            await signInAs(phone, 'Sign in as approve');
            await page.getByText('about to confirm $12.34 to Harbour Books').waitFor();
            // The page offers no third device.
            assert.equal(await code.count(), 0);
            assert.ok(await page.getByText('Pay here instead').isVisible());
            // Its name stands in the list alone: the institution is no matter of this browser.
            assert.equal(await page.getByText('Boreal Bank').count(), 1);
            await pay(phone);
            await shows(phone, /^You paid/);
          },
          { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
        );
        await shows(page, 'Paid on your other device');
      },
      { viewport: { width: 1280, height: 900 } },
    );
  });

  it('finds an institution by a part of its name', async () => {
    const { paymentLink } = await production.createLink();
    await visit(async ({ page }) => {
      await page.goto(paymentLink);
      await page.getByRole('searchbox', { name: 'Search by name' }).fill('MUT rîd');
      assert.deepEqual(await page.getByRole('radio').count(), 1);
      await page.getByRole('status').getByText('Banks shown: 1').waitFor();
      await page.keyboard.press('Enter');
      await shows(page, 'Pay $12.34 to Harbour Books');
      await chooseInstitution(page, 'Rideau Mutual');
      await shows(page, 'Sign in to Rideau Mutual');
    });
  });
});
