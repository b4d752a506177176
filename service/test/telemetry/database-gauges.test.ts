import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Database, DatabaseUnavailable, type Statement } from '#database/database.ts';
import type { DatabaseReading } from '#telemetry/metrics/database-gauges.ts';
import { createMetrics } from '#telemetry/metrics/metrics.ts';
import { databaseReadings } from '../../src/compose/database-readings.ts';
import { eventually } from '../support/eventually.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { sampleOf, TEST_DEPLOYMENT } from '../support/metric-samples.ts';
import { startTestService, type TestService } from '../support/service/service.ts';

const DEPTH: DatabaseReading = {
  name: 'depth',
  gauges: [{ name: 'depth', description: 'x' }],
  read: async (executor) => ({ depth: (await executor.query(SELECT)).length }),
};
const KINDS: DatabaseReading = {
  name: 'kinds',
  gauges: [{ name: 'kinds', description: 'x', label: { name: 'kind', values: ['A', 'B'] } }],
  read: async () => ({ kinds: { A: 2, OF_A_NEWER_VERSION: 3, ANOTHER: 4 } }),
};
const SELECT: Statement = { name: 'any', text: 'SELECT 1' };

/** Metrics over a database that the test makes, with a clock to move. */
function measured(
  query: (statement: Statement) => Promise<unknown[]>,
  readings: readonly DatabaseReading[] = [DEPTH, KINDS],
) {
  let transactions = 0;
  const clock = createFakeClock();
  const metrics = createMetrics(TEST_DEPLOYMENT);
  const transaction: Database['transaction'] = (work) => {
    transactions += 1;
    return work({ query: query as (statement: Statement) => Promise<never[]> });
  };
  metrics.observeDatabase({ db: { transaction }, clock, readings });
  return { clock, render: () => metrics.render(), transactions: () => transactions };
}

describe('gauges from the database', () => {
  it('are read once for all scrapes of 5 s, and then again', async () => {
    let rows: unknown[] = [1];
    const { clock, render, transactions } = measured(async () => rows);
    await Promise.all([render(), render()]);
    rows = [1, 2, 3];
    clock.advance(4_000);
    assert.equal(sampleOf(await render(), 'depth'), 1);
    assert.equal(transactions(), 2);
    clock.advance(1_000);
    assert.equal(sampleOf(await render(), 'depth'), 3);
    assert.equal(transactions(), 4);
  });

  it('show every value of a label, and what is not in its list as other', async () => {
    const { render } = measured(async () => []);
    const text = await render();
    assert.equal(sampleOf(text, 'kinds{kind="A"}'), 2);
    assert.equal(sampleOf(text, 'kinds{kind="B"}'), 0);
    assert.equal(sampleOf(text, 'kinds{kind="other"}'), 7);
    assert.equal(sampleOf(text, 'database_gauges_up{reading="kinds"}'), 1);
  });

  it('show an open label as the reading names its values, and NaN for one that has left', async () => {
    let byAccount: Readonly<Record<string, number>> = { a: 1, b: 2 };
    const label = { name: 'account', values: null };
    const gauges = [{ name: 'age', description: 'x', label }];
    const reading = { name: 'ages', gauges, read: async () => ({ age: byAccount }) };
    const { clock, render } = measured(async () => [], [reading]);
    const first = await render();
    assert.equal(sampleOf(first, 'age{account="b"}'), 2);
    assert.equal(sampleOf(first, 'age{account="other"}'), undefined);
    byAccount = { a: 3 };
    clock.advance(5_000);
    const second = await render();
    assert.equal(sampleOf(second, 'age{account="a"}'), 3);
    assert.equal(sampleOf(second, 'age{account="b"}'), Number.NaN);
  });

  it('are unknown while one statement fails, beside those that can be read', async () => {
    let fault: Error | null = null;
    const { clock, render } = measured(async (statement) => {
      if (fault && statement === SELECT) throw fault;
      return [1];
    });
    assert.equal(sampleOf(await render(), 'depth'), 1);
    fault = new Error('relation does not exist');
    clock.advance(5_000);
    const text = await render();
    assert.equal(sampleOf(text, 'depth'), Number.NaN);
    assert.equal(sampleOf(text, 'database_gauges_up{reading="depth"}'), 0);
    assert.equal(sampleOf(text, 'kinds{kind="A"}'), 2);
    fault = null;
    clock.advance(5_000);
    assert.equal(sampleOf(await render(), 'depth'), 1);
  });

  it('ask a database that is away once, not once for each reading', async () => {
    const { render, transactions } = measured(async () => {
      throw new DatabaseUnavailable('refused');
    });
    assert.equal(sampleOf(await render(), 'kinds{kind="B"}'), Number.NaN);
    assert.equal(transactions(), 1);
  });

  it('keep no scrape waiting for a database that is silent, and hold one connection', {
    timeout: 20_000,
  }, async () => {
    let answer: (rows: unknown[]) => void = () => {};
    const silent = new Promise<unknown[]>((resolve) => {
      answer = resolve;
    });
    const { clock, render, transactions } = measured(() => silent);
    for (let scrape = 0; scrape < 3; scrape++) {
      const text = await render();
      assert.equal(sampleOf(text, 'depth'), Number.NaN);
      assert.equal(sampleOf(text, 'database_gauges_up{reading="depth"}'), 0);
      clock.advance(60_000);
    }
    assert.equal(transactions(), 1);
    answer([1]);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(sampleOf(await render(), 'depth'), 1);
  });
});

describe('the gauges of a service without the background role', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService({ roles: ['api'] });
  });
  after(() => service.stop());

  async function scrape(): Promise<string> {
    await service.advance(5);
    return (await fetch(`${service.opsUrl}/metrics`)).text();
  }

  it('show what is owed, for how long, and who has to see to it', async () => {
    const merchant = await service.createMerchant({ webhookUrl: 'https://shop.example/hooks' });
    const body = { amount: 1, type: 'ECOMM', payer: { name: 'Ada', email: 'ada@example.com' } };
    const create = () =>
      service.call('POST', '/v1/payment-requests', { headers: merchant.headers, body });
    const [{ json: first }] = await Promise.all([create(), create()]);
    await service.call('POST', `/v1/payment-requests/${first.id}/cancellation`, {
      headers: merchant.headers,
    });
    await service.database.sql(
      `INSERT INTO operator_cases (id, kind, details, opened_at)
       VALUES (gen_random_uuid(), 'AMOUNT_MISMATCH', '{}', service_now())`,
    );
    const endpoints = ['one', 'two'].map((path) =>
      service.call('POST', '/v1/webhook-endpoints', {
        headers: merchant.headers,
        body: { url: `https://other.example/${path}` },
      }),
    );
    const [paused, failing] = (await Promise.all(endpoints)).map(({ json }) => json.id);
    await service.database.sql("UPDATE webhook_endpoints SET status = 'PAUSED' WHERE id = $1", [
      paused,
    ]);
    await service.database.sql(
      `INSERT INTO webhook_destinations (destination, failures, opened_at, next_probe_at)
       VALUES ($1, 10, service_now(), service_now())`,
      [failing],
    );
    await service.database.sql(
      'UPDATE payment_requests SET expires_at = created_at + $1::interval',
      ['1 minute'],
    );
    await service.advance(100);
    const text = await scrape();
    assert.equal(sampleOf(text, 'payment_requests_open{status="CREATED"}'), 1);
    assert.equal(sampleOf(text, 'payment_request_expiry_overdue_seconds'), 45);
    assert.equal(sampleOf(text, 'operator_cases_open{kind="AMOUNT_MISMATCH"}'), 1);
    assert.equal(sampleOf(text, 'operator_cases_open{kind="SECOND_PAYMENT"}'), 0);
    assert.equal(sampleOf(text, 'operator_case_oldest_open_seconds{kind="AMOUNT_MISMATCH"}'), 105);
    assert.equal(sampleOf(text, 'webhook_endpoints{status="ACTIVE"}'), 1);
    assert.equal(sampleOf(text, 'webhook_endpoints{status="FAILING"}'), 1);
    assert.equal(sampleOf(text, 'webhook_endpoints{status="PAUSED"}'), 1);
    assert.equal(sampleOf(text, 'webhook_deliveries_pending'), 1);
    assert.equal(sampleOf(text, 'webhook_oldest_due_seconds'), 105);
    const names = databaseReadings({ bank: { calendar: 'TARGET' } }).map(({ name }) => name);
    assert.deepEqual(
      names.map((name) => sampleOf(text, `database_gauges_up{reading="${name}"}`)),
      names.map(() => 1),
    );
    await service.database.sql('UPDATE operator_cases SET closed_at = service_now()');
    assert.equal(sampleOf(await scrape(), 'operator_cases_open{kind="AMOUNT_MISMATCH"}'), 0);
    // A transaction of another test on this server holds the feed back for its own time.
    const lag = async () => sampleOf(await scrape(), 'webhook_feed_lag_seconds');
    await eventually(async () => (await lag()) === 0, 'a feed without lag');
  });
});
