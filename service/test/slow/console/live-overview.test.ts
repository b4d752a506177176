import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { startPersonSession } from '../../support/approvals/person-session.ts';
import { looksOf } from '../../support/browser/axe.ts';
import { startBrowsable } from '../../support/browser/browsable.ts';
import { openVisitor, startBrowser, WITHOUT_BROWSER } from '../../support/browser/browser.ts';
import type { Production } from '../../support/service/production.ts';

describe('an open overview', { skip: WITHOUT_BROWSER }, () => {
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

  async function open() {
    const { service } = production;
    const grants = [{ role: 'operator', merchantId: null }] as const;
    const value = await startPersonSession(service, { subject: 'ada', name: 'Ada', grants });
    const visitor = await openVisitor(browser, service.url);
    await visitor.page.context().addCookies([{ name: 'console', value, url: service.url }]);
    await visitor.page.goto(`${service.url}/console/operator/overview`);
    return visitor;
  }

  it('shows new figures in its place, until a person pauses it', async () => {
    const { page, faults, close } = await open();
    const created = page.locator('.card', { has: page.getByRole('heading', { name: 'Created' }) });
    await created.getByText('0', { exact: true }).waitFor();
    // Marks this document: a page that is loaded again has no mark.
    await page.evaluate("document.body.setAttribute('data-mark', 'first')");
    await production.createLink();
    await created.getByText('1', { exact: true }).waitFor();
    await page
      .getByRole('table', { name: 'Payment requests by the hour of their creation' })
      .waitFor();
    assert.equal(await page.locator('body[data-mark="first"]').count(), 1);

    await page.getByRole('button', { name: 'Pause live figures' }).click();
    await production.createLink();
    const other = await open();
    const now = other.page.locator('.card', {
      has: other.page.getByRole('heading', { name: 'Created' }),
    });
    await now.getByText('2', { exact: true }).waitFor();
    assert.equal(await created.getByText('1', { exact: true }).count(), 1);
    await page.getByRole('button', { name: 'Show live figures' }).click();
    await created.getByText('2', { exact: true }).waitFor();
    assert.deepEqual([...faults, ...other.faults], []);
    await other.close();
    await close();
  });

  it('has no finding of axe at any width, in light and dark', async () => {
    const { page, close } = await open();
    for await (const look of looksOf(page)) {
      assert.deepEqual(await look.violations(), [], look.name);
      const width = await page.evaluate('document.documentElement.scrollWidth');
      assert.ok(Number(width) <= look.width, `${look.name} is ${width} px wide`);
    }
    await close();
  });
});
