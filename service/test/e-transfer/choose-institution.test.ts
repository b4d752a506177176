import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createPayer, type PayerPage, signInAddressOf } from '../support/payment-requests/payer.ts';
import { type Production, startProduction } from '../support/service/production.ts';

let production: Production;

before(async () => {
  production = await startProduction({ settings: { TIME_ZONE: 'America/Toronto' } });
});
after(() => production.stop());

/** The institutions of a choose page, in their order. */
const idsOf = ({ html }: PayerPage) =>
  [...html.matchAll(/type="radio" name="institution" value="([^"]+)"/g)].map(([, id]) => id);

/** The ids of the institutions that are chosen already. */
const chosenOf = ({ html }: PayerPage) =>
  [...html.matchAll(/value="([^"]+)" checked/g)].map(([, id]) => id);

/** The choose page of a new payment request, in a browser with this value of the cookie. */
async function choosePageWith(value: string): Promise<PayerPage> {
  const payer = createPayer(production.service);
  payer.cookies.set('institution /gateway', { value, path: '/gateway' });
  return payer.open((await production.createLink()).paymentLink);
}

describe('the page on which a payer chooses', () => {
  it('says what is asked, and until when in the time zone of the deployment', async () => {
    const expiryDateTime = '2027-01-15T17:30:00Z';
    const { paymentLink } = await production.createLink({ expiryDateTime });
    const page = await createPayer(production.service).open(paymentLink);
    for (const text of [
      'Two books',
      'INV-77',
      'Good until',
      'January 15, 2027 at 12:30 p.m. EST',
    ]) {
      assert.ok(page.text.includes(text), text);
    }
    assert.ok(page.html.includes('<time datetime="2027-01-15T17:30:00.000Z">'));
    const french = await createPayer(production.service).open(`${paymentLink}?lang=fr`);
    assert.match(french.text, /Valable jusqu’au 15 janvier 2027 à 12 h 30 HNE/);
  });

  it('counts to the expiry by the clock of the service', async () => {
    const now = production.service.clock.now().getTime();
    const expiryDateTime = new Date(now + 600_000).toISOString();
    const { paymentLink } = await production.createLink({ expiryDateTime });
    await production.service.advance(60);
    const { html } = await createPayer(production.service).open(paymentLink);
    const left = Number(/data-left="(\d+)"/.exec(html)?.[1]);
    assert.ok(left > 480_000 && left <= 540_000, `${left}`);
  });

  it('keeps the choice and no secret when the language is switched', async () => {
    const { paymentLink } = await production.createLink();
    const payer = createPayer(production.service);
    const page = await payer.open(paymentLink);
    // The switch sends by GET all fields of the form but its buttons.
    const [, form = ''] = /<form method="post" id="choose">([\s\S]*)<\/form>/.exec(page.html) ?? [];
    const fields = [...form.matchAll(/<input (?:[^>]*\s)?name="(\w+)"/g)].map(([, name]) => name);
    assert.deepEqual(new Set(fields), new Set(['institution']));
    assert.match(page.html, /<button class="link" form="choose" formmethod="get" name="lang"/);
    const french = await payer.open(`${page.address}?institution=kestrel&lang=fr`);
    assert.deepEqual(chosenOf(french), ['kestrel']);
    assert.match(french.title, /^Payer 12,34/);
    assert.deepEqual(chosenOf(await payer.open(`${page.address}?institution=x`)), []);
    const leaving = await payer.send(french, { institution: 'kestrel' });
    assert.equal(leaving.title, 'Connexion à Kestrel Digital Bank');
  });

  it('puts the institution first where this browser signed in at last', async () => {
    const first = await production.createLink();
    const payer = createPayer(production.service);
    const usual = idsOf(await payer.open(first.paymentLink));
    const confirm = await payer.signIn(first.paymentLink, 'approve', 'tundra-federal');
    assert.equal(confirm.title, 'Confirm your payment');
    const page = await payer.open((await production.createLink()).paymentLink);
    const others = usual.filter((id) => id !== 'tundra-federal');
    assert.deepEqual(idsOf(page), ['tundra-federal', ...others]);
    assert.match(
      page.text,
      /Last time in this browser TF Tundra Federal Often chosen BB Boreal Bank/,
    );
    assert.deepEqual(chosenOf(page), []);
  });

  it('remembers an institution only after a sign-in, by its id, for half a year', async () => {
    const { paymentLink } = await production.createLink();
    const payer = createPayer(production.service);
    const leaving = await payer.send(await payer.open(paymentLink), { institution: 'kestrel' });
    const signIn = await payer.open(signInAddressOf(leaving));
    await payer.send(signIn, { username: 'wrong', password: 'demo' });
    assert.equal(payer.cookies.get('institution /gateway'), undefined);
    const token = /name="token" value="([^"]+)"/.exec(signIn.html)?.[1] ?? '';
    const body = new URLSearchParams({ token, username: 'approve', password: 'demo' });
    const answer = await payer.request(signIn.address, { method: 'POST', body });
    assert.deepEqual(
      answer.headers.getSetCookie().filter((line) => line.startsWith('institution=')),
      ['institution=kestrel; Max-Age=15552000; Path=/gateway; HttpOnly; Secure; SameSite=Lax'],
    );
  });

  it('ignores an unknown institution in the cookie', async () => {
    const usual = idsOf(
      await createPayer(production.service).open((await production.createLink()).paymentLink),
    );
    for (const value of ['no-such', '', '%00', 'toString', '"><b>']) {
      assert.deepEqual(idsOf(await choosePageWith(value)), usual, value);
    }
  });

  it('shows an institution of the last time that is down, and lets nobody choose it', async () => {
    const page = await choosePageWith('silver-birch');
    assert.equal(idsOf(page)[0], 'silver-birch');
    assert.match(page.html, /value="silver-birch" disabled/);
  });

  it('names its error in the title, and gives the error the focus', async () => {
    const { paymentLink } = await production.createLink();
    const payer = createPayer(production.service);
    const missing = await payer.send(await payer.open(paymentLink), {});
    assert.equal(missing.title, 'Error: Pay $12.34 to Harbour Books');
    assert.match(missing.html, /<p class="error" id="error" tabindex="-1" autofocus>Choose a bank/);
    const french = await payer.open(`${missing.address}&lang=fr`);
    assert.match(french.title, /^Erreur : Payer/);
  });
});

describe('the sign-in page after a wrong password', () => {
  it('names the error, keeps the username, and forgets the password', async () => {
    const { paymentLink } = await production.createLink();
    const payer = createPayer(production.service);
    const leaving = await payer.send(await payer.open(paymentLink), { institution: 'kestrel' });
    const signIn = await payer.open(signInAddressOf(leaving));
    assert.match(signIn.html, /name="username"[^>]* autocomplete="username"/);
    assert.match(signIn.html, /name="password"[^>]*\sautocomplete="current-password"/);
    assert.doesNotMatch(signIn.html, /role="alert"|class="error"/);
    const username = ' approve"> ';
    const failed = await payer.send(signIn, { username, password: 'hunter2' });
    assert.equal(failed.title, 'Error: Sign in to Kestrel Digital Bank');
    assert.match(failed.html, /<p class="error" id="error" tabindex="-1" autofocus>The username/);
    assert.match(failed.html, /name="username"[^>]* value="approve&#34;&#62;"/);
    assert.doesNotMatch(failed.html, /hunter2/);
    assert.doesNotMatch(failed.address, /approve/);
    // Another browser at the same payment learns nothing of it.
    const other = createPayer(production.service);
    const elsewhere = await other.send(await other.open(paymentLink), { institution: 'kestrel' });
    const shown = await other.open(`${signInAddressOf(elsewhere)}?failed=1`);
    assert.doesNotMatch(shown.html, /approve&#34;/);
  });

  it('takes a username of any characters and length', async () => {
    const { paymentLink } = await production.createLink();
    const payer = createPayer(production.service);
    const leaving = await payer.send(await payer.open(paymentLink), { institution: 'kestrel' });
    const signIn = await payer.open(signInAddressOf(leaving));
    for (const [username, kept] of [
      ['\u0000a\u0007\r\nb', ' value="ab"'],
      ['😀'.repeat(200), ` value="${'😀'.repeat(64)}"`],
      ['\u0000', ' required '],
    ] as const) {
      const failed = await payer.send(signIn, { username, password: 'x' });
      assert.equal(failed.status, 200);
      assert.ok(failed.html.includes(kept), failed.html);
    }
  });

  it('starts empty at another institution', async () => {
    const { paymentLink } = await production.createLink();
    const payer = createPayer(production.service);
    const leaving = await payer.send(await payer.open(paymentLink), { institution: 'kestrel' });
    await payer.send(await payer.open(signInAddressOf(leaving)), {
      username: 'ada',
      password: 'x',
    });
    const gateway = leaving.address.split('/', 3).join('/');
    const choose = await payer.open(`${gateway}/choose`);
    const other = await payer.send(choose, { institution: 'boreal-bank' });
    const signIn = await payer.open(`${signInAddressOf(other)}?failed=1`);
    assert.doesNotMatch(signIn.html, /value="ada"/);
  });
});
