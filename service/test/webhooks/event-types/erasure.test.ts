import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { enqueueWebhookEvents } from '#webhooks/events/outbox.ts';
import { runCli } from '../../commands/run-cli.ts';
import { paymentRequestCalls } from '../../support/payment-requests/payment-requests.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../../support/service/service.ts';

let service: TestService;
let merchant: TestMerchant;

before(async () => {
  service = await startTestService();
  merchant = await service.createMerchant();
});
after(() => service?.stop());

describe('the events of refunds of an erased payer', () => {
  it('lose the message, keep every sum, and get no payer', async () => {
    const { create, simulate } = paymentRequestCalls(service, merchant);
    const payer = { name: 'Ada Lovelace', email: 'ada@example.com' };
    const { id } = (await create({ payer })).json;
    await simulate(id, { outcome: 'PAID' });
    const [{ body: paid } = { body: '' }] = await service.database.sql<{ body: string }>(
      'SELECT body FROM webhook_events WHERE payment_request_id = $1',
      [id],
    );
    const returned = paid.slice(paid.indexOf('"resource":') + 11, paid.lastIndexOf(',"id":'));
    const refund =
      `{"id":"018f2d10-6b7c-7e8f-9a0b-1c2d3e4f5a6b","paymentRequestId":"${id}",` +
      '"message":"For Mrs Lovelace","amount":4.50,"status":"COMPLETED"}';
    const event = {
      merchantId: merchant.merchantId,
      paymentRequestId: id,
      message: 'An event.',
      webhookUrl: null,
      createdAt: service.clock.now(),
    };
    await service.database.db.transaction((tx) =>
      enqueueWebhookEvents(tx, [
        { ...event, sequence: 2, eventType: 'REFUND-COMPLETED', resource: refund },
        { ...event, sequence: 3, eventType: 'PAYMENT-RETURNED', resource: returned },
      ]),
    );
    const args = ['payer', 'erase', '--merchant', merchant.merchantId, '--yes'];
    const ran = await runCli([...args, '--email', 'ada@example.com'], service.env);
    assert.equal(ran.exitCode, 0, ran.stderr);
    const rows = await service.database.sql<{ body: string }>(
      'SELECT body FROM webhook_events WHERE payment_request_id = $1 ORDER BY sequence',
      [id],
    );
    assert.equal(rows.length, 3);
    assert.ok(rows.every(({ body }) => !/Lovelace|ada@/.test(body)));
    assert.ok(rows[1]?.body.includes(refund.replace('"message":"For Mrs Lovelace",', '')));
    assert.equal(JSON.parse(rows[2]?.body ?? '').resource.payer.name, 'Erased');
  });
});
