import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

let service: TestService;
let merchant: TestMerchant;

before(async () => {
  service = await startTestService();
  merchant = await service.createMerchant();
});
after(() => service.stop());

describe('a migration that adds a column', () => {
  it('does not disturb the processes of the version before it', async () => {
    const { headers } = merchant;
    const body = { amount: 1, type: 'ECOMM', payer: { name: 'Ada', email: 'ada@example.com' } };
    const created = await service.call('POST', '/v1/payment-requests', { headers, body });
    const path = `/v1/payment-requests/${created.json.id}`;
    const calls = () =>
      Promise.all(
        [path, '/v1/payment-requests', `${path}/timeline`].flatMap((each) =>
          Array.from({ length: 10 }, () => service.call('GET', each, { headers })),
        ),
      );
    // So often that the statements are prepared on every connection.
    for (let round = 0; round < 3; round++) await calls();
    for (const table of ['payment_requests', 'merchants', 'payment_request_moves']) {
      await service.database.sql(`ALTER TABLE ${table} ADD COLUMN of_the_next_version text`);
    }
    for (const answer of await calls()) assert.equal(answer.status, 200, answer.text);
    const again = await service.call('POST', '/v1/payment-requests', { headers, body });
    assert.equal(again.status, 201, again.text);
    const cancelled = await service.call('POST', `${path}/cancellation`, { headers });
    assert.equal(cancelled.status, 200, cancelled.text);
  });
});
