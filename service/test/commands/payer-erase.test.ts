import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { buyToken, type TestMerchant } from '../support/service/service.ts';
import { type HttpsListener, startHttpsListener } from '../support/webhooks/https-listener.ts';
import { startWebhookService, type WebhookService } from '../support/webhooks/webhook-service.ts';
import { runCli } from './run-cli.ts';

const ADA = {
  name: 'Ada Lovelace',
  email: 'Ada.Lovelace@example.com',
  mobileNumber: '+1 (416) 555-0147',
  merchantAccountId: 'account-of-lovelace',
  preferredLanguage: 'fr',
};
/** Traces of the payer that no table may hold after the erasure. */
const TRACES = /lovelace|416.{0,3}555|5550147/i;

let service: WebhookService;
let listener: HttpsListener;
let merchant: TestMerchant;

before(async () => {
  service = await startWebhookService();
  merchant = await service.createMerchant();
  listener = await startHttpsListener({ authority: service.authority });
});
after(async () => {
  await listener.close();
  await service.stop();
});

function call(method: string, path: string, body?: unknown, headers = {}) {
  return service.call(method, `/v1${path}`, {
    headers: { ...merchant.headers, ...headers },
    ...(body !== undefined && { body }),
  });
}

function create(payer: object = ADA, key?: string) {
  const body = {
    amount: 10.5,
    type: 'ECOMM',
    payer,
    displayMessage: 'For Mrs Lovelace',
    invoiceNumber: 'INV-7',
    metadata: { customer: 'lovelace' },
    webhookUrl: listener.url,
    ...('email' in payer && { deliveryMode: 'EMAIL', delivery: { receipt: true } }),
  };
  return call('POST', '/payment-requests', body, key ? { 'idempotency-key': key } : {});
}

const simulate = (id: string, outcome: string) =>
  call('POST', `/sandbox/payment-requests/${id}/simulations`, { outcome });

const erase = (...options: string[]) =>
  runCli(
    ['payer', 'erase', '--merchant', merchant.merchantId, '--yes', '--json', ...options],
    service.env,
  );

async function delivered(id: string): Promise<string> {
  return eventually(async () => {
    const { json } = await call('GET', `/webhook-deliveries?paymentRequestId=${id}`);
    const [delivery] = json.data;
    return delivery?.status === 'SUCCEEDED' && delivery.id;
  }, 'the delivery');
}

/** Every row of every table that holds a trace of the payer. */
async function traces(): Promise<string[]> {
  const { sql } = service.database;
  const tables = await sql<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  );
  const found = [];
  for (const { name } of tables) {
    const rows = await sql<{ text: string }>(`SELECT t::text AS text FROM "${name}" t`);
    found.push(...rows.filter(({ text }) => TRACES.test(text)).map(({ text }) => name + text));
  }
  return found;
}

describe('payreq payer erase', () => {
  it('leaves no trace of the payer in any table, and the payment as it was', async () => {
    // A listener that answers with what it was sent.
    listener.answerWith(({ body }, response) => response.end(body));
    const paid = (await create(ADA, 'key-1')).json;
    await simulate(paid.id, 'PAID');
    const cancelled = (await create({ name: 'A. Lovelace', mobileNumber: '416-555-0147' })).json;
    const comment = { reason: 'OTHER', comment: 'Mrs Lovelace asked for it' };
    await call('POST', `/payment-requests/${cancelled.id}/cancellation`, comment);
    const deliveryId = await delivered(paid.id);
    await delivered(cancelled.id);
    const before = await call('GET', `/payment-requests/${paid.id}`);
    assert.ok((await traces()).length >= 6, 'the test sees what there is');

    const ran = await erase('--email', 'ada.lovelace@EXAMPLE.com', '--mobile-number', '4165550147');
    assert.equal(ran.exitCode, 0, ran.stderr);
    assert.deepEqual(ran.json(), {
      merchantId: merchant.merchantId,
      paymentRequests: 2,
      webhookEvents: 2,
      answers: 1,
      left: [],
    });
    assert.deepEqual(await traces(), []);

    const after = await call('GET', `/payment-requests/${paid.id}`);
    const { displayMessage, metadata, ...kept } = before.json;
    const payer = { name: 'Erased', email: 'erased@erased.invalid' };
    assert.deepEqual(after.json, { ...kept, payer });
    assert.match(after.text, /"amount":10\.50,/);
    assert.notEqual(after.headers.get('etag'), before.headers.get('etag'));
    const replayed = await create(ADA, 'key-1');
    assert.equal(replayed.headers.get('idempotency-replayed'), 'true');
    assert.deepEqual(replayed.json.payer, payer);
    assert.match(replayed.text, /"amount":10\.50,/);
    // The feed waits for older transactions of the server, also of other databases.
    const event = await eventually(async () => {
      const { json: feed } = await call('GET', '/events');
      return feed.data[0];
    }, 'the event in the feed');
    assert.deepEqual(event.resource.payer, payer);
    const again = await call('POST', `/webhook-deliveries/${deliveryId}/redeliver`);
    assert.deepEqual([again.status, again.json.code], [410, 'ERASED']);
    const [entry] = await service.database.sql<{ action: string; details: unknown }>(
      "SELECT action, details FROM audit_log WHERE action = 'PAYER_ERASED'",
    );
    const ids = [paid.id, cancelled.id].sort();
    assert.deepEqual(entry?.details, { paymentRequestIds: ids });
  });

  it('leaves and names what can still be paid or has a webhook to be sent', async () => {
    const grace = { name: 'Grace', email: 'grace@example.com' };
    listener.answerWith((_request, response) => response.writeHead(500).end());
    const open = (await create(grace)).json.id;
    const owed = (await create(grace)).json.id;
    await simulate(owed, 'FAILED');
    const first = await erase('--email', grace.email);
    assert.equal(first.exitCode, 1);
    assert.deepEqual(first.json().left, [
      { id: open, because: 'NOT_OVER' },
      { id: owed, because: 'WEBHOOK_OWED' },
    ]);
    assert.deepEqual((await call('GET', `/payment-requests/${open}`)).json.payer, grace);
    listener.answerWith((_request, response) => response.end('ok'));
    await call('POST', `/payment-requests/${open}/cancellation`);
    await service.advance(600);
    await delivered(owed);
    await delivered(open);
    const second = await erase('--payment-request', open, '--payment-request', owed);
    assert.equal(second.exitCode, 0, second.stderr);
    assert.equal(second.json().paymentRequests, 2);
  });

  it('leaves a payment request that is PROCESSING', async () => {
    const katherine = { name: 'Katherine Johnson', email: 'katherine@example.com' };
    const { id } = (await create(katherine)).json;
    await simulate(id, 'PROCESSING');
    const path = `/payment-requests/${id}`;
    assert.equal((await call('GET', path)).json.status, 'PROCESSING');
    const ran = await erase('--payment-request', id);
    assert.equal(ran.exitCode, 1);
    assert.deepEqual(ran.json().left, [{ id, because: 'NOT_OVER' }]);
    assert.deepEqual((await call('GET', path)).json.payer, katherine);
  });

  it('touches neither other payers nor other merchants', async () => {
    const other = await service.createMerchant({ name: 'Another Shop' });
    const body = { amount: 1, type: 'ECOMM', payer: { name: 'Joan', email: 'joan@example.com' } };
    const { json } = await service.call('POST', '/v1/payment-requests', {
      headers: other.headers,
      body,
    });
    await service.call('POST', `/v1/payment-requests/${json.id}/cancellation`, {
      headers: other.headers,
    });
    for (const options of [
      ['--email', 'joan@example.com'],
      ['--payment-request', json.id],
    ]) {
      assert.equal((await erase(...options)).json().paymentRequests, 0);
    }
    const path = `/v1/payment-requests/${json.id}`;
    const read = await service.call('GET', path, { headers: other.headers });
    assert.deepEqual(read.json.payer, body.payer);
  });

  it('wants to know whom, by an id that is one, of a merchant that there is', async () => {
    const nobody = await erase();
    assert.equal(nobody.exitCode, 1);
    assert.match(nobody.stderr, /Give --email, --mobile-number or --payment-request\./);
    assert.equal((await erase('--payment-request', 'x')).exitCode, 2);
    const args = ['payer', 'erase', '--merchant', 'mer_none', '--yes', '--email', 'a@b.ca'];
    const unknown = await runCli(args, service.env);
    assert.equal(unknown.exitCode, 1);
    assert.match(unknown.stderr, /There is no merchant "mer_none"\./);
  });
});

/** Tokens end after an hour. */
async function renewToken(): Promise<void> {
  const token = await buyToken(service.call, merchant);
  const headers = { ...merchant.headers, authorization: `Bearer ${token}` };
  merchant = { ...merchant, headers };
}

describe('an erasure that has to wait', () => {
  const waiting = async () =>
    (await runCli(['payer', 'erasures', '--json'], service.env)).json().erasures;
  const payerOf = async (id: string) => (await call('GET', `/payment-requests/${id}`)).json.payer;
  const isErased = (id: string) =>
    eventually(async () => (await payerOf(id)).name === 'Erased', `the erasure of ${id}`);

  it('is carried out after the end, without another command', async () => {
    listener.answerWith((_request, response) => response.writeHead(500).end());
    const dorothy = { name: 'Dorothy Vaughan', email: 'dorothy@example.com' };
    const open = (await create(dorothy)).json.id;
    const owed = (await create(dorothy)).json.id;
    await simulate(owed, 'FAILED');
    assert.equal((await erase('--email', dorothy.email)).exitCode, 1);
    const reasons = new Map(
      (await waiting()).map((each: Record<string, string>) => [
        each.paymentRequestId,
        each.because,
      ]),
    );
    assert.equal(reasons.get(open), 'NOT_OVER');
    assert.equal(reasons.get(owed), 'WEBHOOK_OWED');
    const left = await service.database.sql<{ details: object }>(
      `SELECT details FROM audit_log WHERE action = 'PAYER_ERASURE_WAITING'
         AND details -> 'paymentRequestIds' ?| $1`,
      [[open, owed]],
    );
    assert.deepEqual(
      left.map(({ details }) => details),
      [
        { because: 'NOT_OVER', paymentRequestIds: [open] },
        { because: 'WEBHOOK_OWED', paymentRequestIds: [owed] },
      ],
    );
    await service.advance(301);
    assert.deepEqual(await payerOf(owed), dorothy, 'its webhook still waits');
    listener.answerWith((_request, response) => response.end('ok'));
    await call('POST', `/payment-requests/${open}/cancellation`);
    await service.advance(1_800);
    await delivered(owed);
    await delivered(open);
    await service.advance(301);
    await isErased(open);
    await isErased(owed);
    const still = await waiting();
    assert.ok(![open, owed].some((id) => JSON.stringify(still).includes(id)));
  });

  it('takes the payer from the webhook of a paused endpoint after 14 days', async () => {
    const mary = { name: 'Mary Jackson', email: 'mary@example.com' };
    listener.answerWith((_request, response) => response.end('ok'));
    const body = { url: `${listener.url}paused` };
    const endpoint = (await call('POST', '/webhook-endpoints', body)).json;
    await call('PATCH', `/webhook-endpoints/${endpoint.id}`, { status: 'PAUSED' });
    const { id } = (await create(mary)).json;
    await simulate(id, 'FAILED');
    assert.deepEqual((await erase('--email', mary.email)).json().left, [
      { id, because: 'WEBHOOK_OWED' },
    ]);
    await service.advance(13 * 86_400);
    await renewToken();
    assert.deepEqual(await payerOf(id), mary);
    await service.advance(86_401);
    await renewToken();
    await isErased(id);

    const seen: string[] = [];
    listener.answerWith((request, response) => {
      seen.push(request.body.toString());
      response.end('Mary Jackson was here');
    });
    await call('PATCH', `/webhook-endpoints/${endpoint.id}`, { status: 'ACTIVE' });
    await eventually(async () => seen.length > 0, 'the webhook');
    assert.ok(
      seen.every((text) => text.includes(id) && !/mary/i.test(text)),
      seen.join(),
    );
    await eventually(async () => {
      const { json } = await call('GET', `/webhook-deliveries?paymentRequestId=${id}`);
      return json.data.every(({ status }: { status: string }) => status === 'SUCCEEDED');
    }, 'the record of the attempt');
    const rows = await service.database.sql<{ text: string }>(
      `SELECT d::text AS text FROM webhook_deliveries d
       UNION ALL SELECT a::text FROM webhook_attempts a`,
    );
    assert.deepEqual(
      rows.filter(({ text }) => /mary/i.test(text)),
      [],
    );
    await call('DELETE', `/webhook-endpoints/${endpoint.id}`);
  });
});

describe('payreq payer erase, of several merchants', () => {
  it('demands a merchant or all of them, and a name erases nobody', async () => {
    const args = ['payer', 'erase', '--yes', '--json'];
    const other = await service.createMerchant({ name: 'Third Shop' });
    const payer = { name: 'Annie Easley', email: 'annie@example.com', mobileNumber: '4165550199' };
    const body = { amount: 1, type: 'ECOMM', payer };
    const ids: string[] = [];
    for (const { headers } of [merchant, other]) {
      const { json } = await service.call('POST', '/v1/payment-requests', { headers, body });
      ids.push(json.id);
      await service.call('POST', `/v1/payment-requests/${json.id}/cancellation`, { headers });
    }
    const neither = await runCli([...args, '--email', payer.email], service.env);
    assert.equal(neither.exitCode, 2);
    assert.match(neither.stderr, /give --merchant <id> or --all-merchants/);

    const named = [...args, '--all-merchants', '--name', 'easley'];
    const { candidates } = (await runCli(named, service.env)).json();
    const idsOf = (found: { paymentRequestId: string }[]) =>
      found.map(({ paymentRequestId }) => paymentRequestId).sort();
    assert.deepEqual(idsOf(candidates), ids.sort());
    const both = await runCli([...named, '--email', payer.email], service.env);
    assert.equal(both.exitCode, 2);
    const one = [...args, '--all-merchants', '--id', candidates[0].paymentRequestId];
    assert.equal((await runCli(one, service.env)).json().paymentRequests, 1);
    const left = (await runCli(named, service.env)).json().candidates;
    assert.deepEqual(idsOf(left), idsOf(candidates.slice(1)));

    const all = [...args, '--all-merchants', '--mobile', '416-555-0199'];
    const ran = await runCli(all, service.env);
    assert.equal(ran.exitCode, 0, ran.stderr);
    assert.equal(ran.json().paymentRequests, 1);
    assert.deepEqual((await runCli(named, service.env)).json().candidates, []);
  });
});
