import { type AnyWebhookEvent, createClient, isRefundEvent } from '@payment-requests/sdk';
import { createShop } from './create-shop.ts';
import { securityHeaders } from './http/security-headers.ts';
import { serveHttp } from './http/serve-http.ts';
import { startServer, stopServer } from './http/start-server.ts';
import { readStaticFiles } from './http/static-files.ts';
import type { Inbox } from './inbox/local-inbox.ts';
import type { EnvironmentCredentials, LocalSettings } from './local-settings.ts';
import { openOrderStore } from './order-store.ts';
import { cancelOtherPayment } from './payment/cancel-other-payment.ts';
import { nameEventTypes } from './payment/name-event-types.ts';
import { receiveWebhook } from './payment/receive-webhook.ts';
import { createWebhookListener, WEBHOOK_PATH } from './payment/webhook-listener.ts';

export interface ShopOptions {
  /** The port of the customers' pages; 0 for any free port. */
  readonly port: number;
  /** The port of the webhook listener. */
  readonly webhookPort: number;
  /** The shop's URL for its customers, without a path: `https:` makes the cookies `__Host-`. */
  readonly shopUrl: string;
  /** The path of the orders' file. */
  readonly ordersPath: string;
  readonly production: EnvironmentCredentials;
  /** The secret of the link that opens the staff's pages. */
  readonly staffKey: string;
  /** ISO 4217: the one currency of the payment service. */
  readonly currency: string;
  readonly tls: LocalSettings['tls'];
  /** The sandbox's documentation, for the page's footer. */
  readonly sandboxDocsUrl: string;
  /** The mails of the local mail server, for the staff's pages; left out: there is none. */
  readonly inbox?: Inbox;
  readonly now?: () => Date;
}

export interface RunningShop {
  readonly port: number;
  readonly webhookPort: number;
  stop(): Promise<void>;
}

/** A customer waits for these calls: the shop reports an unavailable service after seconds. */
const TIMEOUT_MS = 5_000;
const MAX_RETRIES = 1;

/** Composes and starts the shop: its pages over HTTP, its webhook listener over HTTPS. */
export async function startShop(options: ShopOptions): Promise<RunningShop> {
  const { production, shopUrl, currency, now = () => new Date() } = options;
  const orders = openOrderStore(options.ordersPath);
  const client = createClient({ ...production, timeoutMs: TIMEOUT_MS, maxRetries: MAX_RETRIES });
  const serviceOrigin = new URL(production.baseUrl).origin;
  const gatewayOrigin = new URL(production.paymentLinkBase).origin;
  const answer = createShop({
    orders,
    client,
    now,
    shopUrl,
    staffKey: options.staffKey,
    currency,
    inbox: options.inbox ?? null,
    links: {
      checkoutScriptUrl: `${serviceOrigin}/checkout.js`,
      sandboxDocsUrl: options.sandboxDocsUrl,
    },
  });
  const pages = serveHttp({
    answer,
    files: readStaticFiles(),
    headers: securityHeaders({ serviceOrigin, gatewayOrigin }),
    isHttps: new URL(shopUrl).protocol === 'https:',
  });
  const webhooks = createWebhookListener({
    credentials: production.listener,
    tls: options.tls,
    onEvent: (event) => {
      const outcome = receiveWebhook({ orders, now }, event);
      logWebhook(event, outcome);
      if (outcome === 'RELEASED' && !isRefundEvent(event)) {
        cancelOtherPayment({ orders, client }, event.resource).catch(console.error);
      }
    },
    onRefused: (error) => console.error(`A webhook was refused: ${error.message}`),
  });
  const stopping = new AbortController();
  const stop = async () => {
    stopping.abort();
    await Promise.all([stopServer(pages), stopServer(webhooks)]);
    orders.close();
  };
  try {
    const port = await startServer(pages, options.port);
    const webhookPort = await startServer(webhooks, options.webhookPort);
    const webhookUrl = `https://localhost:${webhookPort}${WEBHOOK_PATH}`;
    nameEventTypes(client, webhookUrl, stopping.signal).catch(console.error);
    return { port, webhookPort, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Logs a line for each webhook, without names and addresses of customers. */
function logWebhook(event: AnyWebhookEvent, outcome: string): void {
  const { id, eventType, resource } = event;
  const reference = isRefundEvent(event)
    ? event.resource.merchantRefundId
    : event.resource.merchantTransactionId;
  console.log(`webhook ${id} ${eventType} ${resource.status} ${reference ?? '-'}: ${outcome}`);
}
