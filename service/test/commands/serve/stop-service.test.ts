import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { after, afterEach, before, describe, it } from 'node:test';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { callAt, settingsOf } from '../../support/service/service.ts';
import {
  authorizeAt,
  childrenOf,
  isRunning,
  PAYREQ,
  spawnService,
} from '../../support/service/spawned-service.ts';

const BODY = { amount: 1, type: 'ECOMM', payer: { name: 'Ada', email: 'ada@example.com' } };

let database: TestDatabase;
let settings: Record<string, string>;
let lock: pg.Client | undefined;

before(async () => {
  database = await createTestDatabase('sandbox');
  settings = { ...settingsOf('sandbox', database.url), DATABASE_POOL_SIZE: '12' };
});
afterEach(() => lock?.end());
after(() => database?.drop());

/** Holds the tables of the calls until the lock ends; a call that has arrived waits. */
async function lockTables(): Promise<void> {
  lock = new pg.Client({ connectionString: database.url });
  await lock.connect();
  await lock.query('BEGIN');
  await lock.query('LOCK TABLE payment_requests, webhook_events IN ACCESS EXCLUSIVE MODE');
}

const EVENTS = (url: string) => `${url}/v1/events?after=latest`;

/** A call that waits for 30 s. By `Expect`, the service says that the call has arrived. */
function wait(address: string, headers: Record<string, string>) {
  const url = new URL(address);
  url.searchParams.set('waitSeconds', '30');
  const call = request(url, { headers: { ...headers, expect: '100-continue' }, agent: false });
  const received = once(call, 'continue');
  const status = once(call, 'response').then(async ([answer]) => {
    answer.resume();
    await once(answer, 'end');
    return answer.statusCode;
  });
  call.end();
  return { received, status };
}

/** The calls that all processes work on; a call that waits for a change is not among them. */
async function inFlight(opsUrl: string): Promise<number> {
  const { text } = await callAt(`${opsUrl}/metrics`, 'GET', {});
  const counts = [...text.matchAll(/^http_requests_in_flight(?:\{.+\})? (\d+)$/gm)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

const WAYS: readonly { title: string; command?: readonly string[]; args?: readonly string[] }[] = [
  { title: 'payreq serve, started by node' },
  { title: 'payreq serve --processes 2', args: ['--processes', '2'] },
  { title: './payreq serve', command: [PAYREQ] },
];

for (const { title, ...how } of WAYS) {
  describe(`${title}, when every process of its group is signalled again and again`, () => {
    it('answers ten waiting calls and ends with 0', async () => {
      const service = spawnService({ ...how, env: settings });
      const { url } = await service.started();
      const headers = await authorizeAt(url, database, settings);
      const made = await callAt(`${url}/v1/payment-requests`, 'POST', { headers, body: BODY });
      const waiting = Array.from({ length: 10 }, (_, index) =>
        wait(index % 2 === 0 ? `${url}/v1/payment-requests/${made.json.id}` : EVENTS(url), headers),
      );
      await Promise.all(waiting.map(({ received }) => received));
      // Each of them has read by then, and waits.
      await callAt(`${url}/v1/payment-requests`, 'GET', { headers });
      const processes = [service.pid, ...childrenOf(service.pid)];

      service.signalGroup('SIGTERM');
      service.signalGroup('SIGTERM');
      await service.line('service stopping');
      for (const signal of ['SIGTERM', 'SIGINT'] as const) service.signalGroup(signal);

      const statuses = await Promise.all(waiting.map(({ status }) => status));
      assert.deepEqual(statuses, new Array(10).fill(200));
      assert.deepEqual(await service.ended(), [0, null]);
      assert.deepEqual(processes.filter(isRunning), []);
      assert.ok(service.lines.some(({ msg }) => msg === 'service stopped'));
    });
  });
}

describe('payreq serve, told to stop', () => {
  it('ends although callers keep their connections open, silent or after an answer', async () => {
    const service = spawnService({ env: { ...settings, SHUTDOWN_GRACE_SECONDS: '20' } });
    const { url, opsUrl } = await service.started();
    const headers = await authorizeAt(url, database, settings);
    const silent = connect(Number(new URL(url).port), '127.0.0.1');
    await once(silent, 'connect');
    const halfSent = connect(Number(new URL(url).port), '127.0.0.1');
    halfSent.write('POST /v1/payment-requests HTTP/1.1\r\nHost:');
    const agent = new Agent({ keepAlive: true });
    await lockTables();
    const call = request(`${url}/v1/payment-requests`, { method: 'GET', headers, agent }).end();
    const answered = once(call, 'response');
    await eventually(async () => (await inFlight(opsUrl)) === 1, 'a call');

    service.signalGroup('SIGTERM');
    await service.line('service stopping');
    await lock?.end();
    const [answer] = await answered;
    assert.equal(answer.statusCode, 200);
    assert.equal(answer.headers.connection, 'close');
    answer.resume();
    assert.deepEqual(await service.ended(), [0, null]);
    for (const socket of [silent, halfSent]) socket.destroy();
    agent.destroy();
  });

  it('ends when the grace period is over, and logs what it has cut', async () => {
    const service = spawnService({ env: { ...settings, SHUTDOWN_GRACE_SECONDS: '1' } });
    const { url, opsUrl } = await service.started();
    const headers = await authorizeAt(url, database, settings);
    await lockTables();
    const call = callAt(`${url}/v1/payment-requests`, 'GET', { headers }).catch(() => 'cut');
    await eventually(async () => (await inFlight(opsUrl)) === 1, 'a call');
    service.signalGroup('SIGTERM');
    assert.deepEqual(await service.ended(), [1, null]);
    assert.equal(await call, 'cut');
    await lock?.end();
    const hard = service.lines.find(({ msg }) => msg === 'service stopped hard');
    assert.equal(hard?.reason, 'the grace period is over');
    assert.match(JSON.stringify(hard?.unfinished), /"1 calls"/);
  });

  it('does not end when its terminal is gone, as under nohup', async () => {
    const service = spawnService({ env: settings });
    const { opsUrl } = await service.started();
    service.signalGroup('SIGHUP');
    // The signal is handled before any answer to a later call.
    assert.equal((await callAt(`${opsUrl}/health/live`, 'GET', {})).status, 200);
    service.signalGroup('SIGTERM');
    assert.deepEqual(await service.ended(), [0, null]);
    assert.equal((await service.line('service stopping')).reason, 'SIGTERM');
  });
});
