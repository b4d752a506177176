import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { startBrowsable } from '../support/browsable.ts';
import { startBrowser, WITHOUT_BROWSER } from '../support/browser.ts';
import { createFakeNetwork } from '../support/fake-network.ts';
import { type MeetablePage, meetGatewayPages, meetOtherPages } from '../support/payer-pages.ts';
import type { Production } from '../support/production.ts';

const WIDTHS = [320, 1280];
const SCHEMES = ['light', 'dark'] as const;
const LOCALES = ['en-CA', 'fr-CA'];
/** WCAG 2.2 A and AA, and what axe calls good practice. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

describe('every page of the payer’s journey', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser;
  let simulated: Production;
  let other: Production;
  let pages: MeetablePage[] = [];

  before(async () => {
    const network = createFakeNetwork();
    browser = await startBrowser();
    simulated = await startBrowsable({ start: new Date() });
    other = await startBrowsable({ start: new Date(), makeNetwork: network.make });
    pages = [...(await meetGatewayPages(simulated)), ...(await meetOtherPages(other, network))];
  });
  after(async () => {
    await browser?.close();
    await simulated?.stop();
    await other?.stop();
  });

  for (const locale of LOCALES) {
    for (const width of WIDTHS) {
      it(`is accessible in ${locale} at ${width} px, light and dark, and fits`, async () => {
        const context = await browser.newContext({ locale, viewport: { width, height: 800 } });
        const page = await context.newPage();
        // The leaving page would leave.
        await page.route('**/follow-link-*.js', (route) => route.abort());
        for (const { name, url, cookies } of pages) {
          await context.clearCookies();
          await context.addCookies([...cookies]);
          await page.goto(url);
          assert.equal(await page.locator('html').getAttribute('lang'), locale.slice(0, 2), name);
          const overflow = 'document.documentElement.scrollWidth - document.body.clientWidth';
          assert.equal(await page.evaluate(overflow), 0, `${name} is wider than ${width} px`);
          for (const colorScheme of SCHEMES) {
            await page.emulateMedia({ colorScheme });
            assert.deepEqual(await violationsOf(page), [], `${name}, ${colorScheme}`);
          }
        }
        await context.close();
      });
    }
  }
});

/** In the page alone: the usual mode opens another page for each run, and there are no frames. */
async function violationsOf(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).withTags(TAGS).setLegacyMode().analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
