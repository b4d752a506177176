import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { SERVICE_VERSION } from '#version.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { sampleOf } from '../../support/metric-samples.ts';
import { callAt, settingsOf } from '../../support/service/service.ts';
import {
  authorizeAt,
  type SpawnedService,
  spawnService,
} from '../../support/service/spawned-service.ts';
import { refusedServe } from '../refused-serve.ts';
import { runCli, spawnCli } from '../run-cli.ts';

const RECEIPT_TOKEN = 'Hq7mJd2fYt9aRk4zVb8oNx1i';
const SMS = {
  SMS_URL: 'https://relay.example/sms',
  SMS_TOKEN: 'Zk3vQ8r1TgBn6yLw5pXc0sUe',
  SMS_RECEIPT_TOKEN: RECEIPT_TOKEN,
};

let database: TestDatabase;
let settings: Record<string, string>;
let headers: Record<string, string>;
let service: SpawnedService;
let url: string;
let opsUrl: string;
let lines: SpawnedService['lines'];

before(async () => {
  database = await createTestDatabase('sandbox');
  settings = { ...settingsOf('sandbox', database.url), DATABASE_POOL_SIZE: '4', ...SMS };
  service = spawnService({ args: ['--processes', '2'], env: settings });
  lines = service.lines;
  // Starts run in sequence: on a busy machine each start is slow.
  await service.line('process started');
  const { processes } = await service.line('service started');
  assert.equal(processes, 2);
  ({ url, opsUrl } = await service.started());
  headers = await authorizeAt(url, database, settings);
});
after(async () => {
  service?.signalGroup('SIGKILL');
  await database?.drop();
});

/** A creation over a connection of its own, so that the processes take turns. */
function create() {
  return callAt(`${url}/v1/payment-requests`, 'POST', {
    headers: { ...headers, connection: 'close' },
    body: { amount: 1, type: 'ECOMM', payer: { name: 'Ada', email: 'ada@example.com' } },
  });
}

const ANSWERING = 'service_processes_answering{process="parent"}';

/** The calls that all processes work on. */
async function inFlight(): Promise<number> {
  const { text } = await ops('/metrics');
  const counts = [...text.matchAll(/^http_requests_in_flight\{.+\} (\d+)$/gm)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

/** The processes that have written a line for a request. */
const answering = () => new Set(lines.filter(({ msg }) => msg === 'request').map(({ pid }) => pid));
const ops = (path: string) => callAt(opsUrl + path, 'GET', {});
const workers = () => lines.filter(({ msg }) => msg === 'process started').map(({ pid }) => pid);

describe('payreq serve --processes 2', () => {
  it('answers from both processes on one port, and neither of them is the parent', async () => {
    const created = await Promise.all(Array.from({ length: 20 }, create));
    for (const { status, text } of created) assert.equal(status, 201, text);
    await eventually(() => answering().size === 2);
    assert.deepEqual([...answering()].sort(), workers().sort());
    assert.ok(!answering().has(service.pid));
  });

  it('tells the metrics of each process and of the parent, which add up to all calls', async () => {
    const { text } = await ops('/metrics');
    const counts = [...text.matchAll(/^http_request_duration_seconds_count\{(.+)\} (\d+)$/gm)]
      .filter(([, labels]) => labels?.includes('status="201"'))
      .map(([, labels, count]) => [/process="(\d)"/.exec(labels ?? '')?.[1], Number(count)]);
    assert.deepEqual(counts.map(([number]) => number).sort(), ['1', '2']);
    assert.equal(
      counts.reduce((sum, [, count]) => sum + Number(count), 0),
      20,
    );
    assert.ok(sampleOf(text, 'process_resident_memory_bytes{process="parent"}'));
    assert.equal(sampleOf(text, 'service_processes_wanted{process="parent"}'), 2);
    for (const line of text.split('\n').filter((one) => /^[a-z]/.test(one))) {
      assert.match(line, /environment="sandbox"/);
    }
    assert.equal(sampleOf(text, ANSWERING), 2);
  });

  it('takes receipts of SMS at the parent', async () => {
    const payer = { name: 'Ada', mobileNumber: '+15145550142' };
    // Its clock is the real one, and may stand at night.
    const asked = { deliveryMode: 'SMS', delivery: { quietHours: false }, payer };
    const { json } = await callAt(`${url}/v1/payment-requests`, 'POST', {
      headers,
      body: { amount: 1, type: 'ECOMM', ...asked },
    });
    const becomes = (status: string) =>
      eventually(async () => {
        const read = await callAt(`${url}/v1/payment-requests/${json.id}`, 'GET', { headers });
        return read.json.linkMessage.status === status;
      }, status);
    await becomes('SENT');
    const receipt = { id: json.linkMessage.id, status: 'FAILED' };
    const authorization = `Bearer ${RECEIPT_TOKEN}`;
    const taken = await callAt(`${opsUrl}/sms-receipts`, 'POST', {
      headers: { authorization },
      body: receipt,
    });
    assert.equal(taken.status, 204, taken.text);
    await becomes('FAILED');
  });

  it('is neither live nor ready while a process stands still', async () => {
    const [pid = 0] = workers();
    process.kill(pid, 'SIGSTOP');
    try {
      const [live, ready, metrics] = await Promise.all(
        ['/health/live', '/health/ready', '/metrics'].map(ops),
      );
      assert.equal(live?.status, 503);
      assert.match(live?.json.reason, /^process 1 does not answer$/);
      assert.equal(ready?.status, 503);
      assert.deepEqual([live.json.version, ready.json.version], Array(2).fill(SERVICE_VERSION));
      assert.equal(sampleOf(metrics?.text ?? '', ANSWERING), 1);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await eventually(async () => (await ops('/health/ready')).status === 200);
  });

  it('goes on while a killed process is replaced, and loses no other call', async () => {
    const [victim = 0, other = 0] = workers();
    process.kill(victim, 'SIGKILL');
    const ended = await eventually(() =>
      lines.find(({ msg }) => msg === 'process ended, starting another'),
    );
    assert.equal(ended.signal, 'SIGKILL');
    assert.equal(ended.processPid, victim);
    const created = await Promise.all(Array.from({ length: 10 }, create));
    assert.deepEqual(
      created.filter(({ status }) => status !== 201).map(({ text }) => text),
      [],
    );
    await eventually(() => workers().length === 3);
    await eventually(async () => (await ops('/health/ready')).status === 200);
    const { text } = await ops('/metrics');
    assert.equal(sampleOf(text, 'service_process_restarts_total{process="parent"}'), 1);
    const replacement = workers()[2] ?? 0;
    await eventually(async () => {
      await create();
      return answering().has(replacement) && answering().has(other);
    });
  });

  it('finishes running calls on SIGTERM, and leaves no process', async () => {
    const waiting = await create();
    // A call that waits for a change is answered at once by a process that stops.
    const read = callAt(`${url}/v1/payment-requests/${waiting.json.id}?waitSeconds=30`, 'GET', {
      headers,
    });
    const blocker = new pg.Client({ connectionString: database.url });
    await blocker.connect();
    await blocker.query('BEGIN');
    await blocker.query('LOCK TABLE payment_requests IN SHARE ROW EXCLUSIVE MODE');
    const created = Array.from({ length: 20 }, create);
    await eventually(async () => (await inFlight()) === 20);
    service.child.kill('SIGTERM');
    await eventually(() => lines.filter(({ msg }) => msg === 'service stopping').length === 3);
    await blocker.query('COMMIT');
    await blocker.end();
    for (const { status, text } of await Promise.all(created)) assert.equal(status, 201, text);
    assert.equal((await read).status, 200);
    assert.deepEqual(await service.ended(), [0, null]);
    const left = [...new Set(workers())].filter((pid) => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    });
    assert.deepEqual(left, []);
  });
});

describe('payreq serve with processes that cannot run', () => {
  it('says once that the port is in use, and ends', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const { port } = blocker.address() as { port: number };
    const env = { ...settings, PORT: String(port) };
    const ran = await spawnCli(['serve', '--processes', '2'], env);
    blocker.close();
    assert.equal(ran.exitCode, 1);
    assert.equal(ran.stderr.match(/is in use by another program/g)?.length, 1, ran.stderr);
  });

  it('names the setting when the database gives fewer connections than all may need', async () => {
    const env = { ...settings, DATABASE_POOL_SIZE: '500' };
    const ran = await refusedServe(['--processes', '3'], env);
    assert.equal(ran.exitCode, 78);
    assert.match(
      ran.stderr,
      /DATABASE_POOL_SIZE 500 with 3 processes needs up to 1503 connections/,
    );
    assert.match(ran.stderr, /give \d+ at most/);
  });

  it('refuses a number of processes that makes no sense', async () => {
    for (const count of ['0', '9', 'two', '1.5', '-1']) {
      const ran = await runCli(['serve', '--processes', count], settings, { isRefused: true });
      assert.equal(ran.exitCode, 2, count);
      assert.match(ran.stderr, /--processes takes a whole number from 1 to 8/);
    }
  });
});
