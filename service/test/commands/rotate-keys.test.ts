import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { Database } from '#database/database.ts';
import { rotatingKey } from '#lib/secret-key.ts';
import { encryptSecret } from '#lib/secrets/secret-box.ts';
import { pepperId } from '#merchants/credentials/secret-hash.ts';
import { rewrapSecrets } from '../../src/commands/secrets/rewrap-secrets.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import {
  type Answer,
  buyToken,
  settingsOf,
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';
import { runCli } from './run-cli.ts';

type Settings = Record<string, string>;

const newKey = () => randomBytes(32).toString('base64');
const OLD = { SECRETS_KEY: newKey(), CREDENTIALS_PEPPER: newKey() };
const NEW = { SECRETS_KEY: newKey(), CREDENTIALS_PEPPER: newKey() };
const previous = ({ SECRETS_KEY, CREDENTIALS_PEPPER }: typeof OLD) => ({
  SECRETS_KEY_PREVIOUS: SECRETS_KEY,
  CREDENTIALS_PEPPER_PREVIOUS: CREDENTIALS_PEPPER,
});
/** The processes that know the coming keys, and those that use them already. */
const BEFORE_SWAP = { ...OLD, ...previous(NEW) };
const AFTER_SWAP = { ...NEW, ...previous(OLD) };

let database: TestDatabase;
let env: Settings;
before(async () => {
  database = await createTestDatabase('sandbox');
  env = { ...settingsOf('sandbox', database.url), ...OLD };
});
after(() => database.drop());

const payreq = (args: readonly string[], keys: Settings) => runCli(args, { ...env, ...keys });
const rewrap = async (keys: Settings, ...options: readonly string[]) => {
  const ran = await payreq(['secrets', 'rewrap', '--json', ...options], keys);
  assert.equal(ran.exitCode, 0, ran.stderr);
  return ran.json();
};

describe('SECRETS_KEY and CREDENTIALS_PEPPER', () => {
  let oldest: TestService;
  let olderKeys: TestService;
  let newerKeys: TestService;
  let made: { old: TestMerchant; before: TestMerchant; after: TestMerchant };
  before(async () => {
    const start = (settings: Settings) =>
      startTestService({ settings, database: { ...database, drop: async () => {} } });
    oldest = await start(OLD);
    const old = await oldest.createMerchant({ name: 'Old' });
    await oldest.stop();
    // Both orders of a rolling restart: each service has both keys.
    [olderKeys, newerKeys] = [await start(BEFORE_SWAP), await start(AFTER_SWAP)];
    made = {
      old,
      before: await olderKeys.createMerchant({ name: 'Before' }),
      after: await newerKeys.createMerchant({ name: 'After' }),
    };
  });
  after(async () => {
    await olderKeys.stop();
    await newerKeys.stop();
  });

  const idempotencyKey = randomUUID();
  let registered: Answer;
  /** Sends one call again and again; its answer holds secrets and is stored encrypted. */
  const registerEndpoint = ({ call }: TestService) =>
    call('POST', '/v1/webhook-endpoints', {
      headers: { ...made.old.headers, 'idempotency-key': idempotencyKey },
      body: { url: 'https://shop.example/webhooks' },
    });

  async function assertAccepted({ call }: TestService, merchant: TestMerchant): Promise<void> {
    const token = await buyToken(call, merchant);
    const headers = { 'x-api-key': merchant.apiKey, authorization: `Bearer ${token}` };
    const answer = await call('GET', '/v1/payment-requests', { headers });
    assert.equal(answer.status, 200, answer.text);
  }

  it('are accepted by processes before and after the swap, under whichever pepper', async () => {
    for (const merchant of Object.values(made)) {
      await assertAccepted(olderKeys, merchant);
      await assertAccepted(newerKeys, merchant);
      await assertAccepted(olderKeys, merchant);
    }
  });

  it('open secrets and stored answers that processes with the other order wrote', async () => {
    registered = await registerEndpoint(olderKeys);
    assert.equal(registered.status, 201, registered.text);
    assert.equal((await registerEndpoint(newerKeys)).text, registered.text);
    const path = `/v1/webhook-endpoints/${registered.json.id}`;
    assert.equal((await newerKeys.call('GET', path, { headers: made.old.headers })).status, 200);
  });

  it('refuse to lose their predecessors while something needs these', async () => {
    const ran = await payreq(['merchant', 'list'], NEW);
    assert.equal(ran.exitCode, 78);
    assert.match(ran.stderr, /CREDENTIALS_PEPPER is not the pepper of this database/);
    assert.match(ran.stderr, /SECRETS_KEY is not the key of this database/);
  });

  it('are counted by a dry run, which changes nothing', async () => {
    const first = await rewrap(AFTER_SWAP, '--dry-run');
    assert.ok(first.rewrapped > 0 && first.current > 0, JSON.stringify(first));
    assert.equal(first.isPreviousKeyNeeded, true);
    assert.deepEqual(await rewrap(AFTER_SWAP, '--dry-run'), first);
  });

  it('have nothing under the previous key after a rewrap', async () => {
    const counted = await rewrap(AFTER_SWAP, '--dry-run');
    const first = await rewrap(AFTER_SWAP);
    assert.deepEqual([first.rewrapped, first.isPreviousKeyNeeded], [counted.rewrapped, false]);
    const again = await rewrap(AFTER_SWAP);
    assert.deepEqual([again.rewrapped, again.unreadable], [0, []]);
    assert.equal(again.current, first.rewrapped + first.current);
    const entries = await database.sql(
      "SELECT details FROM audit_log WHERE action = 'SECRETS_REWRAPPED' ORDER BY id",
    );
    assert.equal(entries.length, 2);
  });

  it('name the merchants whose credentials still need the previous pepper', async () => {
    const unused = await olderKeys.createMerchant({ name: 'Unused' });
    const id = pepperId(Buffer.from(NEW.CREDENTIALS_PEPPER, 'base64'));
    for (const merchant of Object.values(made)) await assertAccepted(newerKeys, merchant);
    const { waitingCredentials, isPreviousPepperNeeded } = await rewrap(AFTER_SWAP);
    assert.deepEqual(waitingCredentials, [
      { merchantId: unused.merchantId, passwords: 1, apiKeys: 1 },
    ]);
    assert.equal(isPreviousPepperNeeded, true);
    assert.equal((await payreq(['merchant', 'list'], NEW)).exitCode, 78);
    // A use is enough.
    newerKeys.clock.advance(5_000);
    await assertAccepted(newerKeys, unused);
    const after = await rewrap(AFTER_SWAP);
    assert.deepEqual([after.waitingCredentials, after.isPreviousPepperNeeded], [[], false]);
    const ids = await database.sql<{ pepper_id: Buffer }>(
      'SELECT pepper_id FROM api_keys UNION ALL SELECT pepper_id FROM api_credential_passwords',
    );
    for (const { pepper_id } of ids) assert.ok(pepper_id.equals(id));
  });

  it('accept every credential without the previous ones at the end', async () => {
    assert.equal((await payreq(['merchant', 'list'], NEW)).exitCode, 0);
    assert.equal((await payreq(['merchant', 'list'], OLD)).exitCode, 78);
    const alone = await startTestService({
      settings: NEW,
      database: { ...database, drop: async () => {} },
    });
    try {
      for (const merchant of Object.values(made)) await assertAccepted(alone, merchant);
      const endpoints = await alone.call('GET', '/v1/webhook-endpoints', {
        headers: made.old.headers,
      });
      assert.equal(endpoints.status, 200, endpoints.text);
      assert.equal((await registerEndpoint(alone)).text, registered.text);
    } finally {
      await alone.stop();
    }
  });
});

describe('payreq secrets rewrap', () => {
  it('goes on where it was interrupted', async () => {
    const other = await createTestDatabase('sandbox');
    try {
      const [from, to] = [rotatingKey(newKey()), newKey()];
      const key = rotatingKey(to, from.current.toString('base64'));
      await seedMerchants(other, 250, (context) => encryptSecret(from, 'secret', context));
      await assert.rejects(
        rewrapSecrets({ db: failingAfter(other.db, 3), secretsKey: key, isDryRun: false }),
        /the power is gone/,
      );
      const rest = await rewrapSecrets({ db: other.db, secretsKey: key, isDryRun: false });
      // Two pages of merchants were done, of 100 each with two secrets.
      assert.deepEqual(rest, { rewrapped: 100, current: 400, unreadable: [] });
      const alone = rotatingKey(to);
      const all = await rewrapSecrets({ db: other.db, secretsKey: alone, isDryRun: false });
      assert.deepEqual(all, { rewrapped: 0, current: 500, unreadable: [] });
    } finally {
      await other.drop();
    }
  });

  it('names a secret that neither key opens, and leaves it as it is', async () => {
    const other = await createTestDatabase('sandbox');
    try {
      const lost = rotatingKey(newKey());
      await seedMerchants(other, 1, (context) => encryptSecret(lost, 'secret', context));
      const key = rotatingKey(newKey(), newKey());
      const { unreadable } = await rewrapSecrets({
        db: other.db,
        secretsKey: key,
        isDryRun: false,
      });
      const context = 'merchant:mer_0000:listener_password';
      assert.deepEqual(unreadable, [context, 'merchant:mer_0000:signing_secret']);
      const found = await rewrapSecrets({ db: other.db, secretsKey: lost, isDryRun: true });
      assert.equal(found.current, 2);
    } finally {
      await other.drop();
    }
  });
});

/** A database whose connection breaks after so many transactions. */
function failingAfter(db: Database, most: number): Database {
  let count = 0;
  return {
    ...db,
    transaction: (work) => {
      count += 1;
      if (count > most) throw new Error('the power is gone');
      return db.transaction(work);
    },
  };
}

async function seedMerchants(
  { sql }: TestDatabase,
  count: number,
  box: (context: string) => Buffer,
): Promise<void> {
  const ids = Array.from({ length: count }, (_, index) => `mer_${String(index).padStart(4, '0')}`);
  const boxes = (name: string) => ids.map((id) => box(`merchant:${id}:${name}`));
  await sql(
    `INSERT INTO merchants (id, name, listener_username, listener_password_encrypted,
       signing_secret_encrypted)
     SELECT id, 'x', 'x', password, secret
     FROM unnest($1::text[], $2::bytea[], $3::bytea[]) AS made (id, password, secret)`,
    [ids, boxes('listener_password'), boxes('signing_secret')],
  );
}
