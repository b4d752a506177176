import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { reportError } from '../../../src/commands/cli/report-error.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createFakeNetwork } from '../../support/payment-requests/fake-network.ts';
import { type Production, startProduction } from '../../support/service/production.ts';

const START = new Date('2026-03-01T12:00:00.000Z');
const BANK = { E_TRANSFER_NETWORK: 'bank-transfer', BANK_FILES_DIR: '/nowhere', CURRENCY: 'EUR' };
const newKey = () => randomBytes(32).toString('base64');
/** Each start on a database needs its keys. */
const KEYS = { CREDENTIALS_PEPPER: newKey(), SECRETS_KEY: newKey() };

let demo: TestDatabase;
let real: TestDatabase;

before(async () => {
  demo = await createTestDatabase('production', START);
  real = await createTestDatabase('production', START);
});
after(async () => {
  await demo.drop();
  await real.drop();
});

/** A service on a database that survives it. */
async function running(
  database: TestDatabase,
  settings: Readonly<Record<string, string>>,
  use: (production: Production) => Promise<unknown> = async () => {},
): Promise<void> {
  const production = await startProduction({
    database: { ...database, drop: async () => {} },
    settings: { ...KEYS, ...BANK, ...settings },
    makeNetwork: createFakeNetwork().make,
    start: START,
    roles: ['api'],
  });
  await use(production).finally(() => production.stop());
}

async function refused(database: TestDatabase, settings: Readonly<Record<string, string>>) {
  const error = await running(database, settings).then(
    () => assert.fail('the service starts'),
    (reason: unknown) => reason,
  );
  const { exitCode, lines } = reportError(error);
  assert.equal(exitCode, 78, String(error));
  return lines.join('\n');
}

describe('a demo of bank transfers', () => {
  it('marks its database for ever, which then starts as nothing else', async () => {
    await running(demo, { BANK_DEMO: 'yes' });
    await running(demo, { BANK_DEMO: 'yes' });
    assert.deepEqual(await demo.sql('SELECT is_bank_demo FROM deployment'), [
      { is_bank_demo: true },
    ]);
    const marks = await demo.sql("SELECT FROM audit_log WHERE action = 'BANK_DEMO_MARKED'");
    assert.equal(marks.length, 1);
    assert.match(await refused(demo, {}), /this database is a demo.*set BANK_DEMO=yes/);
    const simulated = { E_TRANSFER_NETWORK: 'simulated', BANK_FILES_DIR: '' };
    assert.match(await refused(demo, simulated), /this database is a demo/);
  });

  it('starts on no database that holds real amounts', async () => {
    await running(real, {}, (production) => production.createLink());
    assert.match(await refused(real, { BANK_DEMO: 'yes' }), /holds amounts of a real deployment/);
    assert.deepEqual(await real.sql('SELECT is_bank_demo FROM deployment'), [
      { is_bank_demo: false },
    ]);
  });
});
