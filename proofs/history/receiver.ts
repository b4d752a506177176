import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { verifyWebhook } from '@payment-requests/sdk';
import {
  createTestAuthority,
  type HttpsListener,
  type ReceivedWebhook,
  startHttpsListener,
  type TestAuthority,
} from '../../service/test/support/webhooks/https-listener.ts';
import { callService, type WorkloadMerchant } from './call-service.ts';
import type { History } from './history.ts';
import { createRandom } from './random.ts';

/** A share of the webhooks that fails in each way; the rest is answered 200. */
export interface FailingShares {
  /** Answered 500. */
  readonly error: number;
  /** Never answered: the sender's own limit ends it. */
  readonly hang: number;
  /** The connection is cut without an answer. */
  readonly reset: number;
}

const NONE: FailingShares = { error: 0, hang: 0, reset: 0 };
/** A real listener takes its time, so that a fault finds some webhooks under way. */
const SLOWEST_ANSWER_MS = 30;

/** The merchants' HTTPS listeners: they verify each webhook and write it into the history. */
export interface Receiver {
  /** For `WEBHOOK_CA_FILE`. */
  readonly caPem: string;
  /** Registers an endpoint for every event of the merchant, through a running service. */
  register(origin: string, merchant: WorkloadMerchant): Promise<void>;
  fail(shares: Partial<FailingShares>): void;
  heal(): void;
  close(): Promise<void>;
}

interface Endpoint {
  readonly merchantId: string;
  readonly username: string;
  readonly password: string;
  readonly signingSecret: string;
}

/** The settings by which a service reaches the receiver, beside `WEBHOOK_CA_FILE`. */
export const RECEIVER_SETTINGS = {
  WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32,::1/128',
  WEBHOOK_ALLOW_PORTS: '*',
};

/** Starts the listeners on loopback, all behind one port. */
export async function startReceiver(history: History): Promise<Receiver> {
  const random = createRandom(history.seed, 'receiver');
  const endpoints = new Map<string, Endpoint>();
  let shares = NONE;
  const authority: TestAuthority = await createTestAuthority();
  const listener: HttpsListener = await startHttpsListener({
    authority,
    answering: async (webhook, response) => {
      // The history has the webhooks; a copy in memory would grow in a long run.
      listener.requests.length = 0;
      const [draw, pause] = [random(), random()];
      const eventId = await record(history, endpoints.get(webhook.path), webhook);
      await wait(pause * SLOWEST_ANSWER_MS);
      const answer = answerOf(shares, draw);
      if (answer === 200) history.append({ kind: 'acknowledged', eventId });
      if (answer === 'reset') response.socket?.destroy();
      else if (answer !== 'hang') response.writeHead(answer).end();
    },
  });
  return {
    caPem: authority.caPem,
    async register(origin, merchant) {
      const { merchantId } = merchant;
      const url = `${new URL(listener.url).origin}/${merchantId}`;
      const endpoint = await registerEndpoint(origin, merchant, url);
      endpoints.set(`/${merchantId}`, { merchantId, ...endpoint });
    },
    fail(more) {
      shares = { ...NONE, ...more };
    },
    heal() {
      shares = NONE;
    },
    close: () => listener.close(),
  };
}

function answerOf({ error, hang, reset }: FailingShares, draw: number): number | 'hang' | 'reset' {
  if (draw < error) return 500;
  if (draw < error + hang) return 'hang';
  return draw < error + hang + reset ? 'reset' : 200;
}

async function record(
  history: History,
  endpoint: Endpoint | undefined,
  webhook: ReceivedWebhook,
): Promise<string> {
  const headers = webhook.headers as Record<string, string>;
  const genuine = endpoint && verifyWebhook({ headers, body: webhook.body }, endpoint);
  const isGenuine = (await genuine?.then(() => true).catch(() => false)) ?? false;
  const { id, sequence, resource } = JSON.parse(webhook.body);
  history.append({
    kind: 'received',
    merchantId: endpoint?.merchantId ?? '',
    eventId: id,
    paymentRequestId: resource.paymentRequestId ?? resource.id,
    sequence,
    bodyHash: createHash('sha256').update(webhook.body).digest('hex'),
    isGenuine,
  });
  return id;
}

async function registerEndpoint(
  origin: string,
  merchant: WorkloadMerchant,
  url: string,
): Promise<Omit<Endpoint, 'merchantId'>> {
  const { token = '' } = await callService(origin, merchant, '', { name: 'token' });
  const response = await fetch(`${origin}/v1/webhook-endpoints`, {
    method: 'POST',
    headers: {
      'x-api-key': merchant.apiKey,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ url, eventTypes: ['*'] }),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`No endpoint for the receiver: ${text}`);
  const { username, password, signingSecret } = JSON.parse(text);
  return { username, password, signingSecret };
}
