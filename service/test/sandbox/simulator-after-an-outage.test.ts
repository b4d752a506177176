import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { suspendMerchant } from '#merchants/suspend-merchant.ts';
import { expirePaymentRequests } from '#payment-requests/status/expire-overdue.ts';
import { runDueSteps, type SandboxSimulatorDeps } from '#sandbox/sandbox-simulator.ts';
import { createLog } from '#telemetry/log/log.ts';
import { createMetrics } from '#telemetry/metrics/metrics.ts';
import { TEST_DEPLOYMENT } from '../support/metric-samples.ts';
import {
  type PaymentRequestCalls,
  paymentRequestCalls,
} from '../support/payment-requests/payment-requests.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

const never = new AbortController().signal;
const FIVE_MINUTES = 300;

describe('the sandbox simulator after an outage', () => {
  let service: TestService;
  let merchant: TestMerchant;
  let calls: PaymentRequestCalls;
  let deps: SandboxSimulatorDeps;

  before(async () => {
    // Without loops: this test decides which one comes first.
    service = await startTestService({ roles: ['api'] });
    merchant = await service.createMerchant();
    calls = paymentRequestCalls(service, merchant);
    deps = {
      db: service.database.db,
      clock: service.clock,
      settings: {
        publicApiUrl: service.publicApiUrl,
        paymentLinkBase: 'https://pay.test/pay',
        currency: 'CAD',
      },
      wakeSenders: () => {},
      onStatusChanged: () => {},
      onCaseOpened: () => {},
      log: createLog({ level: 'silent' as 'error' }),
      metrics: createMetrics(TEST_DEPLOYMENT),
    };
  });
  after(() => service.stop());

  async function create(payerName: string, openSeconds = FIVE_MINUTES): Promise<string> {
    const expiresAt = service.clock.now().getTime() + openSeconds * 1_000;
    const payer = { name: payerName, email: 'ada@example.com' };
    const expiryDateTime = new Date(expiresAt).toISOString();
    return (await calls.create({ payer, expiryDateTime })).json.id;
  }

  const simulate = async () => {
    while (await runDueSteps(deps, never));
  };
  const expire = () => expirePaymentRequests(deps, never);

  async function statusesOf(id: string): Promise<string[]> {
    const { events } = (await calls.read(id)).json;
    return events.map((event: { status: string }) => event.status);
  }

  for (const order of ['the simulator', 'the expiry'] as const) {
    it(`applies the step that was due first, when ${order} runs first`, async () => {
      const dueBefore = await create('depositSubmit:299');
      const dueAfter = await create('depositSubmit:301');
      const declined = await create('depositDecline');
      const processing = await create('depositProcessing');
      await service.advance(FIVE_MINUTES + 60);
      const loops = order === 'the simulator' ? [simulate, expire] : [expire, simulate];
      for (const loop of loops) await loop();
      assert.deepEqual(await statusesOf(dueBefore), ['CREATED', 'EXPIRED', 'PAID']);
      assert.equal((await calls.read(dueBefore)).json.paidLate, true);
      assert.deepEqual(await statusesOf(dueAfter), ['CREATED', 'EXPIRED']);
      assert.deepEqual(await statusesOf(declined), ['CREATED', 'EXPIRED']);
      assert.deepEqual(await statusesOf(processing), ['CREATED', 'EXPIRED', 'PAID']);
    });
  }

  it('does not pay the open request of a merchant suspended during the outage', async () => {
    const open = await create('depositSubmit', 7_200);
    const expired = await create('depositSubmit');
    const accepted = await create('depositProcessing', 7_200);
    await service.advance(6);
    const unaccepted = await create('depositProcessing', 7_200);
    await simulate();
    const needs = { db: deps.db, clock: service.clock, actor: 'test' };
    await suspendMerchant(needs, merchant.merchantId);
    await service.advance(FIVE_MINUTES);
    await simulate();
    // The merchant cannot ask any more.
    const rows = await service.database.sql<{ id: string; status: string }>(
      'SELECT id, status FROM payment_requests WHERE id = ANY ($1)',
      [[open, expired, accepted, unaccepted]],
    );
    const statusOf = new Map(rows.map(({ id, status }) => [id, status]));
    assert.equal(statusOf.get(open), 'CREATED');
    assert.equal(statusOf.get(expired), 'CREATED');
    assert.equal(statusOf.get(unaccepted), 'CREATED');
    // A PROCESSING payment request still ends (contract §4).
    assert.equal(statusOf.get(accepted), 'PAID');
  });
});
