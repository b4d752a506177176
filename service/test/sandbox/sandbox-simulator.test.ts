import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { connectDatabase } from '#database/database.ts';
import { systemClock } from '#lib/clock.ts';
import { parseStrictJson } from '#lib/json/parse-strict.ts';
import { Problem } from '#lib/problem.ts';
import { FIRST_MESSAGE_SETTINGS } from '#merchants/model/message-settings.ts';
import { createMessageHooks } from '#messages/outbox/write-messages.ts';
import { createPaymentRequest } from '#payment-requests/create/create-payment-request.ts';
import { validateCreation } from '#payment-requests/create/validate-creation.ts';
import { findPaymentRequest } from '#payment-requests/lookup/find-store.ts';
import { CONTRACT_TIMES } from '#payment-requests/model/expiry.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { changeStatus, type StatusChange } from '#payment-requests/status/change-status.ts';
import { createSandboxCreationHooks } from '#sandbox/create-sandbox-creation-hooks.ts';
import {
  runDueSteps,
  type SandboxSimulatorDeps,
  startSandboxSimulator,
} from '#sandbox/sandbox-simulator.ts';
import { createLog } from '#telemetry/log/log.ts';
import { createMetrics } from '#telemetry/metrics/metrics.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts';
import { TEST_DEPLOYMENT } from '../support/metric-samples.ts';

const MERCHANT = {
  id: 'mer_1',
  name: 'Harbour Books',
  status: 'ACTIVE',
  uniqueTransactionIds: false,
  webhookOrigins: [],
  returnOrigins: [],
  messageSettings: FIRST_MESSAGE_SETTINGS,
} as const;

const settings = {
  publicApiUrl: 'http://localhost:4010/v1',
  paymentLinkBase: 'http://localhost:4010/pay',
  currency: 'CAD',
};

const never = new AbortController().signal;

async function insertMerchant(test: TestDatabase): Promise<void> {
  await test.sql(
    `INSERT INTO merchants (id, name, listener_username, listener_password_encrypted,
                            signing_secret_encrypted) VALUES ($1, $2, 'u', '', '')`,
    [MERCHANT.id, MERCHANT.name],
  );
}

function openSandbox(test: TestDatabase, clock: SandboxSimulatorDeps['clock']) {
  const moves: StatusChange[] = [];
  let wakes = 0;
  const deps: SandboxSimulatorDeps = {
    db: test.db,
    clock,
    settings,
    wakeSenders: () => wakes++,
    onStatusChanged: (change) => moves.push(change),
    onCaseOpened() {},
    log: createLog({ level: 'silent' as 'error' }),
    metrics: createMetrics(TEST_DEPLOYMENT),
  };
  const create = async (payerName: string): Promise<PaymentRequest> => {
    const text = { amount: 10, type: 'ECOMM', payer: { name: payerName, email: 'a@b.example' } };
    const { value, numberSources } = parseStrictJson(Buffer.from(JSON.stringify(text)));
    const create = {
      clock,
      limits: {
        maxAmountCents: 1_000_000,
        currency: settings.currency,
        times: CONTRACT_TIMES,
        network: null,
        channels: { available: [], smsCountryCode: '' },
      },
      messages: createMessageHooks({ clock, timeZone: 'UTC', delaySeconds: () => 0 }),
      hasCreditorAccount: async () => true,
      hasTemplate: async () => false,
      cell: 1,
      hooks: createSandboxCreationHooks(),
      webhookUrlFault: async () => null,
      areOriginsRegistered: false,
      isLocal: false,
    };
    const call = { members: value as Record<string, unknown>, numberSources, faults: [] };
    const validated = await validateCreation(create, MERCHANT, call);
    return test.db.transaction((tx) => createPaymentRequest(tx, create, MERCHANT, validated));
  };
  const read = async (id: string): Promise<PaymentRequest> => {
    const found = await findPaymentRequest(test.db, id);
    assert.ok(found);
    return found;
  };
  return { deps, moves, create, read, wakes: () => wakes };
}

/** Runs everything that is due now. */
async function runAll(deps: SandboxSimulatorDeps): Promise<void> {
  while (await runDueSteps(deps, never));
}

describe('the sandbox simulator', () => {
  let test: TestDatabase;
  let clock: FakeClock;
  let sandbox: ReturnType<typeof openSandbox>;

  before(async () => {
    clock = createFakeClock();
    test = await createTestDatabase('sandbox', clock.now());
    await insertMerchant(test);
  });
  after(() => test.drop());
  beforeEach(() => {
    sandbox = openSandbox(test, clock);
  });

  async function pass(seconds: number): Promise<void> {
    clock.advance(seconds * 1_000);
    await test.setNow(clock.now());
    await runAll(sandbox.deps);
  }

  /** The statuses that a request with this name has reached after each of the given seconds. */
  async function follow(payerName: string, ...atSeconds: number[]): Promise<PaymentRequest[]> {
    const { id } = await sandbox.create(payerName);
    const seen: PaymentRequest[] = [];
    let passed = 0;
    for (const second of atSeconds) {
      await pass(second - passed);
      passed = second;
      seen.push(await sandbox.read(id));
    }
    return seen;
  }

  const statuses = (seen: readonly PaymentRequest[]) => seen.map((one) => one.status);

  it('leaves an ordinary name CREATED', async () => {
    assert.deepEqual(statuses(await follow('Ada Lovelace', 0, 10, 3_600)), [
      'CREATED',
      'CREATED',
      'CREATED',
    ]);
  });

  for (const name of [
    'depositSubmit',
    'depositDuplicate',
    'depositBadSignature',
    'depositNoWebhook',
  ]) {
    it(`pays ${name} after ten seconds, not before`, async () => {
      const seen = await follow(name, 0, 9.9, 10.3);
      assert.deepEqual(statuses(seen), ['CREATED', 'CREATED', 'PAID']);
      const [, , paid] = seen;
      assert.deepEqual(
        paid?.events.map((event) => event.status),
        ['CREATED', 'PAID'],
      );
      assert.equal(paid?.paidLate, false);
      assert.equal(paid?.payment?.institution, 'Sandbox Simulator');
      assert.match(paid?.payment?.networkReference ?? '', /^SIM-[0-9A-F]{12}$/);
    });
  }

  it('pays depositSubmit:N after N seconds', async () => {
    assert.deepEqual(statuses(await follow('depositSubmit:3', 2.9, 3.3)), ['CREATED', 'PAID']);
    assert.deepEqual(statuses(await follow('depositSubmit:0', 0.3)), ['PAID']);
    assert.deepEqual(statuses(await follow('depositSubmit:3600', 3_599, 3_601)), [
      'CREATED',
      'PAID',
    ]);
  });

  it('never pays depositSubmit:0 before the create call had time to answer', async () => {
    assert.deepEqual(statuses(await follow('depositSubmit:0', 0, 0.2)), ['CREATED', 'CREATED']);
  });

  it('fails depositDecline as declined by the payer', async () => {
    const [failed] = await follow('depositDecline', 10.3);
    assert.equal(failed?.status, 'FAILED');
    assert.equal(failed?.statusReason?.code, 'PAYER_DECLINED');
  });

  it('fails depositFail:CODE with that code', async () => {
    const [failed] = await follow('depositFail:INSUFFICIENT_FUNDS', 10.3);
    assert.equal(failed?.status, 'FAILED');
    assert.equal(failed?.statusReason?.code, 'INSUFFICIENT_FUNDS');
  });

  it('expires depositExpire, moving its expiry to that moment', async () => {
    const [before, expired] = await follow('depositExpire', 9, 10.3);
    assert.equal(before?.status, 'CREATED');
    assert.equal(expired?.status, 'EXPIRED');
    assert.equal(expired?.statusReason?.code, 'LINK_EXPIRED');
    assert.deepEqual(expired?.expiresAt, clock.now());
    assert.deepEqual(expired?.events.at(-1), { status: 'EXPIRED', occurredAt: clock.now() });
  });

  it('takes depositProcessing through PROCESSING to PAID', async () => {
    const seen = await follow('depositProcessing', 4.9, 5.3, 10.3);
    assert.deepEqual(statuses(seen), ['CREATED', 'PROCESSING', 'PAID']);
  });

  it('takes depositProcessingFail through PROCESSING to FAILED', async () => {
    const seen = await follow('depositProcessingFail', 4.9, 5.3, 10.3);
    assert.deepEqual(statuses(seen), ['CREATED', 'PROCESSING', 'FAILED']);
  });

  it('expires depositLate and pays it late', async () => {
    const seen = await follow('depositLate', 10.3, 19.9, 20.3);
    assert.deepEqual(statuses(seen), ['EXPIRED', 'EXPIRED', 'PAID']);
    assert.equal(seen[2]?.paidLate, true);
    assert.equal(seen[2]?.statusReason, null);
  });

  it('makes outcomes that fell due during an outage happen in their order', async () => {
    const { id } = await sandbox.create('depositProcessing');
    const late = await sandbox.create('depositLate');
    await pass(600);
    const events = async (of: string) => (await sandbox.read(of)).events.map((one) => one.status);
    assert.deepEqual(await events(id), ['CREATED', 'PROCESSING', 'PAID']);
    assert.deepEqual(await events(late.id), ['CREATED', 'EXPIRED', 'PAID']);
  });

  it('writes one webhook event for each outcome that names one, and wakes the senders', async () => {
    const { id } = await sandbox.create('depositLate');
    await pass(30);
    const rows = await test.sql<{ event_type: string; sequence: number }>(
      'SELECT event_type, sequence FROM webhook_events WHERE payment_request_id = $1 ORDER BY 2',
      [id],
    );
    assert.deepEqual(rows, [
      { event_type: 'PAYMENT-FAILED', sequence: 1 },
      { event_type: 'PAYMENT-COMPLETED', sequence: 2 },
    ]);
    assert.equal(sandbox.wakes(), 2);
  });

  it('does not pay a request that the merchant has cancelled', async () => {
    const { id } = await sandbox.create('depositSubmit');
    await changeStatus(sandbox.deps, id, { name: 'CANCELLED_BY_MERCHANT' });
    await pass(11);
    assert.equal((await sandbox.read(id)).status, 'CANCELLED');
  });

  it('does not pay a request that the merchant cancels after the claim of the step', async () => {
    const { id } = await sandbox.create('depositSubmit');
    clock.advance(11_000);
    await test.setNow(clock.now());
    const { db } = sandbox.deps;
    let isCancelled = false;
    const cancelFirst: SandboxSimulatorDeps['db'] = {
      ...db,
      // The step is claimed by now, and nothing has been locked yet.
      async transaction(work) {
        if (!isCancelled) {
          isCancelled = true;
          await changeStatus(sandbox.deps, id, { name: 'CANCELLED_BY_MERCHANT' });
        }
        return db.transaction(work);
      },
    };
    await runDueSteps({ ...sandbox.deps, db: cancelFirst }, never);
    assert.equal((await sandbox.read(id)).status, 'CANCELLED');
    assert.equal(await runDueSteps(sandbox.deps, never), false);
  });

  it('does a step again whose process died before marking it, without harm', async () => {
    const { id } = await sandbox.create('depositSubmit');
    await pass(11);
    const paid = await sandbox.read(id);
    await test.sql(
      `UPDATE sandbox_steps SET done_at = NULL, claimed_until = NULL
       WHERE payment_request_id = $1`,
      [id],
    );
    await pass(1);
    assert.deepEqual(await sandbox.read(id), paid);
    const open = await test.sql('SELECT FROM sandbox_steps WHERE done_at IS NULL');
    assert.equal(open.length, 0);
  });

  it('takes over a step whose process died after claiming it', async () => {
    const { id } = await sandbox.create('depositSubmit');
    clock.advance(11_000);
    await test.setNow(clock.now());
    const stopping = AbortSignal.abort();
    assert.equal(await runDueSteps(sandbox.deps, stopping), true);
    assert.equal((await sandbox.read(id)).status, 'CREATED');
    await pass(4);
    assert.equal((await sandbox.read(id)).status, 'CREATED');
    await pass(1.1);
    assert.equal((await sandbox.read(id)).status, 'PAID');
  });

  it('goes on with the other steps when one fails, and gives that one up in the end', async () => {
    const bad = await sandbox.create('depositSubmit');
    const good = await sandbox.create('depositSubmit');
    clock.advance(11_000);
    await test.setNow(clock.now());
    const db = sandbox.deps.db;
    const deps: SandboxSimulatorDeps = {
      ...sandbox.deps,
      db: {
        ...db,
        transaction: (work) =>
          db.transaction((tx) =>
            work({
              query: async (statement, values) => {
                if (values?.[0] === bad.id) throw new Error('this one is bad');
                return tx.query(statement, values);
              },
            }),
          ),
      },
    };
    await assert.rejects(runDueSteps(deps, never), /this one is bad/);
    assert.equal((await sandbox.read(good.id)).status, 'PAID');
    let tries = 1;
    for (; tries < 100; tries++) {
      clock.advance(6_000);
      await test.setNow(clock.now());
      const failed = await runDueSteps(deps, never).then(
        () => false,
        () => true,
      );
      if (!failed) break;
    }
    assert.equal(tries, 20);
    assert.equal((await sandbox.read(bad.id)).status, 'CREATED');
  });

  it('does each step once when several processes run side by side', async () => {
    // The creations run in sequence: a hundred at once could wait too long for eight connections.
    const created: Awaited<ReturnType<typeof sandbox.create>>[] = [];
    while (created.length < 100) created.push(await sandbox.create('depositSubmit'));
    clock.advance(11_000);
    await test.setNow(clock.now());
    await Promise.all([1, 2, 3].map(() => runAll(sandbox.deps)));
    const moved = sandbox.moves.map((move) => move.id);
    assert.deepEqual([...moved].sort(), created.map(({ id }) => id).sort());
  });

  it('answers a bad parameter as a fault of payer.name, and creates nothing', async () => {
    const [before] = await test.sql('SELECT count(*) FROM payment_requests');
    await assert.rejects(sandbox.create('depositSubmit:9999'), (error: unknown) => {
      assert.ok(error instanceof Problem);
      assert.equal(error.code, 'VALIDATION_ERROR');
      assert.deepEqual(error.errors, [
        {
          field: 'payer.name',
          code: 'INVALID_VALUE',
          message: 'Write depositSubmit:N with N as whole seconds from 0 to 3600.',
        },
      ]);
      return true;
    });
    assert.deepEqual(await test.sql('SELECT count(*) FROM payment_requests'), [before]);
  });

  for (const [status, code, headers] of [
    [400, 'VALIDATION_ERROR', []],
    [401, 'ACCESS_TOKEN_EXPIRED', ['www-authenticate']],
    [403, 'MERCHANT_SUSPENDED', []],
    [409, 'DUPLICATE_MERCHANT_TRANSACTION_ID', []],
    [429, 'RATE_LIMITED', ['retry-after']],
    [500, 'INTERNAL_ERROR', []],
    [503, 'TEMPORARILY_UNAVAILABLE', ['retry-after']],
  ] as const) {
    it(`answers ${code} to createError:${status}`, async () => {
      await assert.rejects(sandbox.create(`createError:${status}`), (error: unknown) => {
        assert.ok(error instanceof Problem);
        assert.equal(error.code, code);
        assert.deepEqual(Object.keys(error.headers), headers);
        return true;
      });
    });
  }
});

describe('the sandbox simulator’s loop', () => {
  let test: TestDatabase;

  before(async () => {
    test = await createTestDatabase('sandbox');
    await insertMerchant(test);
  });
  after(() => test.drop());

  it('wakes when a step falls due, not at the next poll', async () => {
    const { deps, create, read } = openSandbox(test, systemClock);
    const tookMs = [];
    do {
      const loop = startSandboxSimulator(deps);
      // Looks are a second apart, at about 2 s and 3 s: only the alarm is on time between them.
      const { id } = await create('depositSubmit:2');
      const startedMs = performance.now();
      await eventually(async () => (await read(id)).status !== 'CREATED');
      tookMs.push(performance.now() - startedMs);
      await loop.stop();
      // A busy machine may be late; without the alarm each time would be.
    } while ((tookMs.at(-1) ?? 0) >= 2_900 && tookMs.length < 8);
    assert.ok(Math.min(...tookMs) >= 2_000, `${tookMs} ms`);
    assert.ok((tookMs.at(-1) ?? 0) < 2_900, `${tookMs} ms`);
  });

  it('survives a database that is away and goes on by itself', async () => {
    const { deps, create, read } = openSandbox(test, systemClock);
    let isAway = true;
    const db = deps.db;
    const loop = startSandboxSimulator({
      ...deps,
      db: {
        ...db,
        query: async (statement, values) => {
          if (isAway) throw new Error('away');
          return db.query(statement, values);
        },
      },
    });
    const { id } = await create('depositSubmit:0');
    const hasFailed = /background_loop_failures_total\{loop="sandbox-simulator"[^}]*\} [1-9]/;
    await eventually(async () => hasFailed.test(await deps.metrics.render()), 'a failed turn');
    assert.equal((await read(id)).status, 'CREATED');
    isAway = false;
    await eventually(async () => (await read(id)).status !== 'CREATED');
    await loop.stop();
    assert.equal((await read(id)).status, 'PAID');
  });

  it('finds the steps of a killed process', async () => {
    const { deps, create, read } = openSandbox(test, systemClock);
    const { id } = await create('depositSubmit:0');
    await new Promise((resolve) => setTimeout(resolve, 300));
    const other = connectDatabase({ url: test.url, poolSize: 2 });
    await runAll({ ...deps, db: other });
    await other.close();
    assert.equal((await read(id)).status, 'PAID');
  });
});
