import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createClient, NoAnswerError } from '@payment-requests/sdk';
import { createFakeService, json, networkFault, problem } from './fake-service.ts';

function setUp() {
  const service = createFakeService();
  return { service, client: createClient(service.options) };
}
const notFound = () => problem(404, 'WEBHOOK_ENDPOINT_NOT_FOUND');

describe('deleting a webhook endpoint', () => {
  it('succeeds when the answer of the deletion was lost', async () => {
    const { service, client } = setUp();
    service.reply(networkFault(), notFound());
    await client.deleteWebhookEndpoint('1');
    assert.deepEqual(
      service.calls.map(({ method, body }) => [method, body]),
      [
        ['DELETE', undefined],
        ['DELETE', undefined],
      ],
    );
    assert.equal(service.calls[0]?.headers.get('content-type'), null);
  });

  it('reports an endpoint that the first attempt does not find', async () => {
    const { service, client } = setUp();
    service.reply(notFound());
    await assert.rejects(client.deleteWebhookEndpoint('1'), {
      code: 'WEBHOOK_ENDPOINT_NOT_FOUND',
    });
    service.reply(new Response(null, { status: 204 }));
    assert.equal(await client.deleteWebhookEndpoint('1'), undefined);
  });
});

describe('changing a webhook endpoint', () => {
  it('is not repeated with a new URL, whose secrets the repeat would not show', async () => {
    const { service, client } = setUp();
    service.reply(networkFault());
    const moving = client.updateWebhookEndpoint('1', { url: 'https://other.test/' });
    await assert.rejects(moving, NoAnswerError);
    assert.equal(service.calls.length, 1);
    service.reply(networkFault());
    await client.updateWebhookEndpoint('1', { description: 'Shop' });
    assert.equal(service.calls.length, 3);
  });
});

describe('following a replay', () => {
  it('reads the progress at its interval until the replay is over', async () => {
    const { service, client } = setUp();
    const running = () => json(200, { id: '9', status: 'RUNNING' });
    service.reply(running(), running(), json(200, { id: '9', status: 'CANCELLED' }));
    const statuses: string[] = [];
    const replay = client.followWebhookReplay('1', '9', { pollSeconds: 5 });
    for await (const { status } of replay) statuses.push(status);
    assert.deepEqual(statuses, ['RUNNING', 'RUNNING', 'CANCELLED']);
    assert.deepEqual(service.clock.sleeps, [5_000, 5_000]);
    assert.ok(service.calls[0]?.url.endsWith('/webhook-endpoints/1/replays/9'));
  });
});

describe('a list', () => {
  it('gives whole pages, and continues at a stored cursor', async () => {
    const { service, client } = setUp();
    service.reply(
      json(200, { data: [{ id: '1' }], hasMore: true, nextCursor: 'c1' }, { 'x-request-id': 'r' }),
      json(200, { data: [{ id: '2' }], hasMore: false, nextCursor: null }),
    );
    const pages = client.listWebhookDeliveries({}, { cursor: 'c0', pageSize: 1 }).pages();
    const seen: unknown[] = [];
    for await (const { items, nextCursor } of pages) {
      seen.push([items.map(({ id }) => id), nextCursor]);
    }
    assert.deepEqual(seen, [
      [['1'], 'c1'],
      [['2'], null],
    ]);
    assert.deepEqual(
      service.calls.map(({ url }) => url.split('?')[1]),
      ['limit=1&cursor=c0', 'limit=1&cursor=c1'],
    );
  });
});
