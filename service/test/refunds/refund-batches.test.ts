import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { connectDatabase } from '#database/database.ts';
import type { Merchant } from '#merchants/merchant.ts';
import { type AskedRefund, createRefunds } from '#refunds/create/create-refunds.ts';
import { PUBLIC_SETTINGS } from '../support/payment-requests/payment-requests.ts';
import { createPaid } from '../support/refunds/refund-calls.ts';
import { startTestService, type TestService } from '../support/service/service.ts';

describe('a batch of refunds', () => {
  let service: TestService;
  let merchantId: string;
  let paymentRequestId: string;
  before(async () => {
    service = await startTestService({ roles: ['api'] });
    const merchant = await service.createMerchant();
    merchantId = merchant.merchantId;
    paymentRequestId = await createPaid(service, merchant);
  });
  after(() => service?.stop());

  const asked = (merchantRefundId: string | null): AskedRefund => ({
    merchant: { id: merchantId } as Merchant,
    merchantRefundId,
    paymentRequestId,
    bodyHash: Buffer.alloc(32),
    validated: {
      amountCents: 1,
      expectedAvailableCents: null,
      reason: 'OTHER',
      message: null,
      webhookUrl: null,
    },
    identity: { id: randomUUID(), requestId: null, traceparent: null },
  });
  const depsOf = ({ clock }: TestService) => ({
    clock,
    settings: PUBLIC_SETTINGS,
    wakeSenders() {},
    onRefundChanged() {},
    timeZone: 'UTC',
    handOverSeconds: () => 60,
    findSpentIds: async () => [],
  });

  it('never takes a refund without a merchantRefundId for the one named "null"', async () => {
    const { results } = await service.database.db.transaction((tx) =>
      createRefunds(tx, depsOf(service), [asked(null), asked('null'), asked(null)]),
    );
    assert.deepEqual(
      results.map(({ kind }) => kind),
      ['NEW', 'NEW', 'NEW'],
    );
  });

  it('reads no whole table, though the connection planned while it was small', async () => {
    const { database } = service;
    await database.planAsInProduction();
    const db = connectDatabase({ url: database.url, poolSize: 1 });
    await db.query({ name: '', text: 'SET plan_cache_mode = force_generic_plan' });
    const refund = () =>
      db.transaction(async (tx) => {
        const text = `SELECT seq_tup_read::int AS read FROM pg_stat_xact_user_tables
                      WHERE relname = 'payment_requests'`;
        const earlier = await tx.query({ name: '', text });
        const batch = Array.from({ length: 40 }, () => asked(null));
        const { results } = await createRefunds(tx, depsOf(service), batch);
        assert.ok(results.every(({ kind }) => kind === 'NEW'));
        assert.deepEqual(await tx.query({ name: '', text }), earlier);
      });
    try {
      await refund();
      await refund();
    } finally {
      await db.close();
    }
  });
});
