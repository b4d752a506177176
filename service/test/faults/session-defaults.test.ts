import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { connectClient } from '#database/connection/connect-client.ts';
import { sharesSessions } from '#database/connection/shares-sessions.ts';
import { connectDatabase } from '#database/database.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { paymentRequestCalls } from '../support/payment-requests/payment-requests.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

const START = new Date('2026-03-01T12:00:00.000Z');
/** Defaults that an operator's server, database or role may have. */
const DEFAULTS = {
  DateStyle: 'German, DMY',
  IntervalStyle: 'iso_8601',
  TimeZone: 'America/St_Johns',
  bytea_output: 'escape',
  default_transaction_isolation: 'serializable',
  standard_conforming_strings: 'off',
  client_min_messages: 'error',
  synchronous_commit: 'off',
};
const OURS = {
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  bytea_output: 'hex',
  default_transaction_isolation: 'read committed',
  standard_conforming_strings: 'on',
  client_min_messages: 'warning',
  synchronous_commit: 'on',
};
const READ_SETTINGS = `SELECT name, setting FROM pg_settings
  WHERE name IN ('${Object.keys(OURS).join("', '")}')`;

let database: TestDatabase;
let service: TestService;
let merchant: TestMerchant;

before(async () => {
  database = await createTestDatabase('sandbox', START);
  for (const [name, value] of Object.entries(DEFAULTS)) {
    const set = `ALTER DATABASE %I SET ${name} = ''${value}''`;
    await database.sql(`DO $$ BEGIN EXECUTE format('${set}', current_database()); END $$`);
  }
  service = await startTestService({ database, start: START });
  merchant = await service.createMerchant();
});
after(() => service?.stop());

type Setting = { name: string; setting: string };
const settingsOf = (rows: readonly Setting[]) =>
  Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));

describe('on a database with other defaults', () => {
  it('every connection of the pool has the service’s own settings', async () => {
    const db = connectDatabase({ url: database.url, poolSize: 1 });
    const rows = await db.query<Setting>({ name: '', text: READ_SETTINGS });
    await db.close();
    assert.deepEqual(settingsOf(rows), OURS);
  });

  for (const [own, ours] of [
    ['local', 'on'],
    ['remote_apply', 'remote_apply'],
  ] as const) {
    it(`a commit waits for the synchronous standby, where the default is ${own}`, async () => {
      const url = `${database.url}?options=-c%20synchronous_commit%3D${own}`;
      const db = connectDatabase({ url, poolSize: 1 });
      const rows = await db.query<Setting>({ name: '', text: READ_SETTINGS });
      await db.close();
      assert.equal(settingsOf(rows).synchronous_commit, ours);
    });
  }

  it('a connection of a start or a migration has them too', async () => {
    const client = await connectClient(database.url);
    const { rows } = await client.query<Setting>(READ_SETTINGS);
    await client.end();
    assert.deepEqual(settingsOf(rows), OURS);
  });

  it('calls, lists, events and outcomes are as on any other', async () => {
    const { create, simulate, read } = paymentRequestCalls(service, merchant);
    const { json, status } = await create({ dueDate: '2026-03-09' });
    assert.equal(status, 201);
    assert.equal(Date.parse(json.createdDateTime), START.getTime());
    assert.equal(json.dueDate, '2026-03-09');
    await simulate(json.id, { outcome: 'PAID' });
    await eventually(async () => (await read(json.id)).json.status === 'PAID');
    const get = (path: string) => service.call('GET', path, { headers: merchant.headers });
    const list = await get('/v1/payment-requests');
    assert.equal(list.json.data[0].createdDateTime, json.createdDateTime);
    await eventually(async () => (await get('/v1/events')).json.data.length === 1);
  });

  it('a server without a pooler is known as one', async () => {
    assert.equal(await sharesSessions(database.url), false);
  });
});
