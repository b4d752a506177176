import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { eventually } from '../support/eventually.ts';
import { sampleOf } from '../support/metric-samples.ts';
import { webhookCheckOf } from '../support/schemas/check-webhook.ts';
import { buyToken, type TestMerchant } from '../support/service/service.ts';
import {
  type HttpsListener,
  type ReceivedWebhook,
  startHttpsListener,
} from '../support/webhooks/https-listener.ts';
import { startWebhookService, type WebhookService } from '../support/webhooks/webhook-service.ts';

const NIL = '00000000-0000-0000-0000-000000000000';

let service: WebhookService;
let merchant: TestMerchant;

before(async () => {
  service = await startWebhookService();
});
after(() => service?.stop());
beforeEach(async () => {
  merchant = await service.createMerchant();
});

type Headers = Record<string, string>;

function call(method: string, path: string, body?: unknown, headers: Headers = {}) {
  return service.call(method, `/v1${path}`, {
    headers: { ...merchant.headers, ...headers },
    ...(body !== undefined && { body }),
  });
}

async function register(body: object) {
  const answer = await call('POST', '/webhook-endpoints', body);
  assert.equal(answer.status, 201, answer.text);
  return answer.json;
}

/** A payment request of the simulator's, paid; its event is due. */
async function pay(extra: object = {}): Promise<string> {
  const created = await call('POST', '/payment-requests', {
    amount: 10,
    type: 'ECOMM',
    payer: { name: 'Ada', email: 'ada@example.com' },
    ...extra,
  });
  assert.equal(created.status, 201, created.text);
  const { id } = created.json;
  const paid = await call('POST', `/sandbox/payment-requests/${id}/simulations`, {
    outcome: 'PAID',
  });
  assert.equal(paid.status, 202, paid.text);
  return id;
}

async function withListener(work: (listener: HttpsListener) => Promise<void>): Promise<void> {
  const listener = await startHttpsListener({ authority: service.authority });
  try {
    await work(listener);
  } finally {
    await listener.close();
  }
}

function assertSentWith(
  request: ReceivedWebhook | undefined,
  secrets: { username?: string; password?: string; signingSecret?: string },
): void {
  assert.ok(request);
  const headers = request.headers as Headers;
  if (secrets.password) {
    const basic = Buffer.from(`${secrets.username}:${secrets.password}`).toString('base64');
    assert.equal(headers.authorization, `Basic ${basic}`);
  }
  if (secrets.signingSecret) {
    // The service's clock stands still: the library would call its timestamp too old.
    const sentAt = new Date(Number(headers['webhook-timestamp']) * 1_000);
    const own = new Webhook(secrets.signingSecret).sign(
      headers['webhook-id'] ?? '',
      sentAt,
      request.body,
    );
    assert.ok(headers['webhook-signature']?.split(' ').includes(own), 'not signed with it');
  }
}

function deliveriesOf(query: string) {
  return eventually(async () => {
    const { json } = await call('GET', `/webhook-deliveries?${query}`);
    return json.data.length > 0 && json.data;
  }, `deliveries with ${query}`);
}

function deliveryThatIs(status: string, query: string, attempts = 0) {
  return eventually(async () => {
    const { json } = await call('GET', `/webhook-deliveries?${query}`);
    return json.data.find(
      (each: { status: string; attempts: number }) =>
        each.status === status && each.attempts >= attempts,
    );
  }, `a delivery that is ${status}`);
}

describe('registering a webhook endpoint', () => {
  it('answers its secrets once, and sends events with them', () =>
    withListener(async (listener) => {
      const created = await register({ url: listener.url, description: 'Shop' });
      assert.match(created.signingSecret, /^whsec_[A-Za-z0-9+/]{43}=$/);
      assert.ok(created.username && created.password);
      assert.equal(created.status, 'ACTIVE');
      assert.equal(created.statusReason, undefined);

      const read = await call('GET', `/webhook-endpoints/${created.id}`);
      assert.equal(read.json.password, undefined);
      assert.equal(read.json.signingSecret, `${created.signingSecret.slice(0, 10)}…`);
      const list = await call('GET', '/webhook-endpoints');
      assert.deepEqual(list.json, {
        data: [read.json],
        hasMore: false,
        nextCursor: null,
        links: [{ rel: 'self', href: `${service.publicApiUrl}/webhook-endpoints` }],
      });

      const paymentRequestId = await pay();
      const [request] = await listener.received(1);
      assertSentWith(request, created);
      assert.equal(JSON.parse(request?.body ?? '').resource.id, paymentRequestId);
    }));

  it('takes the merchant’s own credentials and event types, and sends no other events', () =>
    withListener(async (listener) => {
      const own = { username: 'shop', password: 'a password of mine' };
      const created = await register({
        url: listener.url,
        eventTypes: ['PAYMENT-FAILED', 'PAYMENT-FAILED'],
        ...own,
      });
      assert.deepEqual(created.eventTypes, ['PAYMENT-FAILED']);
      await pay();
      const created2 = await call('POST', '/payment-requests', {
        amount: 10,
        type: 'ECOMM',
        payer: { name: 'Ada', email: 'ada@example.com' },
      });
      await call('POST', `/payment-requests/${created2.json.id}/cancellation`);
      const [request] = await listener.received(1);
      assert.equal(JSON.parse(request?.body ?? '').eventType, 'PAYMENT-FAILED');
      assertSentWith(request, own);
      assert.equal(listener.requests.length, 1);
    }));

  it('refuses what it cannot call, all faults at once', async () => {
    const answer = await call('POST', '/webhook-endpoints', {
      url: 'https://10.0.0.1/hook',
      eventTypes: [],
      username: 'a:b',
      password: 'short',
    });
    assert.equal(answer.status, 400);
    assert.deepEqual(answer.json.errors.map(({ field, code }: Headers) => [field, code]).sort(), [
      ['eventTypes', 'TOO_SHORT'],
      ['password', 'TOO_SHORT'],
      ['url', 'INVALID_VALUE'],
      ['username', 'INVALID_FORMAT'],
    ]);
    const half = await call('POST', '/webhook-endpoints', { url: 'https://shop.example/\ud800' });
    assert.deepEqual(
      half.json.errors.map(({ field, code }: Headers) => [field, code]),
      [['url', 'INVALID_FORMAT']],
    );
    const none = await call('POST', '/webhook-endpoints', { url: null, description: '' });
    assert.deepEqual(
      none.json.errors.map(({ field, code }: Headers) => [field, code]),
      [['url', 'REQUIRED']],
    );
    const plain = await call('POST', '/webhook-endpoints', { url: 'http://shop.example/' });
    assert.equal(plain.json.errors[0].field, 'url');
    const unknown = await call('POST', '/webhook-endpoints', {
      url: 'https://shop.example/',
      eventTypes: ['PAYMENT-LOST'],
    });
    assert.equal(unknown.json.errors[0].field, 'eventTypes.0');
  });

  it('refuses a second endpoint of one URL, however it is spelled, also at the same time', async () => {
    const path = `https://127.0.0.1:7443/${randomUUID()}`;
    const answers = await Promise.all(
      [path, path.replace('https', 'HTTPS'), path].map((url) =>
        call('POST', '/webhook-endpoints', { url }),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [201, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    assert.equal(refused?.json.code, 'DUPLICATE_WEBHOOK_ENDPOINT');
  });

  it('takes 20 and no more', async () => {
    for (let index = 0; index < 20; index += 1) {
      await register({ url: `https://127.0.0.1:7443/${index}` });
    }
    const answer = await call('POST', '/webhook-endpoints', { url: 'https://127.0.0.1:7443/x' });
    assert.equal(answer.status, 409);
    assert.equal(answer.json.code, 'TOO_MANY_WEBHOOK_ENDPOINTS');
  });

  it('answers a call that is sent again with the same secrets, kept encrypted', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = { url: 'https://127.0.0.1:7443/once' };
    const first = await call('POST', '/webhook-endpoints', body, headers);
    const second = await call('POST', '/webhook-endpoints', body, headers);
    assert.equal(first.status, 201);
    assert.equal(second.text, first.text);
    assert.equal(second.headers.get('location'), first.headers.get('location'));
    assert.equal(second.headers.get('idempotency-replayed'), 'true');
    const [kept] = await service.database.sql<{ body: string }>(
      'SELECT body FROM idempotency_answers WHERE key = $1',
      [headers['idempotency-key']],
    );
    assert.ok(kept && !kept.body.includes('whsec_') && !kept.body.includes('password'));
  });

  it('is for credentials with its scope, and hides another merchant’s endpoints', async () => {
    const { id } = await register({ url: 'https://127.0.0.1:7443/own' });
    const token = await buyToken(service.call, merchant, 'payment_request/write');
    const authorization = `Bearer ${token}`;
    const narrow = await call('GET', '/webhook-endpoints', undefined, { authorization });
    assert.equal(narrow.json.code, 'INSUFFICIENT_SCOPE');
    merchant = await service.createMerchant();
    for (const [method, tail, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { status: 'PAUSED' }],
      ['DELETE', '', undefined],
      ['POST', '/test', undefined],
      ['POST', '/resume', undefined],
      ['POST', '/rotate-secret', undefined],
    ] as const) {
      const answer = await call(method, `/webhook-endpoints/${id}${tail}`, body);
      assert.equal(answer.json.code, 'WEBHOOK_ENDPOINT_NOT_FOUND', `${method} ${tail}`);
    }
    const unknown = await call('GET', '/webhook-endpoints/none');
    assert.equal(unknown.status, 404);
  });
});

describe('changing a webhook endpoint', () => {
  it('merges what is sent, and takes away what is null', async () => {
    const { id } = await register({
      url: 'https://127.0.0.1:7443/a',
      eventTypes: ['PAYMENT-FAILED'],
      description: 'Old',
    });
    const changed = await call('PATCH', `/webhook-endpoints/${id}`, {
      url: 'https://127.0.0.1:7443/b',
      eventTypes: null,
      description: '',
    });
    assert.equal(changed.status, 200, changed.text);
    assert.equal(changed.json.url, 'https://127.0.0.1:7443/b');
    assert.equal(changed.json.eventTypes, undefined);
    assert.equal(changed.json.description, undefined);
    assert.equal(changed.json.password, undefined);
    for (const body of [{ url: null }, { status: null }, { status: 'GONE' }, { url: 'x' }]) {
      const refused = await call('PATCH', `/webhook-endpoints/${id}`, body);
      assert.equal(refused.status, 400, JSON.stringify(body));
    }
    await register({ url: 'https://127.0.0.1:7443/taken' });
    const taken = await call('PATCH', `/webhook-endpoints/${id}`, {
      url: 'https://127.0.0.1:7443/taken',
    });
    assert.equal(taken.json.code, 'DUPLICATE_WEBHOOK_ENDPOINT');
  });

  it('gives the listener’s credentials of the caller, or new ones', () =>
    withListener(async (listener) => {
      const created = await register({ url: listener.url });
      const path = `/webhook-endpoints/${created.id}`;
      const own = { username: 'shop', password: 'a password of mine' };
      assert.equal((await call('PATCH', path, own)).json.username, 'shop');
      await pay();
      assertSentWith((await listener.received(1))[0], { ...created, ...own });
      const made = (await call('PATCH', path, { password: null })).json;
      assert.equal(made.username, 'shop');
      assert.match(made.password, /^sbx_/);
      await pay();
      assertSentWith((await listener.received(2))[1], { ...created, ...made, signingSecret: '' });
    }));

  it('makes new credentials where it moves to another origin, and sends what is owed there', () =>
    withListener((old) =>
      withListener(async (moved) => {
        old.answerWith((_request, response) => response.writeHead(500).end());
        const created = await register({ url: old.url });
        const id = await pay();
        await old.received(1);
        await deliveryThatIs('PENDING', `paymentRequestId=${id}`, 1);
        const answer = await call('PATCH', `/webhook-endpoints/${created.id}`, { url: moved.url });
        assert.equal(answer.status, 200, answer.text);
        const { username, password, signingSecret } = answer.json;
        assert.notEqual(password, created.password);
        assert.notEqual(username, created.username);
        assert.match(signingSecret, /^whsec_.{44}$/);
        await service.advance(10);
        const [request] = await moved.received(1);
        assertSentWith(request, answer.json);
        const older = { signingSecret: created.signingSecret };
        assert.throws(() => assertSentWith(request, older), /not signed with it/);
        assert.equal(request?.body, old.requests[0]?.body);
        assert.equal(old.requests.length, 1);
      }),
    ));

  it('holds what a paused endpoint is owed, and lets it flow when resumed', () =>
    withListener(async (listener) => {
      const { id } = await register({ url: listener.url });
      const paused = await call('PATCH', `/webhook-endpoints/${id}`, { status: 'PAUSED' });
      assert.equal(paused.json.status, 'PAUSED');
      assert.equal(paused.json.statusReason.code, 'PAUSED_BY_MERCHANT');
      const paymentRequestId = await pay();
      await service.advance(120);
      const [held] = await deliveriesOf(`endpointId=${id}`);
      assert.equal(held.status, 'PENDING');
      assert.equal(held.attempts, 0);
      assert.equal(listener.requests.length, 0);
      const test = await call('POST', `/webhook-endpoints/${id}/test`);
      assert.equal(test.json.code, 'WEBHOOK_ENDPOINT_PAUSED');
      const resumed = await call('POST', `/webhook-endpoints/${id}/resume`);
      assert.equal(resumed.json.status, 'ACTIVE');
      assert.equal(resumed.json.statusReason, undefined);
      const [request] = await listener.received(1);
      assert.equal(JSON.parse(request?.body ?? '').resource.id, paymentRequestId);
    }));

  it('leaves a trace in the audit log, without secrets', async () => {
    const created = await register({ url: 'https://127.0.0.1:7443/audit' });
    const path = `/webhook-endpoints/${created.id}`;
    await call('PATCH', path, { password: 'a password of mine' });
    await call('POST', `${path}/rotate-secret`);
    await call('DELETE', path);
    const rows = await service.database.sql<{ action: string; details: object }>(
      `SELECT action, details FROM audit_log
       WHERE merchant_id = $1 AND details->>'endpointId' = $2 ORDER BY id`,
      [merchant.merchantId, created.id],
    );
    assert.deepEqual(
      rows.map(({ action }) => action),
      [
        'WEBHOOK_ENDPOINT_CREATED',
        'WEBHOOK_ENDPOINT_CHANGED',
        'WEBHOOK_SECRET_ROTATED',
        'WEBHOOK_ENDPOINT_DELETED',
      ],
    );
    assert.doesNotMatch(JSON.stringify(rows), /whsec_|a password of mine/);
  });
});

describe('rotating a signing secret', () => {
  it('signs with both for 24 hours', () =>
    withListener(async (listener) => {
      const created = await register({ url: listener.url });
      const rotated = await call('POST', `/webhook-endpoints/${created.id}/rotate-secret`);
      assert.equal(rotated.status, 200, rotated.text);
      assert.notEqual(rotated.json.signingSecret, created.signingSecret);
      assert.match(rotated.json.signingSecret, /^whsec_.{44}$/);
      const until = Date.parse(rotated.json.previousSecretExpiryDateTime);
      assert.equal(until - service.clock.now().getTime(), 86_400_000);
      await pay();
      const [during] = await listener.received(1);
      assertSentWith(during, { signingSecret: created.signingSecret });
      assertSentWith(during, { signingSecret: rotated.json.signingSecret });
    }));

  it('ends the older one at once where that is asked for', () =>
    withListener(async (listener) => {
      const created = await register({ url: listener.url });
      const path = `/webhook-endpoints/${created.id}/rotate-secret`;
      const refused = await call('POST', path, { overlapHours: 169 });
      assert.equal(refused.json.errors[0].code, 'TOO_HIGH');
      const { json } = await call('POST', path, { overlapHours: 0 });
      assert.equal(json.previousSecretExpiryDateTime, undefined);
      await pay();
      const [request] = await listener.received(1);
      assertSentWith(request, { signingSecret: json.signingSecret });
      const older = { signingSecret: created.signingSecret };
      assert.throws(() => assertSentWith(request, older), /not signed with it/);
    }));
});

describe('a second rotation of a signing secret', () => {
  it('answers 409 during the overlap, so that the listener’s secret goes on signing', () =>
    withListener(async (listener) => {
      const created = await register({ url: listener.url });
      const path = `/webhook-endpoints/${created.id}/rotate-secret`;
      const first = (await call('POST', path)).json;
      const refused = await call('POST', path);
      assert.equal(refused.status, 409, refused.text);
      assert.equal(refused.json.code, 'SECRET_ROTATION_RUNNING');
      assert.match(refused.json.detail, new RegExp(first.previousSecretExpiryDateTime));
      await pay();
      const [webhook] = await listener.received(1);
      assertSentWith(webhook, { signingSecret: created.signingSecret });
      assertSentWith(webhook, { signingSecret: first.signingSecret });
    }));

  it('is done when it is forced: the oldest secret then signs no more', () =>
    withListener(async (listener) => {
      const created = await register({ url: listener.url });
      const path = `/webhook-endpoints/${created.id}/rotate-secret`;
      const first = (await call('POST', path)).json;
      const forced = await call('POST', path, { force: true });
      assert.equal(forced.status, 200, forced.text);
      await pay();
      const [webhook] = await listener.received(1);
      assertSentWith(webhook, { signingSecret: forced.json.signingSecret });
      assertSentWith(webhook, { signingSecret: first.signingSecret });
      const oldest = { signingSecret: created.signingSecret };
      assert.throws(() => assertSentWith(webhook, oldest), /not signed with it/);
    }));
});

describe('testing a webhook endpoint', () => {
  it('sends what no shop may ship on, the way of every event', () =>
    withListener(async (listener) => {
      const created = await register({ url: listener.url });
      const answer = await call('POST', `/webhook-endpoints/${created.id}/test`);
      assert.equal(answer.status, 202, answer.text);
      assert.equal(answer.json.test, true);
      assert.equal(answer.json.paymentRequestId, NIL);
      const [request] = await listener.received(1);
      assertSentWith(request, created);
      const body = JSON.parse(request?.body ?? '');
      assert.equal(body.eventType, 'PAYMENT-FAILED');
      assert.equal(body.test, true);
      assert.equal(body.resource.id, NIL);
      assert.equal(body.resource.status, 'FAILED');
      assert.equal(request?.headers['webhook-id'], body.id);
      await deliveryThatIs('SUCCEEDED', `endpointId=${created.id}`);
      const again = await call('POST', `/webhook-endpoints/${created.id}/test`);
      assert.equal(again.status, 202);
      await listener.received(2);
    }));

  it('sends a whole payment request, whose bytes do not survive a rewriting', () =>
    withListener(async (listener) => {
      const { text } = await service.call('GET', '/openapi.json');
      const webhookFaults = webhookCheckOf(text);
      const { id } = await register({ url: listener.url });
      await call('POST', `/webhook-endpoints/${id}/test`);
      const [{ body = '' } = {}] = await listener.received(1);
      assert.deepEqual(webhookFaults(body), []);
      assert.match(body, /"amount":10\.00,/);
      assert.match(body, /caf\\u00e9/);
      const { resource } = JSON.parse(body);
      assert.deepEqual(resource.merchant, { id: merchant.merchantId, name: 'Demo Shop' });
      assert.equal(resource.invoiceNumber, '1042');
      assert.equal(resource.links[0].href, `${service.publicApiUrl}/payment-requests/${NIL}`);
      const real = await call('GET', `/payment-requests/${await pay()}`);
      const left = Object.keys(real.json).filter((name) => !(name in resource));
      assert.deepEqual(left, ['payment', 'refundSummary']);
    }));

  it('leaves the feed of events unchanged', () =>
    withListener(async (listener) => {
      const { id } = await register({ url: listener.url });
      await pay();
      const feed = async () => (await call('GET', '/events')).json;
      const before = await eventually(async () => {
        const { data, nextCursor } = await feed();
        return data.length === 1 && { data, nextCursor };
      }, 'the payment’s event in the feed');
      const tested = await call('POST', `/webhook-endpoints/${id}/test`);
      assert.equal(tested.status, 202, tested.text);
      // A later event shows that the feed has passed the test's place.
      await pay();
      const after = await eventually(async () => {
        const { data } = await feed();
        return data.length >= 2 && data;
      }, 'a later event in the feed');
      assert.deepEqual(after[0], before.data[0]);
      assert.equal(after.length, 2);
      assert.ok(after.every(({ test }: { test?: boolean }) => test === undefined));
    }));

  it('is tried once', () =>
    withListener(async (listener) => {
      listener.answerWith((_request, response) => response.writeHead(500).end('broken'));
      const { id } = await register({ url: listener.url });
      const { json } = await call('POST', `/webhook-endpoints/${id}/test`);
      await deliveryThatIs('EXHAUSTED', `endpointId=${id}`);
      const { json: read } = await call('GET', `/webhook-deliveries/${json.id}`);
      assert.equal(read.statusReason.code, 'ATTEMPTS_EXHAUSTED');
      assert.equal(read.attemptLog.length, 1);
      assert.equal(read.attemptLog[0].responseBody, 'broken');
      const metrics = await (await fetch(`${service.opsUrl}/metrics`)).text();
      assert.equal(sampleOf(metrics, 'operator_notices_total{kind="DELIVERY_EXHAUSTED"}'), 0);
    }));

  it('has few under way at a time', () =>
    withListener(async (listener) => {
      listener.answerWith(() => {});
      const { id } = await register({ url: listener.url });
      const statuses = [];
      for (let index = 0; index < 6; index += 1) {
        statuses.push((await call('POST', `/webhook-endpoints/${id}/test`)).status);
      }
      assert.deepEqual(statuses, [202, 202, 202, 202, 202, 429]);
    }));
});

describe('deleting a webhook endpoint', () => {
  it('sends nothing more, keeps what was, and frees its URL', () =>
    withListener(async (listener) => {
      listener.answerWith((_request, response) => response.writeHead(503).end());
      const { id } = await register({ url: listener.url });
      const paymentRequestId = await pay();
      await eventually(async () => {
        const [each] = await deliveriesOf(`endpointId=${id}`);
        return each.attempts === 1;
      });
      assert.equal((await call('DELETE', `/webhook-endpoints/${id}`)).status, 204);
      assert.equal((await call('DELETE', `/webhook-endpoints/${id}`)).status, 404);
      assert.equal((await call('GET', `/webhook-endpoints/${id}`)).status, 404);
      assert.deepEqual((await call('GET', '/webhook-endpoints')).json.data, []);

      const ended = await deliveryThatIs('EXHAUSTED', `endpointId=${id}`);
      assert.equal(ended.statusReason.code, 'ENDPOINT_DELETED');
      assert.equal(ended.paymentRequestId, paymentRequestId);
      assert.equal(ended.nextAttemptDateTime, null);
      const read = await call('GET', `/webhook-deliveries/${ended.id}`);
      assert.equal(read.json.attemptLog[0].httpStatus, 503);
      const again = await call('POST', `/webhook-deliveries/${ended.id}/redeliver`);
      assert.equal(again.json.code, 'WEBHOOK_ENDPOINT_DELETED');

      await pay();
      await service.advance(120);
      assert.equal(listener.requests.length, 1);
      await register({ url: listener.url });
    }));

  it('ends what a transaction wrote that began before', async () => {
    const { id } = await register({ url: 'https://127.0.0.1:7443/late' });
    await call('PATCH', `/webhook-endpoints/${id}`, { status: 'PAUSED' });
    const paymentRequestId = await pay();
    await call('DELETE', `/webhook-endpoints/${id}`);
    await service.database.sql(
      `UPDATE webhook_deliveries SET status = 'PENDING', ended_because = NULL,
         completed_at = NULL, next_attempt_at = service_now() WHERE endpoint_id = $1`,
      [id],
    );
    // A sweep each minute ends the deliveries that a deletion has left behind.
    await service.advance(60);
    await deliveryThatIs('EXHAUSTED', `paymentRequestId=${paymentRequestId}`);
  });
});
