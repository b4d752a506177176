import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type Ran, runCli } from '../commands/run-cli.ts';
import { eventually } from '../support/eventually.ts';
import {
  type PaymentRequestCalls,
  paymentRequestCalls,
} from '../support/payment-requests/payment-requests.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

let service: TestService;
let merchant: TestMerchant;
let calls: PaymentRequestCalls;

before(async () => {
  service = await startTestService();
});
beforeEach(async () => {
  merchant = await service.createMerchant();
  calls = paymentRequestCalls(service, merchant);
});
after(() => service.stop());

/** A process keeps a merchant that calls for 5 s. */
const PAST_CACHE_SECONDS = 6;
const HOUR_MS = 3_600_000;
const hoursFromNow = (hours: number) =>
  new Date(service.clock.now().getTime() + hours * HOUR_MS).toISOString();

function setMessages(...options: string[]): Promise<Ran> {
  const args = ['merchant', 'set-messages', '--merchant', merchant.merchantId, ...options];
  return runCli([...args, '--json'], service.env);
}

async function set(...options: string[]): Promise<void> {
  const ran = await setMessages(...options);
  assert.equal(ran.exitCode, 0, ran.stderr);
}

async function messagesOf(id: string) {
  const { headers } = merchant;
  return (await service.call('GET', `/v1/payment-requests/${id}/messages`, { headers })).json.data;
}

const kindsOf = async (id: string) =>
  (await messagesOf(id)).map(({ kind }: { kind: string }) => kind);

async function untilSent(id: string, kind: string) {
  return eventually(async () => {
    await service.advance(1);
    const all = await messagesOf(id);
    return all.find((each: Record<string, string>) => each.kind === kind && each.status === 'SENT');
  }, `a ${kind}`);
}

describe('a merchant’s message settings', () => {
  it('begin as nothing that no call asks for', async () => {
    const ran = await setMessages();
    assert.deepEqual(ran.json(), {
      merchantId: merchant.merchantId,
      reminders: [],
      receipt: false,
      quietHours: true,
      smsSender: null,
      templateId: null,
    });
  });

  it('hold for later payment requests where delivery leaves them out', async () => {
    const expiryDateTime = hoursFromNow(60);
    const body = { deliveryMode: 'EMAIL', expiryDateTime };
    const earlier = await calls.create(body);
    await set('--reminders', '48,24', '--receipt', 'yes', '--quiet-hours', 'no');
    await service.advance(PAST_CACHE_SECONDS);
    const later = await calls.create(body);
    assert.equal('delivery' in later.json, false, 'the answer echoes only what was sent');
    assert.deepEqual(await kindsOf(later.json.id), ['REMINDER', 'REMINDER', 'REQUEST']);
    assert.deepEqual(await kindsOf(earlier.json.id), ['REQUEST']);
    const own = await calls.create({ ...body, delivery: { reminders: [] } });
    assert.deepEqual(await kindsOf(own.json.id), ['REQUEST']);
    const moved = await calls.update(earlier.json.id, { expiryDateTime: hoursFromNow(70) });
    assert.equal(moved.status, 200, moved.text);
    assert.deepEqual(await kindsOf(earlier.json.id), ['REQUEST'], 'a plan stays');
    assert.deepEqual(moved.json.delivery, undefined);
  });

  it('send a receipt without a delivery mode, and a receipt of a refund with it', async () => {
    await set('--receipt', 'yes');
    await service.advance(PAST_CACHE_SECONDS);
    const payer = { name: 'depositSubmit:0', email: 'ada@example.com' };
    const created = await calls.create({ payer });
    await untilSent(created.json.id, 'RECEIPT');
    const quiet = await calls.create({
      payer,
      deliveryMode: 'EMAIL',
      delivery: { receipt: false },
    });
    await eventually(async () => {
      await service.advance(1);
      return (await calls.read(quiet.json.id)).json.status === 'PAID';
    }, 'the payment');
    for (const { json } of [created, quiet]) {
      const refund = await service.call('POST', `/v1/payment-requests/${json.id}/refunds`, {
        headers: merchant.headers,
        body: { amount: 2, merchantRefundId: `refund-${json.id}` },
      });
      assert.equal(refund.status, 201, refund.text);
    }
    await untilSent(created.json.id, 'REFUND_RECEIPT');
    assert.deepEqual(await kindsOf(quiet.json.id), ['REQUEST']);
  });

  for (const [field, options] of [
    ['reminders', ['--reminders', '0']],
    ['reminders', ['--reminders', '721']],
    ['reminders', ['--reminders', '24,24']],
    ['reminders', ['--reminders', '1,2,3,4']],
    ['reminders', ['--reminders', '1.5']],
    ['reminders', ['--reminders', 'soon']],
    ['sms-sender', ['--sms-sender', 'Harbour Shop']],
    ['sms-sender', ['--sms-sender', 'HarbourBooks']],
    ['default-template', ['--default-template', 'autumn']],
    ['remove', ['--remove', 'receipt']],
  ] as const) {
    it(`refuse ${options.join(' ')}`, async () => {
      const { exitCode, stderr } = await setMessages(...options);
      assert.equal(exitCode, 1);
      assert.ok(stderr.includes(`--${field}: `), stderr);
    });
  }

  it('are audited with what they were', async () => {
    await set('--sms-sender', 'HarbourBook');
    await set('--sms-sender', 'HarbourBook');
    const rows = await service.database.sql<{ details: Record<string, unknown> }>(
      `SELECT details FROM audit_log
       WHERE action = 'MERCHANT_MESSAGES_CHANGED' AND merchant_id = $1`,
      [merchant.merchantId],
    );
    assert.deepEqual(
      rows.map(({ details: { smsSender } }) => smsSender),
      ['HarbourBook'],
    );
  });
});
