import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { looksOf } from '../../support/browser/axe.ts';
import { browsableSettings } from '../../support/browser/browsable.ts';
import { startBrowser, WITHOUT_BROWSER } from '../../support/browser/browser.ts';
import { overflowOf } from '../../support/browser/overflow.ts';
import { type ConsoleClient, signIn } from '../../support/console/console-client.ts';
import { startTestService, type TestService } from '../../support/service/service.ts';

const PATH = '/console/components';

describe('the parts of the design', { skip: WITHOUT_BROWSER }, () => {
  let service: TestService;
  let person: ConsoleClient;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;

  before(async () => {
    const settings = await browsableSettings();
    service = await startTestService({ settings });
    person = await signIn(service, { role: 'operator' });
    browser = await startBrowser();
    context = await browser.newContext({ locale: 'en-CA' });
    await context.setExtraHTTPHeaders({ cookie: person.cookies() });
    page = await context.newPage();
    await page.goto(new URL(PATH, settings.PUBLIC_API_URL).href);
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  it('are accessible in every state, narrow and wide, light and dark, and fit', async () => {
    for await (const look of looksOf(page)) {
      assert.equal(await overflowOf(page), 0, look.name);
      assert.deepEqual(await look.violations(), [], look.name);
    }
  });

  it('fit a phone with text of twice the size', async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    await page.evaluate("document.documentElement.style.fontSize = '200%'");
    const wide = `[...document.querySelectorAll('body *')].filter((each) =>
      each.getBoundingClientRect().right > 390 && !each.closest('pre, .scroll')
    ).map((each) => each.outerHTML.slice(0, 80))`;
    assert.equal(await overflowOf(page), 0, String(await page.evaluate(wide)));
    await page.evaluate("document.documentElement.style.fontSize = ''");
  });

  it('keep an edge around badges and the present tab in forced colours', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    const edge = (selector: string, side: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}'))['${side}']`);
    assert.equal(await edge('.badge', 'border-top-style'), 'solid');
    assert.equal(await edge('.tabs [aria-current]', 'border-bottom-style'), 'solid');
    await page.emulateMedia({ forcedColors: null });
  });

  it('keep an amount on one line, however narrow its table', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    const lines = await page.evaluate(`
      document.querySelector('.list-rows table').style.width = '1px';
      document.querySelector('.list-rows .scroll').style.width = '1px';
      const amounts = [...document.querySelectorAll('.list-rows .amount')];
      amounts.map((each) => each.getClientRects().length)
    `);
    assert.deepEqual([...new Set(lines as number[])], [1]);
    await page.reload();
  });

  it('open a row of a list by a click anywhere on it, and show the full time on hover', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    const row = page.locator('.list-rows tbody tr').first();
    assert.match((await row.locator('time').getAttribute('title')) ?? '', /\d{4}/);
    await page.evaluate('window.isOld = true');
    await row.locator('td').nth(1).click({ force: true });
    await page.waitForFunction('window.isOld === undefined');
    assert.equal(new URL(page.url()).pathname, PATH);
  });

  it('stay out of a deployment that people reach from elsewhere', async () => {
    const settings = { ...(await browsableSettings()), PUBLIC_API_URL: 'https://pay.test/v1' };
    const other = await startTestService({ settings });
    try {
      const { status } = await (await signIn(other, { role: 'operator' })).get(PATH);
      assert.equal(status, 404);
    } finally {
      await other.stop();
    }
  });
});
