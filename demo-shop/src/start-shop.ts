import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient, type WebhookEvent } from '@payment-requests/sdk';
import { createShop } from './create-shop.ts';
import { serveHttp } from './http/serve-http.ts';
import type { ShopAnswer, ShopRequest } from './http/shop-request.ts';
import type { EnvironmentCredentials, LocalSettings } from './local-settings.ts';
import { openOrderStore } from './order-store.ts';
import { ICON } from './pages/shop-page.ts';
import { cancelOtherPayment } from './payment/cancel-other-payment.ts';
import { receiveWebhook } from './payment/receive-webhook.ts';
import { createWebhookListener } from './payment/webhook-listener.ts';

export interface ShopOptions {
  /** The port for customers; 0 for any free port. */
  readonly port: number;
  /** The port for webhooks. */
  readonly webhookPort: number;
  /** The orders' file. */
  readonly ordersPath: string;
  readonly production: EnvironmentCredentials;
  readonly tls: LocalSettings['tls'];
  /** Further pages for a developer. */
  readonly sandboxDocsUrl: string;
  readonly now?: () => Date;
}

export interface RunningShop {
  readonly port: number;
  readonly webhookPort: number;
  stop(): Promise<void>;
}

/** Customers wait for these calls: a service that is away is told to them, not waited for. */
const TIMEOUT_MS = 5_000;
const MAX_RETRIES = 1;

/** Puts the shop together and starts it: its pages over HTTP, its webhook listener over HTTPS. */
export async function startShop(options: ShopOptions): Promise<RunningShop> {
  const { production, now = () => new Date() } = options;
  const orders = openOrderStore(options.ordersPath);
  const client = createClient({ ...production, timeoutMs: TIMEOUT_MS, maxRetries: MAX_RETRIES });
  const serviceOrigin = new URL(production.baseUrl).origin;
  const gatewayOrigin = new URL(production.paymentLinkBase).origin;
  const shop = createShop({
    ...{ orders, client, now },
    surroundings: {
      checkoutScriptUrl: `${serviceOrigin}/checkout.js`,
      sandboxDocsUrl: options.sandboxDocsUrl,
    },
  });
  const pages = serveHttp(withFiles(shop), securityHeaders({ serviceOrigin, gatewayOrigin }));
  const webhooks = createWebhookListener({
    credentials: production.listener,
    tls: options.tls,
    onEvent: (event) => {
      const outcome = receiveWebhook({ orders, now }, event);
      tell(event, outcome);
      if (outcome === 'RELEASED') {
        cancelOtherPayment({ orders, client }, event.resource).catch(console.error);
      }
    },
    onRefused: (error) => console.error(`A webhook was refused: ${error.message}`),
  });
  const stop = async () => {
    await Promise.all([close(pages), close(webhooks)]);
    orders.close();
  };
  try {
    const port = await listen(pages, options.port);
    return { port, webhookPort: await listen(webhooks, options.webhookPort), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A line for each webhook; neither names nor addresses of customers. */
function tell({ id, eventType, resource }: WebhookEvent, outcome: string): void {
  const { merchantTransactionId = '-', status } = resource;
  console.log(`webhook ${id} ${eventType} ${status} ${merchantTransactionId}: ${outcome}`);
}

/** Files that are sent unchanged from browser/. */
const FILES: Readonly<Record<string, readonly [file: string, type: string]>> = {
  '/shop.css': ['shop.css', 'text/css; charset=utf-8'],
  '/shop.js': ['shop.js', 'text/javascript; charset=utf-8'],
};

function withFiles(shop: (request: ShopRequest) => Promise<ShopAnswer>) {
  const files = new Map<string, ShopAnswer>();
  const add = (path: string, type: string, body: string | Uint8Array) =>
    files.set(path, {
      status: 200,
      headers: { 'content-type': type, 'cache-control': 'no-cache' },
      body,
    });
  for (const [path, [file, type]] of Object.entries(FILES)) {
    add(path, type, readFileSync(new URL(`../browser/${file}`, import.meta.url)));
  }
  add('/icon.svg', 'image/svg+xml', ICON);
  return async (request: ShopRequest): Promise<ShopAnswer> =>
    (request.method === 'GET' && files.get(request.path)) || shop(request);
}

function securityHeaders({
  serviceOrigin,
  gatewayOrigin,
}: {
  readonly serviceOrigin: string;
  readonly gatewayOrigin: string;
}) {
  return {
    'content-security-policy': [
      "default-src 'none'",
      "style-src 'self'",
      `script-src 'self' ${serviceOrigin}`,
      "connect-src 'self'",
      "img-src 'self'",
      // A form that leads on to the payment page: a browser judges each step of the way.
      `form-action 'self' ${gatewayOrigin}`,
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    // `same-origin` would cut the tie to the payment window.
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    // The address of an order's page is the key to it.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  };
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

/** Takes nothing new and lets what runs come to its end. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}
