import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { eventually } from '../support/eventually.ts';
import { type ReplicaPair, startReplicaPair, WITHOUT_BASEBACKUP } from '../support/replica-pair.ts';
import type { TestMerchant, TestService } from '../support/service/service.ts';

const PAYER = { name: 'Ada Tremblay', email: 'ada@example.com' };
const START = new Date('2026-03-01T12:00:00.000Z');

describe('lists and reports with a replica', { skip: WITHOUT_BASEBACKUP }, () => {
  let pair: ReplicaPair;
  let replica: pg.Client;
  let service: TestService;
  let merchant: TestMerchant;

  before(async () => {
    pair = await startReplicaPair();
    // Databases of this test are made on its own primary.
    process.env.TEST_DATABASE_URL = pair.primaryUrl;
    const { createTestDatabase } = await import('../support/database.ts');
    const { startTestService } = await import('../support/service/service.ts');
    const database = await createTestDatabase('sandbox', START);
    const { pathname } = new URL(database.url);
    const settings = { DATABASE_REPLICA_URL: new URL(pathname, pair.replicaUrl).href };
    await eventually(() => hasConnected(settings.DATABASE_REPLICA_URL), 'the copied database');
    service = await startTestService({ database, settings, start: START });
    merchant = await service.createMerchant();
  });
  after(async () => {
    await service?.stop();
    await replica?.end();
    await pair?.close();
  });

  /** A client that has failed to connect cannot try again. */
  async function hasConnected(url: string): Promise<boolean> {
    replica = new pg.Client(url);
    return replica.connect().then(
      () => true,
      () => false,
    );
  }

  const create = async (): Promise<string> => {
    const body = { amount: 10, type: 'ECOMM', payer: PAYER };
    const { headers } = merchant;
    return (await service.call('POST', '/v1/payment-requests', { headers, body })).json.id;
  };
  const get = (path: string, accept = 'application/json') =>
    service.call('GET', `/v1/${path}`, { headers: { ...merchant.headers, accept } });
  const firstId = async () => {
    const { headers, json } = await get('payment-requests');
    return { id: json.data[0]?.id as string, lag: headers.get('x-replica-lag') };
  };

  it('are answered by the replica, which states its lag', async () => {
    const id = await create();
    await eventually(async () => (await firstId()).id === id, 'the new row on the replica');
    const [report, refunds, csv] = await Promise.all([
      get('reports/reconciliation?date=2026-02-01'),
      get('refunds'),
      get('payment-requests', 'text/csv'),
    ]);
    for (const answer of [report, refunds, csv]) {
      assert.match(answer.headers.get('x-replica-lag') ?? '', /^\d\.\d$/);
    }
    assert.ok(csv.text.includes(id));
  });

  it('show the state of so many seconds ago while the replica falls behind', async () => {
    await replica.query('SELECT pg_wal_replay_pause()');
    const old = (await firstId()).id;
    const id = await create();
    await service.advance(4);
    await eventually(async () => Number((await firstId()).lag) >= 4, 'the lag');
    assert.equal((await firstId()).id, old);
    assert.equal((await get(`payment-requests/${id}`)).status, 200, 'a single read is never old');
  });

  it('are answered by the database beyond DATABASE_REPLICA_LAG, and by the replica afterwards', async () => {
    await service.advance(7);
    const id = await create();
    await eventually(async () => (await firstId()).lag === null, 'the database’s answer');
    assert.equal((await firstId()).id, id);
    await replica.query('SELECT pg_wal_replay_resume()');
    await eventually(async () => (await firstId()).lag !== null, 'the replica again');
  });

  it('are answered by the database when the replica ends', async () => {
    await replica.end();
    await pair.killReplica();
    const id = await create();
    const { lag, id: first } = await firstId();
    assert.deepEqual([lag, first], [null, id]);
    await eventually(
      async () => service.logLines.some(({ reason }) => reason === 'it does not answer'),
      'the line of the log',
    );
  });
});
