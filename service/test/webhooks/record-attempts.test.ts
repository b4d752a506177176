import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import {
  connectDatabase,
  type Database,
  DatabaseUnavailable,
  type Executor,
} from '#database/database.ts';
import { type Clock, systemClock } from '#lib/clock.ts';
import {
  createAttemptRecorder,
  type EndedAttempt,
  writeAttempts,
} from '#webhooks/sending/attempt-batcher.ts';
import { recordAttempts } from '#webhooks/sending/record-store.ts';
import {
  createWebhookDeliveries,
  failing,
  type WebhookDeliveries,
} from '../support/webhooks/webhook-deliveries.ts';

let outbox: WebhookDeliveries;
let merchantId: string;

before(async () => {
  outbox = await createWebhookDeliveries();
  ({ id: merchantId } = await outbox.addMerchant());
});
after(() => outbox.close());

/** Attempts that succeeded, of deliveries that one sender has under its lease. */
async function endAttempts(count: number): Promise<EndedAttempt[]> {
  const leaseToken = randomUUID();
  for (let at = 0; at < count; at += 1) {
    await outbox.enqueue({ merchantId, webhookUrl: 'https://shop.example/webhooks' });
  }
  const leased = await outbox.database.sql<{ id: string; destination: string; url: string }>(
    `UPDATE webhook_deliveries SET lease_token = $1, leased_until = service_now() + interval '45 s'
     WHERE status = 'PENDING' AND lease_token IS NULL RETURNING id, destination, url`,
    [leaseToken],
  );
  assert.equal(leased.length, count);
  return leased.map(({ id, destination, url }) => ({
    id,
    destination,
    url,
    leaseToken,
    endpointId: null,
    urlKey: destination,
    isSerialised: false,
    retryAfterSeconds: null,
    nextStatus: 'SUCCEEDED',
    delaySeconds: null,
    pauseEndpoint: false,
    startedAt: new Date('2026-03-01T12:00:00Z'),
    durationMs: 12,
    times: {},
    outcome: 'SUCCEEDED',
    httpStatus: 200,
    responseBody: 'ok',
    address: '203.0.113.7',
    isProbe: false,
  }));
}

/** A recorder, its database and the sizes of the batches that it sends there. */
function startRecorder({
  clock = systemClock,
  failure = () => null,
  isBusy = () => true,
}: {
  readonly clock?: Clock;
  readonly failure?: () => Error | null;
  readonly isBusy?: () => boolean;
} = {}) {
  const sizes: number[] = [];
  const failingDb = failing(outbox.database.db, 'webhook-delivery-record', failure);
  const db: Database = {
    ...failingDb,
    query(statement, values = []) {
      const [ids] = values as [unknown[]];
      if (statement.name === 'webhook-delivery-record') sizes.push(ids.length);
      return failingDb.query(statement, values);
    },
  };
  const warnings: unknown[] = [];
  const log = { warn: (line: unknown) => void warnings.push(line) };
  return { recorder: createAttemptRecorder({ db, clock, log, isBusy }), sizes, warnings };
}

const IN_TIME = Number.POSITIVE_INFINITY;

async function statusesOf(attempts: readonly EndedAttempt[]): Promise<string[]> {
  const rows = await outbox.deliveries();
  return attempts.map(({ id }) => rows.find((row) => row.id === id)?.status ?? '');
}

describe('ended attempts', () => {
  it('are written as one batch', async () => {
    const { recorder, sizes, warnings } = startRecorder();
    const attempts = await endAttempts(3);
    const written = await Promise.all(attempts.map((each) => recorder.record(each, IN_TIME)));
    assert.deepEqual(
      written.map((row) => row?.id),
      attempts.map(({ id }) => id),
    );
    assert.deepEqual(await statusesOf(attempts), ['SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED']);
    assert.deepEqual(sizes, [3]);
    assert.deepEqual(warnings, []);
  });

  it('are batched for 25 ms after one alone, unless deliveries wait for slots', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    let isBusy = false;
    const { recorder, sizes } = startRecorder({ isBusy: () => isBusy });
    const [first, ...later] = await endAttempts(3);
    assert.ok(first);
    await recorder.record(first, IN_TIME);
    // The pause begins behind the answer.
    await turn();
    const written = Promise.all(later.map((each) => recorder.record(each, IN_TIME)));
    t.mock.timers.tick(24);
    await turn();
    await turn();
    assert.deepEqual(sizes, [1]);
    isBusy = true;
    t.mock.timers.tick(1);
    await written;
    assert.deepEqual(sizes, [1, 2]);
    for (const each of await endAttempts(2)) await recorder.record(each, IN_TIME);
    assert.deepEqual(sizes, [1, 2, 1, 1]);
  });

  it('are written but for the attempt whose row a constraint refuses', async () => {
    const { recorder, sizes } = startRecorder();
    const attempts = await endAttempts(4);
    const bad = { ...attempts[2], nextStatus: 'LOST' as never } as EndedAttempt;
    const results = await Promise.allSettled(
      attempts.map((each, index) => recorder.record(index === 2 ? bad : each, IN_TIME)),
    );
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
    );
    assert.deepEqual(await statusesOf(attempts), [
      'SUCCEEDED',
      'SUCCEEDED',
      'PENDING',
      'SUCCEEDED',
    ]);
    assert.deepEqual(sizes, [4, 2, 2, 1, 1]);
    assert.equal((await outbox.attempts(bad.id)).length, 0);
  });

  it('answers null for an attempt whose lease was lost', async () => {
    const { recorder } = startRecorder();
    const [attempt] = await endAttempts(1);
    const late = { ...attempt, leaseToken: randomUUID() } as EndedAttempt;
    assert.equal(await recorder.record(late, IN_TIME), null);
    assert.deepEqual(await statusesOf([late]), ['PENDING']);
  });

  it('are not written after the end of their lease', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    let nowMs = 0;
    const clock: Clock = { now: () => new Date(0), steadyMs: () => nowMs };
    let isAway = true;
    const { recorder, sizes } = startRecorder({
      clock,
      failure: () => (isAway ? new DatabaseUnavailable('away') : null),
    });
    const [first, second] = await endAttempts(2);
    assert.ok(first && second);
    // The next try comes 100 ms after the first: at the end of one lease, and before the other's.
    const ends = Promise.allSettled([recorder.record(first, 100), recorder.record(second, 101)]);
    while (sizes.length === 0) await turn();
    await turn();
    isAway = false;
    nowMs = 100;
    t.mock.timers.tick(100);
    const [early, late] = await ends;
    assert.ok(early.status === 'rejected' && early.reason instanceof DatabaseUnavailable);
    assert.equal(late.status, 'fulfilled');
    assert.deepEqual(sizes, [2, 1]);
    assert.deepEqual(await statusesOf([first, second]), ['PENDING', 'SUCCEEDED']);
  });

  it('stay written when their circuit breakers cannot be', async () => {
    const [attempt] = await endAttempts(1);
    assert.ok(attempt);
    const warnings: { err?: Error }[] = [];
    const away = new DatabaseUnavailable('away');
    const db: Database = { ...outbox.database.db, transaction: () => Promise.reject(away) };
    const log = { warn: (line: unknown) => void warnings.push(line as { err?: Error }) };
    const recorder = createAttemptRecorder({ db, clock: systemClock, log });
    const failed = { ...attempt, outcome: 'REFUSED_BY_LISTENER', httpStatus: 500 } as EndedAttempt;
    assert.equal((await recorder.record(failed, IN_TIME))?.id, attempt.id);
    assert.deepEqual(
      warnings.map(({ err }) => err),
      [away],
    );
  });

  it('are planned once for small batches, too', async () => {
    await addEndedDeliveries(5_000);
    await outbox.database.planAsInProduction();
    const db = connectDatabase({ url: outbox.database.url, poolSize: 1 });
    const log = { warn() {} };
    for (let batch = 1; batch <= 8; batch += 1) {
      const written = await writeAttempts({ db, log }, await endAttempts(2));
      assert.ok(written.every((row) => row !== null));
    }
    const plans = await db.query<{ custom: string; generic: string }>({
      name: '',
      text: `SELECT custom_plans::int AS custom, generic_plans::int AS generic
             FROM pg_prepared_statements WHERE name = 'webhook-delivery-record'`,
    });
    // PostgreSQL tries five plans for their values before it keeps one for all.
    assert.deepEqual(plans, [{ custom: 5, generic: 3 }]);
    await db.close();
  });

  it('are found by the index, though the connection planned beside an empty table', async () => {
    await outbox.database.sql('TRUNCATE webhook_events CASCADE');
    await outbox.database.planAsInProduction();
    const db = connectDatabase({ url: outbox.database.url, poolSize: 1 });
    await db.query({ name: '', text: 'SET plan_cache_mode = force_generic_plan' });
    await recordAttempts(db, []);
    await addEndedDeliveries(1_000, false);
    const attempts = await endAttempts(1);
    const scans = await db.transaction(async (tx) => {
      const text = `SELECT seq_tup_read::int AS read FROM pg_stat_xact_user_tables
                    WHERE relname = 'webhook_deliveries'`;
      const before = await tx.query({ name: '', text });
      assert.equal((await recordAttempts(tx, attempts)).length, 1);
      return [before, await tx.query({ name: '', text })];
    });
    assert.deepEqual(scans[0], scans[1]);
    await db.close();
  });

  it('look at no endpoint where none is to be paused', async () => {
    assert.equal(await endpointScans(await endAttempts(3)), 0);
  });
});

/** Records in a transaction, and counts how often the table of endpoints was searched. */
function endpointScans(attempts: readonly EndedAttempt[]): Promise<number> {
  return outbox.database.db.transaction(async (tx) => {
    const scansBefore = await scansOf(tx);
    const written = await recordAttempts(tx, attempts);
    assert.equal(written.length, attempts.length);
    return (await scansOf(tx)) - scansBefore;
  });
}

async function scansOf(tx: Executor): Promise<number> {
  const [row] = await tx.query<{ scans: number }>({
    name: '',
    text: `SELECT (seq_scan + coalesce(idx_scan, 0))::int AS scans FROM pg_stat_xact_user_tables
           WHERE relname = 'webhook_endpoints'`,
  });
  assert.ok(row);
  return row.scans;
}

/** Rows beside which a look by the index is cheaper than all rows; statistics may say so. */
async function addEndedDeliveries(count: number, isCounted = true): Promise<void> {
  const { sql } = outbox.database;
  await sql(
    `INSERT INTO webhook_events (id, merchant_id, payment_request_id, sequence, event_type, body)
     SELECT gen_random_uuid(), $1, gen_random_uuid(), 1, 'PAYMENT-FAILED', '{}'
     FROM generate_series(1, $2::int)`,
    [merchantId, count],
  );
  await sql(
    `INSERT INTO webhook_deliveries (id, event_id, merchant_id, payment_request_id, sequence, url,
                                     destination, status, attempts, next_attempt_at)
     SELECT gen_random_uuid(), id, merchant_id, payment_request_id, 1, 'https://shop.example/', 'x',
            'SUCCEEDED', 1, NULL
     FROM webhook_events WHERE body = '{}'`,
  );
  if (isCounted) await sql('ANALYZE webhook_deliveries');
}
