import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  answerOf,
  type Client,
  createClient,
  makeTestWebhook,
  type TestWebhookResource,
  verifyWebhook,
  type WebhookEndpoint,
  type WebhookEvent,
} from '@payment-requests/sdk';
import { eventually } from '../support/eventually.ts';
import { webhookCheckOf } from '../support/schemas/check-webhook.ts';
import { type HttpsListener, startHttpsListener } from '../support/webhooks/https-listener.ts';
import { startWebhookService, type WebhookService } from '../support/webhooks/webhook-service.ts';

const NEW = { amount: '25.50', payer: { name: 'Ada', email: 'ada@example.com' } } as const;

let service: WebhookService;
let listener: HttpsListener;
let client: Client;
let endpoint: WebhookEndpoint;

before(async () => {
  service = await startWebhookService();
  listener = await startHttpsListener({ authority: service.authority });
  const { username, password, apiKey } = await service.createMerchant();
  const { url } = service;
  const addresses = { baseUrl: `${url}/v1`, authUrl: `${url}/oauth2/token` };
  client = createClient({ ...addresses, username, password, apiKey });
  endpoint = await client.createWebhookEndpoint({ url: listener.url, description: 'Shop' });
});
after(async () => {
  await listener?.close();
  await service?.stop();
});

async function pay(): Promise<string> {
  const { id } = await client.createPaymentRequest(NEW);
  await client.simulateOutcome(id, { outcome: 'PAID' });
  return id;
}

async function readAll<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

function credentialsOf({ username, password = '', signingSecret }: WebhookEndpoint) {
  return { username, password, signingSecret };
}

describe('the webhook calls of the SDK’s client with the service', () => {
  it('register an endpoint whose webhooks verifyWebhook accepts', async () => {
    const id = await pay();
    const { headers, body } = await eventually(
      () => listener.requests.find((request) => `${request.body}`.includes(id)),
      'the webhook',
    );
    const now = new Date(Number(headers['webhook-timestamp']) * 1000);
    const event = await verifyWebhook({ headers, body }, credentialsOf(endpoint), { now });
    assert.equal(event.resource.id, id);
    assert.ok(event.eventType === 'PAYMENT-COMPLETED');
    assert.ok(event.resource.payment.networkReference);
  });

  it('list, read, change, rotate, resume and delete an endpoint', async () => {
    const made = await client.createWebhookEndpoint({ url: `${listener.url}other` });
    assert.match(made.signingSecret, /^whsec_.{40,}/);
    assert.match(answerOf(made)?.requestId ?? '', /^[0-9a-f-]{36}$/);
    const listed = await readAll(client.listWebhookEndpoints());
    assert.deepEqual(listed.map(({ id }) => id).sort(), [endpoint.id, made.id].sort());
    const paused = await client.updateWebhookEndpoint(made.id, { status: 'PAUSED' });
    assert.equal(paused.statusReason?.code, 'PAUSED_BY_MERCHANT');
    assert.equal((await client.resumeWebhookEndpoint(made.id)).status, 'ACTIVE');
    const rotated = await client.rotateWebhookSecret(made.id, { overlapHours: 1 });
    assert.notEqual(rotated.signingSecret, made.signingSecret);
    assert.ok(rotated.previousSecretExpiryDateTime);
    assert.equal((await client.getWebhookEndpoint(made.id)).password, undefined);
    await client.deleteWebhookEndpoint(made.id);
    await assert.rejects(client.getWebhookEndpoint(made.id), {
      code: 'WEBHOOK_ENDPOINT_NOT_FOUND',
    });
    await assert.rejects(client.deleteWebhookEndpoint(made.id), {
      code: 'WEBHOOK_ENDPOINT_NOT_FOUND',
    });
  });

  it('test an endpoint, read its delivery and send it again', async () => {
    const { id, test } = await client.testWebhookEndpoint(endpoint.id);
    assert.equal(test, true);
    const delivery = await eventually(async () => {
      const read = await client.getWebhookDelivery(id);
      return read.status === 'SUCCEEDED' && read;
    }, 'the delivered test');
    assert.deepEqual(
      delivery.attemptLog.map(({ outcome }) => outcome),
      ['SUCCEEDED'],
    );
    assert.equal((await client.redeliverWebhook(id)).status, 'PENDING');
    const filters = { endpointId: endpoint.id };
    const all = await readAll(client.listWebhookDeliveries(filters, { pageSize: 1 }));
    assert.ok(all.some((each) => each.id === id) && all.length >= 1);
  });

  it('replay a span of time and follow its progress to the end', async () => {
    const id = await pay();
    const isSent = () => listener.requests.some(({ body }) => `${body}`.includes(id));
    await eventually(async () => isSent(), 'the webhook');
    const from = new Date(service.clock.now().getTime() - 60_000);
    await service.advance(1);
    const replay = await client.replayWebhooks(endpoint.id, { from, only: 'all' });
    assert.equal(replay.status, 'RUNNING');
    const states = await readAll(
      client.followWebhookReplay(endpoint.id, replay.id, { pollSeconds: 1 }),
    );
    assert.equal(states.at(-1)?.status, 'COMPLETED');
    assert.ok((states.at(-1)?.progress.queued ?? 0) >= 1);
    assert.equal((await client.getWebhookReplay(endpoint.id, replay.id)).status, 'COMPLETED');
    await assert.rejects(
      readAll(client.followWebhookReplay(endpoint.id, replay.id, { pollSeconds: 0 })),
      { code: 'INVALID_ARGUMENT' },
    );
  });
});

describe('the feed of the SDK’s client', () => {
  it('ends after the latest event, and continues behind a stored cursor', async () => {
    // Earlier events may be in transactions that the feed still waits for.
    const latest = await pay();
    const before = await eventually(async () => {
      const events = await readAll(client.readEvents({ pageSize: 1 }));
      return events.some(({ resource }) => resource.id === latest) && events;
    }, 'the latest event');
    const pages = await readAll(client.readEvents({ pageSize: 2 }).pages());
    assert.deepEqual(
      pages.flatMap(({ items }) => items.map(({ id }) => id)),
      before.map(idOf),
    );
    const after = pages.at(-1)?.nextCursor;
    const id = await pay();
    const next = await eventually(async () => {
      const found = await readAll(client.readEvents({ after }));
      return found.length > 0 && found;
    }, 'the next event');
    assert.deepEqual(
      next.map(({ resource }) => resource.id),
      [id],
    );
  });

  it('waits for the next event until its signal is aborted', async () => {
    const stop = new AbortController();
    const feed = client.readEvents({ after: 'latest', waitSeconds: 30, signal: stop.signal });
    const found: WebhookEvent[] = [];
    const following = (async () => {
      for await (const event of feed) {
        found.push(event);
        stop.abort(new Error('enough'));
      }
    })();
    const id = await pay();
    const again = eventually(async () => {
      // The feed may have begun behind the first event.
      if (found.length === 0) await pay();
      return found.length > 0;
    }, 'an event');
    await assert.rejects(following, { message: 'enough' });
    await again;
    assert.equal(found.length, 1);
    assert.ok(id && found[0]?.eventType === 'PAYMENT-COMPLETED');
  });
});

describe('the CSV export of the SDK’s client', () => {
  it('gives all rows as text or as a stream of bytes', async () => {
    const ids = [await pay(), await pay()];
    const csv = await client.exportPaymentRequests({ status: 'PAID' });
    assert.match(csv.fileName, /^payment-requests-\d{8}T\d{6}Z\.csv$/);
    assert.ok(answerOf(csv)?.requestId);
    const text = (await readAll(csv)).join('');
    for (const id of ids) assert.ok(text.includes(id));
    const { stream } = await client.exportPaymentRequests({ status: 'PAID' });
    assert.equal(await new Response(stream).text(), text);
    await assert.rejects(client.exportPaymentRequests({ amountMin: '-1' }), {
      code: 'VALIDATION_ERROR',
    });
  });
});

describe('makeTestWebhook', () => {
  it('makes webhooks that are valid by the OpenAPI document of the service', async () => {
    const check = webhookCheckOf((await service.call('GET', '/openapi.json')).text);
    const credentials = credentialsOf({
      ...endpoint,
      signingSecret: `whsec_${btoa('x'.repeat(32))}`,
    });
    const resources: readonly TestWebhookResource[] = [
      {},
      { amount: '25.50', displayMessage: 'café' },
      { status: 'FAILED' },
      { status: 'EXPIRED' },
      { status: 'CANCELLED' },
    ];
    for (const resource of resources) {
      const { body } = await makeTestWebhook(resource, credentials);
      assert.deepEqual(check(body), [], body);
    }
  });
});

function idOf({ id }: { readonly id: string }): string {
  return id;
}
