import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { looksOf } from '../../support/browser/axe.ts';
import { openVisitor, startBrowser, WITHOUT_BROWSER } from '../../support/browser/browser.ts';
import { signIn } from '../../support/console/console-client.ts';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import { paymentRequestCalls } from '../../support/payment-requests/payment-requests.ts';
import { startTestService, type TestService } from '../../support/service/service.ts';

describe('the palette of the console', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser;
  let service: TestService;
  let page: Page;
  let base: string;
  let id: string;

  before(async () => {
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    service = await startTestService({
      settings: { PORT: `${port}`, PUBLIC_API_URL: `${origin}/v1` },
    });
    const merchant = await service.createMerchant({ name: 'Harbour Books' });
    const payer = { name: 'Zoë Tremblay', email: 'zoe@payer.example' };
    const calls = paymentRequestCalls(service, merchant);
    id = (await calls.create({ payer, invoiceNumber: 'INV-2026-1267' })).json.id;
    await calls.create({ payer: { ...payer, name: 'Ada Roy' }, invoiceNumber: 'INV-2026-1268' });
    const { merchantId } = merchant;
    base = `${origin}/console/m/${merchantId}`;
    const person = await signIn(service, { role: 'administrator', merchantId });
    browser = await startBrowser();
    page = (await openVisitor(browser, origin)).page;
    const cookies = person
      .cookies()
      .split('; ')
      .map((each) => each.split('='));
    await page
      .context()
      .addCookies(cookies.map(([name = '', value = '']) => ({ name, value, url: origin })));
    await service.advance(5);
    await eventually(async () => {
      const texts = await service.database.sql('SELECT FROM payment_request_texts');
      return texts.length === 2;
    }, 'the texts');
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  const dialog = () => page.getByRole('dialog', { name: 'Search, or go to a page' });
  const open = async () => {
    await page.keyboard.press('Control+k');
    await dialog().waitFor();
  };

  it('finds a payment request by a part of its reference, by keys alone', async () => {
    await page.goto(`${base}/overview`);
    await open();
    await page.keyboard.type('1267');
    await dialog().getByRole('link', { name: 'Zoë Tremblay' }).waitFor();
    assert.equal(await dialog().getByRole('status').textContent(), 'One payment request found');
    for await (const look of looksOf(page)) {
      assert.deepEqual(await look.violations(), [], look.name);
    }
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${base}/payment-requests/${id}`);
  });

  it('shows what was open lately, and leads to pages and acts by their names', async () => {
    await open();
    await dialog().getByRole('heading', { name: 'Opened lately' }).waitFor();
    await page.keyboard.type('ref');
    await dialog().getByRole('link', { name: 'Refunds' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`${base}/refunds`);
    await open();
    await page.keyboard.type('ask');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${base}/payment-requests/new`);
    const kept = await page.evaluate(() => JSON.stringify(localStorage));
    assert.equal(kept, JSON.stringify({ 'console-recent': JSON.stringify([id]) }));
  });

  it('has what was open lately on the first page, too', async () => {
    await page.goto(base.replace(/\/m\/.*/, ''));
    await page.getByRole('heading', { name: 'Opened lately' }).waitFor();
    for await (const look of looksOf(page)) {
      assert.deepEqual(await look.violations(), [], look.name);
    }
    await page.locator('main').getByRole('link', { name: 'Zoë Tremblay' }).click();
    await page.waitForURL(`${base}/payment-requests/${id}`);
  });

  it('suggests in the bar, and closes by Escape', async () => {
    await page.goto(`${base}/refunds`);
    await page.getByRole('searchbox').fill('tremb');
    const found = page.getByRole('search').getByRole('link', { name: 'Zoë Tremblay' });
    await found.waitFor();
    for await (const look of looksOf(page)) {
      assert.deepEqual(await look.violations(), [], look.name);
    }
    await page.keyboard.press('Escape');
    await found.waitFor({ state: 'hidden' });
    await open();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
  });
});
