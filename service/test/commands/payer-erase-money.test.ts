import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createFakeNetwork, success } from '../support/payment-requests/fake-network.ts';
import { type Production, startProduction } from '../support/service/production.ts';
import { runCli } from './run-cli.ts';

/** Traces of the payer that no table may hold after the erasure. */
const TRACES = /lovelace|\\\\x636f66666565/i;
const IBAN = 'DE89370400440532013000';

const network = createFakeNetwork();
let production: Production;
let movements = 0;

before(async () => {
  production = await startProduction({ makeNetwork: network.make });
  const { merchantId } = production.merchant;
  await sql('INSERT INTO creditor_account_keys VALUES ($1, $2)', [IBAN, merchantId]);
});
after(() => production.stop());

const sql = <Row>(text: string, values?: unknown[]) =>
  production.service.database.sql<Row>(text, values);

async function erase(id: string, ...options: string[]) {
  const { merchantId } = production.merchant;
  const args = ['payer', 'erase', '--merchant', merchantId, '--yes', '--payment-request', id];
  return runCli([...args, ...options], production.service.env);
}

const report = (paymentRequestId: string, networkReference: string) =>
  network.listener.report({
    paymentRequestId,
    outcome: success({ networkReference }),
    isRevocable: false,
  });

/** PAID twice, with the debtor of each payment in the tables of the networks. */
async function makePaidTwice(): Promise<{ id: string; caseId: string }> {
  const { id } = await production.createLink({
    payer: { name: 'Ada Lovelace', email: 'ada@lovelace.example' },
    displayMessage: 'For Mrs Lovelace',
  });
  movements += 1;
  await report(id, `FIRST-${movements}`);
  await report(id, `SECOND-${movements}`);
  await sql(
    `INSERT INTO bank_movements (id, account, direction, amount_cents, currency, booked_at,
       network_reference, institution, party_box, is_confirmed, outcome, payment_request_id)
     VALUES (gen_random_uuid(), $1, 'CREDIT', 1234, 'CAD', service_now(), $2, 'Bank',
             'coffee', true, 'SECOND', $3)`,
    [IBAN, `SECOND-${movements}`, id],
  );
  await sql(
    `INSERT INTO gateway_payments (id, payment_request_id, amount_cents, currency, merchant_name,
       display_message, payment_link, qr_code_link, return_url, expires_at)
     VALUES ($1, $2, 1234, 'CAD', 'Shop', 'For Mrs Lovelace', 'https://a', 'https://b',
             'https://c', service_now())`,
    [`G${movements}`, id],
  );
  const [row] = await sql<{ id: string }>(
    'SELECT id FROM operator_cases WHERE payment_request_id = $1',
    [id],
  );
  return { id, caseId: row?.id ?? '' };
}

async function traces(id: string): Promise<string[]> {
  const tables = {
    payment_requests: 'id',
    bank_movements: 'payment_request_id',
    gateway_payments: 'payment_request_id',
    refunds: 'payment_request_id',
    webhook_events: 'payment_request_id',
  };
  const found = [];
  for (const [name, column] of Object.entries(tables)) {
    const rows = await sql<{ text: string }>(
      `SELECT t::text AS text FROM ${name} t WHERE ${column} = $1`,
      [id],
    );
    if (rows.some(({ text }) => TRACES.test(text))) found.push(name);
  }
  return found.sort();
}

describe('payreq payer erase, with money on its way', () => {
  it('keeps the account number while a case is open, and erases all else', async () => {
    const { id, caseId } = await makePaidTwice();
    const before = await traces(id);
    for (const name of ['bank_movements', 'gateway_payments', 'payment_requests']) {
      assert.ok(before.includes(name), `the test sees ${name}`);
    }
    const ran = await erase(id, '--json');
    assert.equal(ran.exitCode, 1);
    const { paymentRequests, left } = ran.json();
    assert.deepEqual(
      { paymentRequests, left },
      { paymentRequests: 1, left: [{ id, because: 'CASE_OPEN' }] },
    );
    assert.deepEqual(await traces(id), ['bank_movements']);
    const words = await erase(id);
    assert.match(
      words.stdout,
      /^Kept: the account number of [0-9a-f-]{36}, because a case is open/m,
    );

    await runCli(['cases', 'close', caseId, '--note', 'x'], production.service.env);
    assert.equal((await erase(id)).exitCode, 0);
    assert.deepEqual(await traces(id), []);
  });

  it('keeps account number and message while a refund is open, and erases them after', async () => {
    const { id, caseId } = await makePaidTwice();
    const settled = await runCli(['cases', 'refund', caseId], production.service.env);
    assert.equal(settled.exitCode, 0, settled.stderr);
    const [refund] = await sql<{ id: string }>(
      `UPDATE refunds SET message = 'Dear Mrs Lovelace' WHERE payment_request_id = $1
       RETURNING id`,
      [id],
    );
    assert.deepEqual((await erase(id, '--json')).json().left, [{ id, because: 'REFUND_OPEN' }]);
    const kept = ['bank_movements', 'refunds'];
    assert.deepEqual(await traces(id), kept);

    const movement = {
      ...{ networkReference: 'OUT-1', amountCents: 1234 },
      ...{ bankReference: null, bookingDate: null },
    };
    const completedAt = production.service.clock.now();
    await network.listener.reportRefunds([
      { refundId: refund?.id ?? '', outcome: { state: 'COMPLETED', movement, completedAt } },
    ]);
    const again = await erase(id, '--json');
    assert.deepEqual(again.json().left, []);
    assert.deepEqual(await traces(id), []);
    // The webhook event of the refund has no payer, also not an erased one.
    const [event] = await sql<{ body: string }>(
      `SELECT body FROM webhook_events
       WHERE payment_request_id = $1 AND event_type = 'REFUND-COMPLETED'`,
      [id],
    );
    const { resource } = JSON.parse(event?.body ?? '{}');
    assert.equal(resource.id, refund?.id);
    assert.equal(resource.payer, undefined);
    assert.equal(resource.message, undefined);
    assert.equal(resource.amount, 12.34);
  });

  it('changes nothing in a rehearsal', async () => {
    const { id } = await makePaidTwice();
    const before = await traces(id);
    const ran = await erase(id, '--dry-run', '--json');
    assert.deepEqual(ran.json().left, [{ id, because: 'CASE_OPEN' }]);
    assert.deepEqual(await traces(id), before);
  });
});
