import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { eventually } from '../../service/test/support/eventually.ts';
import { freePort } from '../../service/test/support/free-port.ts';
import type { ReceivedWebhook } from '../../service/test/support/webhooks/https-listener.ts';
import { CheckoutPages } from './checkout-pages.ts';
import { type MedusaShop, startMedusaShop } from './medusa-shop.ts';
import { type PaymentsService, startPaymentsService } from './payments-service.ts';
import { putPlugin } from './put-plugin.ts';
import { startWebhookRelay, type WebhookRelay } from './webhook-relay.ts';

/** A shop with the plug-in between a sandbox and a production service. */
export interface MedusaProof {
  readonly relay: WebhookRelay;
  /** The sandbox service. */
  readonly payments: PaymentsService;
  /** The production service, with the pages of a payer. */
  readonly live: PaymentsService;
  readonly shop: MedusaShop;
  readonly pages: CheckoutPages;
  /** The shop's, for what its API does not show. */
  readonly database: pg.Client;
  becomes(id: string, outcome: 'PAID' | 'FAILED' | 'EXPIRED' | 'PROCESSING'): Promise<unknown>;
  /** Waits for so many webhooks of a payment request. */
  webhooksOf(id: string, count: number): Promise<readonly ReceivedWebhook[]>;
  close(): Promise<void>;
}

export async function startMedusaProof(): Promise<MedusaProof> {
  await putPlugin();
  const folder = mkdtempSync(join(tmpdir(), 'medusa-proof-'));
  const port = await freePort();
  const ends: (() => Promise<unknown>)[] = [];
  const startFor = async (environment: 'sandbox' | 'production') => {
    const hook = `http://127.0.0.1:${port}/hooks/payment-requests/${environment}`;
    const relay = await startWebhookRelay(hook);
    ends.unshift(relay.close);
    const caFile = join(folder, `${environment}.pem`);
    writeFileSync(caFile, relay.caPem);
    const webhookUrl = relay.url;
    const payments = await startPaymentsService({ environment, webhookUrl, caFile });
    ends.unshift(payments.close);
    return { relay, payments };
  };
  async function close() {
    for (const end of ends) await end();
    rmSync(folder, { recursive: true, force: true });
  }
  try {
    const { relay, payments } = await startFor('sandbox');
    const { payments: live } = await startFor('production');
    const databaseUrl = await payments.emptyDatabase();
    const providers = { sandbox: payments.provider, production: live.provider };
    const shop = await startMedusaShop({ port, databaseUrl, providers });
    ends.unshift(shop.kill);
    const database = new pg.Client(databaseUrl);
    await database.connect();
    ends.unshift(() => database.end());
    return {
      ...{ relay, payments, live, shop, pages: new CheckoutPages(shop), database, close },
      becomes: (id, outcome) => payments.client.simulateOutcome(id, { outcome }),
      webhooksOf: (id, count) =>
        eventually(() => relay.of(id).length >= count && relay.of(id), `${count} webhooks`),
    };
  } catch (error) {
    await close();
    throw error;
  }
}
