import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { findApiKey, findClients } from '#access/access-store.ts';
import { connectDatabase, type Database } from '#database/database.ts';
import { createDeployment, type Deployment } from './start-access.ts';

const USERNAMES = 5_000;
/** PostgreSQL plans the first five executions for their values, and then compares the costs. */
const EXECUTIONS = 12;

describe(`the look-up of a client, and of an API key, among ${USERNAMES}`, () => {
  let deployment: Deployment;
  /** A single connection, because a prepared statement belongs to its connection. */
  let db: Database;
  before(async () => {
    deployment = await createDeployment();
    await deployment.onboard();
    await deployment.database.planAsInProduction();
    await seed();
  });
  after(() => deployment?.stop());
  beforeEach(() => {
    db = connectDatabase({ url: deployment.database.url, poolSize: 1 });
  });
  afterEach(() => db.close());

  const run = (text: string) => deployment.database.sql(text);

  async function seed(): Promise<void> {
    const client = `'client-' || lpad(n::text, 6, '0')`;
    const numbers = `generate_series(1, ${USERNAMES}) AS n`;
    await run(`INSERT INTO api_credentials (username, merchant_id)
               SELECT ${client}, (SELECT id FROM merchants LIMIT 1) FROM ${numbers}`);
    await run(`INSERT INTO api_credential_passwords (id, username, secret_hash, pepper_id)
               SELECT gen_random_uuid(), ${client}, sha256(n::text::bytea), '' FROM ${numbers}`);
    await run(`INSERT INTO api_keys (id, merchant_id, secret_hash, pepper_id, hint)
               SELECT gen_random_uuid(), (SELECT id FROM merchants LIMIT 1),
                 sha256(n::text::bytea), '', '' FROM ${numbers}`);
  }

  async function assertPlannedOnce(): Promise<void> {
    for (let count = 1; count <= EXECUTIONS; count += 1) {
      const [client] = await findClients(db, [`client-00${1_000 + count}`], new Date());
      assert.equal(client?.passwordHashes.length, 1);
      assert.notEqual(await findApiKey(db, [hash('sha256', `${count}`, 'buffer')]), undefined);
    }
    const text = `SELECT name, generic_plans::int AS once, custom_plans::int AS again
                  FROM pg_prepared_statements WHERE name LIKE 'access-find-%' ORDER BY name`;
    const plans = { once: EXECUTIONS - 5, again: 5 };
    assert.deepEqual(await db.query({ name: '', text }), [
      { name: 'access-find-api-key', ...plans },
      { name: 'access-find-clients', ...plans },
    ]);
  }

  async function assertReadsLittle(): Promise<void> {
    const reads = `SELECT relname, seq_scan::int AS scans FROM pg_stat_user_tables
                   WHERE relname LIKE 'api_%' ORDER BY relname`;
    await db.query({ name: '', text: 'SELECT pg_stat_force_next_flush()' });
    const earlier = await run(reads);
    await findClients(db, ['client-004999', 'nobody'], new Date());
    await findApiKey(db, [hash('sha256', '4999', 'buffer'), hash('sha256', 'none', 'buffer')]);
    await db.query({ name: '', text: 'SELECT pg_stat_force_next_flush()' });
    assert.deepEqual(await run(reads), earlier);
  }

  it('is planned once, and walks the indexes', async () => {
    await run('ANALYZE api_credentials, api_credential_passwords, api_keys');
    await assertPlannedOnce();
    await assertReadsLittle();
  });

  it('is planned once, and walks the indexes, without statistics', async () => {
    await run(`DELETE FROM pg_statistic WHERE starelid IN
                 ('api_credentials'::regclass, 'api_credential_passwords'::regclass,
                  'api_keys'::regclass)`);
    await assertPlannedOnce();
    await assertReadsLittle();
  });
});
