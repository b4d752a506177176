import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { writeSnippets } from '../support/documents/guide-snippets.ts';
import { paymentRequestCalls } from '../support/payment-requests/payment-requests.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

const NODE_MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));

describe('the guide to refund', () => {
  let folder: string;
  let service: TestService;
  let merchant: TestMerchant;
  let refundOrder: (
    paymentRequestId: string,
    refundId: string,
    amount?: string,
  ) => Promise<{ readonly status: string; readonly id?: string }>;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'guide-refunds-'));
    symlinkSync(NODE_MODULES, join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeSnippets(folder, ['refund-order.js']);
    service = await startTestService();
    merchant = await service.createMerchant();
    Object.assign(process.env, {
      BASE_URL: `${service.url}/v1`,
      AUTH_URL: `${service.url}/oauth2/token`,
      API_USERNAME: merchant.username,
      API_PASSWORD: merchant.password,
      API_KEY: merchant.apiKey,
    });
    ({ refundOrder } = await import(pathToFileURL(join(folder, 'refund-order.js')).href));
  });
  after(async () => {
    await service?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('refunds once for each id, in part too, and names what cannot be refunded', async () => {
    const { create, read, simulate } = paymentRequestCalls(service, merchant);
    const { id } = (await create({ amount: 20 })).json;
    assert.deepEqual(await refundOrder(id, 'early'), { status: 'NOT_PAID' });
    await simulate(id, { outcome: 'PAID' });
    const first = await refundOrder(id, 'part', '5.00');
    assert.equal(first.status, 'CREATED');
    assert.deepEqual(await refundOrder(id, 'part', '5.00'), first);
    assert.deepEqual(await refundOrder(id, 'too-much', '15.01'), { status: 'TOO_MUCH' });
    assert.equal((await read(id)).json.refundSummary.amountAvailable, 15);
    await refundOrder(id, 'rest');
    assert.equal((await read(id)).json.refundSummary.amountAvailable, 0);
  });
});
