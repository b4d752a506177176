import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient } from '@payment-requests/sdk';
import { startTestService, type TestService } from '../support/service/service.ts';

const ID = 'id';
const PAYER = { name: 'Ada', email: 'ada@example.com' };

/** A call of each method of the client; the compiler demands every method. */
const CALLS: Readonly<Record<keyof Client, (client: Client) => unknown>> = {
  createPaymentRequest: (client) => client.createPaymentRequest({ amount: 1, payer: PAYER }),
  getPaymentRequest: (client) => client.getPaymentRequest(ID),
  listPaymentRequests: (client) => readAll(client.listPaymentRequests()),
  exportPaymentRequests: (client) => client.exportPaymentRequests(),
  cancelPaymentRequest: (client) => client.cancelPaymentRequest(ID),
  updatePaymentRequest: (client) => client.updatePaymentRequest(ID, {}),
  readTimeline: (client) => readAll(client.readTimeline(ID)),
  listMessages: (client) => readAll(client.listMessages(ID)),
  sendMessage: (client) => client.sendMessage(ID),
  simulateOutcome: (client) => client.simulateOutcome(ID, { outcome: 'PAID' }),
  advancePaymentRequest: (client) => client.advancePaymentRequest(ID, { seconds: 1 }),
  simulateRefund: (client) => client.simulateRefund(ID, { outcome: 'COMPLETED' }),
  createRefund: (client) => client.createRefund(ID, { amount: 1 }),
  getRefund: (client) => client.getRefund(ID),
  waitForRefund: (client) => client.waitForRefund(ID),
  listRefunds: (client) => readAll(client.listRefunds()),
  listRefundsOfPaymentRequest: (client) => readAll(client.listRefundsOfPaymentRequest(ID)),
  exportRefunds: (client) => client.exportRefunds(),
  listLedgerEntries: (client) => readAll(client.listLedgerEntries()),
  exportLedgerEntries: (client) => client.exportLedgerEntries(),
  getReconciliationReport: (client) => client.getReconciliationReport(),
  readEvents: (client) => readAll(client.readEvents()),
  createWebhookEndpoint: (client) => client.createWebhookEndpoint({ url: 'https://a.test' }),
  listWebhookEndpoints: (client) => readAll(client.listWebhookEndpoints()),
  getWebhookEndpoint: (client) => client.getWebhookEndpoint(ID),
  updateWebhookEndpoint: (client) => client.updateWebhookEndpoint(ID, {}),
  deleteWebhookEndpoint: (client) => client.deleteWebhookEndpoint(ID),
  rotateWebhookSecret: (client) => client.rotateWebhookSecret(ID),
  testWebhookEndpoint: (client) => client.testWebhookEndpoint(ID),
  resumeWebhookEndpoint: (client) => client.resumeWebhookEndpoint(ID),
  listWebhookDeliveries: (client) => readAll(client.listWebhookDeliveries()),
  getWebhookDelivery: (client) => client.getWebhookDelivery(ID),
  redeliverWebhook: (client) => client.redeliverWebhook(ID),
  replayWebhooks: (client) => client.replayWebhooks(ID, { from: new Date() }),
  getWebhookReplay: (client) => client.getWebhookReplay(ID, ID),
  followWebhookReplay: (client) => readAll(client.followWebhookReplay(ID, ID)),
};

/** Exports are another form of a list's answer; the two others repeat a call. */
const BESIDE_OPERATIONS = [
  ...['exportPaymentRequests', 'exportRefunds', 'exportLedgerEntries'],
  ...['waitForRefund', 'followWebhookReplay'],
];

interface Documented {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly { readonly in?: string; readonly name?: string }[];
}

let service: TestService;

before(async () => {
  service = await startTestService();
});
after(() => service?.stop());

describe('the operations of the SDK’s client', () => {
  it('are the operations of the OpenAPI document that need an access token', async () => {
    const document: Documented = (await service.call('GET', '/openapi.json')).json;
    const documented = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({
        ...operation,
        call: `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, ID)}`,
      })),
    );
    // The client makes the token call itself; key set and metadata are for OAuth libraries.
    const needed = documented.filter(({ security }) =>
      JSON.stringify(security ?? 'inherited').match(/inherited|apiKey|x-api-key/i),
    );
    assert.ok(needed.length >= 20, `${needed.length} operations`);
    const sent = new Set<string>();
    for (const call of Object.values(CALLS)) for (const each of await record(call)) sent.add(each);
    assert.deepEqual([...sent].sort(), needed.map(({ call }) => call).sort());
    const ids = needed.map(({ operationId }) => operationId);
    const others = Object.keys(CALLS).filter((name) => !ids.includes(name));
    assert.deepEqual(others.sort(), [...BESIDE_OPERATIONS].sort());
    assert.deepEqual(
      ids.filter((id) => !Object.hasOwn(CALLS, id)),
      [],
    );
  });

  it('accept every documented parameter of a list and of the feed', async () => {
    const document: Documented = (await service.call('GET', '/openapi.json')).json;
    const operations = Object.values(document.paths).flatMap((each) => Object.values(each));
    const paramsOf = (id: string) => {
      const found = operations.find(({ operationId }) => operationId === id)?.parameters ?? [];
      return found.flatMap((each) => (each.in === 'query' ? (each.name ?? []) : [])).sort();
    };
    const accepted = {
      readEvents: await queryOf((client) =>
        readAll(
          client.readEvents({ after: 'latest', eventTypes: ['*'], pageSize: 5, waitSeconds: 3 }),
        ),
      ),
      listLedgerEntries: await queryOf((client) =>
        readAll(
          client.listLedgerEntries(
            { from: 'f', to: 't', type: 'PAYMENT', paymentRequestId: ID },
            { after: 'a', pageSize: 5 },
          ),
        ),
      ),
      listRefunds: await queryOf((client) =>
        readAll(
          client.listRefunds(
            {
              status: 'FAILED',
              merchantRefundId: 'r',
              paymentRequestId: ID,
              createdFrom: 'f',
              createdTo: 't',
            },
            { pageSize: 5, cursor: 'c' },
          ),
        ),
      ),
      listRefundsOfPaymentRequest: await queryOf((client) =>
        readAll(client.listRefundsOfPaymentRequest(ID, { pageSize: 5, cursor: 'c' })),
      ),
      getReconciliationReport: await queryOf((client) =>
        client.getReconciliationReport({ date: 'd', since: 's' }),
      ),
      listWebhookDeliveries: await queryOf((client) =>
        readAll(
          client.listWebhookDeliveries(
            { paymentRequestId: ID, endpointId: ID, status: 'PENDING' },
            { pageSize: 5, cursor: 'c' },
          ),
        ),
      ),
      readTimeline: await queryOf((client) =>
        readAll(client.readTimeline(ID, { pageSize: 5, cursor: 'c' })),
      ),
      getPaymentRequest: await queryOf((client) =>
        client.getPaymentRequest(ID, { waitSeconds: 3 }),
      ),
    };
    for (const [id, names] of Object.entries(accepted)) assert.deepEqual(names, paramsOf(id), id);
  });
});

async function queryOf(call: (client: Client) => unknown): Promise<string[]> {
  const [, url = ''] = (await recordUrls(call))[0]?.split(' ') ?? [];
  return [...new URL(url).searchParams.keys()].sort();
}

async function record(call: (client: Client) => unknown): Promise<string[]> {
  const urls = await recordUrls(call);
  return urls.map((each) => {
    const [method = '', url = ''] = each.split(' ');
    return `${method} ${new URL(url).pathname}`;
  });
}

/** Sends the calls of a client to no service: each gets an empty success. */
async function recordUrls(call: (client: Client) => unknown): Promise<string[]> {
  const sent: string[] = [];
  const stop = new AbortController();
  const fetch = async (input: unknown, init: RequestInit = {}) => {
    const url = String(input);
    if (url === 'https://pay.test/oauth2/token') {
      return Response.json({ access_token: 'token', expires_in: 3600 });
    }
    sent.push(`${init.method} ${url}`);
    return Response.json({ data: [], hasMore: false, nextCursor: null, status: 'COMPLETED' });
  };
  const client = createClient({
    baseUrl: 'https://pay.test/v1',
    authUrl: 'https://pay.test/oauth2/token',
    username: 'username',
    password: 'password',
    apiKey: 'key',
    fetch: fetch as typeof globalThis.fetch,
    // The feed pauses after an empty page; its iteration ends there.
    clock: {
      now: () => Date.now(),
      sleep: () => {
        stop.abort();
        return Promise.reject(stop.signal.reason);
      },
    },
  });
  try {
    await call(client);
  } catch (error) {
    if (error !== stop.signal.reason) throw error;
  }
  return sent;
}

async function readAll(items: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of items);
}
