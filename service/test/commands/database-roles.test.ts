import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { connectDatabase, type Database } from '#database/database.ts';
import { migrate } from '#database/schema/migrate.ts';
import { TRANSITIONS } from '#payment-requests/model/statuses.ts';
import { excessOf } from '../../src/commands/doctor/guard-checks.ts';
import { readRoleRights } from '../../src/commands/doctor/role-store.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { paymentRequestCalls } from '../support/payment-requests/payment-requests.ts';
import { startTestService, type TestService } from '../support/service/service.ts';
import { runCli } from './run-cli.ts';

const START = new Date('2026-03-01T12:00:00.000Z');
const role = `payreq_runtime_${randomBytes(4).toString('hex')}`;
const password = randomBytes(16).toString('hex');

describe('a service with a database role of its own', () => {
  let owner: TestDatabase;
  let service: TestService;
  let runtimeUrl: string;
  let runtimeDb: Database;
  const asOwner = (...args: string[]) =>
    runCli(args, { ...service.env, DATABASE_URL: owner.url, RUNTIME_ROLE: role });
  const asRuntime = (...args: string[]) => runCli(args, { ...service.env, RUNTIME_ROLE: role });

  before(async () => {
    owner = await createTestDatabase('sandbox', START);
    await owner.sql(`CREATE ROLE ${role} LOGIN PASSWORD '${password}'`);
    const url = new URL(owner.url);
    url.username = role;
    url.password = password;
    runtimeUrl = url.href;
    // The owner's command of a deployment: migrates, and grants what the service needs.
    const migrated = await runCli(['migrate'], { ...MIGRATE_ENV, DATABASE_URL: owner.url });
    assert.equal(migrated.exitCode, 0, migrated.stderr);
    await owner.sql(`GRANT SELECT ON test_clock TO ${role}`);
    runtimeDb = connectDatabase({ url: runtimeUrl, poolSize: 8 });
    const { SECRETS_KEY, CREDENTIALS_PEPPER } = MIGRATE_ENV;
    service = await startTestService({
      start: START,
      settings: {
        SECRETS_KEY,
        CREDENTIALS_PEPPER,
        WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32',
        WEBHOOK_ALLOW_PORTS: '*',
      },
      database: { ...owner, url: runtimeUrl, db: runtimeDb },
    });
  });
  after(async () => {
    await runtimeDb.close();
    await service.stop();
    const other = await createTestDatabase('sandbox');
    await other.sql(`DROP ROLE ${role}`);
    await other.drop();
  });

  it('does everything a service does', async () => {
    const merchant = await service.createMerchant({ webhookUrl: 'https://127.0.0.1:9/' });
    const calls = paymentRequestCalls(service, merchant);
    const { json } = await calls.create({ payer: { name: 'depositSubmit:1', email: 'a@b.ca' } });
    await service.advance(2);
    const created = await calls.create();
    await calls.update(created.json.id, { invoiceNumber: 'INV-1' });
    const cancelled = await calls.cancel(created.json.id);
    assert.equal(cancelled.status, 200, cancelled.text);
    const simulated = await calls.create();
    assert.equal((await calls.simulate(simulated.json.id, { outcome: 'PAID' })).status, 202);
    assert.equal((await calls.timeline(json.id)).status, 200);
    const { headers } = merchant;
    const endpoint = await service.call('POST', '/v1/webhook-endpoints', {
      headers,
      body: { url: 'https://127.0.0.1:9/other' },
    });
    assert.equal(endpoint.status, 201, endpoint.text);
    const tested = await service.call('POST', `/v1/webhook-endpoints/${endpoint.json.id}/test`, {
      headers,
    });
    assert.ok(tested.status < 300, tested.text);
    const denied = service.logLines.filter((line) =>
      JSON.stringify(line).includes('permission denied'),
    );
    assert.deepEqual(denied, []);
  });

  it('can append to the audit log and no more', async () => {
    const asService = connectDatabase({ url: runtimeUrl, poolSize: 1 });
    const run = (text: string) => asService.query({ name: '', text });
    try {
      await run(`INSERT INTO audit_log (actor, action) VALUES ('api', 'TEST')`);
      for (const text of [
        `UPDATE audit_log SET actor = 'x'`,
        'DELETE FROM audit_log',
        'TRUNCATE audit_log',
        'UPDATE audit_log_head SET position = 0',
        `INSERT INTO audit_checkpoints VALUES (1, '', true, now(), '')`,
        'UPDATE audit_checkpoints SET position = 1',
        'ALTER TABLE audit_log DISABLE TRIGGER ALL',
        'SET session_replication_role = replica',
        `UPDATE payment_request_transitions SET to_status = 'PAID'`,
        'CREATE TABLE mine (id int)',
      ]) {
        await assert.rejects(run(text), /permission denied|must be owner/, text);
      }
      // A temporary table of the same name is not the head that the trigger writes.
      await run('CREATE TEMPORARY TABLE audit_log_head AS SELECT * FROM public.audit_log_head');
      await run(`INSERT INTO audit_log (actor, action) VALUES ('api', 'TEST')`);
    } finally {
      await asService.close();
    }
    assert.equal((await asRuntime('audit', 'verify')).exitCode, 0);
  });

  it('cannot prune, sign or migrate, and reads which role can', async () => {
    const pruned = await asRuntime('audit', 'checkpoint');
    assert.equal(pruned.exitCode, 1);
    assert.match(pruned.stderr, /role may not do that: run it with .* owner/);
    const migrated = await asRuntime('migrate');
    assert.equal(migrated.exitCode, 78);
    assert.match(migrated.stderr, /Run payreq migrate with the DATABASE_URL of the owner/);
    const signed = await asOwner('audit', 'checkpoint');
    assert.equal(signed.exitCode, 0, signed.stderr);
  });

  it('is approved of by doctor, which warns of a superuser', async () => {
    const checkOf = async (ran: ReturnType<typeof runCli>) =>
      (await ran).json().checks.find(({ name }: { name: string }) => name === 'database roles');
    assert.deepEqual(await checkOf(asRuntime('doctor', '--json')), {
      name: 'database roles',
      ok: true,
      message: 'The service’s database role can append to the audit log, but not change it.',
    });
    const single = runCli(['doctor', '--json'], { ...service.env, DATABASE_URL: owner.url });
    const warned = await checkOf(single);
    assert.deepEqual([warned.ok, warned.warning], [true, true]);
    assert.match(warned.message, /set RUNTIME_ROLE, see docs\/operations\/database-roles.md/);
    assert.match(warned.message, /database role postgres is a superuser, and could rewrite/);
  });

  it('is granted by an owner whose name needs quotes', async () => {
    const name = `Pay-Owner ${role}`;
    const url = new URL(owner.url);
    url.username = encodeURIComponent(name);
    url.password = password;
    await owner.sql(`CREATE ROLE "${name}" SUPERUSER LOGIN PASSWORD '${password}'`);
    const db = connectDatabase({ url: url.href, poolSize: 1 });
    try {
      const transitions = TRANSITIONS;
      await migrate({ url: url.href, environment: 'sandbox', transitions, runtimeRole: role });
      assert.equal(excessOf(await readRoleRights(db, null))?.state, 'is a superuser');
      assert.equal(excessOf(await readRoleRights(db, role)), null);
    } finally {
      await db.close();
      await owner.sql(`DROP ROLE "${name}"`);
    }
  });

  it('is refused when the role does not exist or owns the tables itself', async () => {
    const migrateFor = (RUNTIME_ROLE: string) =>
      runCli(['migrate'], { ...service.env, DATABASE_URL: owner.url, RUNTIME_ROLE });
    const unknown = await migrateFor('nobody_at_all');
    assert.deepEqual([unknown.exitCode, unknown.stdout], [78, '']);
    assert.match(unknown.stderr, /"nobody_at_all", which the database server does not know/);
    const same = await migrateFor('postgres');
    assert.match(same.stderr, /may not change the schema|may do all that the owner/);
    assert.equal((await migrateFor('Not a role')).exitCode, 78);
  });

  it('deletes what retention no longer keeps', async () => {
    const merchant = await service.createMerchant();
    const calls = paymentRequestCalls(service, merchant);
    const { id } = (await calls.create()).json;
    await calls.cancel(id);
    await service.advance(366 * 86_400);
    const ran = await asRuntime('prune', '--older-than', '1y', '--yes');
    assert.equal(ran.exitCode, 0, ran.stderr);
    const left = await owner.sql('SELECT FROM payment_requests WHERE id = $1', [id]);
    assert.deepEqual(left, []);
  });
});

const MIGRATE_ENV = {
  ENVIRONMENT: 'sandbox',
  CREDENTIALS_PEPPER: randomBytes(32).toString('base64'),
  SECRETS_KEY: randomBytes(32).toString('base64'),
  PUBLIC_API_URL: 'https://pay.test/v1',
  PUBLIC_AUTH_URL: 'https://pay.test/oauth2/token',
  PAYMENT_LINK_BASE: 'https://pay.test/pay',
  RUNTIME_ROLE: role,
};
