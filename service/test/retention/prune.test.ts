import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { RefundState } from '#e-transfer/network-refunds.ts';
import { rotatingKey } from '#lib/secret-key.ts';
import { pruneDaily } from '#retention/prune.ts';
import { TABLES_OF_REQUEST } from '#retention/request-store.ts';
import { runCli } from '../commands/run-cli.ts';
import { eventually } from '../support/eventually.ts';
import { untilAllInLedger } from '../support/ledger/ledger-entries.ts';
import {
  createFakeNetwork,
  type FakeNetwork,
  success,
} from '../support/payment-requests/fake-network.ts';
import { type Production, startProduction } from '../support/service/production.ts';
import { buyToken, startTestService } from '../support/service/service.ts';

const DAY = 86_400;
/** Seven years have one or two leap days. */
const SEVEN_YEARS = 7 * 365 * DAY + 3 * DAY;
const IBAN = 'DE89370400440532013000';
const FIRST_DAY = '2026-03-01';

let network: FakeNetwork;
let production: Production;
const refundStates = new Map<string, RefundState>();
const ids: Record<'over' | 'ended' | 'case' | 'refund' | 'webhook' | 'young', string> = {
  ...{ over: '', ended: '', case: '', refund: '', webhook: '', young: '' },
};

const sql = <Row>(text: string, values?: unknown[]) =>
  production.service.database.sql<Row>(text, values);
const payreq = (...args: string[]) => runCli(args, production.service.env);
const existing = async () =>
  (await sql<{ id: string }>('SELECT id FROM payment_requests')).map(({ id }) => id).sort();
const sorted = (...names: (keyof typeof ids)[]) => names.map((name) => ids[name]).sort();

async function pay(id: string, networkReference: string): Promise<void> {
  const completedAt = production.service.clock.now();
  const outcome = success({ networkReference, completedAt });
  await network.listener.report({ paymentRequestId: id, outcome, isRevocable: false });
}

async function paid(reference: string): Promise<string> {
  const { id } = await production.createLink();
  await pay(id, reference);
  return id;
}

/** A paused endpoint holds the webhook of a payment request. */
async function holdWebhook(id: string): Promise<void> {
  await sql(
    `WITH endpoint AS (
       INSERT INTO webhook_endpoints (id, merchant_id, url, status, listener_username,
         listener_password_encrypted, signing_secret_encrypted)
       SELECT gen_random_uuid(), id, 'https://shop.example', 'PAUSED', 'x',
         listener_password_encrypted, signing_secret_encrypted FROM merchants
       RETURNING id)
     INSERT INTO webhook_deliveries
       (id, event_id, merchant_id, payment_request_id, sequence, url, destination, endpoint_id)
     SELECT gen_random_uuid(), e.id, merchant_id, payment_request_id, sequence,
       'https://shop.example', endpoint.id, endpoint.id
     FROM webhook_events e, endpoint WHERE payment_request_id = $1`,
    [id],
  );
}

async function refund(id: string, merchantRefundId: string) {
  const body = { amount: 5, merchantRefundId };
  return production.call('POST', `/v1/payment-requests/${id}/refunds`, { body });
}

async function completeRefund(refundId: string): Promise<void> {
  const movement = {
    ...{ networkReference: `OUT-${refundId}`, amountCents: 500 },
    ...{ bankReference: null, bookingDate: null },
  };
  const completedAt = production.service.clock.now();
  const outcome = { state: 'COMPLETED', movement, completedAt } as const;
  await network.listener.reportRefunds([{ refundId, outcome }]);
}

/** The reports of the days on which money moved, and of a day after each. */
async function reports(): Promise<unknown[]> {
  await untilAllInLedger(production.service.database);
  const days = [FIRST_DAY, '2026-03-02', '2029-03-01', '2033-03-05', '2041-01-01'];
  return Promise.all(
    days.map(async (date) => {
      const ran = await payreq('report', '--date', date, '--json');
      const { nextCursor: _, ...report } = (ran.json().reports ?? [ran.json()])[0] ?? {};
      return report;
    }),
  );
}

const entries = (query = '') => production.call('GET', `/v1/ledger-entries${query}`);

/** The checks that `payreq doctor` finds wrong. */
async function faultyChecks(): Promise<unknown[]> {
  const { checks } = (await payreq('doctor', '--json')).json();
  const faulty = checks.filter(({ ok }: { ok: boolean }) => !ok);
  return faulty.map(({ name }: { name: string }) => name);
}

before(async () => {
  network = createFakeNetwork();
  production = await startProduction({
    settings: { RETENTION_YEARS: '0' },
    makeNetwork: (surroundings) => ({
      ...network.make(surroundings),
      refunds: {
        start: async () => ({ state: 'PROCESSING' }),
        askState: async (id) => refundStates.get(id) ?? { state: 'PROCESSING' },
      },
    }),
  });
  ids.over = await paid('PAY-1');
  await completeRefund((await refund(ids.over, 'order-1')).json.id);
  ids.ended = (await production.createLink()).id;
  await production.cancel(ids.ended);
  ids.case = await paid('PAY-2');
  await pay(ids.case, 'PAY-3');
  ids.refund = await paid('PAY-4');
  await refund(ids.refund, 'order-2');
  ids.webhook = await paid('PAY-5');
  await holdWebhook(ids.webhook);
  await production.service.advance(3 * 365 * DAY);
  ids.young = await paid('PAY-6');
  await production.service.advance(SEVEN_YEARS - 3 * 365 * DAY);
});
after(() => production.stop());

describe('payreq prune', () => {
  it('deletes what is over, keeps what is open or young, and counts it beforehand', async () => {
    const before = { reports: await reports(), faults: await faultyChecks() };
    const first = await eventually(async () => {
      const { json } = await entries('?limit=1');
      return json.data.length === 1 && json;
    }, 'the ledger');
    assert.equal(first.completeFrom, undefined);
    const counts = (await payreq('prune', '--older-than', '7y', '--dry-run', '--json')).json();
    assert.equal(counts.deleted.payment_requests, 2);
    assert.equal((await existing()).length, 6, 'a rehearsal deletes nothing');

    const ran = await payreq('prune', '--older-than', '7y', '--yes', '--json');
    assert.equal(ran.exitCode, 0, ran.stderr);
    const { deleted, kept } = ran.json();
    assert.deepEqual({ deleted, kept }, { deleted: counts.deleted, kept: 3 });
    assert.deepEqual(await existing(), sorted('case', 'refund', 'webhook', 'young'));
    assert.equal((await production.call('GET', `/v1/payment-requests/${ids.over}`)).status, 404);
    const [entry] = await sql<{ details: unknown }>(
      "SELECT details - 'horizon' AS details FROM audit_log WHERE action = 'RETENTION_PRUNED'",
    );
    assert.deepEqual(entry?.details, { deleted, kept });

    assert.deepEqual(await reports(), before.reports);
    assert.deepEqual(await faultyChecks(), before.faults);
    assert.equal((await payreq('audit', 'verify')).exitCode, 0);
    const rest = await entries(`?after=${first.nextCursor}`);
    assert.equal(rest.status, 200, rest.text);
    assert.equal(rest.json.completeFrom, '2026-03-02');
    const references = rest.json.data.map(
      (each: { networkReference: string }) => each.networkReference,
    );
    assert.deepEqual(references.sort(), ['PAY-2', 'PAY-3', 'PAY-4', 'PAY-5', 'PAY-6']);
  });

  it('refuses the merchantRefundId of a deleted refund for ever', async () => {
    const again = await refund(ids.young, 'order-1');
    assert.deepEqual([again.status, again.json.code], [409, 'DUPLICATE_MERCHANT_REFUND_ID']);
    const { json } = await refund(ids.young, 'order-3');
    await completeRefund(json.id);
    const kept = await sql<{ text: string }>('SELECT s::text AS text FROM spent_refund_ids s');
    assert.ok(kept.every(({ text }) => !text.includes('order-1')));
  });

  it('deletes a payment request years after its last matter was closed', async () => {
    for (const { id } of await sql<{ id: string }>('SELECT id FROM operator_cases')) {
      await payreq('cases', 'close', id, '--note', 'x');
    }
    const [waiting] = await sql<{ id: string }>(
      'SELECT id FROM refunds WHERE payment_request_id = $1',
      [ids.refund],
    );
    await completeRefund(waiting?.id ?? '');
    await sql(
      `UPDATE webhook_deliveries SET status = 'EXHAUSTED', next_attempt_at = NULL,
         completed_at = service_now() WHERE status = 'PENDING'`,
    );
    await payreq('prune', '--older-than', '7y', '--yes');
    assert.deepEqual(await existing(), sorted('case', 'refund', 'young'));

    const before = await reports();
    await production.service.advance(SEVEN_YEARS);
    await payreq('prune', '--older-than', '7y', '--yes');
    assert.deepEqual(await existing(), []);
    assert.deepEqual((await entries()).json.data, []);
    assert.deepEqual(await reports(), before);
    assert.deepEqual((await payreq('audit', 'verify')).exitCode, 0);
    const rows = await sql<{ amount: number }>(
      `SELECT sum(amount_cents)::int AS amount FROM ledger_pruned_sums`,
    );
    assert.equal(rows[0]?.amount, 6 * 1234 - 3 * 500);
  });

  it('deletes old bank money of nobody, but none whose case is open', async () => {
    const { merchantId } = production.merchant;
    const money = async (name: string, closed: string | null) => {
      await sql(
        `WITH file AS (
           INSERT INTO bank_files (id, sha256, size_bytes, state)
           VALUES (gen_random_uuid(), sha256($1::text::bytea), 1, 'COMPLETE') RETURNING id),
         statement AS (
           INSERT INTO bank_statements (id, file_id, kind, account, day)
           SELECT gen_random_uuid(), id, 'camt.053', $2, service_now()::date FROM file
           RETURNING id, file_id),
         movement AS (
           INSERT INTO bank_movements (id, account, direction, amount_cents, currency,
             booking_date, booked_at, network_reference, institution, is_confirmed, outcome,
             created_at, reported_at)
           VALUES (gen_random_uuid(), $2, 'CREDIT', 1234, 'CAD', service_now()::date,
             service_now(), $1, 'Bank', true, 'UNMATCHED_MONEY', service_now(), service_now())
           RETURNING id),
         kind AS (
           INSERT INTO operator_cases (id, kind, details, opened_at, closed_at)
           VALUES (gen_random_uuid(), 'UNMATCHED_MONEY',
             jsonb_build_object('networkReference', $1::text), service_now(), $3))
         INSERT INTO bank_entries (id, file_id, statement_id, account, entry_number,
           payment_number, rank, direction, amount_cents, currency, is_booked, is_reversal,
           is_return, is_batch_sum, fingerprint, movement_id, outcome, matched_at)
         SELECT gen_random_uuid(), s.file_id, s.id, $2, 1, 1, 1, 'CREDIT', 1234, 'CAD', true,
           false, false, false, 'x', m.id, 'MOVEMENT', service_now()
         FROM statement s, movement m`,
        [name, IBAN, closed],
      );
    };
    await sql('INSERT INTO creditor_account_keys VALUES ($1, $2)', [IBAN, merchantId]);
    await money('SETTLED', production.service.clock.now().toISOString());
    await money('OPEN', null);
    await production.service.advance(SEVEN_YEARS);
    await payreq('prune', '--older-than', '7y', '--yes');
    const counts = await sql<{ count: number }>(
      `SELECT count(*)::int AS count FROM bank_movements
       UNION ALL SELECT count(*)::int FROM bank_entries
       UNION ALL SELECT count(*)::int FROM bank_statements
       UNION ALL SELECT count(*)::int FROM operator_cases WHERE kind = 'UNMATCHED_MONEY'`,
    );
    assert.deepEqual(
      counts.map(({ count }) => count),
      [1, 1, 1, 1],
    );
    const [left] = await sql<{ reference: string }>(
      'SELECT network_reference AS reference FROM bank_movements',
    );
    assert.equal(left?.reference, 'OPEN');
    assert.equal((await sql('SELECT FROM bank_files')).length, 2, 'no file counts twice');
  });

  it('leaves the ledger append-only for every other statement', async () => {
    const id = await paid('PAY-7');
    for (const statement of [
      `DELETE FROM ledger_entries WHERE payment_request_id = '${id}'`,
      `SELECT set_config('payment_requests.retention', 'on', false);
       DELETE FROM ledger_entries WHERE payment_request_id = '${id}'`,
      'UPDATE ledger_entries SET amount_cents = 1',
    ]) {
      await assert.rejects(sql(statement), /the ledger only grows/);
    }
    await production.service.advance(SEVEN_YEARS);
    const plain = sql(`DELETE FROM ledger_entries WHERE payment_request_id = '${id}'`);
    await assert.rejects(plain, /the ledger only grows/);
  });

  it('keeps production’s books for 7 years, and says so', async () => {
    const early = await payreq('prune', '--older-than', '6y', '--yes');
    assert.equal(early.exitCode, 1);
    assert.match(early.stderr, /A production deployment keeps payment requests for 7 years/);
    assert.equal((await payreq('prune', '--older-than', '7', '--yes')).exitCode, 2);
    const env = { ...production.service.env, RETENTION_YEARS: '6' };
    const config = await runCli(['config'], env);
    assert.equal(config.exitCode, 78);
    assert.match(config.stderr, /RETENTION_YEARS is 6: production keeps/);
  });

  it('deletes from every table that names a payment request or what belongs to one', async () => {
    const rows = await sql<{ name: string }>(
      `SELECT DISTINCT c.table_name AS name FROM information_schema.columns c
       JOIN information_schema.tables t USING (table_schema, table_name)
       WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
         AND c.column_name IN ('payment_request_id', 'refund_id', 'event_id', 'movement_id')`,
    );
    /** Rows of these tables go otherwise, or keep the payment request. */
    const others = new Set(['ledger_entries', 'merchant_notices']);
    const missing = rows.filter(({ name }) => !(name in TABLES_OF_REQUEST || others.has(name)));
    assert.deepEqual(missing, []);
  });
});

const FIRST_RUN_ENDED = 'SELECT FROM retention_run WHERE ended_at IS NOT NULL';

describe('RETENTION_YEARS', () => {
  it('deletes daily in the background, and once a day only', async () => {
    const service = await startTestService({ settings: { RETENTION_YEARS: '1' } });
    try {
      const merchant = await service.createMerchant();
      const cancelled = async () => {
        const token = await buyToken(service.call, merchant);
        const headers = { ...merchant.headers, authorization: `Bearer ${token}` };
        const body = { amount: 1, type: 'ECOMM', payer: { name: 'A', email: 'a@example.com' } };
        const { id } = (await service.call('POST', '/v1/payment-requests', { headers, body })).json;
        await service.call('POST', `/v1/payment-requests/${id}/cancellation`, { headers });
      };
      const runs = (count: number) =>
        eventually(async () => {
          const rows = await service.database.sql<{ at: Date }>(
            `SELECT occurred_at AS at FROM audit_log WHERE action = 'RETENTION_PRUNED'
             ORDER BY position`,
          );
          return rows.length === count && rows.map(({ at }) => at.getTime());
        }, `the audit entries of ${count} runs`);
      const left = () => service.database.sql('SELECT FROM payment_requests');
      // A run that is still under way at the next day would take the place of that day's run. The
      // first one begins a minute after the start.
      await service.advance(60);
      await eventually(
        async () => (await service.database.sql(FIRST_RUN_ENDED)).length === 1,
        'the end of the first run',
      );
      await cancelled();
      await service.advance(DAY / 2);
      await cancelled();
      await service.advance(365 * DAY - 60);
      await runs(1);
      assert.equal((await left()).length, 1);
      await service.advance(DAY / 2);
      const { db } = service.database;
      const secretsKey = rotatingKey(service.env.SECRETS_KEY ?? '');
      const deps = { db, clock: service.clock, secretsKey, timeZone: 'UTC' };
      // More batches than a run has.
      for (let batch = 0; batch < 15; batch += 1) await pruneDaily(deps, 1);
      assert.equal((await left()).length, 1, 'the next run begins a day after the last one');
      await service.advance(DAY / 2);
      const [first = 0, second = 0] = await runs(2);
      assert.ok(second - first >= DAY * 1_000, `${second - first} ms`);
      assert.deepEqual(await left(), []);
    } finally {
      await service.stop();
    }
  });
});
