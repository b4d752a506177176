import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import {
  openVisitor,
  startBrowser,
  type Visitor,
  WITHOUT_BROWSER,
} from '../../support/browser/browser.ts';
import { signIn } from '../../support/console/console-client.ts';
import { freePort } from '../../support/free-port.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../../support/service/service.ts';

/** A page and two rows. */
const ROWS = 27;

describe('the shortcuts of the console’s lists', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser;
  let service: TestService;
  let merchant: TestMerchant;
  let visitor: Visitor;
  let page: Page;
  let list: string;

  before(async () => {
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    service = await startTestService({
      settings: { PORT: `${port}`, PUBLIC_API_URL: `${origin}/v1` },
    });
    merchant = await service.createMerchant({ name: 'Harbour Books' });
    for (let index = 1; index <= ROWS; index++) {
      await create('Ada', index);
    }
    const { merchantId } = merchant;
    list = `${origin}/console/m/${merchantId}/payment-requests`;
    const person = await signIn(service, { role: 'administrator', merchantId });
    browser = await startBrowser();
    visitor = await openVisitor(browser, origin);
    page = visitor.page;
    const cookies = person
      .cookies()
      .split('; ')
      .map((each) => each.split('='));
    await page
      .context()
      .addCookies(cookies.map(([name = '', value = '']) => ({ name, value, url: origin })));
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  const create = async (name: string, amount = 1) => {
    const payer = { name, email: 'ada@payer.example' };
    const body = { amount, type: 'ECOMM', payer };
    await service.call('POST', '/v1/payment-requests', { headers: merchant.headers, body });
  };
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  /** The number of the row that has the focus; -1: none has. */
  const focusedRow = () =>
    page.locator('a.row').evaluateAll((rows) => rows.findIndex((each) => each.matches(':focus')));

  it('move through the rows, and Enter opens one', async () => {
    await page.goto(list);
    await press('j', 'j', 'j', 'k', 'ArrowDown', 'ArrowUp');
    assert.equal(await focusedRow(), 1);
    const address = await page.locator('a.row').nth(1).getAttribute('href');
    await press('Enter');
    await page.waitForURL(`**${address}`);
  });

  it('lead to the search, the filters, the pages and the form', async () => {
    await page.goto(list);
    await press('/');
    assert.equal(
      await page.locator('input[type=search]').evaluate((each) => each.matches(':focus')),
      true,
    );
    await press('j');
    assert.equal(await page.locator('input[type=search]').inputValue(), 'j', 'a letter is typed');
    await page.goto(list);
    await press('f');
    assert.equal(await page.getByRole('checkbox', { name: 'Created' }).first().isVisible(), true);
    await page.goto(list);
    await press('n');
    await page.waitForURL('**cursor=**');
    assert.equal(await page.locator('a.row').count(), ROWS - 25);
    await press('p');
    await page.waitForURL(list);
    await press('c');
    await page.waitForURL(`${list}/new`);
  });

  it('stay on a page that says how many rows are new, and leads to them', async () => {
    await page.goto(list);
    const first = await page.locator('a.row').first().getAttribute('href');
    await service.advance(1);
    for (const name of ['Grace', 'Edsger']) await create(name);
    const link = page.getByRole('status').getByRole('link', { name: '2 new' });
    await link.waitFor();
    assert.equal(await page.locator('a.row').first().getAttribute('href'), first);
    await link.click();
    await page.getByText('Edsger', { exact: true }).waitFor();
    assert.equal(await page.getByRole('status').getByRole('link').count(), 0);
  });

  it('are listed by ?, and stay off where a person switches them off', async () => {
    await page.goto(list);
    await press('?');
    await page.waitForURL('**/console/shortcuts');
    await page.getByRole('checkbox').uncheck();
    await page.goto(list);
    await press('j', '?', 'n');
    assert.equal(page.url(), list);
    assert.equal(await focusedRow(), -1);
    await page.locator('a.row').first().focus();
    await press('ArrowDown');
    assert.equal(await focusedRow(), 1, 'arrows are no letters');
    await page.goto(list.replace(/\/m\/.*/, '/shortcuts'));
    await page.getByRole('checkbox').check();
    await page.goto(list);
    await press('j');
    assert.equal(await focusedRow(), 0);
    assert.deepEqual(visitor.faults, []);
  });
});
