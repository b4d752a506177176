import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { connectDatabase, type Database } from '#database/database.ts';
import { eventually } from '../../support/eventually.ts';
import { startTlsPostgres, type TlsPostgres } from '../../support/network/tls-postgres.ts';
import { callAt, settingsOf } from '../../support/service/service.ts';
import { type ServiceProcess, startServiceProcess } from '../../support/service/service-process.ts';
import { authorizeAt } from '../../support/service/spawned-service.ts';
import { createTestAuthority } from '../../support/webhooks/https-listener.ts';

let server: TlsPostgres;
let service: ServiceProcess;
let db: Database;
let headers: Record<string, string>;

before(async () => {
  server = await startTlsPostgres(await createTestAuthority(), ['localhost']);
  await server.sql('CREATE DATABASE payments');
  await server.sql('ALTER DATABASE payments SET client_min_messages = error');
  const settings = settingsOf('sandbox', server.url());
  service = await startServiceProcess(settings);
  db = connectDatabase({ url: server.url(), poolSize: 1 });
  headers = await authorizeAt(service.url, { db }, settings);
});
after(async () => {
  await service?.kill('SIGKILL');
  await db?.close();
  await server?.stop();
});

async function setStandby(name: string): Promise<void> {
  await server.sql(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
  await server.sql('SELECT pg_reload_conf()');
  const read = async () => (await server.sql('SHOW synchronous_standby_names'))[0];
  await eventually(async () => (await read())?.synchronous_standby_names === name);
}

/** Cancels every commit that waits for the standby. */
async function cancelWaits(): Promise<void> {
  await server.sql(
    "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
  );
}

function create(key: string) {
  const body = {
    amount: 12.34,
    type: 'ECOMM',
    payer: { name: 'Ada Lovelace', email: 'ada@example.com' },
  };
  const path = `${service.url}/v1/payment-requests`;
  return callAt(path, 'POST', { headers: { ...headers, 'idempotency-key': key }, body });
}

describe('a commit whose wait for the synchronous standby is cancelled', () => {
  it('is not acknowledged, and the repeated call has the only result', async () => {
    await setStandby('elsewhere');
    const answers = create('order-1');
    let isOver = false;
    answers.finally(() => {
      isOver = true;
    });
    await eventually(async () => {
      await cancelWaits();
      return isOver;
    }, 'an answer');
    const { status, json, headers: answered } = await answers;
    assert.equal(status, 503);
    assert.equal(json.code, 'TEMPORARILY_UNAVAILABLE');
    assert.ok(answered.get('retry-after'));
    await setStandby('');
    const repeated = await create('order-1');
    assert.equal(repeated.status, 201);
    assert.equal((await create('order-1')).json.id, repeated.json.id);
    const list = await callAt(`${service.url}/v1/payment-requests`, 'GET', { headers });
    assert.equal(list.json.data.length, 1);
  });
});
