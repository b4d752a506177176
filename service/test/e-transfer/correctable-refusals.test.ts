import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { MOST_REFUSALS } from '#e-transfer/simulated-network/gateway-payment.ts';
import { assertPayerPage } from '../support/browser/payer-page.ts';
import { eventually } from '../support/eventually.ts';
import { createPayer, type Payer, type PayerPage } from '../support/payment-requests/payer.ts';
import { type Production, startProduction } from '../support/service/production.ts';

let production: Production;

before(async () => {
  production = await startProduction();
});
after(() => production.stop());

/** A payer whose confirmation, or fifth password, the institution has refused. */
async function refused(username = 'funds', fields: Readonly<Record<string, unknown>> = {}) {
  const link = await production.createLink(fields);
  const payer = createPayer(production.service);
  const page = await payUp(payer, link.paymentLink, username);
  return { ...link, payer, page };
}

/** Signs in and confirms. */
async function payUp(payer: Payer, paymentLink: string, username: string): Promise<PayerPage> {
  const confirm = await payer.signIn(paymentLink, username);
  return payer.send(confirm, { decision: 'confirm' });
}

/** Five wrong passwords, from the sign-in page on. */
async function failFive(payer: Payer, paymentLink: string): Promise<PayerPage> {
  let page = await payer.signIn(paymentLink, 'wrong');
  for (const left of ['4 tries are', '3 tries are', '2 tries are', '1 try is']) {
    assert.match(page.text, new RegExp(`not right. ${left} left`));
    page = await payer.send(page, { username: 'approve', password: 'guess' });
  }
  return page;
}

const unreported = async (id: string) => {
  assert.deepEqual(await production.statusesOf(id), ['CREATED']);
  assert.deepEqual(await production.webhooksOf(id), []);
};

const failedFor = async (id: string, code: string) => {
  assert.deepEqual(await production.statusesOf(id), ['CREATED', 'FAILED']);
  assert.equal((await production.read(id)).statusReason.code, code);
  assert.deepEqual(await production.webhooksOf(id), ['PAYMENT-FAILED']);
};

describe('a refusal that the payer can correct', () => {
  for (const [username, code, words] of [
    ['funds', 'INSUFFICIENT_FUNDS', /There is not enough money in the account/],
    ['limit', 'AMOUNT_LIMIT_EXCEEDED', /The amount is above a limit/],
  ] as const) {
    it(`for ${code} is not reported, and another institution can be chosen`, async () => {
      const { id, paymentLink, payer, page } = await refused(username);
      assert.match(page.address, /\/refused$/);
      assert.equal(page.title, 'Boreal Bank did not make the payment');
      assert.match(page.text, /Nothing was taken\./);
      assert.match(page.text, words);
      assert.match(page.text, /2 tries are left\. Harbour Books has not been told/);
      assertPayerPage(page);
      await unreported(id);
      // Opened again, the link shows the same.
      assert.equal((await payer.open(paymentLink)).address, page.address);
      const choose = await payer.open(/href="([^"]+choose)"/.exec(page.html)?.[1] ?? '');
      assert.doesNotMatch(choose.html, / checked/, 'no institution is chosen in advance');
      await payer.send(choose, { institution: 'kestrel' });
      const confirm = await payer.signIn(paymentLink, 'approve', 'kestrel');
      const result = await payer.send(confirm, { decision: 'confirm' });
      assert.equal(result.title, 'You paid $12.34 to Harbour Books');
      assert.deepEqual(await production.statusesOf(id), ['CREATED', 'PAID']);
      assert.deepEqual(await production.webhooksOf(id), ['PAYMENT-COMPLETED']);
    });

    it(`for ${code} is reported when the payer stops`, async () => {
      const { id, payer, page } = await refused(username);
      const result = await payer.send(page, { decision: 'stop' });
      assert.equal(result.title, 'The payment did not go through');
      assert.match(result.text, /No money was taken/);
      assert.match(result.text, words);
      await failedFor(id, code);
      // A second click, or another tab.
      assert.equal((await payer.send(page, { decision: 'stop' })).title, result.title);
      await failedFor(id, code);
    });
  }

  it('after five wrong passwords is not reported, and ends that sign-in', async () => {
    const { id, paymentLink } = await production.createLink();
    const payer = createPayer(production.service);
    const page = await failFive(payer, paymentLink);
    assert.match(page.address, /\/refused$/);
    assert.match(page.text, /Too many sign-ins failed/);
    await unreported(id);
    const gateway = page.address.split('/', 3).join('/');
    // The refused session cannot sign in, also with the right password.
    const signIn = { ...page, address: `${gateway}/boreal-bank/sign-in` };
    const kept = await payer.send(signIn, { username: 'approve', password: 'demo' });
    assert.equal(kept.address, page.address);
    assert.equal((await payUp(payer, paymentLink, 'approve')).title, PAID);
  });

  it('is one of three at most: fifteen wrong passwords, from many browsers', async () => {
    const { id, paymentLink } = await production.createLink();
    for (let guess = 1; guess <= MOST_REFUSALS * 5; guess++) {
      await unreported(id);
      const page = await createPayer(production.service).signIn(paymentLink, 'wrong');
      assert.equal(page.address.endsWith('/refused'), guess % 5 === 0 && guess < 15, `${guess}`);
    }
    await failedFor(id, 'AUTHENTICATION_FAILED');
  });

  it('is the last one at the third, for the reason of the third', async () => {
    const { id, paymentLink, payer } = await refused('limit');
    const second = await payUp(payer, paymentLink, 'limit');
    assert.match(second.text, /1 try is left\./);
    await unreported(id);
    const third = await payUp(payer, paymentLink, 'funds');
    assert.equal(third.title, 'The payment did not go through');
    assert.match(third.text, /There is not enough money/);
    await failedFor(id, 'INSUFFICIENT_FUNDS');
  });

  it('counts once for a double click and two tabs', async () => {
    for (let round = 0; round < 6; round++) {
      const { id, paymentLink } = await production.createLink();
      const payer = createPayer(production.service);
      const confirm = await payer.signIn(paymentLink, 'funds');
      const results = await Promise.all(
        [1, 2, 3, 4].map(() => payer.send(confirm, { decision: 'confirm' })),
      );
      for (const result of results) {
        assert.match(result.address, /\/refused$/);
        assert.match(result.text, /2 tries are left/);
      }
      await unreported(id);
    }
  });

  it('ends once where stopping races another browser’s confirmation', async () => {
    for (let round = 0; round < 8; round++) {
      const { id, paymentLink, payer, page } = await refused();
      const other = createPayer(production.service);
      const confirm = await other.signIn(paymentLink, 'approve');
      await Promise.all([
        payer.send(page, { decision: 'stop' }),
        other.send(confirm, { decision: 'confirm' }),
      ]);
      const [, last, ...rest] = await production.statusesOf(id);
      assert.match(last ?? '', /^(PAID|FAILED)$/);
      assert.deepEqual(rest, []);
      assert.equal((await production.webhooksOf(id)).length, 1);
    }
  });

  it('is of its own browser: another one chooses an institution as ever', async () => {
    const { paymentLink } = await refused();
    const other = createPayer(production.service);
    assert.match((await other.open(paymentLink)).address, /choose$/);
    assert.equal((await payUp(other, paymentLink, 'approve')).title, PAID);
  });

  it('ends with the expiry, and with the merchant’s cancellation', async () => {
    const expiryDateTime = new Date(production.service.clock.now().getTime() + 600_000);
    const expiring = await refused('funds', { expiryDateTime });
    await production.service.advance(600);
    const late = await expiring.payer.send(expiring.page, { decision: 'stop' });
    assert.equal(late.title, 'This payment link has expired');
    assert.deepEqual(await production.statusesOf(expiring.id), ['CREATED', 'EXPIRED']);
    const cancelled = await refused();
    await production.cancel(cancelled.id);
    const page = await cancelled.payer.send(cancelled.page, { decision: 'stop' });
    assert.equal(page.title, 'This payment request was cancelled');
    assert.deepEqual(await production.statusesOf(cancelled.id), ['CREATED', 'CANCELLED']);
  });

  it('that the payer stops too late says that the sign-in has ended', async () => {
    const { id, payer, page } = await refused();
    await production.service.advance(31 * 60);
    const choose = await payer.send(page, { decision: 'stop' });
    assert.match(choose.address, /choose\?ended=1$/);
    assert.match(choose.text, /Your sign-in has ended\. Nothing was paid\./);
    assertPayerPage(choose);
    await unreported(id);
  });

  it('counts once for each of several browsers at once, and three times at most', async () => {
    const { id, paymentLink } = await production.createLink();
    const payers = [1, 2, 3, 4, 5].map(() => createPayer(production.service));
    const pages = await Promise.all(payers.map((each) => each.signIn(paymentLink, 'funds')));
    await Promise.all(
      payers.map((each, at) => each.send(pages[at] as PayerPage, { decision: 'confirm' })),
    );
    await failedFor(id, 'INSUFFICIENT_FUNDS');
    const [payment] = await production.service.database.sql<{ refusals: number }>(
      'SELECT refusals FROM gateway_payments WHERE payment_request_id = $1',
      [id],
    );
    assert.equal(payment?.refusals, MOST_REFUSALS);
  });

  it('is a step in the timeline', async () => {
    const { id, payer, page } = await refused();
    await payer.send(page, { decision: 'stop' });
    await eventually(async () => {
      const { json } = await production.call('GET', `/v1/payment-requests/${id}/timeline`);
      return json.data.some(({ step }: { step?: string }) => step === 'INSTITUTION_REFUSED');
    }, 'the step');
  });
});

const PAID = 'You paid $12.34 to Harbour Books';

describe('an institution that does not answer', () => {
  it('is waited for ten seconds; then another one can be chosen', async () => {
    const { id, paymentLink, payer, page } = await refused('timeout');
    assert.equal(page.title, 'Waiting for Boreal Bank');
    assert.match(page.text, /Nothing has been taken so far/);
    assertPayerPage(page);
    const others = await createPayer(production.service).open(paymentLink);
    assert.equal(others.title, 'A payment is being confirmed');
    assert.doesNotMatch(others.text, /Boreal/);
    await unreported(id);
    await production.service.advance(10);
    const told = await eventually(async () => {
      const shown = await payer.open(paymentLink);
      return shown.address.endsWith('/refused') && shown;
    }, 'the refusal');
    assert.match(told.text, /Boreal Bank did not answer in time/);
    await unreported(id);
    assert.equal((await payUp(payer, paymentLink, 'approve')).title, PAID);
  });

  it('for the third time fails the payment', async () => {
    const { id, paymentLink, payer } = await refused('timeout');
    for (const round of [1, 2, 3]) {
      if (round > 1) await payUp(payer, paymentLink, 'timeout');
      await production.service.advance(10);
      const isOver = async () => !(await payer.open(paymentLink)).address.endsWith('/asking');
      await eventually(isOver, 'the end of the wait');
    }
    await eventually(async () => (await production.read(id)).status === 'FAILED', 'FAILED');
    await failedFor(id, 'INSTITUTION_UNAVAILABLE');
  });

  it('pays nothing for a request that is cancelled or changed meanwhile', async () => {
    const cancelled = await refused('timeout');
    assert.equal((await production.cancel(cancelled.id)).status, 200);
    const isCancelled = async () =>
      (await cancelled.payer.open(cancelled.page.address)).title ===
      'This payment request was cancelled';
    await eventually(isCancelled, 'the end of the wait');
    const changed = await refused('timeout');
    const body = { displayMessage: 'Three books' };
    await production.call('PATCH', `/v1/payment-requests/${changed.id}`, { body });
    const again = await changed.payer.open(changed.paymentLink);
    assert.equal(again.title, 'Confirm your payment');
    assert.match(again.text, /Three books/);
    await production.service.advance(10);
    assert.deepEqual(await production.statusesOf(cancelled.id), ['CREATED', 'CANCELLED']);
    await unreported(changed.id);
  });
});
