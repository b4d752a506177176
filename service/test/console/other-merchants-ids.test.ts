import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Role } from '#console/model/roles.ts';
import type { ConsoleRoute } from '#console/shell/console-routes.ts';
import {
  type ConsoleAnswer,
  type ConsoleClient,
  signIn,
} from '../support/console/console-client.ts';
import { readConsoleRoutes } from '../support/console/console-routes.ts';
import { eventually } from '../support/eventually.ts';
import { SMALLEST_BODY } from '../support/payment-requests/payment-requests.ts';
import { createPaid, refundCalls } from '../support/refunds/refund-calls.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

const UNKNOWN_ID = '0199a1b2-0000-7000-8000-000000000000';
/** An address of the reserved block for documentation: every delivery to it waits. */
const LISTENER = 'https://listener.example/webhooks';

const routes = (await readConsoleRoutes()).filter(({ path }) => /:merchant.*\/:\w+/.test(path));

describe('a path of the own merchant with an id of another merchant', () => {
  let service: TestService;
  let own: TestMerchant;
  let other: TestMerchant;
  /** The other merchant’s ids, by the part of the path before the id. */
  const ids = new Map<string, string>();
  const people = new Map<Role, ConsoleClient>();

  before(async () => {
    service = await startTestService({ roles: ['api'] });
    const webhookOrigins = ['https://listener.example'];
    own = await service.createMerchant({ name: 'Own Shop', webhookOrigins });
    other = await service.createMerchant({ name: 'Other Shop', webhookOrigins });
    await happenAt(other);
    await happenAt(own);
    for (const role of ['administrator', 'support', 'finance', 'viewer'] as const) {
      people.set(role, await signIn(service, { role, merchantId: own.merchantId }));
    }
  });
  after(() => service?.stop());

  async function call(merchant: TestMerchant, method: string, path: string, body?: object) {
    const { headers } = merchant;
    const answer = await service.call(method, `/v1${path}`, { headers, ...(body && { body }) });
    assert.ok(answer.status < 300, answer.text);
    return answer.json;
  }

  async function happenAt(merchant: TestMerchant): Promise<void> {
    const { id: endpoint } = await call(merchant, 'POST', '/webhook-endpoints', { url: LISTENER });
    const paid = await createPaid(service, merchant);
    const refund = await refundCalls(service, merchant).created(paid, { amount: 1 });
    const delivery = await eventually(async () => {
      const { data } = await call(merchant, 'GET', '/webhook-deliveries');
      return data[0]?.id as string | undefined;
    }, 'a delivery');
    if (merchant !== other) return;
    await service.database.sql(
      `INSERT INTO message_templates (merchant_id, id, version, footer, texts)
       VALUES ($1, 'autumn', 1, '{}', '{}')`,
      [merchant.merchantId],
    );
    const link = { ...SMALLEST_BODY, deliveryMode: 'EMAIL' };
    const { linkMessage } = await call(merchant, 'POST', '/payment-requests', link);
    for (const [name, id] of Object.entries({
      'payment-requests': paid,
      endpoints: endpoint,
      deliveries: delivery,
      messages: linkMessage.id,
      template: 'autumn',
      refunds: refund.json.id,
    })) {
      ids.set(name, id);
    }
  }

  function addressOf({ path }: ConsoleRoute, idOf: (name: string) => string): string {
    const filled = path
      .replace(':merchant', own.merchantId)
      .replace(/([\w-]+)\/:\w+/g, (_, name: string) => `${name}/${idOf(name)}`);
    return `/console${filled}`;
  }
  const theirs = (name: string) => ids.get(name) ?? UNKNOWN_ID;
  const unknown = () => UNKNOWN_ID;
  const form = { reason: 'OTHER', choice: 'other', amount: '1', url: LISTENER, types: 'all' };
  const send = (role: Role, { method }: ConsoleRoute, address: string): Promise<ConsoleAnswer> => {
    const person = people.get(role) as ConsoleClient;
    return method === 'GET' ? person.get(address) : person.post(address, form);
  };

  for (const role of ['administrator', 'support', 'finance', 'viewer'] as const) {
    it(`shows and does nothing for the role ${role}, as if the id were unknown`, async () => {
      assert.ok(routes.length > 0);
      for (const route of routes) {
        const name = `${route.method} ${route.path}`;
        const found = await send(role, route, addressOf(route, theirs));
        const missing = await send(role, route, addressOf(route, unknown));
        assert.equal(found.status, missing.status, name);
        assert.notEqual(found.status, 303, name);
        if (!route.path.endsWith('/live'))
          assert.ok(found.status >= 400, `${name} ${found.status}`);
        assert.equal(plain(found.html), plain(missing.html), name);
      }
      assert.deepEqual(await untouched(), []);
    });
  }

  /** Entries of people in the other merchant's audit log. */
  function untouched() {
    return service.database.sql(
      `SELECT action FROM audit_log WHERE merchant_id = $1 AND actor LIKE 'console%'`,
      [other.merchantId],
    );
  }

  it('filters lists by it to nothing, as by an unknown id', async () => {
    const administrator = people.get('administrator') as ConsoleClient;
    const filtered = [
      ['deliveries', 'paymentRequestId', 'payment-requests'],
      ['deliveries', 'endpointId', 'endpoints'],
      ['refunds', 'paymentRequestId', 'payment-requests'],
      ['messages', 'paymentRequest', 'payment-requests'],
      ['ledger', 'paymentRequest', 'payment-requests'],
      ['events', 'paymentRequestId', 'payment-requests'],
      ['replays', 'endpointId', 'endpoints'],
    ] as const;
    for (const [list, filter, kind] of filtered) {
      const at = (value: string) =>
        administrator.get(`/console/m/${own.merchantId}/${list}?${filter}=${value}`);
      const [found, missing] = [await at(theirs(kind)), await at(UNKNOWN_ID)];
      assert.equal(plain(found.html), plain(missing.html), `${list} ${filter}`);
    }
  });

  it('finds nothing of it by the search', async () => {
    for (const role of people.keys()) {
      const person = people.get(role) as ConsoleClient;
      for (const id of ids.values()) {
        const { location } = await person.post('/console/search', { q: id });
        assert.match(location ?? '', /^\/console\/search\?found=&words=[\w-]+$/, role);
      }
      const found = [...ids.values()].join('+');
      const { html } = await person.get(`/console/search?found=${found}`);
      assert.match(html, /Nothing was found/);
    }
  });
});

/** Ids, tokens and times differ from call to call. */
function plain(html: string): string {
  return html
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
    .replace(/(datetime|title)="20[^"]*"/g, '');
}
