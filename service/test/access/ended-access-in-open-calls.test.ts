import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { suspendMerchant } from '#merchants/suspend-merchant.ts';
import { startTestService, type TestService } from '../support/service/service.ts';

let service: TestService;

before(async () => {
  service = await startTestService();
});
after(() => service.stop());

describe('access that ends while a call waits', () => {
  for (const path of ['payment-requests/ID', 'events']) {
    it(`ends that call too: GET /${path}`, async () => {
      const merchant = await service.createMerchant();
      const { headers } = merchant;
      const created = await service.call('POST', '/v1/payment-requests', {
        headers,
        body: { amount: 1, type: 'ECOMM', payer: { name: 'depositSubmit:0', email: 'a@b.c' } },
      });
      // Long enough for the suspension to come before its end on a busy machine.
      const address = `/v1/${path.replace('ID', created.json.id)}?waitSeconds=4`;
      const waiting = service.call('GET', address, { headers });
      await suspendMerchant(
        { db: service.database.db, clock: service.clock, actor: 'test' },
        merchant.merchantId,
      );
      // Nothing happens to what cannot be paid any more, so that the call waits to its end, when the
      // memory of who may call is over.
      await service.advance(5);
      const { status, json, text } = await waiting;
      assert.equal(status, 403, text);
      assert.equal(json.code, 'MERCHANT_SUSPENDED');
      assert.ok(!text.includes('a@b.c'));
    });
  }
});
