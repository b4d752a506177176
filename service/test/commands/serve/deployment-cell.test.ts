import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { afterEach, describe, it } from 'node:test';
import { reportError } from '../../../src/commands/cli/report-error.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { startTestService, type TestService } from '../../support/service/service.ts';
import { runCli } from '../run-cli.ts';

const START = new Date('2026-03-01T12:00:00.000Z');
const newKey = () => randomBytes(32).toString('base64');
/** Each start on a database needs its keys. */
const KEYS = { CREDENTIALS_PEPPER: newKey(), SECRETS_KEY: newKey() };

let databases: TestDatabase[] = [];
let running: TestService[] = [];

afterEach(async () => {
  for (const service of running) await service.stop().catch(() => {});
  for (const database of databases) await database.drop();
  [running, databases] = [[], []];
});

/** A database that survives the services on it. */
async function makeDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase('sandbox', START);
  databases.push(database);
  return { ...database, drop: async () => {} };
}

async function start(database: TestDatabase, cell?: string): Promise<TestService> {
  const settings = { ...KEYS, ...(cell && { CELL: cell }) };
  const service = await startTestService({ database, settings, start: START, roles: ['api'] });
  running.push(service);
  return service;
}

async function refusedSentence(database: TestDatabase, cell?: string): Promise<string> {
  const error = await start(database, cell).then(
    () => assert.fail('the service starts'),
    (reason: unknown) => reason,
  );
  const { exitCode, lines } = reportError(error);
  assert.equal(exitCode, 78, String(error));
  return lines.slice(1).join(' ');
}

const recorded = async (database: TestDatabase) =>
  (await database.sql<{ cell: number | null }>('SELECT cell FROM deployment'))[0]?.cell;

describe('a database keeps its cell', () => {
  it('by the first start, and starts again with it', async () => {
    const database = await makeDatabase();
    assert.equal(await recorded(database), null);
    await start(database, '2');
    await start(database, '2');
    assert.equal(await recorded(database), 2);
  });

  it('and refuses another cell while it has a merchant', async () => {
    const database = await makeDatabase();
    await (await start(database, '2')).createMerchant();
    assert.equal(
      await refusedSentence(database),
      '- CELL is 1, and this database belongs to cell 2: user names, API keys and links of its ' +
        'merchants carry the mark c2-. Set CELL=2, or use another database.',
    );
    assert.match(await refusedSentence(database, '3'), /^- CELL is 3, .* belongs to cell 2: /);
    assert.equal(await recorded(database), 2);
  });

  it('and refuses a mark where the merchants of the first cell have none', async () => {
    const database = await makeDatabase();
    await (await start(database)).createMerchant();
    assert.equal(await recorded(database), 1);
    assert.match(await refusedSentence(database, '2'), /belongs to cell 1: .* carry no mark\./);
  });

  it('and takes another cell while it has no merchant', async () => {
    const database = await makeDatabase();
    await start(database, '3');
    await start(database, '2');
    assert.equal(await recorded(database), 2);
    const audited = "SELECT details FROM audit_log WHERE action = 'DEPLOYMENT_CELL_CHANGED'";
    assert.deepEqual(await database.sql(audited), [{ details: { from: 3, to: 2 } }]);
  });

  it('and records once when several processes start at once', async () => {
    const database = await makeDatabase();
    await Promise.all([1, 2, 3].map(() => start(database, '2')));
    assert.equal(await recorded(database), 2);
  });

  it('by a command that comes before the first start', async () => {
    const database = await makeDatabase();
    const { env } = await start(database, '2');
    await database.sql('UPDATE deployment SET cell = NULL');
    const create = ['merchant', 'create', '--name', 'Harbour Books', '--json'];
    const made = JSON.parse((await runCli(create, env)).stdout);
    assert.match(made.username, /^c2-sbx_user_/);
    assert.equal(await recorded(database), 2);
    const ran = await runCli(['merchant', 'list'], { ...env, CELL: '3' });
    assert.equal(ran.exitCode, 78);
    assert.match(ran.stderr, /CELL is 3, and this database belongs to cell 2/);
  });
});
