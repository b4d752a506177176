import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { type DnsServer, startDnsServer } from '../support/network/dns-server.ts';
import {
  type FuzzedCall,
  type FuzzedDocument,
  fuzzedCalls,
} from '../support/schemas/call-arbitrary.ts';
import {
  type Answer,
  buyToken,
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

/** The calls at once of a busy merchant; the service's pool has 8 connections here. */
const AT_ONCE = 50;
/** Each part has the time limit of a test for itself, which a slow machine needs. */
const PARTS = 5;
const RUNS_OF_A_PART = 20;
const MOST_TRIES = 10;
const PUBLIC = new Set(['getKeySet', 'getServerMetadata']);

let dns: DnsServer;
let service: TestService;
let merchant: TestMerchant;
let other: TestMerchant;
let narrowToken: string;
let document: FuzzedDocument;
let ids: Readonly<Record<string, readonly string[]>>;

before(async () => {
  dns = await startDnsServer(() => 'NXDOMAIN');
  // Nothing but calls may write, and no webhook goes out.
  service = await startTestService({
    roles: ['api'],
    settings: { WEBHOOK_RESOLVERS: dns.address },
  });
  merchant = await service.createMerchant();
  other = await service.createMerchant({ name: 'Another Shop' });
  narrowToken = await buyToken(service.call, merchant, 'payment_request/read');
  document = (await service.call('GET', '/openapi.json')).json;
  ids = await createResources();
});
after(async () => {
  await service.stop();
  await dns.close();
});

/** The calls find some resources of each kind, in several states. */
async function createResources() {
  const post = async (path: string, body: unknown) => {
    const answer = await service.call('POST', path, { headers: merchant.headers, body });
    assert.ok(answer.status < 300, answer.text);
    return answer.json;
  };
  const body = { amount: 10, type: 'ECOMM', payer: { name: 'Ada', email: 'ada@example.com' } };
  const paymentRequests = [];
  for (let some = 0; some < PARTS; some += 1) {
    const created = Array.from({ length: 20 }, () =>
      post('/v1/payment-requests', { ...body, webhookUrl: 'https://shop.test/hook' }),
    );
    paymentRequests.push(...(await Promise.all(created)));
  }
  const endpoints = await Promise.all(
    ['a', 'b', 'c'].map((name) => post('/v1/webhook-endpoints', { url: `https://${name}.test/` })),
  );
  const [paid, failed, cancelled] = paymentRequests;
  await post(`/v1/sandbox/payment-requests/${paid.id}/simulations`, { outcome: 'PAID' });
  await post(`/v1/sandbox/payment-requests/${failed.id}/simulations`, { outcome: 'FAILED' });
  await post(`/v1/payment-requests/${cancelled.id}/cancellation`, {});
  // A refund needs a PAID one: with one among a hundred a run may find it never.
  for (const { id } of paymentRequests.slice(3, 23)) {
    await post(`/v1/sandbox/payment-requests/${id}/simulations`, { outcome: 'PAID' });
  }
  const refunds = [];
  for (const merchantRefundId of ['a', 'b', 'c']) {
    refunds.push(
      await post(`/v1/payment-requests/${paid.id}/refunds`, { amount: 1, merchantRefundId }),
    );
  }
  const { headers } = merchant;
  const deliveries = (await service.call('GET', '/v1/webhook-deliveries', { headers })).json.data;
  return Object.fromEntries(
    Object.entries({
      'payment-requests': paymentRequests,
      refunds,
      'webhook-endpoints': endpoints,
      'webhook-deliveries': deliveries,
    }).map(([kind, each]) => [kind, each.map(({ id }: { id: string }) => id)]),
  );
}

/**
 * Sends a call again that had to wait too long for its turn on a busy machine, as the answer asks.
 * A call that is refused so every time stays refused.
 */
async function send(call: FuzzedCall): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    const answer = await sendOnce(call);
    const isBusy = answer.json?.code === 'TEMPORARILY_UNAVAILABLE';
    if (!isBusy || tries === MOST_TRIES) return answer;
  }
}

async function sendOnce(call: FuzzedCall): Promise<Answer> {
  const query = new URLSearchParams(
    call.query.map(([name, value]): [string, string] => [name, value]),
  );
  const path = call.path.replaceAll(/\{\w+\}/g, encodeURIComponent(idOf(call)));
  // A real wait would be one: a version that is not the current one is answered at once.
  const noWait = query.has('waitSeconds') ? { 'If-None-Match': '"0"' } : {};
  const asked = query.size > 0 ? `${path}?${query}` : path;
  return service.call(call.method, asked, {
    headers: { ...credentialsOf(call), ...call.headers, ...noWait },
    body: call.body,
  });
}

function idOf({ id, path }: FuzzedCall): string {
  // A path of dots is another path before it is sent.
  if ('junk' in id) return id.junk.toWellFormed().replaceAll('.', '-') || '-';
  const known = Object.entries(ids).find(([kind]) => path.includes(`/${kind}/`))?.[1] ?? [];
  return known[id.own % known.length] ?? 'none';
}

function credentialsOf({ credentials, operationId }: FuzzedCall): Record<string, string> {
  const { username, password, apiKey, headers } = merchant;
  if (operationId === 'createAccessToken') {
    const secret = credentials === 'good' ? password : credentials;
    const basic = Buffer.from(`${username}:${secret}`).toString('base64');
    return credentials === 'none' ? {} : { authorization: `Basic ${basic}` };
  }
  switch (credentials) {
    case 'good':
      return headers;
    case 'narrow':
      return { ...headers, authorization: `Bearer ${narrowToken}` };
    case 'none':
      return {};
    case 'noToken':
      return { 'x-api-key': apiKey };
    case 'badToken':
      return { ...headers, authorization: `Bearer ${merchant.token.slice(0, -2)}xx` };
    case 'otherKey':
      return { ...headers, 'x-api-key': other.apiKey };
  }
}

/** Every row of every table, in one text a table. */
async function everyRow(): Promise<Record<string, unknown>[]> {
  const tables = await service.database.sql<{ name: string }>(
    `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
  );
  return Promise.all(
    tables.map(async ({ name }) => {
      const [row] = await service.database.sql(
        `SELECT count(*), md5(string_agg(t::text, '' ORDER BY t::text)) FROM ${name} t`,
      );
      return { name, ...row };
    }),
  );
}

describe('5,000 calls made from the document', () => {
  const refused: FuzzedCall[] = [];
  const met = new Map<string, number>();

  for (let part = 1; part <= PARTS; part += 1) {
    it(`are answered as it says, none with a fault of ours: part ${part}`, async () => {
      const calls = fc.array(fuzzedCalls(document), { minLength: AT_ONCE, maxLength: AT_ONCE });
      await fc.assert(
        fc.asyncProperty(calls, async (some) => {
          await Promise.all(
            some.map(async (call) => {
              // The document is held to every answer by `service.call` itself.
              const { status, text } = await send(call);
              assert.ok(status < 500, `${call.method} ${call.path}: ${text}`);
              const kind = `${call.operationId} ${status}`;
              met.set(kind, (met.get(kind) ?? 0) + 1);
              if (status >= 400) refused.push(call);
            }),
          );
        }),
        // The message names the call. The search for fewer calls would outlast the test's limit,
        // and the message would be lost.
        { numRuns: RUNS_OF_A_PART, endOnFailure: true },
      );
    });
  }

  it('reach every operation, and are both taken and refused', () => {
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    for (const { operationId, tags } of operations) {
      const statuses = [...met.keys()]
        .filter((kind) => kind.startsWith(`${operationId} `))
        .map((kind) => Number(kind.split(' ')[1]));
      assert.ok(statuses.length > 0, `${operationId} was never called`);
      // Webhooks' things end while the calls are made; public documents refuse nobody.
      if (tags.includes('Webhooks') || PUBLIC.has(operationId)) continue;
      assert.ok(Math.min(...statuses) < 400, `${operationId} was never answered: ${statuses}`);
      assert.ok(Math.max(...statuses) >= 400, `${operationId} was never refused: ${statuses}`);
    }
  });

  it('store nothing where they are refused', async () => {
    let again = refused;
    // A call that is taken now, because something else has changed meanwhile, is left out.
    for (let round = 0; round < 3; round++) {
      const before = await everyRow();
      const still: FuzzedCall[] = [];
      for (let at = 0; at < again.length; at += AT_ONCE) {
        const some = again.slice(at, at + AT_ONCE);
        const answers = await Promise.all(some.map(send));
        still.push(...some.filter((_call, index) => (answers[index]?.status ?? 0) >= 400));
      }
      if (still.length === again.length) {
        assert.deepEqual(await everyRow(), before);
        assert.ok(again.length > 1_000, `only ${again.length} calls were refused`);
        return;
      }
      again = still;
    }
    assert.fail('calls that were refused are taken again and again');
  });
});
