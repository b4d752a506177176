import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { startTcpProxy } from '../../support/network/tcp-proxy.ts';
import { settingsOf } from '../../support/service/service.ts';
import { PAYREQ, spawnService } from '../../support/service/spawned-service.ts';

let database: TestDatabase;
let settings: Record<string, string>;

before(async () => {
  database = await createTestDatabase('sandbox');
  settings = { ...settingsOf('sandbox', database.url), DATABASE_POOL_SIZE: '4' };
});
after(() => database?.drop());

/** Takes connections and never answers, as a host behind a faulty firewall does. */
async function startBlackHole(): Promise<{ port: number; server: Server; stop(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).resume();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { port: (server.address() as AddressInfo).port, server, stop };
}

describe('payreq serve whose database is away', () => {
  const ways = [
    { title: 'payreq serve' },
    { title: './payreq serve', command: [PAYREQ] },
    { title: 'a part of npm start, which has a channel to its parent', hasChannel: true },
  ];
  for (const { title, ...how } of ways) {
    it(`ends with 69 and a sentence when the start's time is over: ${title}`, async () => {
      const env = { ...settings, DATABASE_URL: database.urlAt(1), START_TIMEOUT: '3' };
      const service = spawnService({ ...how, env });
      assert.deepEqual(await service.ended(), [69, null]);
      const sentence =
        'The database cannot be used: nothing listens at its address (ECONNREFUSED).';
      assert.equal(service.stderr().trim(), sentence);
      const waits = service.lines.filter(({ msg }) => msg === 'waiting for the database');
      assert.equal(waits.length, 1);
      assert.equal(waits[0]?.reason, sentence);
    });
  }

  it('starts as soon as the database is there', async () => {
    const proxy = await startTcpProxy(database.address);
    proxy.cut();
    const service = spawnService({
      env: { ...settings, DATABASE_URL: database.urlAt(proxy.port) },
    });
    await service.line('waiting for the database');
    proxy.restore();
    await service.started();
    service.signalGroup('SIGTERM');
    assert.deepEqual(await service.ended(), [0, null]);
    await proxy.close();
  });

  it('does not wait for a wrong password or a missing database: 78', async () => {
    const missing = new URL(database.url);
    missing.pathname = '/nowhere';
    const env = { ...settings, DATABASE_URL: missing.href, START_TIMEOUT: '600' };
    const service = spawnService({ env });
    assert.deepEqual(await service.ended(), [78, null]);
    assert.match(service.stderr(), /^The database cannot be used: .* does not exist/);
  });

  for (const processes of ['1', '2']) {
    it(`obeys SIGTERM while the database does not answer (--processes ${processes})`, async () => {
      const hole = await startBlackHole();
      const connected = once(hole.server, 'connection');
      const service = spawnService({
        args: ['--processes', processes],
        env: { ...settings, DATABASE_URL: database.urlAt(hole.port), START_TIMEOUT: '600' },
      });
      await connected;
      service.signalGroup('SIGTERM');
      assert.deepEqual(await service.ended(), [0, null]);
      await service.line('service stopped');
      hole.stop();
    });
  }

  it('obeys SIGTERM while another migration holds the lock', async () => {
    const blocker = new pg.Client({ connectionString: database.url });
    await blocker.connect();
    await blocker.query("SELECT pg_advisory_lock(hashtext('payment-requests-migrate'))");
    const service = spawnService({ env: settings });
    await eventually(async () => {
      const waits = await database.sql(
        `SELECT FROM pg_locks JOIN pg_stat_activity USING (pid)
          WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()`,
      );
      return waits.length > 0;
    }, 'a start that waits');
    service.signalGroup('SIGTERM');
    assert.deepEqual(await service.ended(), [0, null]);
    await blocker.end();
  });
});
