import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createClient, NoAnswerError } from '@payment-requests/sdk';
import { createFakeService, json, networkFault } from './fake-service.ts';

function setUp() {
  const service = createFakeService();
  return { service, client: createClient({ ...service.options, maxRetries: 0 }) };
}

const page = (ids: readonly string[], nextCursor: string, hasMore = false) =>
  json(200, { data: ids.map((id) => ({ id })), hasMore, nextCursor, links: [] });

async function idsOf(events: AsyncIterable<{ readonly id: string }>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of events) ids.push(id);
  return ids;
}

describe('the feed', () => {
  it('goes on with each cursor and ends after the latest event', async () => {
    const { service, client } = setUp();
    service.reply(page(['1', '2'], 'b', true), page(['3'], 'c'));
    assert.deepEqual(await idsOf(client.readEvents({ after: 'a', pageSize: 2 })), ['1', '2', '3']);
    assert.deepEqual(
      service.calls.map(({ url }) => url.split('?')[1]),
      ['after=a&limit=2', 'after=b&limit=2'],
    );
  });

  it('gives the cursor behind the latest event, although no event came', async () => {
    const { service, client } = setUp();
    service.reply(page([], 'now'), page([], 'now'));
    const cursors: string[] = [];
    for await (const { items, nextCursor } of client.readEvents({ after: 'latest' }).pages()) {
      assert.deepEqual(items, []);
      cursors.push(nextCursor);
    }
    assert.deepEqual(cursors, ['now']);
    assert.deepEqual(await idsOf(client.readEvents({ after: 'now' })), []);
  });

  it('pauses a second after an empty answer that came at once, and stops by its signal', async () => {
    const { service, client } = setUp();
    const stop = new AbortController();
    service.reply(page([], 'a'), page([], 'a'), () => {
      stop.abort(new Error('enough'));
      return page(['1'], 'b');
    });
    const feed = client.readEvents({ after: 'a', waitSeconds: 20, signal: stop.signal });
    const ids: string[] = [];
    const following = (async () => {
      for await (const { id } of feed) ids.push(id);
    })();
    await assert.rejects(following, { message: 'enough' });
    assert.deepEqual(service.clock.sleeps, [1_000, 1_000]);
    assert.deepEqual(ids, ['1']);
    assert.ok(service.calls.every(({ url }) => url.includes('waitSeconds=20')));
  });

  it('does not pause after an answer that waited', async () => {
    const { service, client } = setUp();
    service.reply(
      () => {
        service.clock.advance(20);
        return page([], 'a');
      },
      page(['1'], 'b'),
      networkFault(),
    );
    const ids: string[] = [];
    const following = (async () => {
      const feed = client.readEvents({ after: 'a', waitSeconds: 20 });
      for await (const { id } of feed) ids.push(id);
    })();
    await assert.rejects(following, NoAnswerError);
    assert.deepEqual(service.clock.sleeps, []);
    assert.deepEqual(ids, ['1']);
  });

  it('ends at an answer that says more and stays at its cursor', async () => {
    const { service, client } = setUp();
    service.reply(page(['1'], 'a', true));
    assert.deepEqual(await idsOf(client.readEvents({ after: 'a' })), []);
    assert.equal(service.calls.length, 1);
  });
});
