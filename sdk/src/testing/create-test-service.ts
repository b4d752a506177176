import type { Client } from '../client.ts';
import type { ClientOptions } from '../client-options.ts';
import { createClient } from '../create-client.ts';
import type { WebhookEventFilter } from '../webhook-endpoints/endpoint.ts';
import type { ListenerCredentials } from '../webhooks/event.ts';
import { newSigningSecret } from '../webhooks/signature.ts';
import { createCalls } from './calls.ts';
import { Payments } from './payments.ts';
import { Refunds } from './refunds.ts';
import { createSchedule } from './schedule.ts';
import { CURRENCY } from './tables.ts';
import { createWebhooks, type DeliveredWebhook, type Listener } from './webhooks.ts';

export interface TestServiceOptions {
  /** Your listener: a function that answers a status, or a URL. Absent: no webhook is sent. */
  readonly listener?: Listener | undefined;
  /** The events that the listener gets, as of an endpoint; default: payments alone. */
  readonly eventTypes?: readonly WebhookEventFilter[] | undefined;
  /** The credentials of your listener; default: new ones. */
  readonly listenerCredentials?: ListenerCredentials | undefined;
  /** The first instant of the clock; default: now. */
  readonly startsAt?: Date | undefined;
  /** The one currency of the service, ISO 4217; default CAD. */
  readonly currency?: string | undefined;
}

export interface TestService {
  /** A client of this service. */
  readonly client: Client;
  /** For `createClient` in your own code; other clients take `fetch` and the URLs of it. */
  readonly options: ClientOptions & { readonly fetch: typeof globalThis.fetch };
  /** The credentials with which your listener verifies webhooks. */
  readonly listenerCredentials: ListenerCredentials;
  /** Every attempt of a webhook, in order, with the answer of your listener. */
  readonly webhooks: readonly DeliveredWebhook[];
  /** The instant of the clock, which stands still until you move it. */
  now(): Date;
  /**
   * Moves the clock, and does what falls due, in its order: outcomes, expiries, webhooks and their
   * retries. It is over when the last webhook is answered.
   * @param seconds default 0: what is due now, such as the webhook of a simulated outcome
   */
  advance(seconds?: number): Promise<void>;
}

const ORIGIN = 'https://pay.test';

/**
 * Makes the sandbox of the service in this process, for the tests of your shop: creation, reading,
 * lists, changes, cancellation, refunds, simulations and signed webhooks. It opens no port, keeps
 * everything in memory, and has a clock that your test moves.
 *
 * @example
 * import { createTestService } from '@payment-requests/sdk/testing';
 *
 * const service = createTestService({ listener: () => 204 });
 * const { id } = await service.client.createPaymentRequest({
 *   amount: '25.50',
 *   payer: { name: 'depositSubmit', email: 'ada@example.com' },
 * });
 * await service.advance(10);
 * const { status } = await service.client.getPaymentRequest(id);
 * console.log(status, service.webhooks.length);
 */
export function createTestService(options: TestServiceOptions = {}): TestService {
  const { listener, eventTypes, startsAt = new Date(), currency = CURRENCY } = options;
  const credentials = options.listenerCredentials ?? {
    ...{ username: 'listener', password: crypto.randomUUID(), signingSecret: newSigningSecret() },
  };
  const schedule = createSchedule(startsAt);
  const webhooks = createWebhooks({ listener, eventTypes, credentials, schedule });
  const context = {
    ...{ schedule, emit: webhooks.emit, currency, origin: ORIGIN },
    merchant: {
      id: `mer_${crypto.randomUUID().replaceAll('-', '').slice(0, 24)}`,
      name: 'Test Shop',
    },
  };
  const payments = new Payments(context);
  const apiKey = `sbx_${crypto.randomUUID()}`;
  const fetch = createCalls({
    ...context,
    payments,
    refunds: new Refunds(context),
    apiKey,
  });
  const clientOptions = {
    baseUrl: `${ORIGIN}/v1`,
    authUrl: `${ORIGIN}/oauth2/token`,
    ...{ username: 'sbx_test', password: 'test', apiKey, fetch },
    clock: {
      now: () => schedule.now().getTime(),
      sleep: (delayMs: number) => schedule.advance(delayMs / 1000),
    },
  };
  return {
    client: createClient(clientOptions),
    options: clientOptions,
    listenerCredentials: credentials,
    webhooks: webhooks.delivered,
    now: () => schedule.now(),
    advance: (seconds = 0) => schedule.advance(seconds),
  };
}
