import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { settingsOf } from '../support/service/service.ts';
import { type Ran, runCli, spawnCli } from './run-cli.ts';

const SECRET = /^sbx_[A-Za-z0-9_-]{43}$/;

describe('payreq, the operator’s command line', () => {
  let database: TestDatabase;
  let env: Record<string, string>;
  before(async () => {
    database = await createTestDatabase('sandbox');
    env = settingsOf('sandbox', database.url);
  });
  after(() => database.drop());

  const payreq = (...args: string[]) => runCli(args, env);
  async function json(...args: string[]) {
    const ran = await payreq(...args, '--json');
    assert.equal(ran.exitCode, 0, ran.stderr);
    assert.equal(ran.stderr, '');
    return ran.json();
  }
  function assertFails(ran: Ran, exitCode: number, told: RegExp): void {
    assert.match(ran.stderr, told);
    assert.deepEqual([ran.exitCode, ran.stdout], [exitCode, '']);
    assert.doesNotMatch(ran.stderr, /\bat .*\.ts:/, 'a person is shown no stack');
  }
  const auditOf = (merchantId: string) =>
    database.sql<{ action: string; actor: string; details: unknown }>(
      'SELECT action, actor, details FROM audit_log WHERE merchant_id = $1 ORDER BY id',
      [merchantId],
    );

  it('onboards a merchant and shows all of its secrets', async () => {
    const program = ['merchant', 'create', '--name', ' Maple Bikes ', '--json'];
    const ran = await spawnCli(program, env);
    assert.deepEqual([ran.exitCode, ran.stderr], [0, '']);
    const made = ran.json();
    const { merchantId, username, password, apiKey, listener, ...rest } = made;
    assert.deepEqual(rest, { name: 'Maple Bikes' });
    assert.match(merchantId, /^mer_[0-9a-f]{24}$/);
    assert.match(username, /^sbx_user_[0-9a-f]{24}$/);
    assert.match(password, SECRET);
    assert.match(apiKey, SECRET);
    assert.deepEqual(Object.keys(listener), ['username', 'password', 'signingSecret']);
    const { merchants } = await json('merchant', 'list');
    const listed = merchants.find((one: { merchantId: string }) => one.merchantId === merchantId);
    assert.deepEqual(
      { ...listed, createdDateTime: '' },
      {
        merchantId,
        name: 'Maple Bikes',
        status: 'ACTIVE',
        uniqueTransactionIds: false,
        webhookOrigins: [],
        returnOrigins: [],
        createdDateTime: '',
      },
    );
  });

  it('shows the secrets to people too, and keeps none of them in the clear', async () => {
    const ran = await payreq('merchant', 'create', '--name', 'Birch Books');
    assert.equal(ran.exitCode, 0, ran.stderr);
    const secrets = ran.stdout.match(/sbx_[\w-]{43}|whsec_\S+/g) ?? [];
    assert.equal(secrets.length, 4);
    const rows = await database.sql<{ row: string }>(
      `SELECT m::text || c::text || p::text || k::text || a::text AS row FROM merchants m
       JOIN api_credentials c ON c.merchant_id = m.id
       JOIN api_credential_passwords p USING (username)
       JOIN api_keys k ON k.merchant_id = m.id
       JOIN audit_log a ON a.merchant_id = m.id WHERE m.name = 'Birch Books'`,
    );
    assert.equal(rows.length, 1);
    for (const secret of secrets) {
      const hex = Buffer.from(secret).toString('hex');
      assert.ok(!rows[0]?.row.includes(secret) && !rows[0]?.row.includes(hex));
    }
  });

  it('registers the default endpoint and the origins, with the listener’s own secrets', async () => {
    const { merchantId, listener } = await json(
      ...['merchant', 'create', '--name', 'Cedar Cakes', '--unique-transaction-ids'],
      ...['--webhook-url', 'https://Hooks.Example/paid?key=1'],
      ...['--webhook-origin', 'https://shop.example', '--webhook-origin', 'https://b.example/'],
      ...['--return-origin', 'https://Shop.Example', '--return-origin', 'https://c.example/'],
    );
    const [merchant] = await database.sql('SELECT * FROM merchants WHERE id = $1', [merchantId]);
    assert.equal(merchant?.unique_transaction_ids, true);
    assert.deepEqual(merchant?.webhook_origins, [
      'https://shop.example',
      'https://b.example',
      'https://hooks.example',
    ]);
    const returnOrigins = ['https://shop.example', 'https://c.example'];
    assert.deepEqual(merchant?.return_origins, returnOrigins);
    const endpoints = await database.sql<{ id: string; url: string; listener_username: string }>(
      'SELECT * FROM webhook_endpoints WHERE merchant_id = $1',
      [merchantId],
    );
    assert.equal(endpoints.length, 1);
    assert.equal(endpoints[0]?.url, 'https://hooks.example/paid?key=1');
    assert.equal(endpoints[0]?.listener_username, listener.username);
    const doctor = await payreq('doctor', '--json');
    const secrets = doctor.json().checks.find((one: { name: string }) => one.name === 'secrets');
    assert.equal(secrets.ok, true, 'the endpoint’s secrets open in their own place');
  });

  it('refuses names, URLs and origins that cannot be', async () => {
    const create = (...args: string[]) => payreq('merchant', 'create', ...args);
    const url = (text: string) => create('--name', 'x', '--webhook-url', text);
    const origin = (text: string) => create('--name', 'x', '--webhook-origin', text);
    assertFails(await create('--name', ' '), 1, /1 to 100 characters/);
    assertFails(await create('--name', 'x'.repeat(101)), 1, /1 to 100 characters/);
    assertFails(await create('--name', 'a\nb'), 1, /printable/);
    assertFails(await url('http://shop.example/'), 1, /must begin with https/);
    assertFails(await url('https://127.0.0.1/'), 1, /not public/);
    for (const wrong of ['shop.example', 'http://shop.example', 'https://shop.example/path']) {
      assertFails(await origin(wrong), 1, /is not a webhook origin/);
    }
    for (const wrong of ['shop.example', 'http://localhost:4000', 'https://shop.example/path']) {
      const ran = await create('--name', 'x', '--return-origin', wrong);
      assertFails(ran, 1, /is not a return origin/);
    }
    const rows = await database.sql("SELECT FROM merchants WHERE name IN ('x', '')");
    assert.equal(rows.length, 0);
  });

  it('rotates, lists, shows and revokes credentials, and the audit log tells it', async () => {
    const made = await json('merchant', 'create', '--name', 'Dune Drinks');
    const { merchantId, username } = made;
    const of = ['--merchant', merchantId];
    const rotated = await json('credentials', 'rotate', ...of, '--overlap', '1.5');
    assert.deepEqual(Object.keys(rotated), ['merchantId', 'username', 'password', 'apiKey']);
    assert.equal(rotated.username, username);
    assert.match(rotated.password, SECRET);
    assert.deepEqual(await json('credentials', 'show-listener', ...of), made.listener);

    const list = await json('credentials', 'list', ...of);
    assert.equal(list.credentials[0].passwords.length, 2);
    assert.deepEqual(
      list.apiKeys.map((key: { hint: string; status: string }) => [key.hint, key.status]),
      [rotated.apiKey, made.apiKey].map((key) => [key.slice(0, 10), 'LIVE']),
    );

    const narrow = await json('credentials', 'create', ...of, '--scope', 'event/read');
    assert.deepEqual([narrow.scopes, narrow.apiKey], [['event/read'], null]);
    const ambiguous = await payreq('credentials', 'rotate', ...of);
    assertFails(ambiguous, 1, new RegExp(`Say which username.*${username}`));
    await json('credentials', 'revoke', ...of, '--username', narrow.username);
    await json('credentials', 'revoke', ...of, '--api-key', list.apiKeys[1].id);
    await json('credentials', 'revoke', ...of, '--all', '--yes');
    const audit = await auditOf(merchantId);
    assert.deepEqual(
      audit.map(({ action }) => action),
      [
        'MERCHANT_CREATED',
        'CREDENTIALS_ROTATED',
        'LISTENER_CREDENTIALS_SHOWN',
        'CREDENTIALS_CREATED',
        'CREDENTIALS_REVOKED',
        'API_KEY_REVOKED',
        'CREDENTIALS_REVOKED',
        'API_KEY_REVOKED',
      ],
    );
    for (const { actor } of audit) assert.match(actor, /^payreq \(.+\)$/);
    assert.doesNotMatch(JSON.stringify(audit), /sbx_[\w-]{43}|whsec_/);
  });

  it('suspends and resumes a merchant', async () => {
    const { merchantId } = await json('merchant', 'create', '--name', 'Elm Eggs');
    const suspended = await json('merchant', 'suspend', '--merchant', merchantId);
    assert.deepEqual(suspended, { merchantId, name: 'Elm Eggs', status: 'SUSPENDED' });
    await json('merchant', 'suspend', '--merchant', merchantId);
    const resumed = await json('merchant', 'resume', '--merchant', merchantId);
    assert.deepEqual(resumed, { merchantId, name: 'Elm Eggs', status: 'ACTIVE' });
    const actions = (await auditOf(merchantId)).map(({ action }) => action);
    assert.deepEqual(actions, ['MERCHANT_CREATED', 'MERCHANT_SUSPENDED', 'MERCHANT_RESUMED']);
  });

  it('rotates, lists and removes signing keys', async () => {
    const first = await json('keys', 'rotate');
    const second = await json('keys', 'rotate', '--now');
    const { keys } = await json('keys', 'list');
    assert.deepEqual(
      new Set(keys.map((key: { keyId: string }) => key.keyId)),
      new Set([first.keyId, second.keyId]),
    );
    assertFails(await payreq('keys', 'remove', second.keyId, '--yes'), 1, /signs the tokens/);
    assert.deepEqual(await json('keys', 'remove', first.keyId, '--yes'), {
      keyId: first.keyId,
      state: 'REMOVED',
    });
  });

  it('says in words what is not there', async () => {
    assertFails(await payreq('credentials', 'rotate', '--merchant', 'x'), 1, /no merchant "x"/);
    assertFails(await payreq('credentials', 'list', '--merchant', 'x'), 1, /no merchant "x"/);
    assertFails(await payreq('merchant', 'suspend', '--merchant', 'x'), 1, /no merchant "x"/);
    assertFails(await payreq('keys', 'remove', 'x', '--yes'), 1, /no signing key "x"/);
  });

  it('ends a wrong command line with 2 and says what is wrong', async () => {
    assertFails(await payreq('nonsense'), 2, /unknown command 'nonsense'/);
    assertFails(await payreq('merchant', 'create'), 2, /--name/);
    assertFails(await payreq('merchant', 'list', '--nonsense'), 2, /unknown option/);
    const roles = await runCli(['serve', '--roles', 'everything'], env, { isRefused: true });
    assertFails(roles, 2, /api and background/);
    const overlap = ['credentials', 'rotate', '--merchant', 'x', '--overlap', '-1'];
    assertFails(await payreq(...overlap), 2, /Give hours/);
    assertFails(await payreq('credentials', 'revoke', '--merchant', 'x'), 2, /--api-key and --all/);
    assertFails(await payreq(), 2, /Usage: payreq/);
  });

  it('ends a wrong configuration with 78, naming every fault', async () => {
    assertFails(
      await spawnCli(['merchant', 'list']),
      78,
      /DATABASE_URL is not set[\s\S]*SECRETS_KEY/,
    );
    const missing = await runCli(['doctor', '--env-file', '/nowhere/settings'], env);
    assertFails(missing, 78, /"\/nowhere\/settings" cannot be read \(ENOENT\)/);
    const production = {
      ...settingsOf('production', database.url),
      SECRETS_KEY: env.SECRETS_KEY ?? '',
    };
    for (const command of [['migrate'], ['merchant', 'list']]) {
      assertFails(await runCli(command, production), 78, /belongs to the sandbox environment/);
    }
    assertFails(await spawnCli(['serve'], production), 78, /belongs to the sandbox environment/);
  });

  it('says when the database is away, or was never set up', async () => {
    const away = { ...env, DATABASE_URL: 'postgres://127.0.0.1:1/away' };
    assertFails(await runCli(['merchant', 'list'], away), 69, /database cannot be .*ECONNREFUSED/);
    assertFails(await runCli(['migrate'], away), 69, /database cannot be .*ECONNREFUSED/);
    const empty = new URL(database.url);
    empty.pathname = '/postgres';
    const unset = await runCli(['merchant', 'list'], { ...env, DATABASE_URL: empty.href });
    assertFails(unset, 1, /Run payreq migrate first/);
  });

  it('reads settings from a file, wherever the option stands; the environment wins', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'payreq settings '));
    const path = join(folder, 'sandbox.env');
    const lines = Object.entries(env).map(([name, value]) => `${name}="${value}"`);
    await writeFile(path, lines.join('\n'));
    try {
      for (const args of [
        ['--env-file', path, 'merchant', 'list'],
        ['merchant', 'list', '--env-file', path],
      ]) {
        assert.equal((await runCli(args)).exitCode, 0);
      }
      const shown = await runCli(['config', '--json', '--env-file', path], { PORT: '4999' });
      const { settings } = shown.json();
      const value = (name: string) =>
        settings.find((one: { name: string }) => one.name === name).value;
      assert.deepEqual([value('PORT'), value('ENVIRONMENT')], ['4999', 'sandbox']);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('prints the configuration without its secrets, and its faults after it', async () => {
    const good = await payreq('config');
    assert.equal(good.exitCode, 0);
    assert.match(good.stdout, /^MAX_AMOUNT=10000\.00 {3}\(default\)\n {4}the largest amount/m);
    for (const name of ['SECRETS_KEY', 'CREDENTIALS_PEPPER', 'DATABASE_URL']) {
      assert.ok(!good.stdout.includes(env[name] ?? ''), name);
    }
    const bad = await runCli(['config'], { ...env, PORT: 'x', PUBLIC_API_URL: '' });
    assert.equal(bad.exitCode, 78);
    assert.match(bad.stdout, /^PORT=x/m);
    assert.match(bad.stdout, /^PUBLIC_API_URL=\(not set, but required\)$/m);
    assert.match(bad.stdout, /^TRUSTED_PROXIES=\(not set\)$/m);
    assert.match(bad.stderr, /PORT must be a whole number/);
  });

  it('migrates twice without harm, and makes the first signing key', async () => {
    const { migrations, environment } = await json('migrate');
    assert.deepEqual([migrations, environment], [[], 'sandbox']);
    const { keys } = await json('keys', 'list');
    assert.equal(keys.filter((key: { state: string }) => key.state === 'SIGNING').length, 1);
  });

  it('helps: every command says what it does, and the exit codes stand at the end', async () => {
    const top = await payreq('--help');
    assert.equal(top.exitCode, 0);
    assert.match(top.stdout, /Exit codes: 0 all is well, 1 .*, 2 .*,\s+3 .*,\s+69 .*, 78 the conf/);
    for (const group of ['merchant', 'credentials', 'keys']) {
      const { stdout } = await payreq(group, '--help');
      const commands = stdout.match(/^ {2}(?!help)[a-z-]+ \[options\].* {2}\S/gm) ?? [];
      assert.ok(commands.length >= 3, stdout);
    }
    assert.match((await payreq('merchant', 'create', '--help')).stdout, /--env-file/);
  });
});
