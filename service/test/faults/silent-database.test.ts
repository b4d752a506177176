import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { startTestService, type TestMerchant, type TestService } from '../support/service.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

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
  [callersProxy, workersProxy] = [await proxyOf(database), await proxyOf(database)];
  callers = await startTestService({
    database,
    start: START,
    settings: { DATABASE_URL: addressOf(callersProxy) },
    roles: ['api'],
  });
  workers = await startTestService({
    database: { ...database, drop: async () => {} },
    start: START,
    settings: { ...callers.env, DATABASE_URL: addressOf(workersProxy) },
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

async function proxyOf({ url }: TestDatabase): Promise<TcpProxy> {
  const { hostname, port } = new URL(url);
  return startTcpProxy({ host: hostname, port: Number(port || 5432) });
}

function addressOf(proxy: TcpProxy): string {
  const url = new URL(database.url);
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  return url.href;
}

const create = (name = 'Ada') =>
  callers.call('POST', '/v1/payment-requests', {
    headers: merchant.headers,
    body: { ...GOOD, payer: { ...GOOD.payer, name } },
  });
const read = (id: string) =>
  callers.call('GET', `/v1/payment-requests/${id}`, { headers: merchant.headers });
const list = () => callers.call('GET', '/v1/payment-requests', { headers: merchant.headers });
const isReady = async ({ opsUrl }: TestService) => (await fetch(`${opsUrl}/health/ready`)).ok;

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
async function healed(t: TestContext, work: () => Promise<unknown>): Promise<void> {
  const startedMs = performance.now();
  await work();
  const tookMs = Math.round(performance.now() - startedMs);
  t.diagnostic(`healed in ${tookMs} ms`);
  assert.ok(tookMs < HEAL_LIMIT_MS, `healed in ${tookMs} ms`);
}

describe('while connections to the database are silent', () => {
  it('every call is answered, and the api serves again by itself', async (t) => {
    const { id } = (await create()).json;
    // Each list has a connection of its own: many freeze.
    await Promise.all(Array.from({ length: 20 }, () => list()));
    callersProxy.freeze();
    assert.ok(callersProxy.frozen() > 3);
    const answers: Promise<{ status: number; tookMs: number }>[] = [];
    const timed = async (call: () => Promise<{ status: number }>) => {
      const startedMs = performance.now();
      const { status } = await call();
      return { status, tookMs: performance.now() - startedMs };
    };
    await healed(t, async () => {
      let inARow = 0;
      while (inARow < 10) {
        answers.push(
          timed(() => read(id)),
          timed(() => create()),
        );
        const last = await Promise.race([answers.at(-1), wait(1_000, null)]);
        inARow = last?.status === 201 && (await isReady(callers)) ? inARow + 1 : 0;
      }
    });
    for (const { status, tookMs } of await Promise.all(answers)) {
      assert.ok([200, 201, 503].includes(status), `${status}`);
      assert.ok(tookMs < ANSWER_LIMIT_MS, `answered in ${tookMs} ms`);
    }
    await eventually(() => callersProxy.frozen() === 0, 'the end of the silent connections');
  });

  it('readiness never hangs, and is regained without a call', async (t) => {
    await eventually(() => isReady(callers));
    callersProxy.freeze();
    await healed(t, () => eventually(() => isReady(callers)));
  });

  it('what fell due meanwhile happens, and every background loop turns again', async (t) => {
    const { id } = (await create('depositSubmit')).json;
    const release = await holdLoops();
    workersProxy.freeze();
    await release();
    workers.clock.advance(11_000);
    callers.clock.advance(11_000);
    await database.setNow(workers.clock.now());
    await healed(t, () => eventually(async () => (await read(id)).json?.status === 'PAID'));
    await eventually(() => isReady(workers));
    await eventually(() => workersProxy.frozen() === 0, 'the end of the silent connections');
  });

  it('a notification is heard again: a change ends a waiting read of another process', async () => {
    await eventually(() => isReady(callers));
    callersProxy.freeze();
    await eventually(() => callersProxy.frozen() === 0, 'the end of the silent connections');
    const { id } = (await create('depositSubmit')).json;
    const waiting = callers.call('GET', `/v1/payment-requests/${id}?waitSeconds=30`, {
      headers: merchant.headers,
    });
    const startedMs = performance.now();
    workers.clock.advance(11_000);
    callers.clock.advance(11_000);
    await database.setNow(workers.clock.now());
    assert.notEqual((await waiting).json.status, 'CREATED');
    assert.ok(performance.now() - startedMs < 20_000, 'the change ends the wait, not its time');
  });
});
