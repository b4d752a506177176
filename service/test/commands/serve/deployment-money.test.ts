import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { afterEach, describe, it } from 'node:test';
import { reportError } from '../../../src/commands/cli/report-error.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createFakeNetwork } from '../../support/payment-requests/fake-network.ts';
import { type Production, startProduction } from '../../support/service/production.ts';
import { runCli } from '../run-cli.ts';

const START = new Date('2026-03-01T12:00:00.000Z');
const BANK = { E_TRANSFER_NETWORK: 'bank-transfer', BANK_FILES_DIR: '/nowhere', CURRENCY: 'EUR' };
const SIMULATED = { E_TRANSFER_NETWORK: 'simulated', CURRENCY: 'EUR' };

const newKey = () => randomBytes(32).toString('base64');
/** Each start on a database needs its keys. */
const KEYS = { CREDENTIALS_PEPPER: newKey(), SECRETS_KEY: newKey() };

type Settings = Readonly<Record<string, string>>;

let databases: TestDatabase[] = [];
let running: Production[] = [];

afterEach(async () => {
  for (const production of running) await production.stop().catch(() => {});
  for (const database of databases) await database.drop();
  [running, databases] = [[], []];
});

/** A database that survives the services on it. */
async function makeDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase('production', START);
  databases.push(database);
  return { ...database, drop: async () => {} };
}

async function start(database: TestDatabase, settings: Settings): Promise<Production> {
  const makeNetwork = createFakeNetwork().make;
  const options = { database, settings: { ...KEYS, ...settings }, makeNetwork, start: START };
  const production = await startProduction({ ...options, roles: ['api'] });
  running.push(production);
  return production;
}

async function stopAll(): Promise<void> {
  for (const production of running) await production.stop();
  running = [];
}

async function refusedSentence(database: TestDatabase, settings: Settings): Promise<string> {
  const error = await start(database, settings).then(
    () => assert.fail('the service starts'),
    (reason: unknown) => reason,
  );
  const { exitCode, lines } = reportError(error);
  assert.equal(exitCode, 78, String(error));
  assert.equal(lines.length, 2);
  return lines[1] ?? '';
}

const recorded = (database: TestDatabase) =>
  database.sql('SELECT currency, network FROM deployment');
const changes = (database: TestDatabase) =>
  database.sql("SELECT details FROM audit_log WHERE action = 'DEPLOYMENT_MONEY_CHANGED'");

describe('a start of the service', () => {
  it('records currency and network, and starts again with them', async () => {
    const database = await makeDatabase();
    await start(database, BANK);
    assert.deepEqual(await recorded(database), [{ currency: 'EUR', network: 'bank-transfer' }]);
    await stopAll();
    await start(database, BANK);
    assert.deepEqual(await changes(database), []);
  });

  it('refuses another currency while any payment request is stored, also an ended one', async () => {
    const database = await makeDatabase();
    const production = await start(database, SIMULATED);
    const { id } = await production.createLink();
    await production.cancel(id);
    await stopAll();
    const sentence = await refusedSentence(database, { ...SIMULATED, CURRENCY: 'CHF' });
    assert.equal(
      sentence,
      '- CURRENCY is CHF, and this database holds amounts in EUR: amounts carry no currency of ' +
        'their own. Set CURRENCY=EUR, or use another database.',
    );
    assert.deepEqual(await recorded(database), [{ currency: 'EUR', network: 'simulated' }]);
  });

  it('refuses another network while a payment request is open, and records it after', async () => {
    const database = await makeDatabase();
    const production = await start(database, SIMULATED);
    const { id } = await production.createLink();
    const sentence = await refusedSentence(database, BANK);
    assert.match(sentence, /^- E_TRANSFER_NETWORK is bank-transfer, and .* open .* on simulated: /);
    await production.cancel(id);
    await stopAll();
    await start(database, BANK);
    assert.deepEqual(await recorded(database), [{ currency: 'EUR', network: 'bank-transfer' }]);
    const from = { currency: 'EUR', network: 'simulated' };
    const to = { currency: 'EUR', network: 'bank-transfer' };
    assert.deepEqual(await changes(database), [{ details: { from, to } }]);
  });

  it('takes another currency while no amount is stored', async () => {
    const database = await makeDatabase();
    await start(database, SIMULATED);
    await stopAll();
    await start(database, { ...SIMULATED, CURRENCY: 'CHF' });
    assert.deepEqual(await recorded(database), [{ currency: 'CHF', network: 'simulated' }]);
  });

  it('records once when several processes start at once', async () => {
    const database = await makeDatabase();
    await Promise.all([1, 2, 3].map(() => start(database, BANK)));
    assert.deepEqual(await recorded(database), [{ currency: 'EUR', network: 'bank-transfer' }]);
    assert.deepEqual(await changes(database), []);
  });

  it('lets no command print or write amounts in another currency', async () => {
    const database = await makeDatabase();
    const { service } = await start(database, SIMULATED);
    const ran = await runCli(['merchant', 'list'], { ...service.env, CURRENCY: 'CAD' });
    assert.equal(ran.exitCode, 78);
    assert.match(ran.stderr, /CURRENCY is CAD, and this database holds amounts in EUR/);
  });
});
