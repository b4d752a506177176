import { APPROVALS_ON } from '../approvals/approving.ts';
import { browsableSettings } from '../browser/browsable.ts';
import { eventually } from '../eventually.ts';
import {
  type PaymentRequestCalls,
  paymentRequestCalls,
} from '../payment-requests/payment-requests.ts';
import { buyToken, type TestMerchant } from '../service/service.ts';
import { type HttpsListener, startHttpsListener } from '../webhooks/https-listener.ts';
import { countAttempts, untilRecorded } from '../webhooks/recorded-attempts.ts';
import { startWebhookService, type WebhookService } from '../webhooks/webhook-service.ts';

/** Ten failures in a row open the breaker; the events after them are held. */
const LOST = 12;

/** A merchant about whom people have questions. */
export interface BusyShop {
  readonly service: WebhookService;
  readonly merchant: TestMerchant;
  readonly listener: HttpsListener;
  readonly calls: PaymentRequestCalls;
  /** The paid payment request of a customer who calls: its webhook was answered 503. */
  readonly called: string;
  /** The payment requests of an hour of whose webhooks the shop did not hear. */
  readonly lost: readonly string[];
  /** Registers an endpoint whose listener is down for an hour. */
  loseAnHour(): Promise<void>;
  /** Lets a time pass that ends tokens. */
  pass(seconds: number): Promise<void>;
  stop(): Promise<void>;
}

export async function startBusyShop(): Promise<BusyShop> {
  const approvals = { ...APPROVALS_ON, APPROVAL_REFUNDS_ABOVE: '10.00' };
  const settings = { ...(await browsableSettings()), ...approvals };
  const service = await startWebhookService({ settings });
  const merchant = await service.createMerchant({ name: 'Harbour Books' });
  const listener = await startHttpsListener({ authority: service.authority });
  let calls = paymentRequestCalls(service, merchant);
  const lost: string[] = [];
  listener.answerWith((_request, response) => {
    response.writeHead(503, { 'content-type': 'text/plain' }).end('Closed for <repairs>.');
  });
  const payer = { name: 'Zoë Tremblay', email: 'zoe@payer.example' };
  const order = { payer, webhookUrl: listener.url, merchantTransactionId: 'order-4711' };
  const called = (await calls.create(order)).json.id;
  await calls.simulate(called, { outcome: 'PAID' });
  await untilRecorded(service.database, 1);
  await service.advance(5);
  await untilRows(service, 'SELECT FROM payment_request_texts', 'the text for the search');

  async function pass(seconds: number): Promise<void> {
    await service.advance(seconds);
    const token = await buyToken(service.call, merchant);
    const headers = { ...merchant.headers, authorization: `Bearer ${token}` };
    calls = paymentRequestCalls(service, { headers });
  }

  return {
    service,
    merchant,
    listener,
    called,
    lost,
    get calls() {
      return calls;
    },
    async loseAnHour() {
      const { headers } = merchant;
      const body = { url: listener.url, description: 'The shop' };
      await service.call('POST', '/v1/webhook-endpoints', { headers, body });
      listener.answerWith((_request, response) => response.writeHead(503).end('Closed.'));
      const before = await countAttempts(service.database);
      for (let index = 0; index < LOST; index += 1) {
        const { json } = await calls.create();
        await calls.simulate(json.id, { outcome: 'PAID' });
        lost.push(json.id);
      }
      await untilRecorded(service.database, before + 10);
      await pass(3_600);
      await untilRecorded(service.database, before + 11);
      const failing = 'SELECT FROM webhook_destinations WHERE opened_at IS NOT NULL';
      await untilRows(service, failing, 'the open breaker');
    },
    pass,
    async stop() {
      await listener.close();
      await service.stop();
    },
  };
}

/** Waits until a query finds a row. */
function untilRows({ database }: WebhookService, query: string, name: string): Promise<unknown> {
  return eventually(async () => (await database.sql(query)).length === 1, name);
}
