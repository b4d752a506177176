import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fastify from 'fastify';
import { connectDatabase, type Database } from '#database/database.ts';
import type { LoopTurn } from '#lib/loop.ts';
import { createProcessHealth } from '#telemetry/health/health.ts';
import { registerHealthRoutes } from '#telemetry/health/routes.ts';
import { createMetrics } from '#telemetry/metrics/metrics.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { TEST_DEPLOYMENT } from '../support/metric-samples.ts';
import { startTcpProxy } from '../support/network/tcp-proxy.ts';

interface Options {
  readonly simulatedNetwork?: boolean;
  readonly cell?: number;
  readonly unreadyBecause?: string;
  readonly opsToken?: Buffer | null;
  readonly loops?: readonly LoopTurn[];
}

function openApp(
  db: Database,
  { simulatedNetwork = false, cell = 1, unreadyBecause, opsToken = null, loops = [] }: Options = {},
) {
  const app = fastify();
  const metrics = createMetrics(TEST_DEPLOYMENT);
  registerHealthRoutes(
    app,
    createProcessHealth({
      db,
      metrics,
      facts: { version: '1.2.3', simulatedNetwork, cell },
      unreadyBecause: () => unreadyBecause ?? null,
      loops: () => loops,
    }),
    opsToken,
  );
  return app;
}

async function readiness(db: Database, options?: Options) {
  const response = await openApp(db, options).inject('/health/ready');
  assert.equal(response.headers['cache-control'], 'no-store');
  return { status: response.statusCode, body: response.json() };
}

async function readinessOf(url: string) {
  const db = connectDatabase({ url, poolSize: 2 });
  try {
    return await readiness(db);
  } finally {
    await db.close();
  }
}

describe('the operators’ listener', () => {
  let test: TestDatabase;

  before(async () => {
    test = await createTestDatabase('sandbox');
  });
  after(() => test.drop());

  it('is live as long as it answers', async () => {
    const response = await openApp(test.db).inject('/health/live');
    assert.equal(response.statusCode, 200);
    assert.deepEqual(response.json(), { status: 'live', version: '1.2.3' });
  });

  it('asks for OPS_TOKEN before it shows metrics, and for nothing before health', async () => {
    const app = openApp(test.db, { opsToken: Buffer.from('a-token-of-the-operators') });
    const ask = async (url: string, authorization?: string) =>
      app.inject({ url, headers: authorization === undefined ? {} : { authorization } });
    const refused = await ask('/metrics');
    assert.equal(refused.statusCode, 401);
    assert.match(String(refused.headers['www-authenticate']), /^Bearer/);
    assert.doesNotMatch(refused.body, /# TYPE/);
    for (const wrong of ['Bearer ', 'Bearer a-token-of-the-operator', 'Basic dTpw']) {
      assert.equal((await ask('/metrics', wrong)).statusCode, 401, wrong);
    }
    const shown = await ask('/metrics', 'bearer a-token-of-the-operators');
    assert.equal(shown.statusCode, 200);
    assert.match(shown.body, /# TYPE/);
    for (const url of ['/health/live', '/health/ready']) {
      assert.equal((await ask(url)).statusCode, 200);
    }
  });

  it('is ready when the database takes a write', async () => {
    assert.deepEqual(await readiness(test.db), {
      status: 200,
      body: { status: 'ready', version: '1.2.3' },
    });
  });

  it('names a simulated network, ready or not', async () => {
    const ready = await readiness(test.db, { simulatedNetwork: true });
    assert.deepEqual(ready.body, { status: 'ready', version: '1.2.3', simulatedNetwork: true });
    const stopping = await readiness(test.db, {
      simulatedNetwork: true,
      unreadyBecause: 'the service is stopping',
    });
    assert.equal(stopping.body.simulatedNetwork, true);
  });

  it('names every cell but the first, ready or not', async () => {
    const ready = await readiness(test.db, { cell: 2 });
    assert.deepEqual(ready.body, { status: 'ready', version: '1.2.3', cell: 2 });
    const stopping = await readiness(test.db, { cell: 12, unreadyBecause: 'it stops' });
    assert.equal(stopping.body.cell, 12);
  });

  it('is not ready while it stops', async () => {
    assert.deepEqual(await readiness(test.db, { unreadyBecause: 'the service is stopping' }), {
      status: 503,
      body: { status: 'not ready', reason: 'the service is stopping', version: '1.2.3' },
    });
  });

  it('is not ready on a database that only reads, and says so', async () => {
    const url = `${test.url}?options=-c%20default_transaction_read_only%3Don`;
    const { status, body } = await readinessOf(url);
    assert.equal(status, 503);
    assert.equal(body.reason, 'the database is read-only: a standby, or a demoted primary');
  });

  it('is not ready before the first migration, and says so', async () => {
    const url = new URL(test.url);
    url.pathname = '/postgres';
    const { status, body } = await readinessOf(url.href);
    assert.equal(status, 503);
    assert.equal(body.reason, 'the database has no schema yet: run payreq migrate');
  });

  it('is not ready when nothing listens, and does not name the address', async () => {
    const { status, body } = await readinessOf('postgres://u:secret@127.0.0.1:1/x');
    assert.equal(status, 503);
    assert.equal(body.reason, 'the database cannot be used (ECONNREFUSED)');
  });

  it('becomes ready again by itself when the database does', async () => {
    const proxy = await startTcpProxy(test.address);
    const db = connectDatabase({ url: test.urlAt(proxy.port), poolSize: 2 });
    const app = openApp(db);
    assert.equal((await app.inject('/health/ready')).statusCode, 200);
    proxy.cut();
    assert.equal((await app.inject('/health/ready')).statusCode, 503);
    proxy.restore();
    assert.equal((await app.inject('/health/ready')).statusCode, 200);
    await db.close();
    await proxy.close();
  });

  it('answers within 2 s when the database hangs, and asks it once for many probes', async () => {
    let writes = 0;
    const hanging: Database = {
      ...test.db,
      query: () => {
        writes++;
        return new Promise(() => {});
      },
    };
    const app = openApp(hanging);
    const startedMs = performance.now();
    const answers = await Promise.all([1, 2, 3].map(() => app.inject('/health/ready')));
    // The write never ends; a busy machine answers later than after 2 s.
    assert.ok(performance.now() - startedMs < 12_000);
    for (const { statusCode, body } of answers) {
      assert.equal(statusCode, 503);
      assert.match(body, /did not take a write within 2 s/);
    }
    assert.equal(writes, 1);
  });

  it('is ready again while an earlier write still hangs', async () => {
    let writes = 0;
    const app = openApp({
      ...test.db,
      query: (statement, values) => {
        writes++;
        return writes === 1 ? new Promise(() => {}) : test.db.query(statement, values);
      },
    });
    assert.equal((await app.inject('/health/ready')).statusCode, 503);
    assert.equal((await app.inject('/health/ready')).statusCode, 200);
  });

  it('is not ready while a loop has not turned for 3 intervals, or for its longest run', async () => {
    const quick = { name: 'send', intervalMs: 1_000, longestRunMs: 15_000 };
    const slow = { name: 'prune', intervalMs: 60_000, longestRunMs: 15_000 };
    const statusOf = async (...loops: LoopTurn[]) => (await readiness(test.db, { loops })).status;
    assert.equal(await statusOf({ ...quick, sinceMs: 15_000 }, { ...slow, sinceMs: 180_000 }), 200);
    assert.equal(await statusOf({ ...quick, sinceMs: 15_001 }), 503);
    const { status, body } = await readiness(test.db, { loops: [{ ...slow, sinceMs: 180_001 }] });
    assert.equal(status, 503);
    assert.equal(body.reason, 'the background loop prune has not turned for 180 s');
  });

  it('is not live when a loop stands still for a minute longer', async () => {
    const loop = { name: 'send', intervalMs: 1_000, longestRunMs: 15_000 };
    const live = async (sinceMs: number) =>
      openApp(test.db, { loops: [{ ...loop, sinceMs }] }).inject('/health/live');
    assert.equal((await live(75_000)).statusCode, 200);
    const dead = await live(75_001);
    assert.equal(dead.statusCode, 503);
    assert.match(dead.json().reason, /loop send has not turned for 75 s/);
  });

  it('gives the metrics as Prometheus text', async () => {
    const response = await openApp(test.db).inject('/metrics');
    assert.equal(response.statusCode, 200);
    assert.equal(response.headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
    assert.match(response.body, /^# TYPE process_cpu_seconds_total counter$/m);
    assert.ok(response.body.endsWith('\n'));
  });
});
