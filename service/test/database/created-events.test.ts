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
const ID = '01900000-0000-7000-8000-000000000001';

/** The statements of the previous version, as its code has them. */
const PREVIOUS = {
  create: `WITH inserted AS (
      INSERT INTO payment_requests (id, merchant_id, amount_cents, type, payer_name, payer_email,
        short_code, created_at, expires_at)
      VALUES ($1, $2, 100, 'ECOMM', 'Ada', 'ada@example.com', 'previousVersion0', service_now(),
              service_now() + interval '1 day') RETURNING id, created_at)
    INSERT INTO payment_request_events (payment_request_id, position, status, cause, occurred_at)
    SELECT id, 1, 'CREATED', 'CREATED', created_at FROM inserted`,
  cancel: `WITH moved AS (
      UPDATE payment_requests SET status = 'CANCELLED', version = 2,
        status_reason_code = 'CANCELLED_BY_MERCHANT' WHERE id = $1)
    INSERT INTO payment_request_events
      (payment_request_id, position, status, cause, reason_code, occurred_at, request_id)
    VALUES ($1, 2, 'CANCELLED', 'CANCELLED_BY_MERCHANT', 'CANCELLED_BY_MERCHANT', service_now(),
            NULL)`,
  read: `SELECT json_agg(json_build_array(e.status, e.occurred_at) ORDER BY e.position) AS events
         FROM payment_request_events e WHERE e.payment_request_id = $1`,
};

let service: TestService;
let merchant: TestMerchant;

before(async () => {
  service = await startTestService({ roles: ['api'] });
  merchant = await service.createMerchant();
});
after(() => service?.stop());

async function statusesRead(id: string): Promise<string[]> {
  const answer = await service.call('GET', `/v1/payment-requests/${id}`, {
    headers: merchant.headers,
  });
  assert.equal(answer.status, 200, answer.text);
  return answer.json.events.map(({ status }: { status: string }) => status);
}

async function statusesReadBefore(id: string): Promise<string[]> {
  const [row] = await service.database.sql<{ events: [string, string][] }>(PREVIOUS.read, [id]);
  return (row?.events ?? []).map(([status]) => status);
}

describe('beside processes of the previous version', () => {
  it('shows each CREATED event once, to both, and counts each creation once', async () => {
    const { sql, db } = service.database;
    const answer = await service.call('POST', '/v1/payment-requests', {
      headers: merchant.headers,
      body: BODY,
    });
    assert.equal(answer.status, 201, answer.text);
    const { id, createdDateTime, events } = answer.json;
    assert.deepEqual(await statusesReadBefore(id), ['CREATED']);
    assert.deepEqual(await statusesRead(id), ['CREATED']);
    assert.deepEqual(events, [{ status: 'CREATED', dateTime: createdDateTime }]);
    const [stored] = await sql('SELECT count(*)::int AS count FROM payment_request_moves');
    assert.deepEqual(stored, { count: 0 });

    await sql(PREVIOUS.create, [ID, merchant.merchantId]);
    assert.deepEqual(await statusesReadBefore(ID), ['CREATED']);
    assert.deepEqual(await statusesRead(ID), ['CREATED']);

    for (const each of [id, ID]) {
      await sql(PREVIOUS.cancel, [each]);
      assert.deepEqual(await statusesReadBefore(each), ['CREATED', 'CANCELLED']);
      assert.deepEqual(await statusesRead(each), ['CREATED', 'CANCELLED']);
    }

    const counted = await eventually(async () => {
      await countPayments({ db, timeZone: 'UTC', rows: 1 });
      const [sums] = await sql(
        `SELECT sum(created)::int AS created, sum(cancelled)::int AS cancelled
         FROM payment_counters WHERE merchant_id = $1`,
        [merchant.merchantId],
      );
      return sums?.cancelled === 2 && sums;
    });
    assert.deepEqual(counted, { created: 2, cancelled: 2 });
  });

  it('shows a view that the planner looks through: indexes serve pages and joins', async () => {
    const plan = await service.database.sql<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT * FROM payment_request_events e WHERE e.transaction_id >= '3'
       ORDER BY e.transaction_id LIMIT 10`,
    );
    const text = plan.map((line) => line['QUERY PLAN']).join('\n');
    assert.match(text, /Append/);
    assert.doesNotMatch(text, /Subquery Scan/);
  });
});
