import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { brokenWords } from '../support/browser/broken-words.ts';
import { startBrowsable } from '../support/browser/browsable.ts';
import {
  openVisitor,
  signInAs,
  startBrowser,
  switchLanguage,
  type Visitor,
  WITHOUT_BROWSER,
} from '../support/browser/browser.ts';
import type { CreatedLink, Production } from '../support/service/production.ts';

/** The window of checkout.js, and the narrowest phone. */
const SMALL_WINDOWS = [
  { width: 480, height: 760 },
  { width: 320, height: 568 },
];

describe('the gateway’s pages in a browser', { skip: WITHOUT_BROWSER }, () => {
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

  /** Opens a new payment request in a browser of its own. */
  async function visit(
    work: (page: Page, link: CreatedLink, visitor: Visitor) => Promise<void>,
    options: BrowserContextOptions = {},
    fields: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    const link = await production.createLink(fields);
    const visitor = await openVisitor(browser, production.service.url, options);
    try {
      await visitor.page.goto(link.paymentLink);
      await work(visitor.page, link, visitor);
      assert.deepEqual(visitor.faults, []);
    } finally {
      await visitor.close();
    }
  }

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  async function toSignIn(page: Page, go = 'Continue to Boreal Bank'): Promise<void> {
    await page.getByRole('radio', { name: 'Boreal Bank' }).check();
    await button(page, go).click();
  }

  for (const viewport of SMALL_WINDOWS) {
    it(`keep the way on in sight, ${viewport.width} px wide`, async () => {
      for (const javaScriptEnabled of [true, false]) {
        await visit(
          async (page) => {
            const isInSight = async (name: string) => {
              const box = await button(page, name).boundingBox();
              assert.ok(box && box.y > 0 && box.y + box.height <= viewport.height, name);
            };
            await isInSight('Choose a bank to continue');
            const address = page.url();
            await page.getByRole('radio', { name: 'Tundra Federal' }).check();
            await isInSight(javaScriptEnabled ? 'Continue to Tundra Federal' : 'Continue');
            assert.equal(page.url(), address, 'choosing submits nothing');
            // The bar covers no radio that has the focus (WCAG 2.4.11).
            await page.evaluate('scrollTo(0, 0)');
            await page.getByRole('radio', { name: 'Boreal Bank' }).focus();
            for (let press = 0; press < 4; press++) {
              await page.keyboard.press('ArrowDown');
              const row = await page.locator('label:has(:focus)').boundingBox();
              const bar = await page.locator('.go').boundingBox();
              assert.ok(row && bar && row.y + row.height <= bar.y + 1, 'the row is in sight');
            }
          },
          { viewport, javaScriptEnabled },
        );
      }
    });
  }

  it('show what is asked, an institution and the way on at once, however long the texts', async () => {
    const fields = {
      displayMessage: `Order ${'of many things '.repeat(17)}`.slice(0, 250).trim(),
      invoiceNumber: 'INVOICE-WITHOUT-ANY-SPACE-'.padEnd(50, '0'),
      amount: 9_999.99,
    };
    const viewport = { width: 320, height: 568 };
    await visit(
      async (page) => {
        const inSight = async (what: ReturnType<Page['locator']>) => {
          const box = await what.boundingBox();
          assert.ok(box && box.y + box.height <= viewport.height, `${box?.y} ${box?.height}`);
          return box;
        };
        const overflow = 'document.documentElement.scrollWidth - innerWidth';
        assert.equal(await page.evaluate(overflow), 0, 'no amount is cut');
        const bar = await inSight(button(page, 'Choose a bank to continue'));
        const row = await inSight(page.locator('.choice').first());
        assert.ok(row.y + row.height <= bar.y, 'the bar covers no part of it');
        const message = page.getByText(fields.displayMessage, { exact: true });
        assert.equal(await message.isVisible(), false);
        await page.locator('.folded > summary').press('Enter');
        await message.waitFor();
        await toSignIn(page, 'Continue');
        await signInAs(page, 'Sign in as approve');
        await page.getByRole('heading', { name: 'Confirm your payment' }).waitFor();
        await inSight(button(page, 'Pay $9,999.99'));
        assert.equal(await message.isVisible(), false);
        await page.locator('.long > summary', { hasText: 'Order of' }).press('Enter');
        await message.waitFor();
      },
      { viewport, javaScriptEnabled: false },
      fields,
    );
  });

  it('show five institutions at once in the payment window', async () => {
    await visit(
      async (page) => {
        await page.getByRole('searchbox').waitFor();
        const bar = await page.locator('.go').boundingBox();
        const rows = await Promise.all(
          (await page.locator('.choice').all()).map((row) => row.boundingBox()),
        );
        const seen = rows.filter((row) => row && bar && row.y + row.height <= bar.y);
        assert.ok(seen.length >= 5, `${seen.length} are in sight`);
      },
      { viewport: { width: 480, height: 760 } },
    );
  });

  it('say what to do when a search finds nothing', async () => {
    await visit(async (page) => {
      const told = page.locator('#found');
      await page.getByRole('radio', { name: 'Kestrel' }).check();
      await page.getByRole('searchbox').fill('Bank of Nowhere');
      await told.getByText('No bank with this name. Check the spelling').waitFor();
      await told.getByText('ask Harbour Books how else you can pay').waitFor();
      // The institution that is chosen stays in sight.
      assert.equal(await page.getByRole('radio').count(), 1);
      await page.getByRole('searchbox').fill('');
      await told.getByText('Banks shown: 11').waitFor();
      await button(page, 'Continue to Kestrel Digital Bank').waitFor();
    });
  });

  for (const javaScriptEnabled of [true, false]) {
    const how = javaScriptEnabled ? 'with script' : 'without script';
    it(`keep the choice when the language is switched, ${how}`, async () => {
      await visit(
        async (page) => {
          await page.getByRole('radio', { name: 'Rideau Mutual' }).check();
          await switchLanguage(page, 'Français');
          await page.getByRole('heading', { name: /^Payer 12,34/ }).waitFor();
          assert.ok(await page.getByRole('radio', { name: 'Rideau Mutual' }).isChecked());
          assert.match(page.url(), /\/choose\?lang=fr&institution=rideau-mutual$/);
          const go = javaScriptEnabled ? 'Continuer vers Rideau Mutual' : 'Continuer';
          await button(page, go).click();
          await page.getByRole('heading', { name: 'Connexion à Rideau Mutual' }).waitFor();
        },
        { javaScriptEnabled },
      );
    });
  }

  it('are sent by the Enter key in the language that they have', async () => {
    for (const javaScriptEnabled of [true, false]) {
      await visit(
        async (page) => {
          await page.getByRole('radio', { name: 'Boreal Bank' }).check();
          await page.keyboard.press('Enter');
          await page.getByRole('heading', { name: 'Sign in to Boreal Bank' }).waitFor();
        },
        { javaScriptEnabled },
      );
    }
  });

  it('stay where they are until the payer leaves', async () => {
    await visit(async (page) => {
      await page.getByRole('radio', { name: 'Boreal Bank' }).check();
      await button(page, 'Continue to Boreal Bank').click();
      await page.getByRole('heading', { name: 'Sign in to Boreal Bank' }).waitFor();
      assert.match(
        (await page.locator('.bill').textContent()) ?? '',
        /Harbour Books\s*Amount\$12\.34/,
      );
      const address = page.url();
      // No timer of the page, however far ahead.
      await page.clock.install();
      await page.reload();
      await page.clock.fastForward('01:00:00');
      assert.equal(page.url(), address);
      assert.doesNotMatch(await page.content(), /http-equiv/i);
    });
  });

  it('give an error the focus, and keep the username', async () => {
    await visit(
      async (page) => {
        const focused = () => page.locator(':focus').textContent();
        await button(page, 'Choose a bank to continue').click();
        await page.waitForURL(/missing/);
        assert.equal(await focused(), 'Choose a bank first.');
        assert.match(await page.title(), /^Error: Pay/);
        await page.getByRole('radio', { name: 'Boreal Bank' }).check();
        await page.keyboard.press('Enter');
        await page.getByLabel('Username').fill('approve');
        await page.getByLabel('Password').fill('wrong');
        await button(page, 'Sign in').click();
        await page.waitForURL(/failed/);
        assert.match((await focused()) ?? '', /^The username or the password is not right/);
        assert.match(await page.title(), /^Error: Sign in/);
        assert.equal(await page.getByLabel('Username').inputValue(), 'approve');
        await switchLanguage(page, 'Français');
        await page.getByText('Il reste 4 essais').waitFor();
        await page.getByLabel('Mot de passe').fill('demo');
        await button(page, 'Se connecter').click();
        await page.getByRole('heading', { name: 'Confirmez votre paiement' }).waitFor();
      },
      { javaScriptEnabled: false },
    );
  });

  it('write times in the zone of the browser', async () => {
    const expiryDateTime = '2027-01-15T17:30:00Z';
    const expected = {
      en: 'January 15, 2027 at 12:30 p.m. EST',
      fr: '15 janvier 2027 à 12 h 30 HNE',
    };
    for (const [language, text] of Object.entries(expected)) {
      await visit(
        async (page) => {
          await page.waitForFunction('!document.querySelector("time").textContent.includes("UTC")');
          const shown = await page.locator('time').textContent();
          assert.equal(shown?.replace(/\s/g, ' '), text);
          // No line ends within the time of day.
          assert.match(shown ?? '', /\d (at|à) [^ ]+$/);
        },
        { locale: `${language}-CA`, timezoneId: 'America/Toronto' },
        { expiryDateTime },
      );
    }
  });

  it('count the last ten minutes down, also where the clock of the device is wrong', async () => {
    const now = production.service.clock.now().getTime();
    const expiryDateTime = new Date(now + 15 * 60_000);
    await visit(
      async (page) => {
        // The clock of the page stands still, so that each minute begins where the test says so.
        await page.clock.install({ time: '2001-01-01T00:00:00Z' });
        await page.clock.pauseAt('2001-01-01T00:01:00Z');
        await page.reload();
        const left = page.locator('.left');
        assert.equal(await left.textContent(), '');
        await page.clock.fastForward(6 * 60_000);
        await left.getByText('9 minutes left to pay').waitFor();
        await page.clock.runFor(100);
        await left.getByText('8 minutes left to pay').waitFor();
        await page.clock.fastForward(7 * 60_000);
        await left.getByText('1 minute left to pay').waitFor();
        await page.clock.fastForward(60_000);
        await left.getByText('Less than a minute left to pay').waitFor();
        await page.clock.resume();
        await toSignIn(page);
        await signInAs(page, 'Sign in as approve');
        await page.getByText('Good until').waitFor();
      },
      {},
      { expiryDateTime },
    );
  });

  it('count the wait down after too many tries, and let nobody try before', async () => {
    const headers = { 'x-forwarded-for': '192.0.2.78' };
    const from = () => production.service.call('GET', '/pay/Unknown000000000', { headers });
    let refused = await from();
    while (refused.status === 404) refused = await from();
    await visit(async (page) => {
      await page.clock.install();
      const answer = { contentType: 'text/html', body: refused.text };
      await page.route('**/too-many', (route) => route.fulfill(answer));
      await page.goto(new URL('/too-many', page.url()).href);
      const link = page.getByRole('link', { name: /^Try again in \d+ seconds?$/ });
      await link.click({ force: true });
      assert.match(page.url(), /too-many$/);
      await page.clock.runFor(61_000);
      await page.getByRole('link', { name: 'Try again', exact: true }).waitFor();
    });
  });

  it('offer the phone in the payment window, but not on a phone', async () => {
    const viewport = { width: 480, height: 760 };
    const code = 'QR code of this payment link';
    await visit(
      async (page) => {
        assert.equal(await page.getByRole('img', { name: code }).count(), 0);
        await page.locator('.handoff summary').click();
        await page.getByRole('img', { name: code }).waitFor();
      },
      { viewport },
    );
    await visit(
      async (page) => {
        await button(page, 'Choose a bank to continue').waitFor();
        const offers = page.getByText(/Rather pay on your phone\?|Pay on another device\?/);
        assert.equal(await offers.filter({ visible: true }).count(), 0);
      },
      { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
    );
  });

  it('keep the switch of the language in sight when the text is twice as large', async () => {
    await visit(
      async (page) => {
        await page.evaluate('document.documentElement.style.fontSize = "200%"');
        const overflow = 'document.documentElement.scrollWidth - innerWidth';
        assert.equal(await page.evaluate(overflow), 0);
        assert.deepEqual(await brokenWords(page), []);
        await page.locator('.languages summary').click();
        const present = page.locator('.languages [aria-current="true"]');
        assert.equal(await present.textContent(), 'English');
        assert.equal(await button(page, 'English').count(), 0);
        const box = await button(page, 'Português').boundingBox();
        assert.ok(box && box.x >= 0 && box.x + box.width <= 390);
      },
      { viewport: { width: 390, height: 844 } },
    );
  });
});
