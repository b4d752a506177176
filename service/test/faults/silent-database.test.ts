import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { startTcpProxy, type TcpProxy } from '../support/network/tcp-proxy.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

const GOOD = { amount: 1, type: 'ECOMM', payer: { name: 'Ada', email: 'ada@example.com' } };
const START = new Date('2026-03-01T12:00:00.000Z');
/** Full service is promised within 15 s; the rest is for a machine that does other work, too. */
const HEAL_LIMIT_MS = 25_000;
/** A call is answered at the latest when its statement's connection is given up. */
const ANSWER_LIMIT_MS = 20_000;

let database: TestDatabase;
let callers: TestService;
let workers: TestService;
let callersProxy: TcpProxy;
let workersProxy: TcpProxy;
let merchant: TestMerchant;

before(async () => {
  database = await createTestDatabase('sandbox', START);
  [callersProxy, workersProxy] = [
    await startTcpProxy(database.address),
    await startTcpProxy(database.address),
  ];
  callers = await startTestService({
    database,
    start: START,
    settings: { DATABASE_URL: database.urlAt(callersProxy.port) },
    roles: ['api'],
  });
  workers = await startTestService({
    database: { ...database, drop: async () => {} },
    start: START,
    settings: { ...callers.env, DATABASE_URL: database.urlAt(workersProxy.port) },
    roles: ['background'],
  });
  merchant = await callers.createMerchant();
});
after(async () => {
  await workers?.stop();
  await callers?.stop();
  await callersProxy?.close();
  await workersProxy?.close();
});

const create = (name = 'Ada') =>
  callers.call('POST', '/v1/payment-requests', {
    headers: merchant.headers,
    body: { ...GOOD, payer: { ...GOOD.payer, name } },
  });
const read = (id: string) =>
  callers.call('GET', `/v1/payment-requests/${id}`, { headers: merchant.headers });
const list = () => callers.call('GET', '/v1/payment-requests', { headers: merchant.headers });
const isReady = async ({ opsUrl }: TestService) => (await fetch(`${opsUrl}/health/ready`)).ok;

async function advance(seconds: number): Promise<void> {
  for (const { clock } of [workers, callers]) clock.advance(seconds * 1_000);
  await database.setNow(workers.clock.now());
}

/** Keeps loops waiting for their statements' answers. Returns the release. */
async function holdLoops(): Promise<() => Promise<void>> {
  const holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE sandbox_steps, webhook_deliveries, payment_requests');
  await eventually(async () => {
    const rows = await database.sql(
      `SELECT FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'
         AND query ~ 'sandbox_steps|webhook_deliveries'`,
    );
    return rows.length >= 2;
  }, 'the simulator and the sender wait');
  return () => holder.end();
}

/** Says in how many milliseconds `work` is done, and holds it to the limit. */
async function healed(t: TestContext, role: string, work: () => Promise<unknown>): Promise<void> {
  const startedMs = performance.now();
  await work();
  const tookMs = Math.round(performance.now() - startedMs);
  t.diagnostic(`${role} healed in ${tookMs} ms`);
  assert.ok(tookMs < HEAL_LIMIT_MS, `${role} healed in ${tookMs} ms`);
}

/** Calls until ten creations in a row are done and readiness says so. */
async function callUntilWell(id: string): Promise<void> {
  const answers: Promise<{ status: number; tookMs: number }>[] = [];
  const timed = async (call: () => Promise<{ status: number }>) => {
    const startedMs = performance.now();
    const { status } = await call();
    return { status, tookMs: performance.now() - startedMs };
  };
  let inARow = 0;
  while (inARow < 10) {
    answers.push(
      timed(() => read(id)),
      timed(() => create()),
    );
    const last = await Promise.race([answers.at(-1), wait(1_000, null)]);
    inARow = last?.status === 201 && (await isReady(callers)) ? inARow + 1 : 0;
  }
  for (const { status, tookMs } of await Promise.all(answers)) {
    assert.ok([200, 201, 503].includes(status), `${status}`);
    assert.ok(tookMs < ANSWER_LIMIT_MS, `answered in ${tookMs} ms`);
  }
}

describe('when all open connections to the database go silent', () => {
  it('every call is answered, and both roles serve again by themselves', async (t) => {
    const { id } = (await create()).json;
    const due = (await create('depositSubmit')).json;
    // Each list has a connection of its own: many freeze.
    await Promise.all(Array.from({ length: 20 }, () => list()));
    const release = await holdLoops();
    callersProxy.freeze();
    workersProxy.freeze();
    assert.ok(callersProxy.frozen() > 1);
    await release();
    await advance(11);
    const isPaid = async () => {
      // A claim that was lost with its connection ends by the database's clock.
      await advance(1);
      return (await read(due.id)).json?.status === 'PAID';
    };
    await Promise.all([
      healed(t, 'api', () => callUntilWell(id)),
      healed(t, 'background', async () => {
        await eventually(isPaid);
        await eventually(() => isReady(workers));
      }),
    ]);
    const keptOpen = () => callersProxy.frozen() + workersProxy.frozen();
    await eventually(() => keptOpen() === 0, 'the end of the silent connections');
  });

  it('notifications are heard again: a change in another process ends a waiting read', async () => {
    const { id } = (await create('depositSubmit')).json;
    const waiting = callers.call('GET', `/v1/payment-requests/${id}?waitSeconds=30`, {
      headers: merchant.headers,
    });
    const startedMs = performance.now();
    await advance(11);
    assert.notEqual((await waiting).json.status, 'CREATED');
    assert.ok(performance.now() - startedMs < 30_000, 'the change ends the wait, not its time');
  });
});
