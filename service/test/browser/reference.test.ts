import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { looksOf } from '../support/browser/axe.ts';
import { startBrowsable } from '../support/browser/browsable.ts';
import { openVisitor, startBrowser, WITHOUT_BROWSER } from '../support/browser/browser.ts';
import type { Production } from '../support/service/production.ts';

/** A page of each kind, with the deepest schemas and a checklist. */
const PATHS = ['/docs', '/docs?q=webhook', '/docs/readTimeline', '/docs/guides/go-live'];

describe('the reference in a browser', { skip: WITHOUT_BROWSER }, () => {
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

  it('is accessible, narrow and wide, light and dark, and fits', async () => {
    const { origin } = new URL(production.service.publicApiUrl);
    const visitor = await openVisitor(browser, origin);
    for (const path of PATHS) {
      await visitor.page.goto(origin + path);
      await visitor.page.evaluate(
        "for (const each of document.querySelectorAll('details')) each.open = true",
      );
      for await (const look of looksOf(visitor.page)) {
        const overflow = 'document.documentElement.scrollWidth - document.body.clientWidth';
        assert.equal(await visitor.page.evaluate(overflow), 0, `${path} at ${look.name}`);
        assert.deepEqual(await look.violations(), [], `${path}, ${look.name}`);
      }
    }
    assert.deepEqual(visitor.faults, []);
    await visitor.close();
  });

  it('has a page to try calls on, which its script fills without a fault or a faint text', async () => {
    const { origin } = new URL(production.service.publicApiUrl);
    const visitor = await openVisitor(browser, origin);
    await visitor.page.goto(`${origin}/docs/try`);
    await visitor.page.getByRole('heading', { name: 'Payment Requests API' }).waitFor();
    for await (const look of looksOf(visitor.page)) {
      const faint = (await look.violations()).filter((each) => each.startsWith('color-contrast'));
      assert.deepEqual(faint, [], look.name);
    }
    assert.deepEqual(visitor.faults, []);
    await visitor.close();
  });

  it('is read, searched and followed without JavaScript', async () => {
    const { origin } = new URL(production.service.publicApiUrl);
    const visitor = await openVisitor(browser, origin, { javaScriptEnabled: false });
    const { page } = visitor;
    await page.goto(`${origin}/docs`);
    await page.getByLabel('Search calls').fill('merchantTransactionId');
    await page.getByRole('button', { name: 'Search' }).click();
    const results = page.locator('.calls');
    await results.getByRole('link', { name: 'Create a payment request' }).click();
    await page.getByRole('heading', { level: 1, name: 'Create a payment request' }).waitFor();
    await page.getByRole('link', { name: 'VALIDATION_ERROR' }).click();
    await page.getByRole('link', { name: 'Calls that answer it' }).click();
    await results.getByRole('link', { name: 'Create a payment request' }).waitFor();
    assert.deepEqual(visitor.faults, []);
    await visitor.close();
  });
});
