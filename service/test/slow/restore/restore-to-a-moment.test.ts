import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { connectDatabase } from '#database/database.ts';
import { migrate } from '#database/schema/migrate.ts';
import { systemClock } from '#lib/clock.ts';
import { rotatingKey } from '#lib/secret-key.ts';
import { onboardMerchant } from '#merchants/onboard-merchant.ts';
import { TRANSITIONS } from '#payment-requests/model/statuses.ts';
import { spawnCli } from '../../commands/run-cli.ts';
import {
  type ArchivingPostgres,
  DEBIAN_15,
  startArchivingPostgres,
} from '../../support/archiving-postgres.ts';
import { eventually } from '../../support/eventually.ts';
import { buyToken, callAt, settingsOf } from '../../support/service/service.ts';
import { type ServiceProcess, startServiceProcess } from '../../support/service/service-process.ts';
import { type HttpsListener, startHttpsListener } from '../../support/webhooks/https-listener.ts';

const PAYER = { name: 'Ada', email: 'ada@example.com' };
const REFUSING = (_: unknown, response: { statusCode: number; end(): void }) => {
  response.statusCode = 500;
  response.end();
};

interface Made {
  readonly id: string;
  readonly shortCode: string;
}

describe('a restore to a moment, by the commands of the page', {
  skip: existsSync(DEBIAN_15) ? false : 'needs Debian’s postgresql-15',
}, () => {
  let folder: string;
  let postgres: ArchivingPostgres;
  let listener: HttpsListener;
  let settings: Record<string, string>;
  let service: ServiceProcess;
  let headers: Record<string, string>;
  let access: { username: string; password: string; apiKey: string };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'restore-'));
    listener = await startHttpsListener();
    postgres = await startArchivingPostgres();
    const caFile = join(folder, 'ca.pem');
    await writeFile(caFile, listener.caPem);
    settings = {
      ...settingsOf('sandbox', postgres.url),
      WEBHOOK_CA_FILE: caFile,
      WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32,::1/128',
      WEBHOOK_ALLOW_PORTS: '*',
      WEBHOOK_RETRY_SCHEDULE: '1,1,1,1,1,1,1,1,1,1',
    };
    await postgres.runBlock('Archive');
    await migrate({ url: postgres.url, environment: 'sandbox', transitions: TRANSITIONS });
    access = await onboard();
    service = await startServiceProcess(settings);
    headers = await authorize();
  });
  after(async () => {
    await service?.kill('SIGKILL');
    await listener?.close();
    await postgres?.stop();
    await rm(folder, { recursive: true });
  });

  async function onboard() {
    const db = connectDatabase({ url: postgres.url, poolSize: 1 });
    const secret = (name: string) => rotatingKey(settings[name] ?? '');
    try {
      return await onboardMerchant(
        {
          db,
          clock: systemClock,
          environment: 'sandbox',
          cell: 1,
          credentialsPepper: secret('CREDENTIALS_PEPPER'),
          secretsKey: secret('SECRETS_KEY'),
          checkWebhookUrl: async () => ({ allowed: true }),
          actor: 'test',
        },
        { name: 'Shop', webhookUrl: null, webhookOrigins: [] },
      );
    } finally {
      await db.close();
    }
  }
  async function authorize() {
    const call: Parameters<typeof buyToken>[0] = (method, path, options = {}) =>
      callAt(service.url + path, method, options);
    const token = await buyToken(call, access);
    return { 'x-api-key': access.apiKey, authorization: `Bearer ${token}` };
  }
  const call = (method: string, path: string, body?: unknown, more = {}) =>
    callAt(`${service.url}/v1${path}`, method, {
      headers: { ...headers, ...more },
      ...(body === undefined ? {} : { body }),
    });
  async function create(key?: string): Promise<Made> {
    const body = { amount: 5, type: 'ECOMM', payer: PAYER, webhookUrl: listener.url };
    const made = await call('POST', '/payment-requests', body, key && { 'idempotency-key': key });
    assert.equal(made.status, 201, made.text);
    return made.json;
  }
  const pay = async ({ id }: Made) => {
    const path = `/sandbox/payment-requests/${id}/simulations`;
    const paid = await call('POST', path, { outcome: 'PAID' });
    assert.equal(paid.json?.status, 'PAID', paid.text);
  };
  /** Follows the feed to its end: ids and the cursor. */
  async function follow(after?: string): Promise<{ ids: string[]; cursor: string }> {
    let cursor = after;
    const ids: string[] = [];
    for (;;) {
      const { status, json, text } = await call(
        'GET',
        `/events?limit=100${cursor ? `&after=${cursor}` : ''}`,
      );
      assert.equal(status, 200, text);
      ids.push(...json.data.map(({ id }: { id: string }) => id));
      cursor = json.nextCursor as string;
      if (!json.hasMore) return { ids, cursor };
    }
  }
  const fed = (count: number, cursor?: string) =>
    eventually(async () => {
      const found = await follow(cursor);
      return found.ids.length >= count && found;
    }, `${count} events in the feed`);
  const idOf = (webhook: { headers: Record<string, unknown> }) =>
    `${webhook.headers['webhook-id']}`;

  it('loses what came later, says so, and skips, doubles and reuses nothing', async () => {
    // Before the moment: one webhook has arrived, another waits for its listener.
    const told = await create();
    await pay(told);
    await listener.received(1);
    listener.answerWith(REFUSING as never);
    const waiting = await create();
    await pay(waiting);
    const [, first] = await listener.received(2);
    assert.ok(first);
    const early = await fed(2);
    await postgres.runBlock('Back up');
    const kept = await create();
    const [{ now: moment } = { now: '' }] = await postgres.sql<{ now: string }>(
      'SELECT clock_timestamp()::text AS now',
    );
    await wait(1_100);

    // After it: the webhook arrives, money moves, a refund leaves, a key is used.
    listener.answerWith((_request, response) => response.end('ok'));
    const lost = await create('key-of-later');
    await pay(lost);
    await pay(kept);
    const refunded = await call('POST', `/payment-requests/${told.id}/refunds`, {
      merchantRefundId: 'later',
      amount: 1,
    });
    assert.equal(refunded.status, 201, refunded.text);
    await eventually(async () => {
      const open = await postgres.sql(`SELECT FROM webhook_deliveries WHERE status = 'PENDING'`);
      return open.length === 0;
    }, 'all webhooks');
    const late = await fed(2, early.cursor);
    const [{ next: highest } = { next: '0' }] = await postgres.sql<{ next: string }>(
      'SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next',
    );
    await postgres.archiveAll();

    await service.kill('SIGKILL');
    await postgres.runBlock('Restore', { MOMENT: moment });
    const receivedBefore = listener.requests.length;

    const check = await spawnCli(['restore-check', '--json'], settings);
    assert.equal(check.exitCode, 1, check.stderr);
    const findings = check.json();
    assert.deepEqual(
      findings.webhooks.data.map(({ eventId }: { eventId: string }) => eventId),
      [idOf(first)],
    );
    assert.ok(Date.parse(findings.endsAt) <= Date.parse(moment) + 1, findings.endsAt);

    service = await startServiceProcess(settings);
    const doctor = await spawnCli(['doctor', '--json'], settings);
    assert.equal(doctor.exitCode, 0, doctor.stdout);
    assert.deepEqual(
      doctor
        .json()
        .checks.filter(({ warning }: { warning?: true }) => warning)
        .map(({ name }: { name: string }) => name)
        .filter((name: string) => name === 'restore'),
      ['restore'],
    );

    // The undelivered event comes again: the same id, the same bytes.
    const again = await eventually(
      () => listener.requests.slice(receivedBefore).find((each) => idOf(each) === idOf(first)),
      'the webhook that waited',
    );
    assert.equal(again.body, first.body);
    // The later payment request is gone, and nothing of it is given out again.
    assert.equal((await call('GET', `/payment-requests/${lost.id}`)).status, 404);
    const repeated = await create('key-of-later');
    assert.notEqual(repeated.id, lost.id);
    assert.notEqual(repeated.shortCode, lost.shortCode);
    assert.equal((await call('GET', `/payment-requests/${kept.id}`)).json.status, 'CREATED');

    // A cursor from before the moment is good. A cursor from after the moment is refused, also when
    // the transactions have passed its number.
    await pay(kept);
    await pay(repeated);
    const next = await fed(2, early.cursor);
    assert.ok(next.ids.every((id) => !late.ids.includes(id)));
    const refuse = async () => {
      const answer = await call('GET', `/events?after=${late.cursor}`);
      assert.equal(answer.status, 400, answer.text);
      assert.equal(answer.json.errors[0].code, 'INVALID_VALUE');
      assert.match(answer.json.errors[0].message, /Begin without after/);
    };
    await refuse();
    await eventually(async () => {
      const [row] = await postgres.sql<{ isPast: boolean }>(
        'SELECT pg_current_xact_id() > $1::xid8 AS "isPast"',
        [`${BigInt(highest) + 100n}`],
      );
      return row?.isPast;
    }, 'the transactions that pass the cursor');
    await refuse();
    const whole = await fed(4);
    assert.deepEqual(whole.ids.slice(0, 2), early.ids);

    // Order holds, and every webhook of the restored database arrives.
    await eventually(async () => {
      const open = await postgres.sql(`SELECT FROM webhook_deliveries WHERE status = 'PENDING'`);
      return open.length === 0;
    }, 'all webhooks after the restore');
    const arrived = listener.requests.slice(receivedBefore).map(idOf);
    assert.deepEqual(new Set(arrived), new Set([idOf(first), ...next.ids]));

    const released = await spawnCli(['restore-check', '--release', '--yes'], settings);
    assert.equal(released.exitCode, 0, released.stderr);
    assert.equal((await spawnCli(['doctor'], settings)).exitCode, 0);
  });
});
