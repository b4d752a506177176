import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import type { Browser, Download, Page } from 'playwright-core';
import { looksOf } from '../../support/browser/axe.ts';
import {
  openVisitor,
  startBrowser,
  type Visitor,
  WITHOUT_BROWSER,
} from '../../support/browser/browser.ts';
import { type SignInOptions, signIn } from '../../support/console/console-client.ts';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import { makePng } from '../../support/make-png.ts';
import { createPaid, refundCalls } from '../../support/refunds/refund-calls.ts';
import { buyToken, startTestService, type TestService } from '../../support/service/service.ts';

const HOUR_SECONDS = 3_600;

/** The values that a merchant's program reads from its file. */
type Env = Readonly<Record<string, string>>;

describe('operators and administrators at the console', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser;
  let service: TestService;

  before(async () => {
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    service = await startTestService({
      settings: {
        PORT: `${port}`,
        PUBLIC_API_URL: `${origin}/v1`,
        PUBLIC_AUTH_URL: `${origin}/oauth2/token`,
        PAYMENT_LINK_BASE: `${origin}/pay`,
      },
    });
    browser = await startBrowser();
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  async function signedIn(name: string, grant: Omit<SignInOptions, 'name'>): Promise<Visitor> {
    const client = await signIn(service, { ...grant, name });
    const visitor = await openVisitor(browser, service.url, { acceptDownloads: true });
    const cookies = client
      .cookies()
      .split('; ')
      .map((pair) => ({ name: pair.split('=')[0] ?? '', value: pair.slice(pair.indexOf('=') + 1) }))
      .filter(({ value }) => value !== '');
    const { url } = service;
    await visitor.page.context().addCookies(cookies.map((cookie) => ({ ...cookie, url })));
    return visitor;
  }

  async function assertAccessible(page: Page): Promise<void> {
    for await (const look of looksOf(page)) {
      assert.deepEqual(await look.violations(), [], look.name);
      const root = page.locator('html');
      const extra = await root.evaluate((all) => all.scrollWidth - all.clientWidth);
      assert.equal(extra, 0, `${look.name} scrolls sideways`);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  }

  /** The head of a payer's page has what the form has, before anything is saved. */
  async function followPreview(page: Page): Promise<void> {
    const preview = page.locator('.preview');
    await preview.locator('strong').getByText('Maple Bikes').waitFor();
    await page.getByLabel('Display name').fill('Maple');
    await preview.locator('strong').getByText('Maple', { exact: true }).waitFor();
    await preview.getByText('Registered as Maple Bikes').waitFor();
    await page.locator('input[type=color]').fill('#2f7d4f');
    assert.equal(await page.getByLabel('Accent colour (optional)').inputValue(), '#2f7d4f');
    assert.equal(await preview.locator('.stripe path').getAttribute('fill'), '#2f7d4f');
    const logo = { name: 'maple.png', mimeType: 'image/png', buffer: Buffer.from(makePng(8, 8)) };
    await page.locator('input[type=file]').setInputFiles(logo);
    await preview.locator('img[src^="data:image/png"]').waitFor();
    await page.getByText('maple.png').waitFor();
  }

  async function envOf(download: Download): Promise<Env> {
    assert.equal(download.suggestedFilename(), 'sandbox.env');
    const text = await readFile(await download.path(), 'utf8');
    const lines = text.split('\n').filter((line) => /^[A-Z_]+=/.test(line));
    return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)));
  }

  /** A program of the merchant, with the values of its file alone. */
  async function takePayment(env: Env): Promise<string> {
    const { API_USERNAME: username = '', API_PASSWORD: password = '', API_KEY = '' } = env;
    const token = await buyToken(service.call, { username, password });
    const headers = { authorization: `Bearer ${token}`, 'x-api-key': API_KEY };
    const created = await service.call('POST', '/v1/payment-requests', {
      headers,
      body: { amount: 12.5, type: 'ECOMM', payer: { name: 'Ada', email: 'ada@example.com' } },
    });
    assert.equal(created.status, 201, created.text);
    const { id } = created.json;
    const body = { outcome: 'PAID' };
    const path = `/v1/sandbox/payment-requests/${id}/simulations`;
    const simulated = await service.call('POST', path, { headers, body });
    assert.ok(simulated.status < 300, simulated.text);
    await eventually(async () => {
      const read = await service.call('GET', `/v1/payment-requests/${id}`, { headers });
      return read.json.status === 'PAID';
    });
    return id;
  }

  it('onboard a merchant, who takes a first payment', async () => {
    const olga = await signedIn('Olga', { role: 'operator' });
    const { page } = olga;
    await page.goto(`${service.url}/console/operator/merchants`);
    await page.getByRole('link', { name: 'Onboard a merchant' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Maple Bikes');
    await page.getByLabel('Support e-mail').fill('help@maple.example');
    await followPreview(page);
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Onboard and show the credentials' }).click();
    await page.getByRole('heading', { level: 1, name: 'Maple Bikes is registered' }).waitFor();
    await assertAccessible(page);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download as .env' }).click(),
    ]);
    const env = await envOf(download);
    assert.deepEqual(Object.keys(env).length, 8);
    const id = await takePayment(env);

    await page.getByRole('link', { name: 'Open the merchant' }).click();
    await page.getByText('help@maple.example').waitFor();
    await assertAccessible(page);
    await page.getByRole('main').getByRole('link', { name: 'Payment requests' }).click();
    await page.locator(`a[href$="${id}"]`).first().click();
    await page.getByRole('main').getByText('PAID').first().waitFor();
    assert.deepEqual(olga.faults, []);
    await olga.close();
  });

  it('simulate an outcome of a refund beside it, and go on in time', async () => {
    const merchant = await service.createMerchant({ name: 'Maple Bikes' });
    const id = await createPaid(service, merchant);
    await refundCalls(service, merchant).created(id, { amount: 5 });
    const { merchantId } = merchant;
    const anna = await signedIn('Anna', { role: 'administrator', merchantId });
    const { page } = anna;
    await page.goto(`${service.url}/console/m/${merchantId}/payment-requests/${id}`);
    await page.locator('summary').filter({ hasText: 'Simulate an outcome' }).click();
    await page.getByLabel('Reason, where it fails').selectOption('NETWORK_TIMEOUT');
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Failed', exact: true }).click();
    await page.getByText('The network did not settle the refund in time.').first().waitFor();
    await page.getByLabel('Seconds to advance').fill('60');
    await page.getByRole('button', { name: 'Advance the time' }).click();
    await page.getByText('The time advances.').waitFor();
    assert.deepEqual(anna.faults, []);
    await anna.close();
  });

  it('rotate a key without an outage', async () => {
    const merchant = await service.createMerchant({ name: 'Harbour Books' });
    const { merchantId, username, password, apiKey } = merchant;
    await service.database.sql('UPDATE api_keys SET created_at = $1', [service.clock.now()]);
    const old: Env = { API_USERNAME: username, API_PASSWORD: password, API_KEY: apiKey };
    await takePayment(old);
    const anna = await signedIn('Anna', { role: 'administrator', merchantId });
    const { page } = anna;
    const list = `${service.url}/console/m/${merchantId}/credentials`;
    await page.goto(list);
    await page.getByRole('link', { name: 'Rotate' }).click();
    await assertAccessible(page);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Rotate and download .env' }).click(),
    ]);
    const fresh = await envOf(download);
    await page.goto(list);
    await page.getByText(/^The key .* ends in 24 hours/).waitFor();
    await page.getByText(/still uses it shows here within an hour/).waitFor();
    await assertAccessible(page);

    // A second program still has the old values: the page says so before they end.
    await takePayment(fresh);
    await service.advance(2 * HOUR_SECONDS);
    await takePayment(old);
    const again = await signedIn('Anna', { role: 'administrator', merchantId });
    await eventually(async () => {
      await again.page.goto(list);
      return (await again.page.getByText(/It was last used .* put the new key/).count()) === 1;
    });

    // Everything has the new values now, and the old key is revoked before its end.
    await takePayment(fresh);
    await again.page.getByRole('link', { name: 'Revoke' }).last().click();
    await assertAccessible(again.page);
    await again.page.getByRole('button', { name: 'Yes, revoke it for good' }).click();
    await again.page.getByText('Revoked. It stops working within 5 seconds.').waitFor();
    await service.advance(5);
    await takePayment(fresh);
    const refused = await service.call('GET', '/v1/payment-requests', {
      headers: merchant.headers,
    });
    assert.equal(refused.json.code, 'API_KEY_INVALID');
    for (const { faults, close } of [anna, again]) {
      assert.deepEqual(faults, []);
      await close();
    }
  });
});
