import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { type DnsServer, startDnsServer } from '../support/network/dns-server.ts';
import {
  type Answer,
  type CallOptions,
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

const CANARY = 'CANARY-OF-ANOTHER-MERCHANT';
/** No payer's name: the audit log may have it. */
const OWNER_NAME = 'Name of the other shop';
const EMAIL = 'canary-of-another-merchant@example.com';
const MOBILE = '+1 (514) 555-0142';
const KEY = 'an-idempotency-key-of-the-owner';
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
/** Query parameters whose values name no resource. */
const NAMES_NOTHING = new Set(
  'status createdFrom createdTo amountMin amountMax limit waitSeconds from to type date eventTypes'.split(
    ' ',
  ),
);

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name?: string; readonly in?: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
}

interface Content {
  readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
}

interface Route {
  /** With its parameters, such as `/v1/payment-requests/{id}`. */
  readonly path: string;
  readonly operations: Readonly<Record<string, Operation>>;
}

interface Resources {
  /** By the path segment before the id. */
  readonly ids: Readonly<Record<string, string>>;
  /** By the query parameter that finds one. */
  readonly sought: Readonly<Record<string, string>>;
}

let dns: DnsServer;
let service: TestService;
let owner: TestMerchant;
let stranger: TestMerchant;
let routes: readonly Route[];
let owned: Resources;
let own: Resources;

before(async () => {
  dns = await startDnsServer(() => 'NXDOMAIN');
  // Without the background loops nothing but a call changes a resource.
  const settings = { WEBHOOK_RESOLVERS: dns.address };
  service = await startTestService({ roles: ['api'], settings });
  owner = await service.createMerchant({ name: OWNER_NAME });
  stranger = await service.createMerchant();
  owned = await createResources(owner, CANARY, EMAIL, MOBILE);
  own = await createResources(stranger, 'own', 'own@example.com', '+1 (514) 555-0199');
  const { json } = await service.call('GET', '/openapi.json');
  routes = Object.entries<Record<string, Operation>>(json.paths).map(([path, operations]) => ({
    path,
    operations: Object.fromEntries(
      Object.entries(operations).map(([method, operation]) => [method.toUpperCase(), operation]),
    ),
  }));
});
after(async () => {
  await service?.stop();
  await dns?.close();
});

const call = (merchant: TestMerchant, method: string, path: string, options: CallOptions = {}) =>
  service.call(method, path, { ...options, headers: { ...merchant.headers, ...options.headers } });

/** A resource of every kind that a call can name. */
async function createResources(
  merchant: TestMerchant,
  text: string,
  email: string,
  mobileNumber: string,
): Promise<Resources> {
  const send = async (method: string, path: string, body?: object, key: string = randomUUID()) => {
    const headers = { 'idempotency-key': key };
    const answer = await call(merchant, method, `/v1${path}`, { headers, ...(body && { body }) });
    assert.ok(answer.status < 300, answer.text);
    return answer.json;
  };
  const payer = { name: text, email, mobileNumber };
  const asked = { amount: 1, type: 'ECOMM', payer, invoiceNumber: text, businessUnit: text };
  const webhookUrl = `https://${randomUUID()}.test/`;
  const body = { ...asked, merchantTransactionId: text, metadata: { a: text }, webhookUrl };
  const open = await send('POST', '/payment-requests', body, text === CANARY ? KEY : undefined);
  const paid = await send('POST', '/payment-requests', asked);
  const endpoint = { url: `https://${randomUUID()}.test/`, description: text };
  const { id: endpointId } = await send('POST', '/webhook-endpoints', endpoint);
  await send('POST', `/sandbox/payment-requests/${paid.id}/simulations`, { outcome: 'PAID' });
  // Unique for ever: a merchant's resources are made several times.
  const merchantRefundId = `refund-${randomUUID()}`;
  const asksBack = { amount: 0.01, merchantRefundId, message: text };
  const refund = await send('POST', `/payment-requests/${paid.id}/refunds`, asksBack);
  const delivery = await send('POST', `/webhook-endpoints/${endpointId}/test`, {});
  const from = new Date(service.clock.now().getTime() - 60_000).toISOString();
  const replay = await send('POST', `/webhook-endpoints/${endpointId}/replay`, { from });
  const { payment } = await send('GET', `/payment-requests/${paid.id}`);
  const page = await send('GET', '/payment-requests?limit=1');
  const events = await send('GET', '/events?limit=1');
  const report = await send('GET', '/reports/reconciliation');
  return {
    ids: {
      'payment-requests': open.id,
      'webhook-endpoints': endpointId,
      'webhook-deliveries': delivery.id,
      replays: replay.id,
      refunds: refund.id,
    },
    sought: {
      paymentRequestId: paid.id,
      endpointId,
      merchantTransactionId: text,
      merchantRefundId,
      invoiceNumber: text,
      businessUnit: text,
      shortCode: open.shortCode,
      networkReference: payment.networkReference,
      payerEmail: email,
      payerMobileNumber: mobileNumber,
      cursor: page.nextCursor,
      after: events.nextCursor,
      since: report.nextCursor,
    },
  };
}

/** Fills the parameters of a path; the kind of each is the segment before it. */
function fill(path: string, idOf: (kind: string, isLast: boolean) => string): string {
  return path.replaceAll(/([^/]+)\/\{(\w+)\}/g, (part, kind, name, at) => {
    assert.ok(owned.ids[kind], `This test knows no resource for {${name}} in ${path}`);
    return `${kind}/${encodeURIComponent(idOf(kind, !path.includes('{', at + part.length)))}`;
  });
}

/** Every body that the document shows for a call; or none. */
function bodiesOf(operation: Operation | undefined): CallOptions[] {
  const bodies = Object.entries(operation?.requestBody?.content ?? {}).flatMap(
    ([type, { examples }]) =>
      Object.values(examples).map(({ value }) => ({
        headers: { 'content-type': type },
        body: type.endsWith('json')
          ? JSON.stringify(value)
          : `${new URLSearchParams(value as Record<string, string>)}`,
      })),
  );
  return bodies.length > 0 ? bodies : [{}];
}

/** The parts by which a caller can distinguish two answers; the time and the request id always differ. */
function visibleOf({ status, headers, text }: Answer, path: string): object {
  const ids = [...path.matchAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g)].map(([id]) => id);
  const shown = [...ids, /urn:uuid:[0-9a-f-]{36}/g].reduce<string>(
    (all, id) => all.replaceAll(id, '{id}'),
    text,
  );
  const { date: _, ...rest } = Object.fromEntries(headers);
  return { status, headers: rest, text: shown };
}

/** @param sent a value of the owner that the call itself named, and the answer may repeat */
function assertHides({ text, headers }: Answer, what: string, sent?: string): void {
  const shown = text + JSON.stringify([...headers]);
  const { paymentRequestId = '', shortCode = '' } = owned.sought;
  const secrets = [
    CANARY,
    OWNER_NAME,
    EMAIL,
    paymentRequestId,
    shortCode,
    ...Object.values(owned.ids),
  ];
  for (const secret of secrets.filter((each) => each !== sent)) {
    assert.ok(!shown.includes(secret), `${what} shows ${secret}: ${text}`);
  }
}

/** Everything that a merchant can read of its own. */
async function readAll(merchant: TestMerchant, { ids }: Resources): Promise<string[]> {
  const read: string[] = [];
  for (const { path, operations } of routes) {
    if (!operations.GET) continue;
    const address = fill(path, (kind) => ids[kind] ?? '');
    const { status, text } = await call(merchant, 'GET', address);
    assert.equal(status, 200, `${address}: ${text}`);
    read.push(`${address} ${text}`);
  }
  return read;
}

/** Calls with ids of the owner and with unknown ids; the answers are to be equal. */
async function compare(method: string, path: string, options: CallOptions): Promise<void> {
  const how = { ...options, headers: { ...options.headers, 'x-request-id': 'one-id' } };
  // Before the last id of a path, the id may also be the caller's own.
  for (const { ids } of [owned, own]) {
    const of = (last: (kind: string) => string) =>
      fill(path, (kind, isLast) => (isLast ? last(kind) : String(ids[kind])));
    const theirs = of((kind) => String(owned.ids[kind]));
    const unknown = of(() => randomUUID());
    const answer = await call(stranger, method, theirs, how);
    const expected = await call(stranger, method, unknown, how);
    const what = `${method} ${path} → ${answer.status}`;
    assert.deepEqual(visibleOf(answer, theirs), visibleOf(expected, unknown), what);
    assert.ok(answer.status >= 400 || method === 'OPTIONS', what);
  }
}

const withId = () => routes.filter(({ path }) => path.includes('{'));

describe('every operation of the served OpenAPI document', () => {
  it('answers another merchant’s id exactly as an unknown id, and changes nothing', async () => {
    const before = await readAll(owner, owned);
    assert.ok(before.some((text) => text.includes(CANARY)) && withId().length >= 10);
    // Calls follow each other, also below: side by side, they wait for a turn to write the audit
    // log, and a busy machine's service refuses a call that has waited for two seconds.
    for (const { path, operations } of withId()) {
      for (const method of METHODS) {
        for (const options of bodiesOf(operations[method])) await compare(method, path, options);
      }
    }
    assert.deepEqual(await readAll(owner, owned), before);
  });

  it('answers 404 to a valid call with an id of another merchant, not to the owner', async () => {
    for (const { path, operations } of withId()) {
      for (const [method, operation] of Object.entries(operations)) {
        const [options] = bodiesOf(operation);
        const fresh = await createResources(owner, 'fresh', EMAIL, MOBILE);
        const address = fill(path, (kind) => fresh.ids[kind] ?? '');
        const refused = await call(stranger, method, address, options);
        assert.equal(refused.status, 404, `${operation.operationId}: ${refused.text}`);
        const { status, text } = await call(owner, method, address, options);
        // A conflict: the fresh resource has a running replay already.
        assert.ok(status < 300 || status === 409, `${operation.operationId}: ${text}`);
        // A merchant has at most 20 endpoints.
        await call(owner, 'DELETE', `/v1/webhook-endpoints/${fresh.ids['webhook-endpoints']}`);
      }
    }
  });

  it('finds nothing of another merchant by its reference, cursor or idempotency key', async () => {
    for (const { path, operations } of routes) {
      for (const [method, operation] of Object.entries(operations)) {
        const { operationId } = operation;
        const queries = operation.parameters.filter((each) => each.in === 'query' && each.name);
        const names = queries.map(({ name }) => String(name));
        const address = fill(path, (kind) => String(own.ids[kind]));
        for (const name of names.filter((each) => !NAMES_NOTHING.has(each))) {
          const value = owned.sought[name];
          assert.ok(value, `This test knows no value for the parameter ${name} of ${operationId}`);
          const query = new URLSearchParams({ [name]: value });
          const answer = await call(stranger, method, `${address}?${query}`);
          assertHides(answer, `${operationId} by ${name}`, value);
        }
        if (path.includes('{') || path.startsWith('/oauth2/')) continue;
        const [options] = bodiesOf(operation);
        const headers = { ...options?.headers, 'idempotency-key': KEY };
        assertHides(await call(stranger, method, address, { ...options, headers }), operationId);
      }
    }
    for (const text of await readAll(stranger, own)) {
      assert.ok(!text.includes(CANARY) && !text.includes(OWNER_NAME), text);
    }
  });
});
