import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { countPayments } from '#counters/count-payments.ts';
import { eventually } from '../support/eventually.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

const BODY = { amount: 1, type: 'ECOMM', payer: { name: 'Ada', email: 'ada@example.com' } };
const STORED = `SELECT array_agg(status ORDER BY position) AS events
  FROM payment_request_events WHERE payment_request_id = $1`;

let service: TestService;
let merchant: TestMerchant;

before(async () => {
  service = await startTestService({ roles: ['api'] });
  merchant = await service.createMerchant();
});
after(() => service?.stop());

describe('the view of the events of payment requests', () => {
  it('shows the CREATED event that no row stores, and each creation counts once', async () => {
    const { sql, db } = service.database;
    const { headers } = merchant;
    const answer = await service.call('POST', '/v1/payment-requests', { headers, body: BODY });
    assert.equal(answer.status, 201, answer.text);
    const { id, createdDateTime, events } = answer.json;
    assert.deepEqual(events, [{ status: 'CREATED', dateTime: createdDateTime }]);
    assert.deepEqual(await sql(STORED, [id]), [{ events: ['CREATED'] }]);
    const [stored] = await sql('SELECT count(*)::int AS count FROM payment_request_moves');
    assert.deepEqual(stored, { count: 0 });

    const path = `/v1/payment-requests/${id}`;
    const cancelled = await service.call('POST', `${path}/cancellation`, { headers });
    assert.equal(cancelled.status, 200, cancelled.text);
    assert.deepEqual(await sql(STORED, [id]), [{ events: ['CREATED', 'CANCELLED'] }]);
    const read = await service.call('GET', path, { headers });
    const statuses = read.json.events.map(({ status }: { status: string }) => status);
    assert.deepEqual(statuses, ['CREATED', 'CANCELLED']);

    const counted = await eventually(async () => {
      await countPayments({ db, rows: 1 });
      const [sums] = await sql(
        `SELECT sum(created)::int AS created, sum(cancelled)::int AS cancelled
         FROM payment_counters WHERE merchant_id = $1`,
        [merchant.merchantId],
      );
      return sums?.cancelled === 1 && sums;
    });
    assert.deepEqual(counted, { created: 1, cancelled: 1 });
  });

  it('is one that the planner looks through: indexes serve pages and joins', async () => {
    const plan = await service.database.sql<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT * FROM payment_request_events e WHERE e.transaction_id >= '3'
       ORDER BY e.transaction_id LIMIT 10`,
    );
    const text = plan.map((line) => line['QUERY PLAN']).join('\n');
    assert.match(text, /Append/);
    assert.doesNotMatch(text, /Subquery Scan/);
  });
});
