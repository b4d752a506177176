import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { createSignInLink } from '#console/sign-in/links.ts';
import { attemptsOf } from '#webhooks/deliveries/attempt-store.ts';
import { looksOf } from '../../support/browser/axe.ts';
import { openVisitor, startBrowser, WITHOUT_BROWSER } from '../../support/browser/browser.ts';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import { paymentRequestCalls } from '../../support/payment-requests/payment-requests.ts';
import type { TestMerchant } from '../../support/service/service.ts';
import { type HttpsListener, startHttpsListener } from '../../support/webhooks/https-listener.ts';
import {
  startWebhookService,
  type WebhookService,
} from '../../support/webhooks/webhook-service.ts';

/** Ten failures in a row open the breaker; the events after them are held. */
const PAYMENTS = 12;

describe('the listener was down for an hour', { skip: WITHOUT_BROWSER }, () => {
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

  /** Every lease is over then: the clock may move on. */
  const recorded = (count: number) =>
    eventually(async () => {
      const { sql } = service.database;
      const [attempts, leased] = await Promise.all([
        sql(`SELECT FROM webhook_deliveries d, LATERAL ${attemptsOf('d.id')} log`),
        sql('SELECT FROM webhook_deliveries WHERE lease_token IS NOT NULL'),
      ]);
      return attempts.length >= count && leased.length === 0;
    }, `${count} recorded attempts`);

  async function loseAnHour(): Promise<string[]> {
    const { headers } = merchant;
    const body = { url: listener.url, description: 'The shop' };
    await service.call('POST', '/v1/webhook-endpoints', { headers, body });
    listener.answerWith((_request, response) => response.writeHead(503).end('Closed.'));
    const calls = paymentRequestCalls(service, merchant);
    const paid: string[] = [];
    for (let index = 0; index < PAYMENTS; index += 1) {
      const { json } = await calls.create();
      await calls.simulate(json.id, { outcome: 'PAID' });
      paid.push(json.id);
    }
    await recorded(10);
    await service.advance(3_600);
    await recorded(11);
    return paid;
  }

  async function signInSupport(page: Page): Promise<void> {
    const grant = { role: 'support', merchantId: merchant.merchantId } as const;
    const { db } = service.database;
    const link = { name: 'Ada Support', grant, actor: 'test' };
    const { token } = await createSignInLink({ db, clock: service.clock }, link);
    await page.goto(`${service.url}/console/sign-in/link#${token}`);
    await page.getByRole('main').getByRole('button').click();
    await page.goto(`${service.url}/console/m/${merchant.merchantId}/overview`);
  }

  it('replay it', async () => {
    const paid = await loseAnHour();
    const visitor = await openVisitor(browser, service.url);
    const { page } = visitor;
    await signInSupport(page);

    // The reason is one click from the overview, and the answer of the listener two clicks.
    const main = page.getByRole('main');
    const reason = main.getByText(/^Failing · HTTP 503 · \S+ \S+ · 12 waiting$/);
    await main.getByRole('link', { name: 'Failing endpoints' }).click();
    await reason.waitFor();
    await main.getByRole('link', { name: listener.url }).click();
    await reason.waitFor();
    const answer = main.locator('section', { hasText: 'Last answer' });
    await answer.getByText('Closed.', { exact: true }).waitFor();
    for await (const look of looksOf(page)) {
      assert.deepEqual(await look.violations(), [], look.name);
    }
    await page.getByText('Failing since').waitFor();
    const waiting = page.locator('dt', { hasText: 'Deliveries waiting' }).locator('+ dd');
    assert.equal(await waiting.textContent(), `${PAYMENTS}`);
    assert.equal(await page.getByRole('link', { name: 'Rotate the secret' }).count(), 0);

    // The listener is back; the answers to the first events are held, to see the replay at work.
    const before = listener.requests.length;
    const held: ServerResponse[] = [];
    listener.answerWith((_request, response) => held.push(response));
    await page.getByRole('link', { name: 'Replay events' }).click();
    assert.ok(await page.getByLabel('the time since the endpoint began to fail').isChecked());
    await page.getByRole('button', { name: 'Start the replay' }).click();

    const progress = page.getByRole('progressbar');
    const sums = page.getByText(`${PAYMENTS} sent again, ${PAYMENTS} wait.`);
    await sums.waitFor();
    await eventually(() => Promise.resolve(held.length > 0), 'a webhook at the listener');
    await page.reload();
    await sums.waitFor();
    assert.equal(await progress.getAttribute('value'), '0');
    for await (const look of looksOf(page)) {
      assert.deepEqual(await look.violations(), [], look.name);
    }

    // The open page follows without a reload.
    listener.answerWith((_request, response) => response.end());
    for (const response of held) response.end();
    await page.getByText('Completed', { exact: true }).waitFor();
    assert.equal(await progress.getAttribute('value'), '100');
    await page.getByText(`${PAYMENTS} sent again, none waits.`).waitFor();
    const arrived = listener.requests.slice(before).map(({ body }) => JSON.parse(body).resource.id);
    assert.deepEqual(new Set(arrived), new Set(paid));

    await page.getByRole('link', { name: 'Endpoint', exact: true }).click();
    await page.getByText('Well', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'All replays' }).click();
    await page.getByText('100 % done').waitFor();
    const [entry] = await service.database.sql<{ actor: string }>(
      "SELECT actor FROM audit_log WHERE action = 'WEBHOOK_REPLAY_STARTED'",
    );
    assert.match(entry?.actor ?? '', /Ada Support/);
    assert.deepEqual(visitor.faults, []);
    await visitor.close();
  });
});
