import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { takeOverPayments } from '#payment-requests/network/money/take-over-payments.ts';
import {
  createFakeNetwork,
  type FakeNetwork,
  success,
} from '../support/payment-requests/fake-network.ts';
import { ledgerOf, returned, sumsOf } from '../support/payment-requests/money.ts';
import { type Production, startProduction } from '../support/service/production.ts';

let network: FakeNetwork;
let production: Production;
let references = 0;

before(async () => {
  network = createFakeNetwork();
  // Without loops: only the tests take payments over.
  production = await startProduction({ makeNetwork: network.make, roles: ['api'] });
});
after(() => production.stop());

/** A payment request that the previous version made PAID. */
async function paidBefore(): Promise<string> {
  const { id } = await production.createLink();
  const { database, clock } = production.service;
  references += 1;
  await database.sql(
    `UPDATE payment_requests SET status = 'PAID', payment_institution = 'Old Bank',
       payment_network_reference = $2, payment_completed_at = $3, version = version + 1,
       webhook_sequence = 1
     WHERE id = $1`,
    [id, `BEFORE-${references}`, new Date(clock.now().getTime() - 3_600_000)],
  );
  return id;
}

async function takeOverAll(): Promise<number> {
  let rounds = 1;
  const { db } = production.service.database;
  while (await takeOverPayments({ db, currency: 'CAD' })) rounds += 1;
  return rounds;
}

describe('payments from before the ledger', () => {
  it('get an entry of their own instant, and neither a version nor an event', async () => {
    const { database } = production.service;
    // The state at the upgrade: no process has noted the payment.
    const id = await paidBefore();
    await database.sql('DELETE FROM unbooked_payments');
    const found = () => production.call('GET', `/v1/payment-requests/${id}`);
    const [earlier, events] = [await found(), await production.webhooksOf(id)];
    assert.equal(earlier.json.refundSummary.amountAvailable, 12.34);
    await takeOverAll();
    assert.deepEqual(await ledgerOf(production.service, id), ['PAYMENT 1234']);
    assert.deepEqual(await sumsOf(production.service, id), [1234, 0]);
    const now = await found();
    assert.equal(now.text, earlier.text);
    assert.equal(now.headers.get('etag'), earlier.headers.get('etag'));
    assert.deepEqual(await production.webhooksOf(id), events);
    const [entry] = await database.sql<{ created_at: Date; currency: string }>(
      'SELECT created_at, currency FROM ledger_entries WHERE payment_request_id = $1',
      [id],
    );
    assert.equal(entry?.created_at.toISOString(), earlier.json.payment.completedDateTime);
    assert.equal(entry?.currency, 'CAD');
  });

  it('that a process of the previous version makes PAID later get their entries too', async () => {
    await takeOverAll();
    const id = await paidBefore();
    await takeOverAll();
    assert.deepEqual(await ledgerOf(production.service, id), ['PAYMENT 1234']);
    const left = await production.service.database.sql('SELECT FROM unbooked_payments');
    assert.equal(left.length, 0);
  });

  it('are taken over once by two processes at once, more than a batch of them', async () => {
    const { database } = production.service;
    const id = await paidBefore();
    await database.sql(
      `INSERT INTO payment_requests
         (id, merchant_id, amount_cents, type, payer_name, payer_email, short_code, created_at,
          expires_at)
       SELECT gen_random_uuid(), merchant_id, 1, 'ECOMM', 'Ada', 'ada@example.com',
              lpad(n::text, 16, '0'), created_at, expires_at
       FROM payment_requests, generate_series(1, 600) n WHERE id = $1`,
      [id],
    );
    await database.sql(
      `INSERT INTO payment_request_events (payment_request_id, position, status, cause, occurred_at)
       SELECT id, 1, 'CREATED', 'CREATED', created_at FROM payment_requests
       WHERE payer_name = 'Ada'`,
    );
    await database.sql(
      `UPDATE payment_requests SET status = 'PAID', payment_institution = 'Old Bank',
         payment_network_reference = short_code, payment_completed_at = created_at
       WHERE payer_name = 'Ada'`,
    );
    await database.sql('DELETE FROM unbooked_payments');
    await database.sql('UPDATE ledger_takeover SET reached_id = NULL, ended_at = NULL');
    const rounds = await Promise.all([takeOverAll(), takeOverAll()]);
    assert.ok(Math.max(...rounds) > 2, String(rounds));
    await takeOverAll();
    const [counts] = await database.sql<{ entries: number; left: number }>(
      `SELECT (SELECT count(*)::int FROM ledger_entries) AS entries,
         (SELECT count(*)::int FROM payment_requests
          WHERE status = 'PAID' AND received_cents IS NULL) AS left`,
    );
    assert.deepEqual(counts, { entries: 600 + references, left: 0 });
  });

  it('whose money goes back before that have entry and return together', async () => {
    const id = await paidBefore();
    const outcome = returned('BEFORE-BACK', 1234, `BEFORE-${references}`);
    await network.listener.report({ paymentRequestId: id, outcome, isRevocable: false });
    assert.deepEqual(await ledgerOf(production.service, id), ['PAYMENT 1234', 'RETURN -1234']);
    assert.deepEqual(await sumsOf(production.service, id), [1234, 1234]);
    await takeOverAll();
    assert.equal((await ledgerOf(production.service, id)).length, 2);
  });

  it('stand as reported, and a second payment is one', async () => {
    const id = await paidBefore();
    const reference = `BEFORE-${references}`;
    const report = (networkReference: string) =>
      network.listener.report({
        paymentRequestId: id,
        outcome: success({ networkReference }),
        isRevocable: false,
      });
    assert.equal(await report(reference), 'TAKEN');
    assert.equal(await report(`${reference}-2`), 'NOT_TAKEN');
    await takeOverAll();
    assert.deepEqual((await ledgerOf(production.service, id)).sort(), [
      'PAYMENT 1234',
      'SECOND_PAYMENT 1234',
    ]);
  });
});
