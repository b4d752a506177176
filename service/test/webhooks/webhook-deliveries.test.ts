import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import type { TestMerchant } from '../support/service/service.ts';
import { startServiceBeside } from '../support/service/service-beside.ts';
import { type HttpsListener, startHttpsListener } from '../support/webhooks/https-listener.ts';
import { startWebhookService, type WebhookService } from '../support/webhooks/webhook-service.ts';

let service: WebhookService;
let listener: HttpsListener;
let merchant: TestMerchant;

before(async () => {
  service = await startWebhookService({
    // The schedule has a first attempt and one more: a delivery is given up soon.
    settings: { WEBHOOK_RETRY_SCHEDULE_SECONDS: '0,5' },
  });
});
after(() => service?.stop());
beforeEach(async () => {
  merchant = await service.createMerchant();
  listener = await startHttpsListener({ authority: service.authority });
});
afterEach(() => listener.close());

function call(method: string, path: string, body?: unknown, headers = {}) {
  return service.call(method, `/v1${path}`, {
    headers: { ...merchant.headers, ...headers },
    ...(body !== undefined && { body }),
  });
}

/** The id of a webhook endpoint at a path of the listener. */
async function register(path = ''): Promise<string> {
  const answer = await call('POST', '/webhook-endpoints', { url: `${listener.url}${path}` });
  assert.equal(answer.status, 201, answer.text);
  return answer.json.id;
}

async function pay(extra: object = {}): Promise<string> {
  const created = await call('POST', '/payment-requests', {
    amount: 10,
    type: 'ECOMM',
    payer: { name: 'Ada', email: 'ada@example.com' },
    ...extra,
  });
  assert.equal(created.status, 201, created.text);
  const path = `/sandbox/payment-requests/${created.json.id}/simulations`;
  assert.equal((await call('POST', path, { outcome: 'PAID' })).status, 202);
  return created.json.id;
}

type Delivery = Record<string, unknown> & { id: string; status: string; attempts: number };

async function list(query = ''): Promise<Delivery[]> {
  const answer = await call('GET', `/webhook-deliveries?limit=100&${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json.data;
}

function all(status: string, query = ''): Promise<Delivery[]> {
  return eventually(async () => {
    const found = await list(query);
    return found.length > 0 && found.every((each) => each.status === status) && found;
  }, `deliveries that are ${status}`);
}

/** Lets the deliveries fail that are pending until they are given up. */
async function exhaust(): Promise<void> {
  await eventually(async () => (await list()).every(({ attempts }) => attempts === 1));
  await service.advance(6);
  await eventually(async () => (await list('status=PENDING')).length === 0);
}

describe('the deliveries’ list', () => {
  it('has one for each event and URL, newest first, as they stand', async () => {
    const endpointId = await register();
    const first = await pay();
    const second = await pay({ webhookUrl: `${listener.url}/own` });
    const deliveries = await eventually(async () => {
      const found = await all('SUCCEEDED');
      return found.length === 3 && found;
    });
    const [, , oldest] = deliveries;
    assert.equal(oldest?.paymentRequestId, first);
    const { id, eventId, createdDateTime, completedDateTime, ...rest } = oldest ?? {};
    assert.ok(id && eventId && createdDateTime && completedDateTime);
    assert.deepEqual(rest, {
      eventType: 'PAYMENT-COMPLETED',
      paymentRequestId: first,
      endpointId,
      url: listener.url,
      status: 'SUCCEEDED',
      attempts: 1,
      nextAttemptDateTime: null,
    });
    const own = deliveries.find((each) => each.url === `${listener.url}/own`);
    assert.equal(own?.endpointId, null);
    assert.equal(own?.paymentRequestId, second);
  });

  it('is narrowed by each filter, and paged without a gap', async () => {
    const endpointId = await register();
    const ids = [];
    for (let index = 0; index < 5; index += 1) {
      ids.push(await pay({ webhookUrl: `${listener.url}/own` }));
    }
    await eventually(async () => (await all('SUCCEEDED')).length === 10);
    const of = (found: Delivery[]) => found.map(({ paymentRequestId }) => paymentRequestId);
    assert.deepEqual(of(await list(`paymentRequestId=${ids[2]}`)), [ids[2], ids[2]]);
    assert.deepEqual(of(await list(`endpointId=${endpointId}`)), [...ids].reverse());
    assert.equal((await list('status=SUCCEEDED')).length, 10);
    assert.equal((await list('status=PENDING')).length, 0);
    assert.equal((await list('status=PENDING,EXHAUSTED')).length, 0);
    assert.equal((await list('status=SUCCEEDED,EXHAUSTED')).length, 10);
    assert.equal(
      (await list(`status=PENDING&status=SUCCEEDED&endpointId=${endpointId}`)).length,
      5,
    );
    assert.equal((await list(`status=EXHAUSTED&endpointId=${endpointId}`)).length, 0);
    assert.equal((await list(`endpointId=${randomUUID()}`)).length, 0);

    const seen: string[] = [];
    let path: string | null = '/webhook-deliveries?limit=3&status=SUCCEEDED';
    while (path !== null) {
      const { json } = await call('GET', path);
      assert.ok(json.data.length <= 3);
      assert.equal(json.hasMore, json.nextCursor !== null);
      seen.push(...json.data.map(({ id }: Delivery) => id));
      const next = json.links.find(({ rel }: { rel: string }) => rel === 'next');
      path = next ? next.href.slice(service.publicApiUrl.length) : null;
    }
    assert.deepEqual(
      seen,
      (await list()).map(({ id }) => id),
    );
  });

  it('refuses unknown parameters, bad values, and a cursor of other filters', async () => {
    await register();
    await pay();
    await pay();
    await eventually(async () => (await all('SUCCEEDED')).length === 2);
    const { json: page } = await call('GET', '/webhook-deliveries?limit=1');
    const cases = {
      'colour=red': 'colour',
      'status=LOST': 'status',
      'endpointId=5': 'endpointId',
      [`endpointId=urn:uuid:${randomUUID()}`]: 'endpointId',
      'limit=101': 'limit',
      'cursor=abc': 'cursor',
      [`status=PENDING&cursor=${page.nextCursor}`]: 'cursor',
    };
    for (const [query, field] of Object.entries(cases)) {
      const { status, json } = await call('GET', `/webhook-deliveries?${query}`);
      assert.equal(status, 400, query);
      assert.equal(json.errors[0].field, field);
    }
  });

  it('does not show another merchant’s', async () => {
    await register();
    await pay();
    const [delivery] = await all('SUCCEEDED');
    merchant = await service.createMerchant();
    assert.deepEqual(await list(), []);
    for (const [method, tail] of [
      ['GET', ''],
      ['POST', '/redeliver'],
    ] as const) {
      const answer = await call(method, `/webhook-deliveries/${delivery?.id}${tail}`);
      assert.equal(answer.json.code, 'WEBHOOK_DELIVERY_NOT_FOUND');
    }
  });
});

describe('a delivery', () => {
  it('shows its attempts: answers up to 1 KiB, where the time went, and no address', async () => {
    listener.answerWith((_request, response) => response.writeHead(500).end('é'.repeat(1_000)));
    await register();
    await pay();
    await exhaust();
    const [listed] = await list();
    const { json } = await call('GET', `/webhook-deliveries/${listed?.id}`);
    const { attemptLog, ...delivery } = json;
    assert.deepEqual(delivery, listed);
    assert.equal(json.statusReason.code, 'ATTEMPTS_EXHAUSTED');
    assert.equal(attemptLog.length, 2);
    const [first] = attemptLog;
    assert.equal(first.attempt, 1);
    assert.equal(first.outcome, 'REFUSED_BY_LISTENER');
    assert.equal(first.httpStatus, 500);
    // 1,024 bytes, not characters.
    assert.equal(first.responseBody, 'é'.repeat(512));
    for (const part of ['dnsMs', 'connectMs', 'tlsMs', 'firstByteMs', 'durationMs']) {
      assert.equal(typeof first[part], 'number', part);
    }
    assert.ok(first.dnsMs + first.connectMs + first.tlsMs <= first.firstByteMs + 3);
    assert.doesNotMatch(JSON.stringify(json), /127\.0\.0\.1/);
  });

  it('is sent again in any status: the same id and bytes, with all attempts anew', async () => {
    const endpointId = await register();
    await pay();
    const [delivery] = await all('SUCCEEDED');
    const path = `/webhook-deliveries/${delivery?.id}/redeliver`;
    listener.answerWith((_request, response) => response.writeHead(500).end());
    const answer = await call('POST', path);
    assert.equal(answer.status, 202, answer.text);
    assert.equal(answer.json.status, 'PENDING');
    assert.equal(answer.json.completedDateTime, undefined);
    await listener.received(2);
    await eventually(async () => (await list())[0]?.attempts === 2);
    // Still pending, and sent again at once rather than when it is due.
    assert.equal((await call('POST', path)).status, 202);
    await listener.received(3);
    await eventually(async () => (await list())[0]?.attempts === 3);
    await service.advance(6);
    await all('EXHAUSTED');
    listener.answerWith((_request, response) => response.end());
    assert.equal((await call('POST', path)).status, 202);
    await all('SUCCEEDED');
    assert.equal(listener.requests.length, 5);
    assert.equal(new Set(listener.requests.map(({ body }) => body)).size, 1);
    assert.equal(new Set(listener.requests.map(({ headers }) => headers['webhook-id'])).size, 1);
    assert.equal((await list(`endpointId=${endpointId}`)).length, 1);
  });

  it('is sent once more for one key, and not at all once its payer is erased', async () => {
    await register();
    await pay();
    const [delivery] = await all('SUCCEEDED');
    const path = `/webhook-deliveries/${delivery?.id}/redeliver`;
    const headers = { 'idempotency-key': randomUUID() };
    const first = await call('POST', path, undefined, headers);
    await listener.received(2);
    await all('SUCCEEDED');
    const second = await call('POST', path, undefined, headers);
    assert.equal(second.text, first.text);
    assert.equal((await list())[0]?.status, 'SUCCEEDED');
    await service.database.sql('UPDATE webhook_events SET erased_at = now() WHERE id = $1', [
      delivery?.eventId,
    ]);
    const erased = await call('POST', path);
    assert.equal(erased.status, 410);
    assert.equal(erased.json.code, 'ERASED');
  });
});

describe('a replay', () => {
  const FROM = '2026-03-01T00:00:00Z';

  async function replay(endpointId: string, body: object) {
    const answer = await call('POST', `/webhook-endpoints/${endpointId}/replay`, body);
    assert.equal(answer.status, 202, answer.text);
    assert.equal(answer.json.status, 'RUNNING');
    return `/webhook-endpoints/${endpointId}/replays/${answer.json.id}`;
  }

  function completed(path: string) {
    return eventually(async () => {
      const { json } = await call('GET', path);
      return json.status === 'COMPLETED' && json.progress.pending === 0 && json;
    }, 'a replay that is COMPLETED');
  }

  it('sends what failed again, and only that', async () => {
    const endpointId = await register();
    await pay();
    await all('SUCCEEDED');
    listener.answerWith((_request, response) => response.writeHead(500).end());
    const failed = [await pay(), await pay()];
    await exhaust();
    listener.answerWith((_request, response) => response.end());
    const before = listener.requests.length;
    await service.advance(1);
    const path = await replay(endpointId, { from: FROM });
    await service.advance(1);
    const { progress, only, completedDateTime } = await completed(path);
    assert.equal(only, 'failed');
    assert.ok(completedDateTime);
    assert.equal(progress.examined, 3);
    assert.equal(progress.queued, 2);
    await all('SUCCEEDED');
    const again = listener.requests.slice(before).map(({ body }) => JSON.parse(body).resource.id);
    assert.deepEqual(again.sort(), failed.sort());
  });

  it('sends everything, also what happened before the endpoint was there, a few at a time', async () => {
    const paid: string[] = [];
    for (let index = 0; index < 90; index += 1) paid.push(await pay());
    await service.advance(1);
    const later = await pay();
    const endpointId = await register();
    let pendingMost = 0;
    const to = new Date(service.clock.now().getTime() - 500).toISOString();
    const path = await replay(endpointId, { from: FROM, to, only: 'all' });
    const watched = eventually(async () => {
      const { json } = await call('GET', path);
      pendingMost = Math.max(pendingMost, json.progress.pending);
      return json.status === 'COMPLETED' && json.progress.pending === 0 && json;
    });
    const { progress } = await watched;
    assert.equal(progress.queued, 90);
    assert.ok(pendingMost <= 40, `${pendingMost} at a time`);
    const seen = listener.requests.map(({ body }) => JSON.parse(body).resource.id);
    assert.deepEqual(seen.sort(), paid.sort());
    assert.ok(!seen.includes(later));
  });

  it('of everything brings forward what waits for its next attempt, and one of failures does not', async () => {
    const endpointId = await register();
    listener.answerWith((_request, response) => response.writeHead(500).end());
    await pay();
    await pay();
    await eventually(async () => (await list()).every(({ attempts }) => attempts === 1));
    listener.answerWith((_request, response) => response.end());
    await service.advance(1);
    const failed = await completed(await replay(endpointId, { from: FROM }));
    assert.equal(failed.progress.queued, 0);
    assert.equal(listener.requests.length, 2);
    // The second attempt would be due in four seconds; the clock stands still.
    const { progress } = await completed(await replay(endpointId, { from: FROM, only: 'all' }));
    assert.equal(progress.queued, 2);
    await all('SUCCEEDED');
    assert.equal(listener.requests.length, 4);
  });

  it('holds with a paused endpoint, and flows when it is resumed', async () => {
    const endpointId = await register();
    for (let index = 0; index < 5; index += 1) await pay();
    await eventually(async () => (await all('SUCCEEDED')).length === 5);
    await service.advance(1);
    await call('PATCH', `/webhook-endpoints/${endpointId}`, { status: 'PAUSED' });
    const path = await replay(endpointId, { from: FROM, only: 'all' });
    await eventually(async () => (await call('GET', path)).json.status === 'COMPLETED');
    assert.equal((await call('GET', path)).json.progress.pending, 5);
    await call('POST', `/webhook-endpoints/${endpointId}/resume`);
    const done = await completed(path);
    assert.equal(done.progress.queued, 5);
    assert.equal(listener.requests.length, 10);
  });

  it('goes on where it was after any process ends, and is shared without sending twice', async () => {
    const idle = await startWebhookService({ roles: ['api'] });
    const own = { service, merchant };
    service = idle;
    try {
      merchant = await idle.createMerchant();
      const paid: string[] = [];
      for (let index = 0; index < 90; index += 1) paid.push(await pay());
      await idle.advance(1);
      const authority = idle.authority;
      await listener.close();
      listener = await startHttpsListener({ authority });
      const endpointId = await register();
      const path = await replay(endpointId, { from: FROM, only: 'all' });
      // The first service ends at once, in the middle of the replay, then two run side by side.
      const first = await startServiceBeside(idle);
      await eventually(async () => (await call('GET', path)).json.progress.queued > 0);
      await first.stop();
      const { status, progress } = (await call('GET', path)).json;
      assert.equal(status, 'RUNNING');
      assert.ok(progress.queued < 90);
      const others = await Promise.all([startServiceBeside(idle), startServiceBeside(idle)]);
      const done = await completed(path).finally(() => Promise.all(others.map((o) => o.stop())));
      assert.equal(done.progress.queued, 90);
      const seen = listener.requests.map(({ body }) => JSON.parse(body).resource.id);
      assert.deepEqual(seen.sort(), paid.sort());
    } finally {
      await idle.stop();
      ({ service, merchant } = own);
    }
  });

  it('runs once at a time for an endpoint, and ends with it', async () => {
    const idle = await startWebhookService({ roles: ['api'] });
    const own = { service, merchant };
    service = idle;
    try {
      merchant = await idle.createMerchant();
      const endpointId = await register();
      const path = await replay(endpointId, { from: FROM, only: 'all' });
      const again = await call('POST', `/webhook-endpoints/${endpointId}/replay`, { from: FROM });
      assert.equal(again.json.code, 'WEBHOOK_REPLAY_RUNNING');
      assert.match(again.json.detail, new RegExp(`^The replay ${path.split('/').at(-1)} of`));
      assert.equal((await call('DELETE', `/webhook-endpoints/${endpointId}`)).status, 204);
      const beside = await startServiceBeside(idle);
      await eventually(async () => (await call('GET', path)).json.status === 'CANCELLED').finally(
        () => beside.stop(),
      );
    } finally {
      await idle.stop();
      ({ service, merchant } = own);
    }
  });

  it('refuses a span that is none', async () => {
    const endpointId = await register();
    const path = `/webhook-endpoints/${endpointId}/replay`;
    const cases: [object, string][] = [
      [{}, 'from'],
      [{ from: 'yesterday' }, 'from'],
      [{ from: FROM, to: FROM }, 'from'],
      [{ from: '2027-01-01T00:00:00Z' }, 'from'],
      [{ from: FROM, only: 'some' }, 'only'],
    ];
    for (const [body, field] of cases) {
      const answer = await call('POST', path, body);
      assert.equal(answer.status, 400, JSON.stringify(body));
      assert.equal(answer.json.errors[0].field, field);
    }
    const unknown = await call('GET', `/webhook-endpoints/${endpointId}/replays/${randomUUID()}`);
    assert.equal(unknown.json.code, 'WEBHOOK_REPLAY_NOT_FOUND');
  });
});
