import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startTestService } from '../support/service/service.ts';

const PAYER = { name: 'Canary Tremblay', email: 'canary@example.com', mobileNumber: '5145550142' };

describe('a service under test', () => {
  for (const value of Object.values(PAYER)) {
    it(`fails when a log line shows ${value}, which a call sent`, async () => {
      const service = await startTestService();
      const merchant = await service.createMerchant();
      const body = { amount: 10, type: 'ECOMM', payer: PAYER };
      const { headers } = merchant;
      const created = await service.call('POST', '/v1/payment-requests', { headers, body });
      assert.equal(created.status, 201);
      service.logLines.push({ level: 'warn', msg: 'planted', detail: { deep: `<${value}>` } });
      await assert.rejects(service.stop(), /a log line shows payer\./);
    });
  }

  it('fails when a log line shows a secret of a merchant', async () => {
    const service = await startTestService();
    const { apiKey } = await service.createMerchant();
    service.logLines.push({ level: 'warn', msg: `planted ${apiKey}` });
    await assert.rejects(service.stop(), /a log line shows apiKey/);
  });

  it('stops when its log lines, metrics and refusals show neither', async () => {
    const service = await startTestService();
    const { headers } = await service.createMerchant();
    const body = { amount: -1, type: 'ECOMM', payer: PAYER };
    const refused = await service.call('POST', '/v1/payment-requests', { headers, body });
    assert.equal(refused.status, 400);
    await service.stop();
  });
});
