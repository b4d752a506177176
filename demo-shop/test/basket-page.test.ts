import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { startBrowser, WITHOUT_BROWSER } from '../../service/test/support/browser/browser.ts';
import { type ShopWithService, startShopWithService } from './support/shop-with-service.ts';

describe('the basket’s page', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser;
  let running: ShopWithService;

  before(async () => {
    browser = await startBrowser();
    running = await startShopWithService({ environment: 'sandbox', hasEndpoint: false });
  });
  after(async () => {
    await browser?.close();
    await running?.stop();
  });

  async function visit(work: (page: Page) => Promise<void>, options = {}): Promise<void> {
    const context = await browser.newContext({ locale: 'en-CA', ...options });
    try {
      const page = await context.newPage();
      await page.goto(running.shopUrl);
      await page.getByRole('button', { name: /^Add Harbour/ }).click();
      await page.getByRole('button', { name: /^Add Dripper/ }).click();
      await page.goto(`${running.shopUrl}/basket`);
      await work(page);
    } finally {
      await context.close();
    }
  }

  const quantityOf = (page: Page, name: string) => page.getByLabel(`${name}: Quantity`);
  const shows = (page: Page, text: string) => page.locator('.total', { hasText: text }).waitFor();

  it('changes a quantity without a button; focus and page stay', () =>
    visit(async (page) => {
      assert.equal(await page.getByRole('button', { name: /^Change/ }).count(), 0);
      await page.evaluate('globalThis.isSamePage = true');
      await quantityOf(page, 'Harbour').focus();
      await quantityOf(page, 'Harbour').selectOption('3');
      await shows(page, '$75.75');
      assert.equal(await page.evaluate('document.activeElement.id'), 'quantity-harbour');
      assert.equal(await page.evaluate('globalThis.isSamePage'), true);
      assert.match((await page.locator('#news').textContent()) ?? '', /To pay\s*\$75\.75/);
      await quantityOf(page, 'Dripper').selectOption('0');
      await shows(page, '$47.25');
      await quantityOf(page, 'Harbour').selectOption('0');
      await page.getByRole('heading', { name: 'Your basket is empty' }).waitFor();
    }));

  it('keeps the last of several quick changes', () =>
    visit(async (page) => {
      const quantities = ['2', '5', '3', '7', '4'];
      await page.evaluate(`{
        const select = document.getElementById('quantity-harbour');
        for (const quantity of ${JSON.stringify(quantities)}) {
          select.value = quantity;
          select.dispatchEvent(new Event('change', { bubbles: true }));
        }
      }`);
      await shows(page, '$91.50');
      await page.reload();
      assert.equal(await quantityOf(page, 'Harbour').inputValue(), '4');
    }));

  it('has a button without script', () =>
    visit(
      async (page) => {
        await quantityOf(page, 'Harbour').selectOption('3');
        await page.getByRole('button', { name: 'Change the quantity of Harbour' }).click();
        await shows(page, '$75.75');
      },
      { javaScriptEnabled: false },
    ));
});
