import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import pg from 'pg';
import type { LoopTurn } from '#lib/loop.ts';
import { createParentMetrics } from '#processes/parent-metrics.ts';
import { createMetrics } from '#telemetry/metrics/metrics.ts';
import { countUncaughtError } from '#telemetry/uncaught-errors.ts';
import { ensurePackages } from '../support/debian-packages.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { TEST_DEPLOYMENT } from '../support/metric-samples.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

const run = promisify(execFile);
const RULES = new URL('../../../docs/operations/alerts.yaml', import.meta.url).pathname;
/** Every window and every `for` of the rules; four scrapes of a second are in a window. */
const WINDOW = '8s';
const HOLD = '1s';
const PATIENCE_MS = 90_000;

/** Another process whose events the test chooses; the real code measures them. */
async function startMeasuredProcess() {
  const metrics = createMetrics(TEST_DEPLOYMENT);
  const parent = createParentMetrics(TEST_DEPLOYMENT);
  const state = {
    waiting: 0,
    offsetSeconds: 0,
    restarts: 0,
    answering: 2,
    loops: [turnOf('deliver-webhooks', 0)],
  };
  metrics.observePool(() => ({ open: 1, idle: 1, waiting: state.waiting }));
  metrics.observeLoops(() => state.loops);
  metrics.observeClock(() => state.offsetSeconds);
  const server = createServer(async (_request, response) => {
    const counts = { wanted: 2, answering: state.answering, restarts: state.restarts };
    response.setHeader('content-type', 'text/plain; version=0.0.4');
    const own = (await parent.render(counts)).split('\n').filter((one) => /service_proc/.test(one));
    response.end(`${await metrics.render()}${own.join('\n')}\n`);
  });
  const port = await listen(server, 0);
  return { metrics, state, server, port };
}

const turnOf = (name: string, sinceMs: number): LoopTurn => ({
  name,
  intervalMs: 1_000,
  longestRunMs: 1_000,
  sinceMs,
});

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/**
 * An account without a statement for two weeks, money that waits for its statement, a connection that
 * fails, and a payment file that does not leave.
 */
const BANK_FAULTS = `
  WITH owned AS (INSERT INTO creditor_account_keys VALUES ('DE89370400440532013000', $1) RETURNING *),
    account AS (INSERT INTO creditor_accounts (id, merchant_id, version, holder, account_number)
      SELECT gen_random_uuid(), merchant_id, 1, 'Shop', key FROM owned RETURNING *),
    shown AS (INSERT INTO bank_transfer_requests (payment_request_id, page_key, merchant_id,
        reference, account_id, amount_cents, currency, merchant_name, payment_link, qr_code_link,
        return_url, expires_at, created_at)
      SELECT gen_random_uuid(), repeat('k', 22), merchant_id, 'RF180000', id, 1, 'EUR', 'Shop', '', '',
        '', service_now(), service_now() - interval '14 days' FROM account),
    failing AS (INSERT INTO bank_connections (number, due_at, created_at)
      VALUES (1, service_now(), service_now() - interval '2 hours')),
    unsent AS (INSERT INTO bank_payment_files (message_id, account_id, refunds, total_cents,
        connection, released_at)
      SELECT 'PRS-1', id, 1, 1, 1, service_now() - interval '2 hours' FROM account)
  INSERT INTO bank_movements (id, account, direction, amount_cents, currency, booked_at,
      network_reference, institution, is_confirmed, outcome, created_at)
    SELECT gen_random_uuid(), key, 'CREDIT', 1, 'EUR', service_now(), 'N', 'B', false, 'WAITING',
      service_now() - interval '4 days' FROM owned`;

/** Mails that came back and were refused, and others that wait for the hour and for the server. */
const MESSAGE_FAULTS = `
  WITH back AS (INSERT INTO messages (id, payment_request_id, merchant_id, kind, number, channel,
      due_at, status, reason, sent_at, ended_at, attempt_log)
      SELECT gen_random_uuid(), $2::uuid, $1, 'REQUEST', n, 'EMAIL', service_now(), 'BOUNCED',
        'BOUNCED', service_now(), service_now(), '[{"outcome": "FAILED 5.1.1"}]'
      FROM generate_series(1, 5) n RETURNING id),
    refused AS (INSERT INTO message_suppressions (merchant_id, channel, address_hash, reason,
        message_id)
      SELECT $1, 'EMAIL', sha256(id::text::bytea), 'RECIPIENT_REFUSED', id FROM back),
    waiting AS (INSERT INTO message_turns (merchant_id, channel, waits_until, waiting_since)
      VALUES ($1, 'EMAIL', service_now() + interval '1 day', service_now() - interval '1 day'))
  INSERT INTO messages (id, payment_request_id, merchant_id, kind, channel, due_at, next_attempt_at)
    VALUES (gen_random_uuid(), $2, $1, 'REQUEST', 'EMAIL', service_now(), service_now()),
      (gen_random_uuid(), $2, $1, 'RECEIPT', 'SMS', service_now(), service_now())`;

async function shortened(): Promise<{ readonly text: string; readonly names: readonly string[] }> {
  const text = (await readFile(RULES, 'utf8'))
    .replaceAll(/for: \d+m/g, `for: ${HOLD}`)
    .replaceAll(/\[\d+m\]/g, `[${WINDOW}]`);
  return { text, names: [...text.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name) };
}

describe('the alerts, in a Prometheus', { timeout: 400_000 }, () => {
  let folder: string;
  let prometheus: ChildProcess;
  let url: string;
  let names: readonly string[];
  let service: TestService;
  let merchant: TestMerchant;
  let endpoints: string[];
  let process_: Awaited<ReturnType<typeof startMeasuredProcess>>;
  let background: Awaited<ReturnType<typeof startMeasuredProcess>>;

  before(async () => {
    await ensurePackages({ prometheus: '/usr/bin/promtool' });
    folder = await mkdtemp(join(tmpdir(), 'payreq-alerts-'));
    service = await startTestService({ roles: ['api'] });
    merchant = await service.createMerchant({ webhookUrl: 'https://shop.example/hooks' });
    process_ = await startMeasuredProcess();
    process_.state.loops = [turnOf('reconcile-network-requests', 0)];
    background = await startMeasuredProcess();
    endpoints = [];
    for (const path of ['one', 'two']) {
      const { json } = await service.call('POST', '/v1/webhook-endpoints', {
        headers: merchant.headers,
        body: { url: `https://other.example/${path}` },
      });
      endpoints.push(json.id);
    }
    const rules = await shortened();
    names = rules.names;
    await writeFile(join(folder, 'alerts.yaml'), rules.text);
    const targets = [new URL(service.opsUrl).port, process_.port, background.port];
    await writeFile(
      join(folder, 'prometheus.yml'),
      `global: { scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s }
rule_files: [alerts.yaml]
scrape_configs:
  - job_name: payment-requests
    static_configs: [{ targets: [${targets.map((port) => `'127.0.0.1:${port}'`).join(', ')}] }]
`,
    );
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    prometheus = spawn(
      'prometheus',
      [
        `--config.file=${join(folder, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { stdio: 'ignore' },
    );
    await eventually(async () => (await fetch(`${url}/-/ready`).catch(() => null))?.ok === true);
  });

  after(async () => {
    if (prometheus?.exitCode === null) {
      const ended = new Promise((resolve) => prometheus.once('exit', resolve));
      prometheus.kill('SIGTERM');
      await ended;
    }
    process_?.server.close();
    background?.server.close();
    await service?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function firing(): Promise<ReadonlySet<string>> {
    const { data } = (await (await fetch(`${url}/api/v1/alerts`)).json()) as {
      data: { alerts: { state: string; labels: { alertname: string } }[] };
    };
    const active = data.alerts.filter(({ state }) => state === 'firing');
    return new Set(active.map(({ labels }) => labels.alertname));
  }

  /** Keeps the pulse going until the alerts are as expected, with its own time limit. */
  async function until(
    expected: (now: ReadonlySet<string>) => readonly string[],
    pulse: () => void,
  ) {
    const endMs = performance.now() + PATIENCE_MS;
    for (;;) {
      pulse();
      // The gauges are read again after 5 s of the service's clock.
      await service.advance(1);
      const wrong = expected(await firing());
      if (wrong.length === 0) return;
      assert.ok(performance.now() < endMs, `not as expected: ${wrong.join(', ')}`);
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }

  it('pass the checks of promtool, and so do the metrics', async () => {
    await run('promtool', ['check', 'rules', RULES]);
    for (const opsUrl of [service.opsUrl, `http://127.0.0.1:${process_.port}`]) {
      const text = await (await fetch(`${opsUrl}/metrics`)).text();
      const check = spawn('promtool', ['check', 'metrics'], { stdio: ['pipe', 'pipe', 'pipe'] });
      let said = '';
      for (const stream of [check.stdout, check.stderr]) {
        stream.setEncoding('utf8').on('data', (chunk: string) => {
          said += chunk;
        });
      }
      check.stdin.end(text);
      const code = await new Promise((resolve) => check.once('close', resolve));
      assert.equal(code, 0, said);
    }
  });

  it('are all quiet while nothing is wrong', async () => {
    interface State {
      readonly activeTargets: readonly { readonly health: string }[];
      readonly groups: readonly {
        readonly rules: readonly { readonly name: string; readonly health: string }[];
      }[];
    }
    const query = async (path: string): Promise<State> => {
      const answer = await fetch(`${url}/api/v1/${path}`);
      return ((await answer.json()) as { readonly data: State }).data;
    };
    await eventually(async () => {
      const { activeTargets } = await query('targets');
      return activeTargets.every(({ health }) => health === 'up');
    });
    await eventually(async () => {
      const { groups } = await query('rules');
      const rules = groups.flatMap((group) => group.rules);
      return rules.length === names.length && rules.every(({ health }) => health === 'ok');
    });
    // On a busy machine a scrape may be late once: quiet is what lasts.
    let quiet = 0;
    await until(
      (now) => {
        quiet = now.size === 0 ? quiet + 1 : 0;
        return quiet >= 12 ? [] : [...now, 'not quiet for long enough'];
      },
      () => {},
    );
  });

  it('are each provoked, and each ends when its cause does', async () => {
    const { metrics, state } = process_;
    const sql = service.database.sql;
    const create = () =>
      service.call('POST', '/v1/payment-requests', {
        headers: merchant.headers,
        body: { amount: 1, type: 'ECOMM', payer: { name: 'Ada', email: 'ada@example.com' } },
      });
    const [{ json: overdue }, { json: owed }] = await Promise.all([create(), create()]);
    await sql(
      "UPDATE payment_requests SET expires_at = created_at + interval '1 s' WHERE id = $1",
      [overdue.id],
    );
    await service.call('POST', `/v1/payment-requests/${owed.id}/cancellation`, {
      headers: merchant.headers,
    });
    await sql(
      `INSERT INTO operator_cases (id, kind, details, opened_at)
       VALUES (gen_random_uuid(), 'AMOUNT_MISMATCH', '{}', service_now())`,
    );
    await sql("UPDATE webhook_endpoints SET status = 'PAUSED' WHERE id = $1", [endpoints[0]]);
    await sql(
      `INSERT INTO webhook_destinations (destination, failures, opened_at, next_probe_at)
       VALUES ($1, 10, service_now(), service_now())`,
      [endpoints[1]],
    );
    await sql(BANK_FAULTS, [merchant.merchantId]);
    await sql(MESSAGE_FAULTS, [merchant.merchantId, owed.id]);
    const holder = new pg.Client({ connectionString: service.database.url });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT pg_current_xact_id()');
    const { json: hidden } = await create();
    await service.call('POST', `/v1/payment-requests/${hidden.id}/cancellation`, {
      headers: merchant.headers,
    });
    await service.advance(300);
    // A reading fails: its table has another name.
    await sql('ALTER TABLE operator_cases RENAME COLUMN kind TO kind_away');
    await until(
      (now) => (now.has('GaugesUnknown') ? [] : ['GaugesUnknown']),
      () => {},
    );
    await sql('ALTER TABLE operator_cases RENAME COLUMN kind_away TO kind');
    await new Promise<void>((resolve) => {
      background.server.close(() => resolve());
      background.server.closeAllConnections();
    });
    state.waiting = 20;
    state.offsetSeconds = 10;
    state.answering = 1;
    state.loops = [turnOf('reconcile-network-requests', 60_000)];
    const refused = { 'x-api-key': 'none', authorization: 'Bearer none' };
    const pulse = () => {
      state.restarts += 1;
      metrics.deliveryAttempt({
        eventType: 'PAYMENT-COMPLETED',
        outcome: 'SUCCEEDED',
        attempt: 1,
        durationMs: 1,
        lagMs: 5_000,
      });
      metrics.operatorNotice('DELIVERY_EXHAUSTED');
      metrics.operatorNotice('MERCHANT_NOT_NOTIFIED');
      metrics.bankAlert('FILE_REFUSED');
      metrics.bankAlert('HOST_KEY_CHANGED');
      metrics.channelBroken('EMAIL');
      metrics.addressOverloaded('EMAIL');
      metrics.leaseExpired(1);
      countUncaughtError('process_ended');
      metrics.networkCall({ call: 'create', outcome: 'failed', durationMs: 1 });
      for (let time = 0; time < 5; time++) {
        metrics.callShed('merchant');
        metrics.loopFailed('run-replays');
        void fetch(`${service.url}/v1/payment-requests`, { headers: refused });
      }
      metrics.httpRequest({ method: 'GET', route: '/', status: 500, durationMs: 1 });
    };
    const others = names.filter((name) => name !== 'GaugesUnknown');
    await until((now) => others.filter((name) => !now.has(name)), pulse);

    await holder.query('ROLLBACK');
    await holder.end();
    await listen(background.server, background.port);
    await sql('UPDATE operator_cases SET closed_at = service_now()');
    await sql("UPDATE webhook_endpoints SET status = 'ACTIVE'");
    await sql('DELETE FROM webhook_destinations');
    await sql("UPDATE bank_movements SET outcome = 'EXACT'");
    await sql('UPDATE bank_connections SET good_at = service_now()');
    await sql("UPDATE bank_payment_files SET written_at = service_now(), written_as = 'sftp'");
    await sql('UPDATE creditor_accounts SET closed_at = service_now()');
    await sql('DELETE FROM message_suppressions');
    await sql('DELETE FROM message_turns');
    await sql('DELETE FROM messages');
    await sql(
      `UPDATE webhook_deliveries SET status = 'SUCCEEDED', next_attempt_at = NULL,
       completed_at = service_now()`,
    );
    await sql(
      "UPDATE payment_requests SET expires_at = service_now() + interval '9 d' WHERE id = $1",
      [overdue.id],
    );
    state.waiting = 0;
    state.offsetSeconds = 0;
    state.answering = 2;
    state.loops = [turnOf('reconcile-network-requests', 0)];
    await until(
      (now) => [...now],
      () => {},
    );
  });
});
