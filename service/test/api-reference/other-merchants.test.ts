import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestService, type TestMerchant, type TestService } from '../support/service.ts';

const CANARY = 'CANARY-OF-ANOTHER-MERCHANT';
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly isForm: boolean;
}

let service: TestService;
let owner: TestMerchant;
let stranger: TestMerchant;
let operations: Operation[];

before(async () => {
  service = await startTestService();
  owner = await service.createMerchant({ name: CANARY });
  stranger = await service.createMerchant();
  const payer = { name: 'Ada', email: 'ada@example.com', merchantAccountId: CANARY };
  const body = { amount: 1, type: 'ECOMM', payer, invoiceNumber: CANARY, metadata: { a: CANARY } };
  const created = await call(owner, 'POST', '/v1/payment-requests', body);
  assert.equal(created.status, 201, created.text);
  const { json } = await service.call('GET', '/openapi.json');
  operations = Object.entries<Record<string, { servers?: unknown }>>(json.paths).flatMap(
    ([path, methods]) =>
      Object.entries(methods)
        .filter(([method]) => ['get', 'post', 'put', 'patch', 'delete'].includes(method))
        .map(([method, { servers }]) => ({
          method: method.toUpperCase(),
          path: servers ? path : `/v1${path}`,
          isForm: Boolean(servers),
        })),
  );
});
after(() => service?.stop());

const call = ({ headers }: TestMerchant, method: string, path: string, body?: object) =>
  service.call(method, path, { headers, ...(body && { body }) });

describe('every operation of the served OpenAPI document', () => {
  it('shows and does nothing of another merchant’s', async () => {
    const [first] = (await call(owner, 'GET', '/v1/payment-requests')).json.data;
    assert.ok(JSON.stringify(first).includes(CANARY));
    const ids = [...new Set([...JSON.stringify(first).matchAll(UUID)].map(([id]) => id))];
    assert.ok(ids.includes(first.id) && operations.length > 10);
    for (const { method, path, isForm } of operations) {
      const hasId = path.includes('{');
      for (const id of hasId ? ids : ['']) {
        const body = method === 'GET' || method === 'DELETE' || isForm ? undefined : {};
        const address = path.replaceAll(/\{[^}]*\}/g, id);
        const answer = await call(stranger, method, address, body);
        const what = `${method} ${address}: ${answer.status} ${answer.text}`;
        if (hasId) assert.ok(answer.status >= 400 && answer.status < 500, what);
        assert.ok(!answer.text.includes(CANARY), what);
        assert.ok(hasId || !ids.some((each) => answer.text.includes(each)), what);
      }
    }
    const again = await call(owner, 'GET', `/v1/payment-requests/${first.id}`);
    assert.deepEqual(again.json.status, 'CREATED');
  });
});
