import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { runCli } from '../commands/run-cli.ts';
import { eventually } from '../support/eventually.ts';
import { createPayer } from '../support/payment-requests/payer.ts';
import { type Production, startProduction } from '../support/service/production.ts';

let production: Production;

beforeEach(async () => {
  production = await startProduction();
});
afterEach(() => production.stop());

async function setMerchant(action: 'suspend' | 'resume'): Promise<void> {
  const { merchant, service } = production;
  const ran = await runCli(['merchant', action, '--merchant', merchant.merchantId], service.env);
  assert.equal(ran.exitCode, 0, ran.stderr);
}

/** A suspension ends the merchant's access tokens, so that the table itself is read. */
async function statusOf(id: string): Promise<string | undefined> {
  const { sql } = production.service.database;
  const query = 'SELECT status FROM payment_requests WHERE id = $1';
  return (await sql<{ status: string }>(query, [id]))[0]?.status;
}

/** A payer confirms while the merchant is suspended, so that the payment is taken back. */
async function confirmedWhileSuspended() {
  const link = await production.createLink();
  const payer = createPayer(production.service);
  const confirm = await payer.signIn(link.paymentLink, 'approve');
  await setMerchant('suspend');
  const page = await payer.send(confirm, { decision: 'confirm' });
  assert.equal(page.title, 'Harbour Books can’t take payments right now');
  await setMerchant('resume');
  return { ...link, payer, page };
}

describe('a payment that was confirmed while the merchant was suspended', () => {
  it('can be made after the merchant is resumed, by the payer’s own browser', async () => {
    const { id, paymentLink, payer, page } = await confirmedWhileSuspended();
    assert.equal(await statusOf(id), 'CREATED');
    // The address of the page that said that the link cannot be paid.
    const again = await payer.open(page.address);
    assert.match(again.address, /^\/gateway\/.*confirm$/);
    await payer.send(again, { decision: 'confirm' });
    assert.equal((await payer.open(paymentLink)).title, 'You paid $12.34 to Harbour Books');
    assert.equal(await statusOf(id), 'PAID');
  });

  it('can be made after the merchant is resumed, by another browser', async () => {
    const { id, paymentLink } = await confirmedWhileSuspended();
    const payer = createPayer(production.service);
    const confirm = await payer.signIn(paymentLink, 'approve');
    await payer.send(confirm, { decision: 'confirm' });
    assert.equal(await statusOf(id), 'PAID');
    assert.deepEqual(await production.webhooksOf(id), ['PAYMENT-COMPLETED']);
  });

  it('can be made where a link without a payment asks the network in a loop', async () => {
    const { id, paymentLink } = await confirmedWhileSuspended();
    const { sql } = production.service.database;
    await sql('UPDATE network_requests SET payment_over_at = NULL WHERE payment_request_id = $1', [
      id,
    ]);
    const doctor = () => runCli(['doctor', '--json'], production.service.env);
    assert.match((await doctor()).stdout, new RegExp(`nobody can pay them: ${id}`));
    const payer = createPayer(production.service);
    const stuck = await payer.open(paymentLink);
    assert.equal(stuck.title, 'We’re checking your payment');
    await production.service.advance(1);
    let page = stuck;
    await eventually(async () => {
      page = await payer.open(paymentLink);
      return page.address.startsWith('/gateway/');
    }, 'a new payment');
    assert.match(page.address, /choose$/);
    const confirm = await createPayer(production.service).signIn(paymentLink, 'approve');
    assert.match(confirm.address, /confirm$/);
  });

  it('is none of those that doctor and the gauge show, once it was made', async () => {
    const { paymentLink } = await confirmedWhileSuspended();
    const gauge = async () => {
      const metrics = await (await fetch(`${production.service.opsUrl}/metrics`)).text();
      return /^payment_requests_without_network_payment(?:\{.*\})? (\d+)/m.exec(metrics)?.[1];
    };
    const doctor = async () => {
      const { checks } = (await runCli(['doctor', '--json'], production.service.env)).json();
      return checks.find(({ name }: { name: string }) => name === 'network payments');
    };
    assert.deepEqual(await doctor(), {
      name: 'network payments',
      ok: true,
      message:
        'Every open payment request can be paid; 1 of them when the link is opened again, with a ' +
        'new payment at the network.',
    });
    assert.equal(await gauge(), '1');
    await createPayer(production.service).open(paymentLink);
    assert.match((await doctor()).message, /^Every open payment request can be paid\.$/);
  });
});
