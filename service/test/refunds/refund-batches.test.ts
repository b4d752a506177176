import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import type { Merchant } from '#merchants/merchant.ts';
import { type AskedRefund, createRefunds } from '#refunds/create/create-refunds.ts';
import { PUBLIC_SETTINGS } from '../support/payment-requests/payment-requests.ts';
import { createPaid } from '../support/refunds/refund-calls.ts';
import { startTestService } from '../support/service/service.ts';

it('never takes a refund without a merchantRefundId for the one named "null"', async () => {
  const service = await startTestService({ roles: ['api'] });
  try {
    const merchant = await service.createMerchant();
    const paymentRequestId = await createPaid(service, merchant);
    const asked = (merchantRefundId: string | null): AskedRefund => ({
      merchant: { id: merchant.merchantId } as Merchant,
      merchantRefundId,
      paymentRequestId,
      bodyHash: Buffer.alloc(32),
      validated: {
        amountCents: 100,
        expectedAvailableCents: null,
        reason: 'OTHER',
        message: null,
        webhookUrl: null,
      },
      identity: { id: randomUUID(), requestId: null, traceparent: null },
    });
    const deps = {
      clock: service.clock,
      settings: PUBLIC_SETTINGS,
      wakeSenders() {},
      onRefundChanged() {},
      timeZone: 'UTC',
      handOverSeconds: () => 60,
      findSpentIds: async () => [],
    };
    const { results } = await service.database.db.transaction((tx) =>
      createRefunds(tx, deps, [asked(null), asked('null'), asked(null)]),
    );
    assert.deepEqual(
      results.map(({ kind }) => kind),
      ['NEW', 'NEW', 'NEW'],
    );
  } finally {
    await service.stop();
  }
});
