import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestWebhook } from '@payment-requests/sdk';
import { freePort } from '../../../service/test/support/free-port.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../../../service/test/support/service/service.ts';
import { createTestAuthority } from '../../../service/test/support/webhooks/https-listener.ts';
import { type LocalInbox, startInbox } from '../../src/inbox/local-inbox.ts';
import { type RunningShop, startShop } from '../../src/start-shop.ts';

/** The secret of the staff's link. */
export const STAFF_KEY = 'a-staff-key-of-a-test-with-32-characters';

export interface ShopWithService {
  readonly service: TestService;
  readonly merchant: TestMerchant;
  readonly shopUrl: string;
  readonly inbox: LocalInbox;
  /** The URL of the shop's webhook listener. */
  readonly webhookUrl: string;
  /** Sends a test's webhook to the shop; gives the status of the answer. */
  sendWebhook(webhook: Pick<TestWebhook, 'headers' | 'body'>): Promise<number>;
  /** Stops the service for the rest of the test. */
  stopService(): Promise<void>;
  stopShop(): Promise<void>;
  /** Starts the shop on the same ports with the same file, like after a crash. */
  startShop(): Promise<void>;
  stop(): Promise<void>;
}

export interface ShopWithServiceOptions {
  /** The sandbox makes outcomes by name and by call; default production. */
  readonly environment?: 'sandbox' | 'production';
  /** Whether the shop's listener is the merchant's endpoint, like with `npm start`. */
  readonly hasEndpoint?: boolean;
  /** The one currency of the service, default CAD. */
  readonly currency?: string;
}

/** Starts the shop and a complete service over real HTTP and HTTPS, at URLs for a browser. */
export async function startShopWithService({
  environment = 'production',
  hasEndpoint = true,
  currency = 'CAD',
}: ShopWithServiceOptions = {}): Promise<ShopWithService> {
  const folder = await mkdtemp(join(tmpdir(), 'demo-shop-test-'));
  const authority = await createTestAuthority();
  const caFile = join(folder, 'ca.pem');
  await writeFile(caFile, authority.caPem);
  const [port, shopPort, webhookPort] = [await freePort(), await freePort(), await freePort()];
  const origin = `http://localhost:${port}`;
  const inbox = await startInbox(0);
  const service = await startTestService({
    environment,
    // The shop verifies webhooks against the real time.
    start: new Date(),
    settings: {
      CURRENCY: currency,
      PORT: `${port}`,
      PUBLIC_API_URL: `${origin}/v1`,
      PUBLIC_AUTH_URL: `${origin}/oauth2/token`,
      PAYMENT_LINK_BASE: `${origin}/pay`,
      WEBHOOK_CA_FILE: caFile,
      WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32,::1/128',
      WEBHOOK_ALLOW_PORTS: '*',
      MAIL_SMTP_URL: `smtp://127.0.0.1:${inbox.port}`,
      MAIL_FROM: 'pay@demo-shop.example',
    },
  });
  const webhookUrl = `https://localhost:${webhookPort}/webhooks`;
  const shopUrl = `http://localhost:${shopPort}`;
  const merchant = await service.createMerchant({
    webhookUrl: hasEndpoint ? webhookUrl : null,
    returnOrigins: [shopUrl],
  });
  const { username, password, apiKey, listener } = merchant;
  const addresses = {
    baseUrl: `${origin}/v1`,
    authUrl: `${origin}/oauth2/token`,
    paymentLinkBase: `${origin}/pay`,
  };
  const tls = await authority.issue();
  const start = () =>
    startShop({
      port: shopPort,
      shopUrl,
      webhookPort,
      ordersPath: join(folder, 'shop.sqlite'),
      production: { ...addresses, username, password, apiKey, listener },
      currency,
      tls,
      inbox,
      staffKey: STAFF_KEY,
      sandboxDocsUrl: `${origin}/docs`,
    });
  let shop: RunningShop | undefined = await start();
  const stopShop = async () => {
    await shop?.stop();
    shop = undefined;
  };
  let isServiceStopped = false;
  const stopService = async () => {
    if (isServiceStopped) return;
    isServiceStopped = true;
    await service.stop();
  };
  return {
    service,
    stopService,
    merchant,
    shopUrl,
    inbox,
    webhookUrl,
    sendWebhook: ({ headers, body }) =>
      new Promise((resolve, reject) => {
        const options = { method: 'POST', headers, ca: authority.caPem, agent: false };
        const sent = request(webhookUrl, options, (answer) => {
          answer.resume();
          resolve(answer.statusCode ?? 0);
        });
        sent.on('error', reject);
        sent.end(body);
      }),
    stopShop,
    async startShop() {
      shop ??= await start();
    },
    async stop() {
      await stopShop();
      await stopService();
      await inbox.stop();
      await rm(folder, { recursive: true });
    },
  };
}
