import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createPaid, newRefundId, refundCalls } from '../support/refunds/refund-calls.ts';
import {
  callAt,
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

let service: TestService;
let merchant: TestMerchant;

before(async () => {
  service = await startTestService({ roles: ['api'] });
  merchant = await service.createMerchant();
});
after(() => service.stop());

/** Calls at once: the check of each answer against the document would take turns. */
const refund = (id: string, body: object, headers: object = {}) =>
  callAt(`${service.url}/v1/payment-requests/${id}/refunds`, 'POST', {
    headers: { ...merchant.headers, ...headers },
    body,
  });

const sumsOf = async (id: string) =>
  (
    await service.database.sql<{ rows: number; cents: number; refunding: number }>(
      `SELECT count(r.*)::int AS rows, coalesce(sum(r.amount_cents), 0)::int AS cents,
              p.refunding_cents::int AS refunding
       FROM payment_requests p LEFT JOIN refunds r ON r.payment_request_id = p.id
       WHERE p.id = $1 GROUP BY p.id`,
      [id],
    )
  )[0];

describe('refunds at once', () => {
  it('never exceed their payment: of 50 exactly those are created that fit', async () => {
    const id = await createPaid(service, merchant, 10);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        refund(id, { amount: 0.7, merchantRefundId: newRefundId() }),
      ),
    );
    const created = answers.filter(({ status }) => status === 201);
    assert.equal(created.length, 14);
    for (const { status, json } of answers) {
      if (status !== 201) assert.equal(json.code, 'REFUND_AMOUNT_EXCEEDED');
    }
    assert.deepEqual(await sumsOf(id), { rows: 14, cents: 980, refunding: 980 });
  });

  it('refund once when one merchantRefundId is sent 20 times', async () => {
    const id = await createPaid(service, merchant, 10);
    const body = { amount: 1, merchantRefundId: newRefundId() };
    const answers = await Promise.all(Array.from({ length: 20 }, () => refund(id, body)));
    assert.equal(answers.filter(({ status }) => status === 201).length, 1);
    assert.equal(answers.filter(({ status }) => status === 200).length, 19);
    assert.equal(new Set(answers.map(({ json }) => json.id)).size, 1);
    assert.equal((await sumsOf(id))?.rows, 1);
  });

  it('refund once when one Idempotency-Key is sent 20 times', async () => {
    const id = await createPaid(service, merchant, 10);
    const key = { 'idempotency-key': newRefundId() };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => refund(id, { amount: 1 }, key)),
    );
    for (const { status, json } of answers) {
      assert.ok(status === 201 || json.code === 'IDEMPOTENCY_IN_PROGRESS', String(status));
    }
    assert.equal((await sumsOf(id))?.rows, 1);
  });

  it('never exceed the limit of the day over many payments', async () => {
    await service.database.sql(
      `UPDATE merchants SET refunds_per_day_cents = 500 + (
         SELECT coalesce(sum(cents), 0) FROM refund_days WHERE merchant_id = $1)
       WHERE id = $1`,
      [merchant.merchantId],
    );
    const ids = await Promise.all(
      Array.from({ length: 10 }, () => createPaid(service, merchant, 1)),
    );
    const answers = await Promise.all(
      ids.map((id) => refund(id, { merchantRefundId: newRefundId() })),
    );
    assert.equal(answers.filter(({ status }) => status === 201).length, 5);
    assert.equal(answers.filter(({ json }) => json.code === 'REFUND_LIMIT_REACHED').length, 5);
  });

  it('are refused by the database, too, above the amount available', async () => {
    const id = await createPaid(service, merchant, 10);
    const insert = (cents: number) =>
      service.database.sql(
        `INSERT INTO refunds (id, payment_request_id, merchant_id, amount_cents, created_at)
         VALUES (gen_random_uuid(), $1, $2, $3, now())`,
        [id, merchant.merchantId, cents],
      );
    await insert(600);
    await assert.rejects(insert(401), /refunds of 401 cents above the 400 cents available/);
    await insert(400);
    assert.deepEqual(await sumsOf(id), { rows: 2, cents: 1000, refunding: 1000 });
  });

  it('are refused by the database together: of two in a statement none is written', async () => {
    const [one, other] = [
      await createPaid(service, merchant, 10),
      await createPaid(service, merchant, 10),
    ];
    const insert = service.database.sql(
      `INSERT INTO refunds (id, payment_request_id, merchant_id, amount_cents, created_at)
       SELECT gen_random_uuid(), value::uuid, $2, 600, now() FROM json_array_elements_text($1)`,
      [JSON.stringify([one, other, other]), merchant.merchantId],
    );
    await assert.rejects(insert, /refunds of 1200 cents above the 1000 cents available/);
    for (const id of [one, other]) {
      assert.deepEqual(await sumsOf(id), { rows: 0, cents: 0, refunding: 0 });
    }
  });
});

describe('a refund whose answer was lost', () => {
  it('is answered again by its merchantRefundId, and refunded once', async () => {
    const id = await createPaid(service, merchant, 10);
    await service.database.sql(
      'UPDATE merchants SET refunds_per_day_cents = 1000000 WHERE id = $1',
      [merchant.merchantId],
    );
    const body = { amount: 10, merchantRefundId: newRefundId() };
    const gone = new AbortController();
    const lost = fetch(`${service.url}/v1/payment-requests/${id}/refunds`, {
      method: 'POST',
      headers: { ...merchant.headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: gone.signal,
    }).catch(() => null);
    gone.abort();
    await lost;
    const again = await refundCalls(service, merchant).refund(id, body);
    assert.ok(again.status === 200 || again.status === 201, again.text);
    assert.equal((await sumsOf(id))?.rows, 1);
  });
});
