import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

const GOOD = { amount: 1, type: 'ECOMM', payer: { name: 'Ada', email: 'ada@example.com' } };

let service: TestService;
let merchant: TestMerchant;

before(async () => {
  service = await startTestService();
  merchant = await service.createMerchant();
});
after(() => service.stop());

function create(index: number, name = 'Ada') {
  return service.call('POST', '/v1/payment-requests', {
    headers: merchant.headers,
    body: {
      ...GOOD,
      amount: (index + 1) / 100,
      payer: { ...GOOD.payer, name },
      metadata: { index: `${index}`, 'é "quoted"': '\\ \n' },
    },
  });
}

describe('creations that come together', () => {
  it('each get their own answer, and read back as it', async () => {
    const created = await Promise.all(Array.from({ length: 300 }, (_, index) => create(index)));
    for (const [index, { status, json }] of created.entries()) {
      assert.equal(status, 201);
      assert.equal(json.metadata.index, `${index}`);
    }
    const read = await Promise.all(
      created.map(({ json }) =>
        service.call('GET', `/v1/payment-requests/${json.id}`, { headers: merchant.headers }),
      ),
    );
    assert.deepEqual(
      read.map(({ text }) => text),
      created.map(({ text }) => text),
    );
    assert.equal(new Set(created.map(({ json }) => json.shortCode)).size, 300);
  });

  it('schedule what each name asks for, and nothing for the others', async () => {
    const names = ['depositSubmit', 'Ada', 'depositProcessing', 'Ada', 'depositDecline'];
    const created = await Promise.all(names.map((name, index) => create(index, name)));
    await service.advance(11);
    const expected = ['PAID', 'CREATED', 'PAID', 'CREATED', 'FAILED'];
    await eventually(async () => {
      const read = await Promise.all(
        created.map(({ json }) =>
          service.call('GET', `/v1/payment-requests/${json.id}`, { headers: merchant.headers }),
        ),
      );
      assert.deepEqual(
        read.map(({ json }) => json.status),
        expected,
      );
      return true;
    });
  });

  it('a creation that the database refuses does not fail its neighbours', async () => {
    await service.database.sql(
      'ALTER TABLE payment_requests ADD CONSTRAINT test_refusal CHECK (amount_cents <> 6666)',
    );
    const created = await Promise.all(
      Array.from({ length: 60 }, (_, index) => create(index === 30 ? 6665 : index)),
    );
    assert.deepEqual(
      created.map(({ status }) => status),
      created.map((_, index) => (index === 30 ? 500 : 201)),
    );
  });
});
