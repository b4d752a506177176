import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { callAt, settingsOf } from '../support/service/service.ts';
import {
  childrenOf,
  isRunning,
  type SpawnedService,
  spawnService,
} from '../support/service/spawned-service.ts';

let database: TestDatabase;
let settings: Record<string, string>;
let service: SpawnedService;

before(async () => {
  database = await createTestDatabase('sandbox');
  settings = { ...settingsOf('sandbox', database.url), DATABASE_POOL_SIZE: '4' };
});
afterEach(() => service.signalGroup('SIGKILL'));
after(() => database?.drop());

function start(): SpawnedService {
  service = spawnService({ args: ['--processes', '2'], env: settings });
  return service;
}

/** The connections of the service's own pools and listeners. */
async function connections(): Promise<number> {
  const rows = await database.sql(
    `SELECT FROM pg_stat_activity WHERE datname = current_database()
        AND application_name = 'payment-requests' AND pid <> pg_backend_pid()`,
  );
  return rows.length;
}

async function untilEnded(pids: readonly number[]): Promise<void> {
  await eventually(() => !pids.some(isRunning), 'the end of every process');
}

describe('payreq serve --processes 2 whose parent is killed', () => {
  it('leaves no process when its first process has just been started', async () => {
    const { pid } = start();
    const workers = await eventually(() => {
      const found = childrenOf(pid);
      return found.length > 0 && found;
    });
    process.kill(pid, 'SIGKILL');
    await untilEnded(workers);
  });

  it('leaves no process when its first process waits for the shared port', async () => {
    const others = await connections();
    const { pid } = start();
    const workers = await eventually(() => {
      const found = childrenOf(pid);
      return found.length > 0 && found;
    });
    // A parent that stands still answers no listen: the process gets no further.
    process.kill(pid, 'SIGSTOP');
    await eventually(async () => (await connections()) > others, 'a process that connects');
    process.kill(pid, 'SIGKILL');
    await untilEnded(workers);
  });

  it('leaves no process when its second process is being started', async () => {
    const { pid } = start();
    await service.line('process started');
    const workers = await eventually(() => {
      const found = childrenOf(pid);
      return found.length > 1 && found;
    });
    process.kill(pid, 'SIGKILL');
    await untilEnded(workers);
  });

  it('leaves no process when it has started', async () => {
    const { pid } = start();
    await service.started();
    const workers = childrenOf(pid);
    assert.equal(workers.length, 2);
    process.kill(pid, 'SIGKILL');
    await untilEnded(workers);
  });
});

describe('payreq serve --processes 2 whose second process is killed during its start', () => {
  it('starts the process again, and goes on', async () => {
    const { pid } = start();
    const first = await service.line('process started');
    const second = await eventually(() => childrenOf(pid).find((child) => child !== first.pid));
    process.kill(second, 'SIGKILL');
    const ended = await service.line('process ended, starting another');
    assert.deepEqual([ended.processPid, ended.signal], [second, 'SIGKILL']);
    const { opsUrl } = await service.started();
    await eventually(
      async () => (await callAt(`${opsUrl}/health/ready`, 'GET', {})).status === 200,
    );
    const started = service.lines.filter(({ msg }) => msg === 'process started');
    assert.deepEqual(
      started.map((line) => line.pid).includes(second),
      false,
      'the process was killed after its start',
    );
    service.signalGroup('SIGTERM');
    assert.deepEqual(await service.ended(), [0, null]);
  });
});
