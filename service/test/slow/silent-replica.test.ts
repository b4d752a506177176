import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { eventually } from '../support/eventually.ts';
import { startTcpProxy, type TcpProxy } from '../support/network/tcp-proxy.ts';
import { type ReplicaPair, startReplicaPair, WITHOUT_BASEBACKUP } from '../support/replica-pair.ts';
import type { TestMerchant, TestService } from '../support/service/service.ts';

const PAYER = { name: 'Ada Tremblay', email: 'ada@example.com' };
const START = new Date('2026-03-01T12:00:00.000Z');

describe('lists with a replica that answers wrongly or not at all', {
  skip: WITHOUT_BASEBACKUP,
}, () => {
  let pair: ReplicaPair;
  let proxy: TcpProxy;
  let service: TestService;
  let merchant: TestMerchant;
  let databaseUrl: string;

  before(async () => {
    pair = await startReplicaPair();
    // Databases of this test are made on its own primary.
    process.env.TEST_DATABASE_URL = pair.primaryUrl;
    const { createTestDatabase } = await import('../support/database.ts');
    const { startTestService } = await import('../support/service/service.ts');
    const database = await createTestDatabase('sandbox', START);
    databaseUrl = database.url;
    const port = Number(new URL(pair.replicaUrl).port);
    proxy = await startTcpProxy({ host: '127.0.0.1', port });
    const { pathname } = new URL(database.url);
    const replicaUrl = new URL(pathname, pair.replicaUrl);
    replicaUrl.port = `${proxy.port}`;
    const settings = { DATABASE_REPLICA_URL: replicaUrl.href, DATABASE_POOL_SIZE: '4' };
    await eventually(() => hasConnected(replicaUrl.href), 'the copied database');
    service = await startTestService({ database, settings, start: START });
    merchant = await service.createMerchant();
  });
  after(async () => {
    await service?.stop();
    await proxy?.close();
    await pair?.close();
  });

  async function hasConnected(url: string): Promise<boolean> {
    const client = new pg.Client(url);
    client.on('error', () => {});
    return client.connect().then(
      () => client.end().then(() => true),
      () => false,
    );
  }

  const create = async (): Promise<string> => {
    const body = { amount: 10, type: 'ECOMM', payer: PAYER };
    const { headers } = merchant;
    return (await service.call('POST', '/v1/payment-requests', { headers, body })).json.id;
  };
  const get = (accept = 'application/json') =>
    service.call('GET', '/v1/payment-requests', { headers: { ...merchant.headers, accept } });
  const lagOf = async () => (await get()).headers.get('x-replica-lag');

  async function onPrimary(text: string): Promise<void> {
    const client = new pg.Client(databaseUrl);
    await client.connect();
    await client.query(text).finally(() => client.end());
  }

  it('are answered by the database when the replica lacks a migration', async () => {
    await create();
    await eventually(async () => (await lagOf()) !== null, 'an answer of the replica');
    const replica = new pg.Client(new URL(new URL(databaseUrl).pathname, pair.replicaUrl).href);
    await replica.connect();
    await onPrimary('ALTER TABLE refunds RENAME TO refunds_before');
    await eventually(
      async () => (await replica.query("SELECT to_regclass('refunds') AS t")).rows[0].t === null,
      'the change on the replica',
    );
    await replica.query('SELECT pg_wal_replay_pause()');
    await onPrimary('ALTER TABLE refunds_before RENAME TO refunds');
    const answer = await service.call('GET', '/v1/refunds', { headers: merchant.headers });
    await replica.query('SELECT pg_wal_replay_resume()');
    await replica.end();
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.headers.get('x-replica-lag'), null);
  });

  it('are answered by the database when the replica’s URL names another database', async () => {
    const { createTestDatabase } = await import('../support/database.ts');
    const { startTestService } = await import('../support/service/service.ts');
    const other = await createTestDatabase('sandbox', START);
    const DATABASE_REPLICA_URL = new URL(new URL(databaseUrl).pathname, pair.replicaUrl).href;
    await eventually(() => hasConnected(DATABASE_REPLICA_URL), 'the replica');
    const settings = { DATABASE_REPLICA_URL };
    const stranger = await startTestService({ database: other, settings, start: START });
    try {
      const { headers } = await stranger.createMerchant();
      const body = { amount: 10, type: 'ECOMM', payer: PAYER };
      const { json } = await stranger.call('POST', '/v1/payment-requests', { headers, body });
      const list = await stranger.call('GET', '/v1/payment-requests', { headers });
      assert.equal(list.headers.get('x-replica-lag'), null);
      assert.equal(list.json.data[0]?.id, json.id);
      const [told] = stranger.logLines.filter(({ msg }) => msg === 'the replica is not used');
      assert.equal(told?.reason, 'it is another database');
    } finally {
      await stranger.stop();
    }
  });

  it('are answered by the database within seconds when the replica is silent', async () => {
    const id = await create();
    await eventually(async () => (await lagOf()) !== null, 'an answer of the replica');
    await eventually(async () => (await get()).json.data[0].id === id, 'the new row');
    proxy.freeze();
    const begun = process.hrtime.bigint();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => get(n === 0 ? 'text/csv' : 'application/json')),
    );
    const seconds = Number(process.hrtime.bigint() - begun) / 1e9;
    // 12 s of silence, and the wait for a connection; the machine may be slow.
    assert.ok(seconds < 30, `${seconds}`);
    for (const { status, text } of answers) {
      assert.equal(status, 200, text);
      assert.ok(text.includes(id));
    }
    await eventually(async () => proxy.frozen() === 0, 'the end of silent connections');
  });
});
