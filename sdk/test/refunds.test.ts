import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createClient, InvalidArgumentError, NoAnswerError } from '@payment-requests/sdk';
import { createFakeService, json } from './fake-service.ts';

function setUp() {
  const service = createFakeService();
  return { service, client: createClient(service.options) };
}
const refund = (status: string) => json(200, { id: 'r', status });

describe('creating a refund', () => {
  it('sends amounts with their own digits, and leaves out what is not given', async () => {
    const { service, client } = setUp();
    const guarded = { amount: '5.10', expectedAmountAvailable: 20, merchantRefundId: 'r-1' };
    await client.createRefund('1', guarded);
    await client.createRefund('1');
    assert.deepEqual(
      service.calls.map(({ body }) => body),
      ['{"amount":5.10,"expectedAmountAvailable":20.00,"merchantRefundId":"r-1"}', '{}'],
    );
    assert.match(service.calls[0]?.url ?? '', /\/payment-requests\/1\/refunds$/);
    assert.ok(service.calls[0]?.headers.get('idempotency-key'));
  });

  it('refuses an amount with three decimals before the call', async () => {
    const { service, client } = setUp();
    await assert.rejects(client.createRefund('1', { amount: '5.001' }), InvalidArgumentError);
    assert.equal(service.calls.length, 0);
  });
});

describe('waiting for a refund', () => {
  it('asks with waitSeconds until the refund is over', async () => {
    const { service, client } = setUp();
    service.reply(refund('CREATED'), refund('PROCESSING'), refund('COMPLETED'));
    assert.equal((await client.waitForRefund('r')).status, 'COMPLETED');
    const waits = service.calls.map(({ url }) => new URL(url).searchParams.get('waitSeconds'));
    assert.deepEqual(waits, [null, '30', '30']);
  });

  it('gives up after the seconds named, and never spins on early answers', async () => {
    const { service, client } = setUp();
    service.reply(...Array.from({ length: 20 }, () => refund('PROCESSING')));
    await assert.rejects(client.waitForRefund('r', { giveUpAfterSeconds: 5 }), NoAnswerError);
    assert.ok(service.calls.length <= 8, `${service.calls.length} calls`);
    await assert.rejects(
      client.waitForRefund('r', { giveUpAfterSeconds: 0 }),
      InvalidArgumentError,
    );
  });
});
