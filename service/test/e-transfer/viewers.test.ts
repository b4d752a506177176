import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertPayerPage } from '../support/browser/payer-page.ts';
import { eventually } from '../support/eventually.ts';
import { createPayer } from '../support/payment-requests/payer.ts';
import { type Production, startProduction } from '../support/service/production.ts';
import { withoutReferences } from '../support/without-references.ts';

let production: Production;

before(async () => {
  production = await startProduction();
});
after(() => production.stop());

async function atConfirm(username = 'approve') {
  const link = await production.createLink();
  const payer = createPayer(production.service);
  return { ...link, payer, confirm: await payer.signIn(link.paymentLink, username) };
}

const newPayer = () => createPayer(production.service);

describe('a paid request', () => {
  it('shows institution and network reference to the browser that confirmed, alone', async () => {
    const { id, shortCode, paymentLink, payer, confirm } = await atConfirm();
    const result = await payer.send(confirm, { decision: 'confirm' });
    const { networkReference } = (await production.read(id)).payment;
    const again = await payer.open(paymentLink);
    for (const page of [result, again]) {
      assert.equal(page.title, 'You paid $12.34 to Harbour Books');
      assert.match(page.text, /taken from your account at Boreal Bank/);
      assert.ok(page.text.includes(networkReference));
      // The address, which people copy, does not tell the reference.
      assert.ok(!page.address.includes(networkReference));
    }
    const stranger = await newPayer().open(paymentLink);
    assertPayerPage(stranger);
    assert.equal(stranger.title, 'This request has been paid');
    assert.match(stranger.text, /Nothing was taken in this browser\./);
    assert.ok(!stranger.html.includes(networkReference));
    assert.doesNotMatch(stranger.html, /Boreal/);
    for (const page of [result, stranger]) assert.ok(page.text.includes(`Reference ${shortCode}`));
    const list = await production.call('GET', `/v1/payment-requests?shortCode=${shortCode}`);
    assert.equal(list.json.data[0].id, id);
  });

  it('is proved by no other reference than its own', async () => {
    const { paymentLink, payer, confirm } = await atConfirm();
    await payer.send(confirm, { decision: 'confirm' });
    for (const decision of ['SN000000000000', 'refused', '', 'x'.repeat(300)]) {
      const guesser = newPayer();
      const page = await guesser.open(`${paymentLink}?decision=${decision}`);
      assert.equal(page.title, 'This request has been paid', decision);
      assert.equal(guesser.cookies.size, 0);
    }
  });

  it('shows no facts to a browser with a made-up or an older decision', async () => {
    const { id, paymentLink, payer, confirm } = await atConfirm();
    await payer.send(confirm, { decision: 'confirm' });
    const { networkReference } = (await production.read(id)).payment;
    for (const decision of ['refused', 'SN000000000000', networkReference.slice(0, -1), '']) {
      const page = await newPayer().open(paymentLink, { cookie: `decision=${decision}` });
      assert.equal(page.title, 'This request has been paid', decision);
      assert.ok(!page.html.includes(networkReference), decision);
    }
  });

  it('is remembered in a cookie that scripts, other sites and other links do not see', async () => {
    const { payer, confirm, shortCode } = await atConfirm();
    await payer.send(confirm, { decision: 'confirm' });
    const gateway = confirm.address.split('/', 3).join('/');
    const toLink = await payer.request(gateway);
    const answer = await payer.request(toLink.headers.get('location') ?? '');
    assert.equal(answer.status, 303);
    const [decision = '', proof = ''] = answer.headers.getSetCookie();
    const place = `Max-Age=2592000; Path=/pay/${shortCode}; HttpOnly; Secure; SameSite=Lax`;
    assert.match(decision, new RegExp(`^decision=SN\\w{12}; ${place}$`));
    assert.match(proof, new RegExp(`^proof=[\\w-]{22}; ${place}$`));
  });

  it('tells a payer who signed in elsewhere that nothing was taken there', async () => {
    const { id, paymentLink, payer, confirm } = await atConfirm();
    const other = newPayer();
    const theirs = await other.signIn(paymentLink, 'approve', 'harbour-trust');
    await payer.send(confirm, { decision: 'confirm' });
    const result = await other.send(theirs, { decision: 'confirm' });
    assert.equal(result.title, 'This request has been paid');
    assert.doesNotMatch(result.text, /Boreal|Harbour Trust/);
    assert.deepEqual(await production.statusesOf(id), ['CREATED', 'PAID']);
  });

  it('tells the first screen of a hand-off that it was paid on the other device', async () => {
    const { paymentLink } = await production.createLink();
    const screen = newPayer();
    const choose = await screen.open(paymentLink);
    const phone = newPayer();
    await phone.send(await phone.signIn(paymentLink, 'approve'), { decision: 'confirm' });
    const page = await screen.open(choose.address);
    assertPayerPage(page);
    assert.equal(page.title, 'Paid on your other device');
    assert.match(page.text, /Nothing was taken in this browser\./);
    assert.doesNotMatch(page.text, /Boreal|SN\w{12}/);
    const link = /href="(\?[^"]+)" lang="fr"/.exec(page.html)?.[1] ?? '';
    const query = withoutReferences(link);
    const french = await screen.open(page.address.split('?')[0] + query);
    assertPayerPage(french, 'fr');
    assert.equal(french.title, 'Payé sur votre autre appareil');
  });

  it('in progress says so to the browser that confirmed and to the others', async () => {
    const { paymentLink, payer, confirm } = await atConfirm('slow');
    const own = await payer.send(confirm, { decision: 'confirm' });
    assert.equal(own.title, 'Your payment is on its way');
    assert.equal((await newPayer().open(paymentLink)).title, 'This request is being paid');
    await production.service.advance(20);
    const isPaid = async () =>
      (await payer.open(paymentLink)).title === 'You paid $12.34 to Harbour Books';
    await eventually(isPaid, 'the payer’s page');
  });
});

describe('a declined or refused request', () => {
  it('says "You declined" to the payer alone', async () => {
    const { paymentLink, payer, confirm } = await atConfirm();
    const other = newPayer();
    const theirs = await other.signIn(paymentLink, 'approve');
    await payer.send(confirm, { decision: 'decline' });
    assert.equal((await payer.open(paymentLink)).title, 'You declined this payment');
    for (const page of [await other.open(theirs.address), await newPayer().open(paymentLink)]) {
      assert.equal(page.title, 'This request was declined');
    }
  });

  it('names the reason to the payer alone', async () => {
    const { paymentLink, payer, confirm } = await atConfirm('funds');
    const refused = await payer.send(confirm, { decision: 'confirm' });
    await payer.send(refused, { decision: 'stop' });
    assert.match((await payer.open(paymentLink)).text, /not enough money/);
    const forged = ['', '?decision=refused', '?decision=refused&proof=AAAAAAAAAAAAAAAAAAAAAA'];
    for (const query of forged) {
      const stranger = newPayer();
      const page = await stranger.open(paymentLink + query);
      assert.equal(page.title, 'The payment did not go through');
      assert.doesNotMatch(page.text, /not enough money/, query);
    }
    const headers = { cookie: 'decision=refused; proof=refused' };
    const page = await newPayer().open(paymentLink, headers);
    assert.doesNotMatch(page.text, /not enough money/);
  });

  it('tells its proof to no browser but the payer’s, and not in an address', async () => {
    const { shortCode, paymentLink, payer, confirm } = await atConfirm();
    const gateway = confirm.address.split('/', 3).join('/');
    const other = newPayer();
    const theirs = await other.signIn(paymentLink, 'approve');
    const result = await payer.send(confirm, { decision: 'decline' });
    assert.equal(result.address, `/pay/${shortCode}?returned=1`);
    const toPayer = (await payer.request(gateway)).headers.get('location') ?? '';
    assert.match(toPayer, /proof=[\w-]{22}/);
    for (const browser of [other, newPayer()]) {
      const location = (await browser.request(theirs.address)).headers.get('location') ?? '';
      assert.match(location, /returned=1/);
      assert.doesNotMatch(location, /proof/);
    }
    // The proof of one payment request proves nothing about another one.
    const another = await atConfirm('funds');
    const refused = await another.payer.send(another.confirm, { decision: 'confirm' });
    await another.payer.send(refused, { decision: 'stop' });
    const page = await newPayer().open(another.paymentLink + new URL(toPayer).search);
    assert.doesNotMatch(page.text, /not enough money/);
  });
});

describe('a payer who cannot go on', () => {
  it('after the end of the sign-in reads that nothing was paid', async () => {
    const { id, payer, confirm } = await atConfirm();
    await production.service.advance(31 * 60);
    const page = await payer.send(confirm, { decision: 'confirm' });
    assert.match(page.address, /\/boreal-bank\/sign-in\?ended=1$/);
    assert.match(page.text, /Your sign-in has ended\. Nothing was paid\./);
    assertPayerPage(page);
    assert.equal((await production.read(id)).status, 'CREATED');
  });

  it('after a choice in another tab reads that nothing was paid', async () => {
    const { id, payer, confirm } = await atConfirm();
    const gateway = confirm.address.split('/', 3).join('/');
    const choose = await payer.open(`${gateway}/choose`);
    await payer.send(choose, { institution: 'kestrel' });
    const page = await payer.send(confirm, { decision: 'confirm' });
    assert.match(page.address, /\?changed=1$/);
    assert.match(page.text, /another bank since then\. Nothing was paid at the one before/);
    assert.equal((await production.read(id)).status, 'CREATED');
  });

  it('reads no news on a page whose address the payer typed', async () => {
    const { paymentLink } = await production.createLink();
    const choose = await newPayer().open(paymentLink);
    assert.doesNotMatch(choose.text, /ended|since then/);
    const typed = await newPayer().open(choose.address.replace('choose', 'kestrel/confirm'));
    assert.equal(typed.address, choose.address);
  });
});
