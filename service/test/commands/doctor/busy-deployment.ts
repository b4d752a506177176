import assert from 'node:assert/strict';
import { sumDays } from '#ledger/day-sums/sum-days.ts';
import { systemClock } from '#lib/clock.ts';
import { readConfig } from '../../../src/config.ts';
import type { TestDatabase } from '../../support/database.ts';
import { createTestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { agePaymentRequest } from '../../support/payment-requests/age.ts';
import { paymentRequestCalls } from '../../support/payment-requests/payment-requests.ts';
import type { TestMerchant } from '../../support/service/service.ts';
import { startHttpsListener } from '../../support/webhooks/https-listener.ts';
import {
  startWebhookService,
  type WebhookService,
} from '../../support/webhooks/webhook-service.ts';
import { runCli } from '../run-cli.ts';

/** The history of a deployment, and its merchants. */
export interface BusyDeployment {
  readonly database: TestDatabase;
  readonly config: ReturnType<typeof readConfig>;
  readonly merchantId: string;
  /** Payment requests, by what became of them. */
  readonly ids: Readonly<Record<'created' | 'paid' | 'updated' | 'cancelled', string>>;
  remove(): Promise<void>;
}

/**
 * A sandbox with everything that a doctor could take for a fault and that is none: each status,
 * erased payers, pruned events, endpoints that came later, changed their filter, were paused or
 * deleted, replays, tests, and payment requests that ask for no webhook. Its clock has stopped, and
 * no process runs on it.
 */
export async function makeBusyDeployment(): Promise<BusyDeployment> {
  const start = systemClock.now();
  const database = await createTestDatabase('sandbox', start);
  const service = await startWebhookService({
    start,
    database: { ...database, drop: async () => {} },
  });
  const listener = await startHttpsListener({ authority: service.authority });
  const merchant = await service.createMerchant({ webhookUrl: listener.url });
  const ids = await liveThrough(service, merchant, listener.url);
  await eventually(async () => {
    const [row] = await database.sql<{ pending: number }>(
      `SELECT count(*)::int AS pending FROM webhook_deliveries d JOIN webhook_endpoints e
       ON e.id = d.endpoint_id WHERE d.status = 'PENDING' AND e.status = 'ACTIVE'`,
    );
    assert.equal(row?.pending, 0);
    assert.deepEqual(await database.sql('SELECT status FROM webhook_replays'), [
      { status: 'COMPLETED' },
    ]);
    return true;
  });
  await eventually(async () => {
    // Entries behind an open transaction of any test wait for its end.
    while (await sumDays(database));
    const [row] = await database.sql<{ left: number }>(
      `SELECT count(*)::int AS left FROM ledger_entries e, ledger_day_sums_progress p
       WHERE (e.transaction_id, e.position) > (p.transaction_id, p.position)`,
    );
    assert.equal(row?.left, 0);
    return true;
  });
  await listener.close();
  const { WEBHOOK_CA_FILE: _, ...env } = service.env;
  await service.stop();
  return {
    database,
    config: readConfig(env),
    merchantId: merchant.merchantId,
    ids,
    remove: () => database.drop(),
  };
}

async function liveThrough(service: WebhookService, merchant: TestMerchant, url: string) {
  const calls = paymentRequestCalls(service, merchant);
  const endpoint = async (body: object) => {
    const answer = await service.call('POST', '/v1/webhook-endpoints', {
      headers: merchant.headers,
      body,
    });
    assert.equal(answer.status, 201, answer.text);
    return answer.json.id as string;
  };
  const change = async (id: string, method: string, path = '', body?: object) => {
    const { headers } = merchant;
    const answer = await service.call(method, `/v1/webhook-endpoints/${id}${path}`, {
      headers,
      ...(body && { body }),
    });
    assert.ok(answer.status < 300, answer.text);
  };
  const hourAgo = new Date(service.clock.now().getTime() - 3_600_000).toISOString();
  const outcome = async (name: string, members: object = {}) => {
    const { id } = (await calls.create(members)).json;
    for (const step of name.split(' ')) {
      const answer = await calls.simulate(id, { outcome: step });
      assert.equal(answer.status, 202, answer.text);
    }
    return id as string;
  };
  const filtered = await endpoint({ url: `${url}/filtered`, eventTypes: ['PAYMENT-FAILED'] });
  const deleted = await endpoint({ url: `${url}/deleted` });
  const paused = await endpoint({ url: `${url}/paused` });
  await service.database.sql(`UPDATE webhook_endpoints SET status = 'PAUSED' WHERE id = $1`, [
    paused,
  ]);

  const created = (await calls.create()).json.id as string;
  const paid = await outcome('PAID');
  await outcome('PROCESSING PAID', { webhookUrl: `${url}/own` });
  await outcome('FAILED');
  await outcome('EXPIRED');
  await outcome('EXPIRED PAID');
  await outcome('PROCESSING');
  const updated = (await calls.create()).json.id as string;
  await calls.update(updated, { invoiceNumber: 'INV-1' });
  await calls.update(updated, { invoiceNumber: 'INV-2' });
  const cancelled = (await calls.create()).json.id as string;
  await calls.cancel(cancelled, { reason: 'DUPLICATE' });
  await calls.create({ payer: { name: 'depositNoWebhook', email: 'a@example.com' } });
  await service.advance(11);
  const quoted = `"amount":1.00,"amount":2`;
  await outcome('PAID', { merchantTransactionId: quoted, metadata: { amount: '"amount":3.00' } });

  await change(filtered, 'PATCH', '', { eventTypes: null });
  await change(filtered, 'POST', '/test');
  await change(deleted, 'DELETE');
  const later = await endpoint({ url: `${url}/later` });
  await change(later, 'POST', '/replay', { from: hourAgo, only: 'all' });
  await eraseOne(service, merchant, await outcome('FAILED'));
  const rotated = await runCli(['keys', 'rotate', '--now'], service.env);
  assert.equal(rotated.exitCode, 0, rotated.stderr);
  await pruneOne(service.database, await outcome('PAID'));
  return { created, paid, updated, cancelled };
}

async function eraseOne(service: WebhookService, merchant: TestMerchant, id: string) {
  await eventually(async () => {
    const args = ['--merchant', merchant.merchantId, '--payment-request', id];
    await service.database.sql(
      `UPDATE webhook_deliveries SET status = 'EXHAUSTED', next_attempt_at = NULL, lease_token = NULL,
         leased_until = NULL, completed_at = service_now()
       WHERE payment_request_id = $1 AND status = 'PENDING'`,
      [id],
    );
    const erased = await runCli(['payer', 'erase', '--yes', ...args], service.env);
    assert.equal(erased.exitCode, 0, erased.stdout + erased.stderr);
    return true;
  });
}

/** After 90 days the history stays; the event and its deliveries are gone. */
async function pruneOne(database: TestDatabase, id: string): Promise<void> {
  await agePaymentRequest(database, id, 91);
  await eventually(async () => {
    await database.sql(
      `DELETE FROM webhook_deliveries WHERE payment_request_id = $1 AND lease_token IS NULL`,
      [id],
    );
    await database.sql('DELETE FROM webhook_events WHERE payment_request_id = $1', [id]);
    return true;
  });
}
