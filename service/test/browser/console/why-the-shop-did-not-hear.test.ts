import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { attemptsOf } from '#webhooks/deliveries/attempt-store.ts';
import { looksOf } from '../../support/browser/axe.ts';
import { openVisitor, startBrowser, WITHOUT_BROWSER } from '../../support/browser/browser.ts';
import { signIn } from '../../support/console/console-client.ts';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import { paymentRequestCalls } from '../../support/payment-requests/payment-requests.ts';
import type { TestMerchant } from '../../support/service/service.ts';
import { type HttpsListener, startHttpsListener } from '../../support/webhooks/https-listener.ts';
import {
  startWebhookService,
  type WebhookService,
} from '../../support/webhooks/webhook-service.ts';

const HIDDEN_HEADERS = new Set(['authorization', 'webhook-signature']);

describe('support finds out why the shop did not hear', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser;
  let service: WebhookService;
  let merchant: TestMerchant;
  let listener: HttpsListener;

  before(async () => {
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    service = await startWebhookService({
      settings: {
        PORT: `${port}`,
        PUBLIC_API_URL: `${origin}/v1`,
        PUBLIC_AUTH_URL: `${origin}/oauth2/token`,
        PAYMENT_LINK_BASE: `${origin}/pay`,
      },
    });
    merchant = await service.createMerchant({ name: 'Harbour Books' });
    listener = await startHttpsListener({ authority: service.authority });
    browser = await startBrowser();
  });
  after(async () => {
    await browser?.close();
    await listener?.close();
    await service?.stop();
  });

  const attempts = (count: number) =>
    eventually(async () => {
      const rows = await service.database.sql(
        `SELECT FROM webhook_deliveries d, LATERAL ${attemptsOf('d.id')} log`,
      );
      return rows.length >= count;
    }, `${count} recorded attempts`);

  it('and sends the webhook again', async () => {
    listener.answerWith((_request, response) => {
      response.writeHead(503, { 'content-type': 'text/plain' }).end('Closed for <repairs>.');
    });
    const calls = paymentRequestCalls(service, merchant);
    const { json } = await calls.create({
      webhookUrl: listener.url,
      merchantTransactionId: 'order-4711',
    });
    await calls.simulate(json.id, { outcome: 'PAID' });
    await attempts(1);

    const { merchantId } = merchant;
    const client = await signIn(service, { role: 'support', merchantId, name: 'Ada Support' });
    const visitor = await openVisitor(browser, service.url);
    const { page } = visitor;
    const cookies = client.cookies().split('; ');
    await page.context().addCookies(
      cookies.map((cookie) => {
        const [name = '', value = ''] = cookie.split('=');
        return { name, value, url: service.url };
      }),
    );
    await page.goto(`${service.url}/console`);

    // A customer calls: order 4711 is paid, and the shop does not know it.
    await page.getByRole('searchbox').fill('order-4711');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: /Paid$/ }).waitFor();
    assert.ok(page.url().endsWith(`/payment-requests/${json.id}`), page.url());

    const timeline = page.getByRole('list').filter({ hasText: 'Payment request created' });
    await timeline.getByText('The listener answered another status than 2xx.').waitFor();
    await timeline.getByText('Answered 503 in').waitFor();
    await timeline.getByText('Request and answer').first().click();
    await timeline.getByText('Closed for <repairs>.').waitFor();

    // The head on the page is the one that left, but for what is blanked.
    const shown = ((await timeline.locator('details[open] pre').first().textContent()) ?? '').split(
      '\n',
    );
    const [sent] = await listener.received(1);
    assert.equal(shown[0], 'POST /webhooks HTTP/1.1');
    const head = shown.slice(1).map((line) => line.split(': ') as [string, string]);
    const expected = Object.entries(sent?.headers ?? {}).map(([name, value]) => [
      name,
      HIDDEN_HEADERS.has(name) ? String(value).replace(/(?<=^Basic |^v1,).*/, '••••••') : value,
    ]);
    assert.deepEqual(Object.fromEntries(head), Object.fromEntries(expected));
    const all = await page.content();
    assert.ok(!all.includes(String(sent?.headers['webhook-signature']).slice(3)));
    assert.ok(!all.includes(String(sent?.headers.authorization).slice(6)));

    for await (const look of looksOf(page)) {
      assert.deepEqual(await look.violations(), [], look.name);
    }

    // The shop is open again.
    listener.answerWith((_request, response) => response.end('thanks'));
    await page.getByRole('button', { name: /^Send again: payment completed to/ }).click();
    await page.getByRole('status').getByText('The webhook is sent again.').waitFor();
    await attempts(2);
    await page.reload();
    await timeline.getByText('The listener answered 2xx.').waitFor();
    await timeline.getByText('Ada Support sent a webhook again', { exact: true }).waitFor();
    const [first, second] = await listener.received(2);
    assert.equal(second?.headers['webhook-id'], first?.headers['webhook-id']);
    assert.equal(second?.body, first?.body);
    assert.deepEqual(visitor.faults, []);
    await visitor.close();
  });
});
