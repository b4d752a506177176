import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { looksOf } from '../support/browser/axe.ts';
import { browsableSettings, startBrowsable } from '../support/browser/browsable.ts';
import { openVisitor, startBrowser, WITHOUT_BROWSER } from '../support/browser/browser.ts';
import { overflowOf } from '../support/browser/overflow.ts';
import { signIn } from '../support/console/console-client.ts';
import type { Production } from '../support/service/production.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

/** A page of each kind, with the deepest schemas and a checklist. */
const PATHS = [
  '/docs',
  '/docs?q=webhook',
  '/docs/readTimeline',
  '/docs/guides/go-live',
  '/problems',
  '/problems/validation-error',
];

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
        assert.equal(await overflowOf(visitor.page), 0, `${path} at ${look.name}`);
        assert.deepEqual(await look.violations(), [], `${path}, ${look.name}`);
      }
    }
    assert.deepEqual(visitor.faults, []);
    await visitor.close();
  });

  it('keeps what a reader ticks and searches, and filters problems', async () => {
    const { origin } = new URL(production.service.publicApiUrl);
    const { page, faults, close } = await openVisitor(browser, origin);
    await page.goto(`${origin}/docs/guides/go-live`);
    const task = page.getByRole('checkbox', { name: 'The production webhook URL differs' });
    await task.check();
    await page.reload();
    assert.ok(await task.isChecked());
    assert.equal(await page.getByRole('checkbox', { checked: true }).count(), 1);
    await page.goto(`${origin}/problems`);
    await page.getByLabel('Find a problem').fill('api key MISSING');
    await page.getByText(/^1 of \d+ shown$/).waitFor();
    assert.equal(await page.locator('main dt:visible').count(), 1);
    assert.ok(await page.getByRole('link', { name: 'API key missing' }).isVisible());
    const search = page.getByLabel('Search calls', { exact: false });
    await search.fill('merchantTransactionId');
    await page.locator('.results').getByRole('link', { name: 'Create a payment request' }).click();
    await page.getByRole('heading', { level: 1, name: 'Create a payment request' }).waitFor();
    await page.goBack();
    assert.equal(await search.inputValue(), 'merchantTransactionId');
    await page.locator('.results').getByRole('link').first().waitFor();
    assert.deepEqual(faults, []);
    await close();
  });

  it('is read, searched and followed without JavaScript', async () => {
    const { origin } = new URL(production.service.publicApiUrl);
    const visitor = await openVisitor(browser, origin, { javaScriptEnabled: false });
    const { page } = visitor;
    await page.goto(`${origin}/docs`);
    await page.getByLabel('Search calls', { exact: false }).fill('merchantTransactionId');
    await page.getByRole('button', { name: 'Search' }).click();
    const results = page.locator('#results');
    await results.getByRole('link', { name: 'Create a payment request' }).click();
    await page.getByRole('heading', { level: 1, name: 'Create a payment request' }).waitFor();
    await page.getByText('PHP', { exact: true }).click();
    assert.ok(await page.getByText('stream_context_create(').first().isVisible());
    assert.ok(await page.getByText('curl -X POST').first().isHidden());
    await page.getByRole('link', { name: 'VALIDATION_ERROR' }).click();
    await page.getByRole('link', { name: 'Calls that answer it' }).click();
    await results.getByRole('link', { name: 'Create a payment request' }).waitFor();
    assert.deepEqual(visitor.faults, []);
    await visitor.close();
  });
});

describe('the reference of a sandbox in a browser', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser;
  let service: TestService;
  let merchant: TestMerchant;
  before(async () => {
    browser = await startBrowser();
    service = await startTestService({ settings: await browsableSettings() });
    merchant = await service.createMerchant({ name: 'Harbour Books' });
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  it('tries calls by the keyboard, keeps the secrets to itself, and is accessible', async () => {
    const { page, faults, close } = await openVisitor(browser, service.url);
    const { username, password, apiKey } = merchant;
    await page.goto(`${service.url}/docs/try#createPaymentRequest`);
    await page.getByLabel('Username').fill(username);
    await page.getByLabel('Password').fill(password);
    await page.getByLabel('API key').fill(apiKey);
    const creation = page.locator('#createPaymentRequest');
    await creation.getByRole('button', { name: 'Send' }).focus();
    await page.keyboard.press('Enter');
    await creation.getByText(/^201 /).waitFor();
    assert.match(
      (await creation.locator('[data-part=body]').textContent()) ?? '',
      /"amount": \d+\.\d\d,/,
    );
    await creation.getByText('The call with curl').click();
    const curl = (await creation.locator('[data-part=curl] code').textContent()) ?? '';
    assert.match(curl, /-H "x-api-key: \$API_KEY"/);
    const shown = (await page.locator('main').textContent()) ?? '';
    for (const secret of [password, apiKey]) assert.ok(!shown.includes(secret));
    assert.equal(await page.evaluate('localStorage.length + sessionStorage.length'), 0);
    for await (const look of looksOf(page)) {
      assert.equal(await overflowOf(page), 0, look.name);
      assert.deepEqual(await look.violations(), [], look.name);
    }
    const reading = page.locator('#getPaymentRequest');
    await reading.locator('summary').first().focus();
    await page.keyboard.press('Enter');
    const id = await reading.getByLabel('id', { exact: false }).first().inputValue();
    await reading.getByRole('button', { name: 'Send' }).press('Enter');
    await reading.getByText(/^200 /).waitFor();
    assert.ok((await reading.locator('[data-part=body]').textContent())?.includes(`"id": "${id}"`));
    assert.deepEqual(faults, []);
    await close();
  });

  it('has the values of the signed-in merchant in its code, and copies them', async () => {
    const { page, faults, close } = await openVisitor(browser, service.url, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.goto(`${service.url}/docs/guides/quick-start`);
    const settings = page.locator('.code').first();
    assert.match((await settings.textContent()) ?? '', /API_USERNAME=sbx_…/);
    const client = await signIn(service, { role: 'administrator', ...merchant });
    const cookies = client
      .cookies()
      .split('; ')
      .map((each) => each.split('='));
    await page
      .context()
      .addCookies(
        cookies.map(([key = '', secret = '']) => ({ name: key, value: secret, url: service.url })),
      );
    await page.reload();
    await page.getByText('The code has the values of').waitFor();
    await settings.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Copied.').waitFor();
    const copied = String(await page.evaluate('navigator.clipboard.readText()'));
    assert.ok(copied.includes(`API_USERNAME=${merchant.username}\n`), copied);
    assert.ok(copied.includes(`BASE_URL=${service.url}/v1\n`), copied);
    assert.ok(!copied.includes(merchant.apiKey));
    assert.deepEqual(faults, []);
    await close();
  });

  it('finds while a person types, forgives faults, and keeps the chosen language', async () => {
    const { page, faults, close } = await openVisitor(browser, service.url);
    await page.goto(`${service.url}/docs/createPaymentRequest`);
    await page.getByText('Python', { exact: true }).click();
    assert.ok(await page.getByText('client.create_payment_request(').first().isVisible());
    await page.getByRole('searchbox').pressSequentially('webhok');
    const first = page.locator('.results .calls a').first();
    await first.waitFor();
    for await (const look of looksOf(page))
      assert.deepEqual(await look.violations(), [], look.name);
    await page.getByRole('searchbox').focus();
    // Behind “Show everything” and the best guide stands the best call.
    for (let press = 0; press < 3; press++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: /webhook/i }).waitFor();
    assert.ok(await page.getByText('from payment_requests import Client').first().isVisible());
    await page.goto(`${service.url}/docs/guides/receive-webhooks`);
    assert.ok(await page.getByText('hmac.compare_digest').first().isVisible());
    await page.getByRole('searchbox').fill('expiry');
    await page.locator('.results').waitFor();
    await page.keyboard.press('Escape');
    assert.ok(await page.locator('.results').isHidden());
    assert.deepEqual(faults, []);
    await close();
  });
});
