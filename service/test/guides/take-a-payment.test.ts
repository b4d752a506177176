import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { startBrowsable } from '../support/browser/browsable.ts';
import { startBrowser, WITHOUT_BROWSER } from '../support/browser/browser.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import {
  type GuideListener,
  inboxTables,
  startGuideListener,
  startGuideProgram,
} from '../support/documents/guide-listeners.ts';
import { snippetNamed, writeSnippets } from '../support/documents/guide-snippets.ts';
import { eventually } from '../support/eventually.ts';
import type { Production } from '../support/service/production.ts';
import {
  createTestAuthority,
  type HttpsListener,
  startHttpsListener,
} from '../support/webhooks/https-listener.ts';

const NODE_MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));
/** The public address of the shop, which the merchant registered. */
const SHOP_URL = 'https://shop.example';
const ORDER = "INSERT INTO orders (reference, amount_cents) VALUES ('1042', 1250)";

describe('the guide to take a payment', { skip: WITHOUT_BROWSER }, () => {
  let folder: string;
  let browser: Browser;
  let database: TestDatabase;
  let production: Production;
  let proxy: HttpsListener;
  let listener: GuideListener;
  let shop: GuideListener;
  let workOnNextEvent: () => Promise<boolean>;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'guide-payment-'));
    symlinkSync(NODE_MODULES, join(folder, 'node_modules'));
    browser = await startBrowser();
    database = await createTestDatabase('production');
    await database.sql(inboxTables());
    await database.sql(ORDER);
    const authority = await createTestAuthority();
    writeFileSync(join(folder, 'ca.pem'), authority.caPem);
    // Ends TLS in front of the guide's listener, as a proxy does.
    proxy = await startHttpsListener({
      authority,
      answering: async ({ headers, body }, response) => {
        const sent = Object.entries(headers).filter(([name]) => /^webhook-|^auth|type$/.test(name));
        const init = { method: 'POST', headers: Object.fromEntries(sent) as never, body };
        response.writeHead((await fetch(listener.url, init)).status).end();
      },
    });
    production = await startBrowsable({
      // A listener compares the timestamp with the time of this machine.
      start: new Date(),
      settings: {
        WEBHOOK_CA_FILE: join(folder, 'ca.pem'),
        WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32,::1/128',
        WEBHOOK_ALLOW_PORTS: '*',
      },
    });
    const { service } = production;
    const merchant = await service.createMerchant({
      webhookUrl: proxy.url,
      returnOrigins: [SHOP_URL],
    });
    listener = await startGuideListener({
      folder,
      name: 'listener-node-http.js',
      listener: merchant.listener,
      databaseUrl: database.url,
    });
    writeSnippets(folder, ['payments.js', 'shop.js']);
    const page = snippetNamed('order.html').replace('https://pay.example.com', service.url);
    writeFileSync(join(folder, 'order.html'), page);
    shop = await startGuideProgram(folder, 'shop.js', {
      DATABASE_URL: database.url,
      BASE_URL: `${service.url}/v1`,
      SHOP_URL,
      AUTH_URL: `${service.url}/oauth2/token`,
      API_USERNAME: merchant.username,
      API_PASSWORD: merchant.password,
      API_KEY: merchant.apiKey,
    });
    process.env.DATABASE_URL = database.url;
    ({ workOnNextEvent } = await import(pathToFileURL(join(folder, 'inbox.js')).href));
  });
  after(async () => {
    await browser?.close();
    await shop?.stop();
    await listener?.stop();
    await production?.stop();
    await proxy?.close();
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const released = async () =>
    (await database.sql('SELECT * FROM orders WHERE released_at IS NOT NULL')).length;

  async function pay(popup: Page): Promise<void> {
    await popup.getByRole('radio', { name: 'Boreal Bank' }).check();
    await popup.getByRole('button', { name: /^Continue/ }).click();
    await popup.getByLabel('Username').fill('approve');
    await popup.getByLabel('Password').fill('demo');
    await popup.getByRole('button', { name: 'Sign in', exact: true }).click();
    await popup.getByRole('button', { name: 'Pay $12.50' }).click();
    await popup.getByRole('heading', { level: 1, name: /^You paid \$12\.50/ }).waitFor();
  }

  it('opens the window, and the webhook alone releases the order', async () => {
    const page = await browser.newPage();
    await page.goto(`${shop.url}/orders/1042`);
    const opened = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'Pay now' }).click();
    const popup = await opened;
    await pay(popup);
    await eventually(() => proxy.requests.length === 1, 'the webhook');
    assert.equal(await released(), 0, 'a paid window releases nothing');
    await page.getByText('Pay in the window that opened.').waitFor();
    await eventually(() => workOnNextEvent(), 'the stored event');
    assert.equal(await released(), 1);
    await page.getByText('Thank you. Your order is paid.').waitFor();
  });

  it('asks for one payment request when the button is pressed twice', async () => {
    await database.sql("INSERT INTO orders (reference, amount_cents) VALUES ('1043', 990)");
    const start = async () => {
      const answer = await fetch(`${shop.url}/orders/1043/payment`, { method: 'POST' });
      return ((await answer.json()) as { paymentLink: string }).paymentLink;
    };
    const [one, other] = await Promise.all([start(), start()]);
    assert.match(one, /\/pay\//);
    assert.equal(one, other);
  });

  it('starts no payment for an order that is unknown or paid', async () => {
    for (const reference of ['1042', 'unknown']) {
      const { status } = await fetch(`${shop.url}/orders/${reference}/payment`, { method: 'POST' });
      assert.equal(status, 404);
    }
  });
});
