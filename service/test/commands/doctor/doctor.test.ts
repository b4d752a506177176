import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { readDoctorRun } from '#doctor/keep-last-run.ts';
import { changeStatus } from '#payment-requests/status/change-status.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../../support/service/service.ts';
import { runCli } from '../run-cli.ts';

const NAMES = [
  'database',
  'environment',
  'schema',
  'clock',
  'secrets',
  'pepper',
  'signing key',
  'webhook CA',
  'mail server',
  'references',
  'payment requests',
  'money',
  'cases',
  'day sums',
  'outbox',
  'deliveries',
  'leases',
  'feed',
  'overdue steps',
  'network payments',
  'statements',
  'waiting money',
  'restore',
  'proxies',
  'audit log',
  'audited settings',
  'database roles',
  'autovacuum',
];

describe('payreq doctor', () => {
  let service: TestService;
  let merchant: TestMerchant;
  before(async () => {
    // Nothing sends here, so that deliveries stay as they are made.
    service = await startTestService({ roles: ['api'] });
    merchant = await service.createMerchant({ webhookUrl: 'https://hooks.example/' });
    const { exitCode, stderr } = await runCli(['keys', 'rotate', '--now'], service.env);
    assert.equal(exitCode, 0, stderr);
  });
  after(() => service.stop());

  interface Report {
    ok: boolean;
    checks: { name: string; ok: boolean; message: string }[];
  }
  async function examine(env = service.env): Promise<Report> {
    const ran = await runCli(['doctor', '--json'], env);
    assert.equal(ran.stderr, '');
    const report = ran.json() as Report;
    assert.deepEqual(
      report.checks.map(({ name }) => name),
      NAMES,
    );
    assert.equal(
      report.ok,
      report.checks.every(({ ok }) => ok),
    );
    assert.equal(ran.exitCode, report.ok ? 0 : 1);
    return report;
  }
  async function assertFault(name: string, told: RegExp, env = service.env): Promise<void> {
    const { checks } = await examine(env);
    const faults = checks.filter(({ ok }) => !ok);
    assert.deepEqual(
      faults.map((check) => check.name),
      [name],
      JSON.stringify(faults),
    );
    assert.match(faults[0]?.message ?? '', told);
  }
  const sql = (text: string, values?: unknown[]) => service.database.sql(text, values);

  async function payOne(): Promise<string> {
    const body = {
      amount: 10,
      type: 'ECOMM',
      payer: { name: 'Ada', email: 'ada@example.com' },
    };
    const { headers } = merchant;
    const created = await service.call('POST', '/v1/payment-requests', { headers, body });
    assert.equal(created.status, 201, created.text);
    const { database, clock, publicApiUrl } = service;
    const moved = await changeStatus(
      {
        db: database.db,
        clock,
        settings: { publicApiUrl, paymentLinkBase: 'https://pay.test/pay', currency: 'CAD' },
        wakeSenders() {},
        onStatusChanged() {},
        onCaseOpened() {},
      },
      created.json.id,
      {
        name: 'PAYMENT_SUCCEEDED',
        amountCents: 1000,
        institution: 'Test Bank',
        // Money under a reference enters the ledger once.
        networkReference: `R-${created.json.id}`,
        completedAt: clock.now(),
      },
    );
    assert.equal(moved?.outcome, 'CHANGED');
    return created.json.id;
  }

  it('finds nothing wrong with a healthy deployment, in words for people too', async () => {
    await payOne();
    const report = await examine();
    assert.deepEqual(
      report.checks.filter(({ ok }) => !ok),
      [],
    );
    const { stdout, exitCode } = await runCli(['doctor'], service.env);
    assert.equal(exitCode, 0);
    assert.match(
      stdout,
      /^ok +outbox +Checked 1 status change of 1 payment request: each has its event/m,
    );
  });

  it('keeps its last run for the console, and none of another environment', async () => {
    const report = await examine();
    const kept = await readDoctorRun(service.database);
    assert.ok(kept);
    const { checks, version, actor, tookMs } = kept;
    assert.deepEqual(checks, report.checks);
    assert.match(version, /^\d+\.\d+\.\d+/);
    assert.match(actor, /^payreq \(/);
    assert.ok(tookMs > 0);
    const { exitCode } = await runCli(['doctor'], {
      ...service.env,
      CREDENTIALS_PEPPER: randomBytes(32).toString('base64'),
    });
    assert.equal(exitCode, 1);
    const faulty = await readDoctorRun(service.database);
    assert.deepEqual(faulty?.checks.find(({ name }) => name === 'pepper')?.ok, false);
    await sql(`UPDATE deployment SET environment = 'production'`);
    await runCli(['doctor'], service.env);
    assert.deepEqual(await readDoctorRun(service.database), faulty);
    await sql(`UPDATE deployment SET environment = 'sandbox'`);
  });

  it('finds a status change whose webhook event is missing, and names it', async () => {
    const id = await payOne();
    const [delivery] = await sql(
      'DELETE FROM webhook_deliveries WHERE payment_request_id = $1 RETURNING *',
      [id],
    );
    assert.ok(delivery);
    const [event] = await sql(
      'DELETE FROM webhook_events WHERE payment_request_id = $1 RETURNING *',
      [id],
    );
    await assertFault('outbox', new RegExp(`wrong for ${id}`));
    const insert = (table: string) => `INSERT INTO ${table} OVERRIDING SYSTEM VALUE
                    SELECT (json_populate_record(NULL::${table}, $1)).*`;
    const wrongType = { ...event, event_type: 'PAYMENT-FAILED' };
    await sql(insert('webhook_events'), [JSON.stringify(wrongType)]);
    await sql(insert('webhook_deliveries'), [JSON.stringify(delivery)]);
    await assertFault('outbox', new RegExp(`wrong for ${id}`));
    await sql('UPDATE webhook_events SET event_type = $2 WHERE payment_request_id = $1', [
      id,
      'PAYMENT-COMPLETED',
    ]);
    assert.equal((await examine()).ok, true);
  });

  it('takes the events of refunds between those of status changes for what they are', async () => {
    const id = await payOne();
    const renumber = `WITH counted AS (
                        UPDATE payment_requests SET webhook_sequence = $2 WHERE id = $1)
                      UPDATE webhook_events SET sequence = $2 WHERE payment_request_id = $1`;
    await sql(renumber, [id, 2]);
    await sql(
      `INSERT INTO webhook_events (id, merchant_id, payment_request_id, sequence, event_type, body)
       SELECT gen_random_uuid(), merchant_id, payment_request_id, 1, 'REFUND-COMPLETED', body
       FROM webhook_events WHERE payment_request_id = $1`,
      [id],
    );
    assert.equal((await examine()).ok, true);
    await sql(
      `UPDATE webhook_events SET event_type = 'PAYMENT-FAILED'
               WHERE payment_request_id = $1 AND sequence = 1`,
      [id],
    );
    await assertFault('outbox', new RegExp(`wrong for ${id}`));
    await sql('DELETE FROM webhook_events WHERE payment_request_id = $1 AND sequence = 1', [id]);
    await sql(renumber, [id, 1]);
    assert.equal((await examine()).ok, true);
  });

  it('misses no event that is older than events are kept', async () => {
    const id = await payOne();
    const [event] = await sql(
      `WITH deliveries AS (DELETE FROM webhook_deliveries WHERE payment_request_id = $1)
       DELETE FROM webhook_events WHERE payment_request_id = $1 RETURNING *`,
      [id],
    );
    const age = `WITH created AS (
                   UPDATE payment_requests SET payment_completed_at = aged.at, created_at = aged.at
                   FROM (SELECT service_now() - make_interval(days => $2, secs => $3) AS at) aged
                   WHERE id = $1)
                 UPDATE payment_request_moves
                 SET occurred_at = service_now() - make_interval(days => $2, secs => $3)
                 WHERE payment_request_id = $1`;
    await sql(age, [id, 89, 82_000]);
    await assertFault('outbox', new RegExp(id));
    await sql(age, [id, 90, 1]);
    assert.equal((await examine()).ok, true);
    const env = { ...service.env, RETENTION_EVENTS_DAYS: '100' };
    await assertFault('outbox', new RegExp(id), env);
    assert.ok(event);
  });

  it('finds a status that the history does not tell', async () => {
    const id = await payOne();
    const later = 'payment_request_id = $1 AND position > 1';
    await sql(`DELETE FROM payment_request_moves WHERE ${later}`, [id]);
    await assertFault('outbox', new RegExp(id));
    await sql(
      `INSERT INTO payment_request_moves
         (payment_request_id, position, status, cause, occurred_at)
       SELECT $1, max(position) + 1, 'PAID', 'PAYMENT_SUCCEEDED', service_now()
       FROM payment_request_events WHERE payment_request_id = $1`,
      [id],
    );
    assert.equal((await examine()).ok, true);
  });

  it('finds a delivery that is due and that nobody sends, but not one that is held', async () => {
    await service.advance(59);
    assert.equal((await examine()).ok, true);
    await service.advance(3);
    await assertFault('deliveries', /due for more than 60 s and nobody sends: [0-9a-f-]{36}/);
    await sql(`UPDATE webhook_endpoints SET status = 'PAUSED'`);
    assert.equal((await examine()).ok, true);
    await sql(`UPDATE webhook_endpoints SET status = 'ACTIVE'`);

    await sql(
      `INSERT INTO webhook_destinations (destination, failures, opened_at, next_probe_at)
       SELECT DISTINCT destination, 10, service_now(), service_now() - interval '59 seconds'
       FROM webhook_deliveries`,
    );
    assert.equal((await examine()).ok, true, 'held until the next probe');
    await sql(`UPDATE webhook_destinations SET next_probe_at = next_probe_at - interval '2 s'`);
    await assertFault('deliveries', /due for more than 60 s/);
    await sql('DELETE FROM webhook_destinations');
  });

  it('finds a lease that nobody took over', async () => {
    await sql(
      `UPDATE webhook_deliveries SET lease_token = gen_random_uuid(),
         leased_until = service_now() - interval '59 seconds' WHERE status = 'PENDING'`,
    );
    assert.equal((await examine()).ok, true);
    await service.advance(2);
    await assertFault('leases', /leased by a sender that is gone/);
    await sql('UPDATE webhook_deliveries SET lease_token = NULL, leased_until = NULL');
    await sql('UPDATE webhook_deliveries SET next_attempt_at = service_now()');
    assert.equal((await examine()).ok, true);
  });

  it('finds events that a dump of another server brought, until they are repaired', async () => {
    const paidId = await payOne();
    await sql(
      `UPDATE webhook_events SET transaction_id = '1000000000' WHERE payment_request_id = $1`,
      [paidId],
    );
    await assertFault('feed', /hides 1 event:.*restored.*docs\/operations/);
    // docs/operations describes this step.
    await sql("update webhook_events set transaction_id = '3'");
    assert.equal((await examine()).ok, true);
  });

  it('finds secrets that another SECRETS_KEY encrypted', async () => {
    const env = { ...service.env, SECRETS_KEY: randomBytes(32).toString('base64') };
    await assertFault('secrets', /cannot be read with this SECRETS_KEY: signing-key:/, env);
  });

  it('finds that credentials are hashed with another CREDENTIALS_PEPPER', async () => {
    const env = { ...service.env, CREDENTIALS_PEPPER: randomBytes(32).toString('base64') };
    await assertFault('pepper', /hashed with another CREDENTIALS_PEPPER/, env);
  });

  it('finds a schema that is behind or ahead of this version', async () => {
    // The newest one: the order of the rows must stay that of the files.
    const [newest] = await sql(
      'DELETE FROM schema_migrations WHERE id = (SELECT max(id) FROM schema_migrations) RETURNING name',
    );
    const apply = (name: unknown) =>
      sql('INSERT INTO schema_migrations (name, run_on) VALUES ($1, now())', [name]);
    await assertFault('schema', new RegExp(`Not applied yet: ${newest?.name}`));
    await apply('0099-later');
    const other = await runCli(['doctor'], service.env);
    assert.equal(other.exitCode, 78);
    assert.match(
      other.stderr,
      /made from other table files than those of this version: 0099-later/,
    );
    await apply(newest?.name);
    await assertFault('schema', /migrated the database: 0099-later works with a later version/);
    await sql(`DELETE FROM schema_migrations WHERE name = '0099-later'`);
    await sql(`DELETE FROM payment_request_transitions WHERE from_status = 'EXPIRED'`);
    await assertFault('schema', /other changes of status/);
    assert.equal((await runCli(['migrate'], service.env)).exitCode, 0);
    assert.equal((await examine()).ok, true);
  });

  it('finds that no key signs', async () => {
    await sql('UPDATE signing_keys SET removed_at = now()');
    await assertFault('signing key', /Run payreq keys rotate/);
    await sql('UPDATE signing_keys SET removed_at = NULL');
  });

  it('says that the database belongs to the other environment', async () => {
    const production = {
      ENVIRONMENT: 'production',
      E_TRANSFER_NETWORK: 'simulated',
      ALLOW_SIMULATED_NETWORK: 'yes',
    };
    await assertFault('environment', /belongs to the sandbox environment/, {
      ...service.env,
      ...production,
    });
  });

  it('names a CA file that cannot be read, which stops the service, too', async () => {
    const env = { ...service.env, WEBHOOK_CA_FILE: '/nowhere/ca.pem' };
    const { exitCode, stderr } = await runCli(['doctor'], env);
    assert.equal(exitCode, 78);
    assert.match(stderr, /WEBHOOK_CA_FILE names "\/nowhere\/ca.pem", which cannot be read/);
  });

  it('says that the database is away, and that the rest was not looked at', async () => {
    const away = { ...service.env, DATABASE_URL: 'postgres://127.0.0.1:1/away' };
    const { checks } = await examine(away);
    assert.match(checks[0]?.message ?? '', /ECONNREFUSED/);
    for (const { message } of checks.slice(1)) assert.match(message, /^Not checked/);
  });
});
