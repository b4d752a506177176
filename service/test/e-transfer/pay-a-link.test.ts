import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { createPayer } from '../support/payment-requests/payer.ts';
import { type Production, startProduction } from '../support/service/production.ts';

let production: Production;

before(async () => {
  production = await startProduction();
});
after(() => production.stop());

/** A payer at the confirm page of a new payment request. */
async function atConfirm(username: string) {
  const link = await production.createLink();
  const payer = createPayer(production.service);
  return { ...link, payer, confirm: await payer.signIn(link.paymentLink, username) };
}

describe('a payer who opens a link', () => {
  it('chooses, signs in, confirms, and sees that the money was taken', async () => {
    const { id, paymentLink } = await production.createLink();
    const payer = createPayer(production.service);
    const choose = await payer.open(paymentLink);
    assert.equal(choose.title, 'Pay $12.34 to Harbour Books');
    const signIn = await payer.send(choose, { institution: 'harbour-trust' });
    assert.equal(signIn.title, 'Sign in to Harbour Trust');
    const confirm = await payer.send(signIn, { username: 'approve', password: 'demo' });
    assert.equal(confirm.title, 'Confirm your payment');
    for (const text of ['$12.34', 'Harbour Books', 'Two books', 'INV-77', 'Pay $12.34']) {
      assert.ok(confirm.text.includes(text), text);
    }
    const result = await payer.send(confirm, { decision: 'confirm' });
    assert.equal(result.title, 'You paid $12.34 to Harbour Books');
    assert.match(result.text, /The money was taken from your account at Harbour Trust/);
    assert.match(result.text, /You can close this window/);

    const paid = await production.read(id);
    assert.deepEqual(await production.statusesOf(id), ['CREATED', 'PAID']);
    assert.deepEqual(await production.webhooksOf(id), ['PAYMENT-COMPLETED']);
    assert.equal(paid.payment.institution, 'Harbour Trust');
    assert.ok(result.text.includes(paid.payment.networkReference));
  });

  it('declines, and sees that nothing was taken', async () => {
    const { id, payer, confirm } = await atConfirm('approve');
    const result = await payer.send(confirm, { decision: 'decline' });
    assert.equal(result.title, 'You declined this payment');
    assert.match(result.text, /No money was taken\. Harbour Books knows that you declined/);
    assert.match(result.html, /class="status neutral"/);
    assert.equal((await production.read(id)).statusReason.code, 'PAYER_DECLINED');
    assert.deepEqual(await production.webhooksOf(id), ['PAYMENT-FAILED']);
  });

  it('waits for money that settles after 20 seconds', async () => {
    const { id, paymentLink, payer, confirm } = await atConfirm('slow');
    const result = await payer.send(confirm, { decision: 'confirm' });
    assert.equal(result.title, 'Your payment is on its way');
    assert.match(result.html, new RegExp(`data-live="/pay/live/${id}\\?seen=2"`));
    assert.deepEqual(await production.statusesOf(id), ['CREATED', 'PROCESSING']);
    await production.service.advance(19);
    assert.equal((await payer.open(paymentLink)).title, 'Your payment is on its way');
    await production.service.advance(1);
    await eventually(async () => (await production.read(id)).status === 'PAID', 'PAID');
    assert.deepEqual(await production.statusesOf(id), ['CREATED', 'PROCESSING', 'PAID']);
    assert.equal((await payer.open(paymentLink)).title, 'You paid $12.34 to Harbour Books');
  });

  it('sees PAID stay when the bank takes the money back after 20 seconds', async () => {
    const { id, paymentLink, payer, confirm } = await atConfirm('returned');
    await payer.send(confirm, { decision: 'confirm' });
    assert.equal((await production.read(id)).refundSummary.amountAvailable, 12.34);
    await production.service.advance(20);
    const summary = async () => (await production.read(id)).refundSummary;
    await eventually(async () => (await summary()).amountReturned > 0, 'the return');
    assert.deepEqual(await summary(), {
      status: 'NONE',
      amountReceived: 12.34,
      amountReturned: 12.34,
      amountRefunded: 0,
      amountAvailable: 0,
    });
    assert.deepEqual(await production.statusesOf(id), ['CREATED', 'PAID']);
    assert.deepEqual(await production.webhooksOf(id), ['PAYMENT-COMPLETED', 'PAYMENT-RETURNED']);
    assert.equal((await payer.open(paymentLink)).title, 'You paid $12.34 to Harbour Books');
    // The loop makes the report once more, as after a process that died.
    await production.service.database.sql('UPDATE gateway_payments SET returns_at = service_now()');
    const pending = 'SELECT FROM gateway_payments WHERE returns_at IS NOT NULL';
    await production.service.advance(1);
    await eventually(async () => {
      return (await production.service.database.sql(pending)).length === 0;
    }, 'the second report');
    assert.equal((await summary()).amountReturned, 12.34);
  });

  it('must choose an institution, and none that is down', async () => {
    const { paymentLink } = await production.createLink();
    const payer = createPayer(production.service);
    const choose = await payer.open(paymentLink);
    assert.match(choose.text, /Silver Birch Bank Down for maintenance/);
    assert.match(choose.html, /value="silver-birch" disabled/);
    assert.equal(choose.html.match(/type="radio"(?![^>]*disabled)/g)?.length, 10);
    const missing = await payer.send(choose, {});
    assert.match(missing.html, /id="error" tabindex="-1" autofocus>Choose a bank first/);
    const down = await payer.send(choose, { institution: 'silver-birch' });
    assert.match(down.text, /Silver Birch Bank is down for maintenance\. Choose another one/);
    assert.match((await payer.send(choose, { institution: 'no-such' })).address, /missing=1/);
  });

  it('comes back to the step where it left, and can choose again', async () => {
    const { paymentLink } = await production.createLink();
    const payer = createPayer(production.service);
    const confirm = await payer.signIn(paymentLink, 'approve', 'kestrel');
    assert.equal((await payer.open(paymentLink)).address, confirm.address);
    const gateway = confirm.address.split('/', 3).join('/');
    assert.equal((await payer.open(gateway)).address, confirm.address);
    assert.equal((await payer.open(`${gateway}/kestrel/sign-in`)).address, confirm.address);
    const changed = await payer.open(`${gateway}/tundra-federal/confirm`);
    assert.equal(changed.address, `${confirm.address}?changed=1`);
    const choose = await payer.open(`${gateway}/choose`);
    assert.match(choose.html, /value="kestrel" checked/);
    await payer.send(choose, { institution: 'tundra-federal' });
    // Signed in at one institution is not signed in at another.
    assert.equal((await payer.open(paymentLink)).address, `${gateway}/tundra-federal/sign-in`);
  });

  it('skips no step', async () => {
    const { paymentLink } = await production.createLink();
    const payer = createPayer(production.service);
    const { address } = await payer.open(paymentLink);
    const gateway = address.split('/', 3).join('/');
    for (const page of ['boreal-bank/sign-in', 'boreal-bank/confirm', 'live/x']) {
      const shown = await payer.open(`${gateway}/${page}`);
      const isOfInstitution = page.startsWith('boreal-bank/');
      if (page === 'live/x') assert.equal(shown.status, 404);
      else assert.equal(shown.address, isOfInstitution ? `${address}?ended=1` : address, page);
    }
  });

  it('sees what the merchant changed meanwhile', async () => {
    const { id, paymentLink } = await production.createLink();
    const payer = createPayer(production.service);
    await payer.open(paymentLink);
    const body = { displayMessage: 'Three books', invoiceNumber: 'INV-78' };
    await production.call('PATCH', `/v1/payment-requests/${id}`, { body });
    const confirm = await payer.signIn(paymentLink, 'approve');
    assert.match(confirm.text, /Three books/);
    assert.match(confirm.text, /INV-78/);
  });

  it('leaves its steps in the timeline', async () => {
    const { id, payer, confirm } = await atConfirm('approve');
    await payer.send(confirm, { decision: 'confirm' });
    const steps = await eventually(async () => {
      const path = `/v1/payment-requests/${id}/timeline`;
      const { json } = await production.call('GET', path);
      const found = json.data.filter(({ type }: { type: string }) => type === 'PAYER_STEP');
      return found.length === 3 && found.map(({ step }: { step: string }) => step);
    }, 'three steps');
    assert.deepEqual(steps, ['INSTITUTION_CHOSEN', 'SIGNED_IN', 'CONFIRMED']);
  });
});
