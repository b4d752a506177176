import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  confirmGatewayPayment,
  markReported,
} from '#e-transfer/simulated-network/gateway-payment-store.ts';
import { createPayer, type PayerPage } from '../support/payment-requests/payer.ts';
import { type Production, startProduction } from '../support/service/production.ts';
import type { TestService } from '../support/service/service.ts';
import { startServiceBeside } from '../support/service/service-beside.ts';

/** Enough for each order of two calls to happen. */
const ROUNDS = 12;

let production: Production;
let beside: TestService;

before(async () => {
  production = await startProduction();
  beside = await startServiceBeside(production.service);
});
after(async () => {
  await beside.stop();
  await production.stop();
});

async function atConfirm(username = 'approve', fields: Readonly<Record<string, unknown>> = {}) {
  const link = await production.createLink(fields);
  const payer = createPayer(production.service);
  return { ...link, payer, confirm: await payer.signIn(link.paymentLink, username) };
}

/** Sends the browser's form to another process. */
function inOtherProcess(payer: ReturnType<typeof createPayer>, page: PayerPage) {
  const other = createPayer(beside);
  for (const [key, cookie] of payer.cookies) {
    (other.cookies as Map<string, typeof cookie>).set(key, cookie);
  }
  return other.send(page, { decision: 'confirm' });
}

async function countOf(table: string, id: string): Promise<number> {
  const { sql } = production.service.database;
  const [row] = await sql<{ count: string }>(
    `SELECT count(*) FROM ${table} WHERE payment_request_id = $1`,
    [id],
  );
  return Number(row?.count);
}

interface GatewayRow {
  readonly id: string;
  readonly state: string;
  readonly network_reference: string;
}

async function gatewayRowOf(paymentRequestId: string): Promise<GatewayRow> {
  const [row] = await production.service.database.sql<GatewayRow>(
    'SELECT * FROM gateway_payments WHERE payment_request_id = $1',
    [paymentRequestId],
  );
  assert.ok(row);
  return row;
}

describe('a confirmation', () => {
  it('sent twice at once, by two tabs and two processes, is one payment', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id, payer, confirm } = await atConfirm();
      const results = await Promise.all([
        payer.send(confirm, { decision: 'confirm' }),
        payer.send(confirm, { decision: 'confirm' }),
        inOtherProcess(payer, confirm),
      ]);
      for (const { title } of results) {
        // The second caller may still see the first one at work.
        assert.match(title, /^(You paid \$12\.34|We’re checking)/);
      }
      assert.deepEqual(await production.statusesOf(id), ['CREATED', 'PAID']);
      assert.equal(await countOf('webhook_events', id), 1);
      assert.equal(await countOf('operator_cases', id), 0);
      const { payment } = await production.read(id);
      const { state, network_reference } = await gatewayRowOf(id);
      assert.deepEqual([state, network_reference], ['SETTLED', payment.networkReference]);
    }
  });

  it('changes nothing in the gateway’s books when the payment is settled', async () => {
    const { id, payer, confirm } = await atConfirm();
    await payer.send(confirm, { decision: 'confirm' });
    const settled = await gatewayRowOf(id);
    assert.equal(settled.state, 'SETTLED');
    const { db } = production.service.database;
    const again = await confirmGatewayPayment(db, settled.id, {
      decidedBy: Buffer.alloc(32),
      institution: 'Kestrel Credit Union',
      networkReference: 'SN000000000000',
      settlesAfterSeconds: null,
    });
    assert.equal(again, undefined);
    assert.deepEqual(await gatewayRowOf(id), settled);
    // A report of an earlier state that arrives late finds the state changed.
    await markReported(db, { id: settled.id, state: 'CONFIRMED' }, 'REFUSED');
    assert.deepEqual(await gatewayRowOf(id), settled);
  });

  it('that races a refusal by the same payer has one outcome', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id, payer, confirm } = await atConfirm();
      await Promise.all([
        payer.send(confirm, { decision: 'confirm' }),
        payer.send(confirm, { decision: 'decline' }),
      ]);
      const statuses = await production.statusesOf(id);
      assert.equal(statuses.length, 2);
      assert.match(statuses[1] ?? '', /^(PAID|FAILED)$/);
      assert.equal(await countOf('webhook_events', id), 1);
    }
  });

  for (const username of ['approve', 'slow']) {
    it(`by ${username} that races the merchant’s cancellation ends in one status`, async () => {
      const seen = new Set<string>();
      for (let round = 0; round < ROUNDS; round++) {
        const { id, payer, confirm } = await atConfirm(username);
        const confirming = payer.send(confirm, { decision: 'confirm' });
        // The two calls take turns at a head start.
        await new Promise((resolve) => setTimeout(resolve, round % 6));
        const [result, cancellation] = await Promise.all([confirming, production.cancel(id)]);
        const { status } = await production.read(id);
        seen.add(status);
        const isCancelled = status === 'CANCELLED';
        assert.equal(cancellation.status, isCancelled ? 200 : 409);
        assert.equal(result.title.startsWith('This payment request was cancelled'), isCancelled);
        const expected = username === 'slow' ? 'PROCESSING' : 'PAID';
        assert.deepEqual(await production.statusesOf(id), [
          'CREATED',
          isCancelled ? 'CANCELLED' : expected,
        ]);
      }
      assert.ok(seen.size > 0);
    });
  }

  it('that comes with the expiry ends in one status', async () => {
    for (const secondsBefore of [1, 0, -1]) {
      const { clock } = production.service;
      const expiryDateTime = new Date(clock.now().getTime() + 600_000).toISOString();
      const { id, payer, confirm } = await atConfirm('approve', { expiryDateTime });
      await production.service.advance(600 - secondsBefore);
      await payer.send(confirm, { decision: 'confirm' });
      const expected = secondsBefore > 0 ? 'PAID' : 'EXPIRED';
      assert.deepEqual(await production.statusesOf(id), ['CREATED', expected]);
    }
  });

  it('after an expiry that the gateway does not know is refused by the service', async () => {
    const { id, payer, confirm } = await atConfirm();
    const { clock } = production.service;
    // The merchant's clock alone: the gateway's, which is the database's, stands still.
    clock.advance(24 * 3_600 * 1_000);
    const result = await payer.send(confirm, { decision: 'confirm' });
    assert.equal(result.title, 'This payment link has expired');
    assert.deepEqual(await production.statusesOf(id), ['CREATED', 'EXPIRED']);
    await production.service.advance(0);
  });
});
