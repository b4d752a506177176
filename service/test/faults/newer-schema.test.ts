import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { DatabaseNotReached } from '#database/connection/describe-connect-fault.ts';
import { migrate } from '#database/schema/migrate.ts';
import { TRANSITIONS } from '#payment-requests/model/statuses.ts';
import { refusedServe } from '../commands/refused-serve.ts';
import { runCli } from '../commands/run-cli.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { callAt, settingsOf } from '../support/service/service.ts';
import { authorizeAt, spawnService } from '../support/service/spawned-service.ts';

const MIGRATIONS = fileURLToPath(new URL('../../migrations/', import.meta.url));
const NEWEST = Math.max(...readdirSync(MIGRATIONS).map((file) => Number.parseInt(file, 10)));

/** A next version could add a column, and a transition that this version does not know. */
const NEXT = `
  ALTER TABLE payment_requests ADD COLUMN of_the_next_version text;
  INSERT INTO payment_request_transitions (from_status, to_status) VALUES ('PAID', 'CANCELLED');`;

let database: TestDatabase;
let settings: Record<string, string>;

beforeEach(async () => {
  database = await createTestDatabase('sandbox');
  settings = { ...settingsOf('sandbox', database.url), START_TIMEOUT: '0' };
});
afterEach(() => database.drop());

const folders: string[] = [];
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** Migrates the database as a next version would, whose newest migration is this text. */
async function migrateAsNextVersion(sql: string, lockTries?: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'migrations-'));
  folders.push(folder);
  cpSync(MIGRATIONS, folder, { recursive: true });
  writeFileSync(join(folder, '9001-next.sql'), sql);
  // The next version has another table of moves, which its own migration writes.
  const transitions = [...TRANSITIONS, { from: 'PAID', to: 'CANCELLED' }];
  const { ran } = await migrate({
    url: database.url,
    environment: 'sandbox',
    transitions,
    folder,
    ...(lockTries === undefined ? {} : { lockTries }),
  });
  assert.deepEqual(ran, ['9001-next']);
}

const worksWith = (schema: number) =>
  `INSERT INTO schema_compatibility (schema, works_with) VALUES (9001, ${schema});`;

const refusalOf = ([word = '', ...args]: readonly string[]) =>
  word === 'serve' ? refusedServe(args, settings) : runCli([word, ...args], settings);

const moves = () =>
  database.sql('SELECT from_status, to_status FROM payment_request_transitions ORDER BY 1, 2');

describe('this version on the schema of the next one', () => {
  for (const args of [[], ['--no-migrate']]) {
    it(`serves when the migration allows it, and changes nothing there: serve ${args}`, async () => {
      await migrateAsNextVersion(NEXT + worksWith(NEWEST));
      const before = await moves();
      const service = spawnService({ args, env: settings });
      const { url } = await service.started();
      const told = await service.line('the database is newer than this version');
      assert.deepEqual(told.migrations, ['9001-next']);
      const headers = await authorizeAt(url, database, settings);
      const body = { amount: 1, type: 'ECOMM', payer: { name: 'Ada', email: 'ada@example.com' } };
      const made = await callAt(`${url}/v1/payment-requests`, 'POST', { headers, body });
      assert.equal(made.status, 201, made.text);
      const address = `${url}/v1/payment-requests/${made.json.id}`;
      const cancelled = await callAt(`${address}/cancellation`, 'POST', { headers });
      assert.equal(cancelled.status, 200, cancelled.text);
      await eventually(
        async () => (await callAt(address, 'GET', { headers })).json.status === 'CANCELLED',
      );
      service.signalGroup('SIGTERM');
      assert.deepEqual(await service.ended(), [0, null]);
      assert.deepEqual(await moves(), before);
    });
  }

  it('refuses to start when the migration needs later code', async () => {
    await migrateAsNextVersion(NEXT + worksWith(9001));
    for (const command of [['serve'], ['serve', '--no-migrate'], ['migrate']]) {
      const ran = await refusalOf(command);
      assert.equal(ran.exitCode, 78, command.join(' '));
      assert.match(ran.stderr, /9001-next works with schema 9001 or a later one, and this version/);
    }
  });

  it('refuses to start when the migration says nothing', async () => {
    await migrateAsNextVersion(NEXT);
    const ran = await refusedServe([], settings);
    assert.equal(ran.exitCode, 78);
    assert.match(ran.stderr, /9001-next works with a later version/);
  });

  it('refuses to start on a database that also lacks a migration of this version', async () => {
    await migrateAsNextVersion(NEXT + worksWith(NEWEST));
    await database.sql(`DELETE FROM schema_migrations WHERE name = '0008-ledger'`);
    const ran = await refusedServe([], settings);
    assert.equal(ran.exitCode, 78);
    assert.match(ran.stderr, /made from other table files than those of this version: 9001-next\./);
  });
});

describe('a database of other table files', () => {
  const FILES = 'SELECT name, sha256 FROM schema_migrations ORDER BY id';
  for (const [made, plant, named] of [
    [
      'of a version before the first release',
      `UPDATE schema_migrations SET name = '000' || id || '-earlier';
       ALTER TABLE schema_migrations DROP COLUMN sha256`,
      /0001-earlier, 00010-earlier, 00011-earlier and 13 more\. Versions before 1\.0\.0/,
    ],
    [
      'whose file has changed since',
      `UPDATE schema_migrations SET sha256 = repeat('0', 64) WHERE name = '0008-ledger'`,
      /: 0008-ledger\. Versions before 1\.0\.0 and pre-releases promise no upgrade/,
    ],
  ] as const) {
    it(`${made} is refused by each command, which changes nothing`, async () => {
      assert.match(String((await database.sql(FILES))[7]?.sha256), /^[0-9a-f]{64}$/);
      await database.sql(plant);
      const before = await database.sql('SELECT * FROM schema_migrations');
      const commands = [['serve'], ['serve', '--no-migrate'], ['migrate'], ['doctor']];
      for (const command of [...commands, ['merchant', 'list']]) {
        const ran = await refusalOf(command);
        assert.equal(ran.exitCode, 78, command.join(' '));
        assert.match(ran.stderr, named);
        assert.match(ran.stderr, /Nothing was changed\. .* DATABASE_URL; .* move LOCAL_DIR away/);
      }
      assert.deepEqual(await database.sql('SELECT * FROM schema_migrations'), before);
    });
  }
});

describe('a migration of a table that a backup reads', () => {
  let backup: pg.Client;
  beforeEach(async () => {
    backup = new pg.Client({ connectionString: database.url });
    await backup.connect();
    await backup.query('BEGIN');
    await backup.query('LOCK TABLE payment_requests IN ACCESS SHARE MODE');
  });
  afterEach(() => backup.end());

  const waiting = () =>
    database.sql(`SELECT FROM pg_stat_activity WHERE datname = current_database()
      AND wait_event_type = 'Lock' AND query LIKE '%of_the_next_version%'`);

  it('lets go of the calls behind it within seconds, and runs when the backup ends', async () => {
    const migrating = migrateAsNextVersion(NEXT + worksWith(NEWEST));
    await eventually(async () => (await waiting()).length > 0, 'the migration waits');
    // The call is queued behind the migration until that gives up.
    await database.sql('SELECT FROM payment_requests');
    await backup.query('COMMIT');
    await migrating;
    await database.sql('SELECT of_the_next_version FROM payment_requests');
  });

  it('ends with a sentence when the backup goes on', async () => {
    await assert.rejects(migrateAsNextVersion(NEXT + worksWith(NEWEST), 1), (error) => {
      assert.ok(error instanceof DatabaseNotReached);
      assert.ok(error.fault.canHeal);
      assert.match(error.message, /another session, such as a backup, holds a lock on a table/);
      return true;
    });
    assert.deepEqual(
      await database.sql(`SELECT name FROM schema_migrations WHERE name LIKE '9001%'`),
      [],
    );
  });
});

describe('payreq serve --no-migrate', () => {
  it('refuses to start on a database that lacks a migration, and leaves it as it is', async () => {
    await database.sql(`DELETE FROM schema_migrations WHERE name LIKE '${NEWEST}-%'
      OR name LIKE '00${NEWEST}-%'`);
    const before = await database.sql('SELECT name FROM schema_migrations ORDER BY name');
    const ran = await refusedServe(['--no-migrate'], settings);
    assert.equal(ran.exitCode, 78);
    assert.match(ran.stderr, new RegExp(`lacks 00${NEWEST}-.*\\. Run payreq migrate first\\.`));
    const left = await database.sql('SELECT name FROM schema_migrations ORDER BY name');
    assert.deepEqual(left, before);
  });
});

/** Which migration came with the transitions as they are, and their hash. */
const TRANSITIONS_SINCE = { schema: 5, hash: '6981c9ae7fab' };

describe('the table of transitions', () => {
  it('changes only together with a migration, so that an older version never writes it', () => {
    // Since 1.0.0: a version of the same schema would write its own table over that of the later one. So a change
    // brings a migration, if only with its row in schema_compatibility; then adapt the line above.
    const rows = JSON.stringify(TRANSITIONS.map(({ from, to }) => [from, to]));
    assert.equal(hash('sha256', rows).slice(0, 12), TRANSITIONS_SINCE.hash);
    assert.ok(TRANSITIONS_SINCE.schema <= NEWEST);
  });
});
