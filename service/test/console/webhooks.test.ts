import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { type ConsoleClient, signIn } from '../support/console/console-client.ts';
import { snippetNamed } from '../support/documents/guide-snippets.ts';
import { codeOf } from '../support/documents/shown-code.ts';
import { eventually } from '../support/eventually.ts';
import { makePng } from '../support/make-png.ts';
import type { TestMerchant } from '../support/service/service.ts';
import { type HttpsListener, startHttpsListener } from '../support/webhooks/https-listener.ts';
import { untilFed } from '../support/webhooks/until-fed.ts';
import { startWebhookService, type WebhookService } from '../support/webhooks/webhook-service.ts';

let service: WebhookService;
let listener: HttpsListener;
let merchant: TestMerchant;
let client: ConsoleClient;

before(async () => {
  service = await startWebhookService();
});
after(() => service?.stop());
beforeEach(async () => {
  merchant = await service.createMerchant();
  listener = await startHttpsListener({ authority: service.authority });
  client = await signIn(service, { role: 'administrator', merchantId: merchant.merchantId });
  await client.get('/console');
});
afterEach(() => listener.close());

const pathOf = (...parts: string[]) => ['/console/m', merchant.merchantId, ...parts].join('/');

function call(method: string, path: string, body?: unknown) {
  return service.call(method, `/v1${path}`, {
    headers: merchant.headers,
    ...(body !== undefined && { body }),
  });
}

async function register(): Promise<{ id: string; password: string; signingSecret: string }> {
  const answer = await call('POST', '/webhook-endpoints', { url: listener.url });
  assert.equal(answer.status, 201, answer.text);
  return answer.json;
}

async function pay(name = 'Ada'): Promise<string> {
  const created = await call('POST', '/payment-requests', {
    amount: 10,
    type: 'ECOMM',
    payer: { name, email: 'ada@example.com' },
  });
  assert.equal(created.status, 201, created.text);
  const { id } = created.json;
  await call('POST', `/sandbox/payment-requests/${id}/simulations`, { outcome: 'PAID' });
  return id;
}

/** The first delivery that has been tried so often. */
function delivery(attempts = 1) {
  return eventually(async () => {
    const { json } = await call('GET', '/webhook-deliveries');
    return json.data.find((each: { attempts: number }) => each.attempts >= attempts);
  }, `a delivery with ${attempts} attempts`);
}

/** The replays of the merchant, the latest first, once so many are over. */
function replays(count: number) {
  return eventually(async () => {
    const rows = await service.database.sql<{ examined: number; queued: number }>(
      `SELECT examined::int, queued::int FROM webhook_replays
       WHERE merchant_id = $1 AND status = 'COMPLETED' ORDER BY id DESC`,
      [merchant.merchantId],
    );
    return rows.length === count ? rows : undefined;
  }, `${count} replays`);
}

/** The page as a reader has it: entities stand as their characters. */
function plain(html: string): string {
  return html
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>');
}

async function show(path: string): Promise<string> {
  const { status, html } = await client.get(path);
  assert.equal(status, 200, `${path} is answered ${status}`);
  return plain(html);
}

/** Sends a form and gives the address that it leads to. */
async function send(path: string, fields: Record<string, string> = {}): Promise<string> {
  const { status, html, location } = await client.post(path, fields);
  assert.equal(status, 303, html);
  return location ?? '';
}

async function audited(action: string) {
  const rows = await service.database.sql<{ actor: string; details: Record<string, unknown> }>(
    'SELECT actor, details FROM audit_log WHERE merchant_id = $1 AND action = $2 ORDER BY id',
    [merchant.merchantId, action],
  );
  for (const { actor } of rows) assert.match(actor, /^console \(Ada, /);
  return rows.map(({ details }) => details);
}

describe('the console’s webhook endpoints', () => {
  it('are added, changed, paused, resumed and deleted by a person whom the log names', async () => {
    const to = await send(pathOf('endpoints', 'new'), { url: listener.url, types: 'all' });
    const [, id = ''] = /endpoints\/([0-9a-f-]{36})\?done=endpointAdded$/.exec(to) ?? [];
    assert.match(await show(to), /credentials are under “Show the secrets”/);
    const changed = await send(pathOf('endpoints', id, 'edit'), {
      url: listener.url,
      types: 'usual',
      description: 'The shop',
    });
    assert.match(await show(changed), /role="status">The changes of the endpoint are saved/);
    const page = await show(pathOf('endpoints', id));
    assert.match(page, /<dd>Payments: completed or not made<\/dd>/);
    const places = [
      '<button class="button">Send a test event<',
      '<h2>Settings</h2>',
      '>Delete</a>',
    ];
    const found = places.map((each) => page.indexOf(each));
    assert.ok(!found.includes(-1), found.join());
    assert.deepEqual(
      found,
      found.toSorted((one, other) => one - other),
    );
    await send(pathOf('endpoints', id, 'pause'));
    const paused = await show(pathOf('endpoints', id));
    assert.match(paused, /<span class="badge neutral">Paused</);
    assert.match(paused, /A person paused it\. While the endpoint is paused, deliveries wait\./);
    await send(pathOf('endpoints', id, 'resume'));
    const { json } = await call('GET', `/webhook-endpoints/${id}`);
    assert.deepEqual(
      [json.status, json.description, json.eventTypes],
      ['ACTIVE', 'The shop', undefined],
    );
    assert.match(await show(pathOf('endpoints', id, 'delete')), /Nothing more is sent to/);
    const deleted = await send(pathOf('endpoints', id, 'delete'));
    assert.match(await show(deleted), /role="status">The endpoint is deleted\./);
    assert.equal((await call('GET', `/webhook-endpoints/${id}`)).status, 404);

    assert.equal((await audited('WEBHOOK_ENDPOINT_CREATED')).length, 1);
    const changes = await audited('WEBHOOK_ENDPOINT_CHANGED');
    assert.deepEqual(
      changes.map(({ fields }) => fields),
      [['description', 'eventTypes'], ['status'], ['status']],
    );
    assert.equal((await audited('WEBHOOK_ENDPOINT_DELETED')).length, 1);
  });

  it('show the form again with its faults', async () => {
    const bad = await client.post(pathOf('endpoints', 'new'), {
      url: 'http://127.0.0.1/',
      types: 'some',
      password: 'tiny7',
    });
    assert.equal(bad.status, 422);
    assert.match(bad.html, /Choose at least one type\./);
    const worse = await client.post(pathOf('endpoints', 'new'), {
      url: 'http://127.0.0.1/',
      password: 'tiny7',
    });
    assert.equal(worse.status, 422);
    assert.match(worse.html, /id="url-fault"/);
    assert.match(worse.html, /Give password at least 8 characters\./);
    assert.match(worse.html, /value="http:\/\/127\.0\.0\.1\/"/);
    assert.doesNotMatch(worse.html, /tiny7/);
    await register();
    const twice = await client.post(pathOf('endpoints', 'new'), { url: listener.url });
    assert.equal(twice.status, 422);
    assert.match(twice.html, /id="url-fault"/);
  });

  it('are tested, and the page shows the answer of the listener', async () => {
    const { id } = await register();
    listener.answerWith((_request, response) => response.writeHead(503).end('busy <b>'));
    const to = await send(pathOf('endpoints', id, 'test'));
    const html = await eventually(async () => {
      const page = await show(to);
      return !page.includes('data-refresh') && page;
    }, 'the result of the test');
    assert.match(html, /The test failed\. The listener answered another status than 2xx\./);
    assert.ok(html.includes('<code>busy <b></code>'));
    assert.equal((await audited('WEBHOOK_TEST_SENT'))[0]?.endpointId, id);
  });

  it('show their secrets to an administrator who asks, and the log names the reader', async () => {
    const { id, password, signingSecret } = await register();
    const asked = await show(pathOf('endpoints', id, 'secrets'));
    assert.ok(!asked.includes(password) && !asked.includes(signingSecret));
    assert.deepEqual(await audited('WEBHOOK_SECRETS_SHOWN'), []);
    const shown = await client.post(pathOf('endpoints', id, 'secrets'));
    assert.equal(shown.status, 200);
    assert.equal(shown.headers.get('cache-control'), 'no-store');
    const read = plain(shown.html);
    assert.ok(read.includes(password) && read.includes(signingSecret));
    assert.equal((await audited('WEBHOOK_SECRETS_SHOWN'))[0]?.endpointId, id);
    await service.advance(601);
    const late = await client.post(pathOf('endpoints', id, 'secrets'));
    assert.match(late.location ?? '', /^\/console\/sign-in\/again/);
  });

  it('rotate the secret, and count down until the older one signs no more', async () => {
    const { id, signingSecret } = await register();
    const to = await send(pathOf('endpoints', id, 'rotate'), { overlap: '24' });
    assert.match(to, /\/secrets\?done=rotated$/);
    await service.advance(60);
    assert.match(await show(pathOf('endpoints', id)), /23 h 59 min left/);
    const again = await client.post(pathOf('endpoints', id, 'rotate'), { overlap: '1' });
    assert.equal(again.status, 409);
    assert.match(await show(pathOf('endpoints', id, 'rotate')), /A rotation is running/);
    await send(pathOf('endpoints', id, 'rotate'), { overlap: '0', force: 'yes' });
    const shown = await client.post(pathOf('endpoints', id, 'secrets'));
    assert.ok(!shown.html.includes(signingSecret));
    assert.deepEqual(
      (await audited('WEBHOOK_SECRET_ROTATED')).map(({ isForced }) => isForced),
      [false, true],
    );
  });
});

describe('the console says why webhooks fail', () => {
  it('on the list and the page of an endpoint, and deliveries are found by their answer', async () => {
    listener.answerWith((_request, response) => {
      response.writeHead(500, { 'content-type': 'text/plain' }).end('No such column: <total>');
    });
    const { id } = await register();
    const paid = await pay();
    const { id: failed } = await delivery();
    const list = await eventually(async () => {
      const html = await show(`${pathOf('endpoints')}?health=SHAKY`);
      return html.replaceAll('<wbr>', '').includes(listener.url) ? html : undefined;
    }, 'the failure of the endpoint');
    assert.match(list, /Latest attempts failed · HTTP 500 · 1 waiting</);
    const others = await show(`${pathOf('endpoints')}?health=FAILING`);
    assert.doesNotMatch(others, /HTTP 500/);

    const page = await show(pathOf('endpoints', id));
    assert.match(page, /Latest attempts failed · HTTP 500 · 1 waiting</);
    assert.match(page, /No such column: <total>/);
    assert.match(page, /0 delivered, 1 failing, 0 not tried yet/);
    assert.ok(page.includes(`${pathOf('deliveries', failed)}#attempt-1`));
    assert.match(await show(pathOf('deliveries', failed)), /id="attempt-1"/);
    const ofRequest = pathOf('payment-requests', paid);
    for (const path of [pathOf('deliveries'), pathOf('deliveries', failed), ofRequest]) {
      const retrying = /badge warning" data-status="PENDING">Retrying · HTTP 500</;
      assert.match(await show(path), retrying, path);
    }

    const isListed = async (answer: string) =>
      (await show(`${pathOf('deliveries')}?lastAnswer=${answer}`)).includes(failed);
    for (const answer of ['failed', '5xx']) assert.ok(await isListed(answer), answer);
    const newest = await show(`${pathOf('deliveries')}?lastAnswer=5xx`);
    const sorted = `${pathOf('deliveries')}?lastAnswer=5xx&order=attempt`;
    assert.ok(newest.includes(`<th scope="col"><a href="${sorted}">Last at`));
    assert.match(await show(sorted), /aria-sort="descending">Last attempt<[\s\S]*HTTP 500/);
    for (const answer of ['2xx', '3xx', '4xx', 'timeout', 'connection']) {
      assert.ok(!(await isListed(answer)), answer);
    }

    listener.answerWith((_request, response) => response.end());
    await send(pathOf('deliveries', failed, 'redeliver'));
    await delivery(2);
    assert.ok(await isListed('2xx'));
    for (const answer of ['failed', '5xx']) assert.ok(!(await isListed(answer)), answer);
  });

  it('and the replay of a list of deliveries asks for what the list shows', async () => {
    const { id } = await register();
    const list = await show(`${pathOf('deliveries')}?endpointId=${id}&status=EXHAUSTED`);
    const address = `${pathOf('endpoints', id, 'replay')}?only=failed`;
    assert.ok(list.includes(`href="${address}"`));
    assert.match(await show(address), /value="failed"[^>]* checked/);
  });

  it('and a replay sends what the list shows, after it has said how much that is', async () => {
    listener.answerWith((_request, response) => response.writeHead(500).end());
    const { id } = await register();
    await pay();
    await delivery();
    // A replay ends before the present instant of the clock.
    await service.advance(1);
    const shown = await show(`${pathOf('deliveries')}?endpointId=${id}&lastAnswer=5xx`);
    const form = pathOf('endpoints', id, 'replay');
    assert.ok(shown.includes(`href="${form}?only=all&lastAnswer=5xx"`));
    const promised = async (query: string) =>
      /This would send [^<]*/.exec(await show(`${form}?${query}`))?.[0];
    assert.equal(await promised('only=all&lastAnswer=5xx'), 'This would send 1 event.');
    const nothing = 'This would send nothing.';
    assert.equal(await promised('only=all&lastAnswer=4xx'), nothing);
    assert.equal(await promised('only=all&eventType=PAYMENT-FAILED'), nothing);
    assert.equal(await promised('only=failed&lastAnswer=5xx'), nothing);
    const { sql } = service.database;
    await sql(
      `INSERT INTO webhook_events (id, merchant_id, payment_request_id, sequence, event_type, body,
         created_at)
       SELECT gen_random_uuid(), $1, gen_random_uuid(), 1, 'REFUND-FAILED', 'many',
         service_now() - interval '1 min' FROM generate_series(1, 5000)`,
      [merchant.merchantId],
    );
    assert.match(
      (await promised('only=all')) ?? '',
      /^This would send at least \d events?: the count ends after 5,000 events\.$/,
    );
    await sql(`DELETE FROM webhook_events WHERE body = 'many'`);

    const chosen = { span: 'hour', only: 'all', lastAnswer: '5xx', eventType: 'PAYMENT-COMPLETED' };
    const counted = await client.post(form, { ...chosen, count: 'yes' });
    assert.match(counted.html, /This would send 1 event\./);
    const zoned = `${form}?zone=Asia%2FKathmandu`;
    const asked = await show(zoned);
    assert.match(asked, /From \(Asia\/Kathmandu\)/);
    assert.ok(asked.includes(`action="${zoned}"`));
    // Its clocks are 5:45 ahead of UTC, where the instant is still to come.
    const anHourAgo = new Date(service.clock.now().getTime() + (5.75 - 1) * 3_600_000);
    const from = anHourAgo.toISOString().slice(0, 16);
    const custom = { ...chosen, span: 'custom', from, count: 'yes' };
    assert.match((await client.post(zoned, custom)).html, /This would send 1 event\./);
    assert.equal((await client.post(form, custom)).status, 422);
    assert.deepEqual(await audited('WEBHOOK_REPLAY_STARTED'), []);
    await send(form, { ...chosen, lastAnswer: '4xx' });
    const [none] = await replays(1);
    assert.deepEqual([none?.examined, none?.queued], [1, 0]);
    const to = await send(form, chosen);
    const [latest] = await replays(2);
    assert.deepEqual([latest?.examined, latest?.queued], [1, 1]);
    assert.match(await show(to), /everything, HTTP 5xx, PAYMENT-COMPLETED/);
    const [, audit] = await audited('WEBHOOK_REPLAY_STARTED');
    assert.equal(audit?.lastAnswer, '5xx');
    assert.equal(audit?.eventType, 'PAYMENT-COMPLETED');
  });

  it('and why the sandbox sends none', async () => {
    await register();
    const html = await show(pathOf('payment-requests', await pay('depositNoWebhook')));
    assert.match(html, /depositNoWebhook asks the sandbox to send no webhook/);
    assert.doesNotMatch(html, /No listener was registered|no listener: neither/);
  });
});

describe('the console’s page of a delivery', () => {
  it('shows the request as sent without credentials, the answer and the next attempt', async () => {
    const { password } = await register();
    listener.answerWith((_request, response) => response.writeHead(500).end('no room'));
    const paymentRequestId = await pay();
    const { id } = await delivery();
    const html = await show(pathOf('deliveries', id));
    const [sent] = listener.requests;
    assert.ok(html.includes(`webhook-id: ${sent?.headers['webhook-id']}`));
    assert.ok(html.includes(`webhook-timestamp: ${sent?.headers['webhook-timestamp']}`));
    assert.match(html, /authorization: Basic ••••••/);
    const { authorization = '', 'webhook-signature': signature } = sent?.headers ?? {};
    for (const secret of [authorization, String(signature), password]) {
      assert.ok(!html.includes(secret.split(/[ ,]/).at(-1) ?? ''), 'a secret is shown');
    }
    // The amount as it was sent: a parsed one would read 10.
    assert.ok(html.includes('"amount": 10.00,'));
    assert.match(html, /no room/);
    assert.match(html, /Not delivered yet\. The listener answered/);
    assert.match(html, /<h1>Payment completed · [^<]+ · \$10\.00/);
    assert.match(html, /in [45] s</);
    assert.ok(html.includes(pathOf('payment-requests', paymentRequestId)));

    listener.answerWith((_request, response) => response.end());
    await send(pathOf('deliveries', id, 'redeliver'));
    await delivery(2);
    assert.match(await show(pathOf('deliveries', id)), /Succeeded/);
    assert.equal((await audited('WEBHOOK_REDELIVERED'))[0]?.deliveryId, id);
  });
});

describe('the console’s events', () => {
  it('are those of the feed: newest first, by type, and on from a cursor', async () => {
    const first = await pay();
    const second = await pay();
    await untilFed(service, merchant.headers, first);
    await untilFed(service, merchant.headers, second);
    const order = (html: string) =>
      [first, second]
        .filter((id) => html.includes(id))
        .sort((a, b) => html.indexOf(a) - html.indexOf(b));
    assert.deepEqual(order(await show(pathOf('events'))), [second, first]);
    assert.deepEqual(order(await show(`${pathOf('events')}?types=REFUND-FAILED`)), []);
    const { json } = await call('GET', '/events?limit=1');
    const after = await show(`${pathOf('events')}?after=${json.nextCursor}`);
    assert.deepEqual(order(after), [second]);
    const own = await show(`${pathOf('events')}?types=PAYMENT-COMPLETED`);
    assert.ok(own.includes(json.nextCursor), 'the cursor after the first event');
    const bad = await client.get(`${pathOf('events')}?after=nonsense`);
    assert.equal(bad.status, 422);
  });

  it('are leafed back through without a gap or a repeat', async () => {
    const paid: string[] = [];
    for (let index = 0; index < 22; index += 1) paid.push(await pay());
    await untilFed(service, merchant.headers, paid.at(-1) ?? '');
    const seen: string[] = [];
    let path: string | undefined = pathOf('events');
    while (path && seen.length < 60) {
      const html: string = await show(path);
      seen.push(
        ...[...html.matchAll(/href="\/console\/\S+\/payment-requests\/([0-9a-f-]{36})/g)].map(
          ([, id = '']) => id,
        ),
      );
      path = /rel="next" href="([^"]+)"/.exec(html)?.[1];
    }
    assert.deepEqual(seen, paid.reverse());
  });
});

describe('the console’s page for developers', () => {
  it('has this environment’s values and the code that the guides’ tests run', async () => {
    const { password, signingSecret } = await register();
    const html = await show(pathOf('developer'));
    for (const value of ['https://pay.test/v1', 'https://pay.test/oauth2/token', listener.url]) {
      assert.ok(html.includes(value), value);
    }
    assert.ok(html.includes('npm install https://pay.test/sdk.tgz'));
    assert.ok(!html.includes(password) && !html.includes(signingSecret));
    const codes = codeOf((await client.get(pathOf('developer'))).html);
    for (const name of [
      'receive.js',
      'inbox.js',
      'inbox.sql',
      'listener-node-http.js',
      'listener-express.js',
      'listener-fastify.js',
      'listener-next.js',
      'listener-hono.js',
      'webhooks.py',
      'webhooks.php',
      'webhooks.go',
      'Webhooks.java',
      'Webhooks.cs',
      'webhooks.rb',
    ]) {
      assert.ok(codes.includes(snippetNamed(name).trimEnd()), name);
    }
    for (const header of [
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
      'authorization',
    ]) {
      assert.ok(html.includes(`<code>${header}</code>`), header);
    }
  });

  it('has the checklist of a new merchant, whose steps follow what happened', async () => {
    const developer = pathOf('developer');
    const operator = await signIn(service, { role: 'operator' });
    const settings = `/console/operator/merchants/${merchant.merchantId}`;
    const done = async () =>
      [...(await show(developer)).matchAll(/Done<\/span> <span>([\w ]+)/g)].map(([, name]) => name);
    assert.deepEqual(await done(), []);
    assert.match(await show(developer), /Return origin<br><[^>]+>Your operator does it\./);
    const { id } = await register();
    assert.deepEqual(await done(), [], 'an endpoint alone proves nothing');
    await send(pathOf('endpoints', id, 'test'));
    await eventually(async () => (await done()).includes('Webhook verified'), 'the test');
    await pay();
    assert.deepEqual(await done(), ['Webhook verified', 'First test payment']);
    await operator.post(`${settings}/origins/return`, { return: 'https://shop.example' });
    assert.equal((await done()).at(-1), 'Return origin');
    assert.match((await operator.get(settings)).html, /3 of 4 done/);
    const logo = Buffer.from(makePng(8, 8)).toString('base64');
    await operator.post(`${settings}/profile`, { logo });
    for (const html of [await show(developer), (await operator.get(settings)).html]) {
      assert.doesNotMatch(html, /class="card checklist"/);
    }
    await send(pathOf('endpoints', id, 'delete'));
    assert.match(await show(developer), /To do<\/span> <span><a [^>]+>Webhook verified/);
  });
});
