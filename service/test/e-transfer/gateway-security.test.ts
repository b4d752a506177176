import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { createPayer, type Payer, type PayerPage } from '../support/payer.ts';
import { assertPayerPage } from '../support/payer-page.ts';
import { type Production, startProduction } from '../support/production.ts';

let production: Production;

before(async () => {
  production = await startProduction({ settings: { TRUSTED_PROXIES: '127.0.0.1' } });
});
after(() => production.stop());

const tokenOf = (page: PayerPage) => /name="token" value="([^"]+)"/.exec(page.html)?.[1] ?? '';

async function atConfirm() {
  const link = await production.createLink();
  const payer = createPayer(production.service);
  return { ...link, payer, confirm: await payer.signIn(link.paymentLink, 'approve') };
}

/** Sends a confirmation by hand. */
function confirmBy(
  payer: Payer,
  page: PayerPage,
  { token = tokenOf(page), ...headers }: Record<string, string> & { token?: string } = {},
) {
  const body = new URLSearchParams({ token, decision: 'confirm' });
  return payer.request(page.address, { method: 'POST', body, headers });
}

describe('a form', () => {
  it('is refused without the token of its own session, and does nothing', async () => {
    const { id, payer, confirm } = await atConfirm();
    const stranger = createPayer(production.service);
    const theirs = await atConfirm();
    for (const refused of [
      await confirmBy(payer, confirm, { token: '' }),
      await confirmBy(payer, confirm, { token: tokenOf(theirs.confirm) }),
      await confirmBy(stranger, confirm),
      await confirmBy(theirs.payer, confirm, { token: tokenOf(theirs.confirm) }),
    ]) {
      assert.equal(refused.status, 403);
      assert.match(await refused.text(), /This page was out of date/);
    }
    assert.equal((await production.read(id)).status, 'CREATED');
  });

  it('is refused when another site sent it, even with the right token', async () => {
    const { id, payer, confirm } = await atConfirm();
    for (const site of ['cross-site', 'same-site']) {
      const refused = await confirmBy(payer, confirm, { 'sec-fetch-site': site });
      assert.equal(refused.status, 403, site);
    }
    assert.equal((await production.read(id)).status, 'CREATED');
    // Under no-referrer a form of our own sends `Origin: null`.
    const taken = await confirmBy(payer, confirm, {
      'sec-fetch-site': 'same-origin',
      origin: 'null',
    });
    assert.equal(taken.status, 303);
    assert.equal((await production.read(id)).status, 'PAID');
  });

  it('is answered with 303 to this very origin’s pages', async () => {
    const { payer, confirm } = await atConfirm();
    const answer = await confirmBy(payer, confirm);
    assert.equal(answer.status, 303);
    assert.match(answer.headers.get('location') ?? '', /^\/gateway\/[\w-]{22}$/);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
  });

  it('that is none, or too large, is refused', async () => {
    const { payer, confirm } = await atConfirm();
    for (const [type, body, status] of [
      ['application/json', '{"decision":"confirm"}', 415],
      ['text/plain', 'decision=confirm', 415],
      ['application/x-www-form-urlencoded', `token=${'x'.repeat(5_000)}`, 413],
      ['application/x-www-form-urlencoded', '%%%=%&=&&', 403],
    ] as const) {
      const headers = { 'content-type': type };
      const answer = await payer.request(confirm.address, { method: 'POST', body, headers });
      assert.equal(answer.status, status, type);
    }
  });
});

describe('a session', () => {
  it('has another id once its payer has signed in, and the old one is worth nothing', async () => {
    const { paymentLink } = await production.createLink();
    const payer = createPayer(production.service);
    const gateway = (await payer.open(paymentLink)).address.split('/', 3).join('/');
    const key = `gateway ${gateway}`;
    const planted = payer.cookies.get(key)?.value;
    const confirm = await payer.signIn(paymentLink, 'approve');
    assert.match(confirm.address, /confirm$/);
    assert.notEqual(payer.cookies.get(key)?.value, planted);

    const attacker = createPayer(production.service);
    (attacker.cookies as Map<string, unknown>).set(key, { value: planted, path: gateway });
    assert.match((await attacker.open(confirm.address)).address, /choose$/);
  });

  it('stands in a cookie that scripts, other sites and other payments do not see', async () => {
    const { paymentLink } = await production.createLink();
    const payer = createPayer(production.service);
    const first = await payer.request(paymentLink);
    assert.deepEqual(first.headers.getSetCookie(), []);
    const choose = await payer.request(
      `${new URL(first.headers.get('location') ?? '').pathname}/choose`,
    );
    assert.match(
      choose.headers.getSetCookie().join(),
      /^gateway=[\w-]{43}; Path=\/gateway\/[\w-]{22}; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  it('is over after half an hour', async () => {
    const { payer, confirm } = await atConfirm();
    await production.service.advance(29 * 60);
    assert.equal((await payer.open(confirm.address)).address, confirm.address);
    await production.service.advance(60);
    assert.match((await payer.open(confirm.address)).address, /choose$/);
    const { sql } = production.service.database;
    await production.service.advance(60);
    await eventually(async () => {
      const [row] = await sql<{ count: string }>('SELECT count(*) FROM gateway_sessions');
      return row?.count === '0';
    }, 'pruned sessions');
  });

  it('is one of twenty of a payment at most', async () => {
    const { id, paymentLink } = await production.createLink();
    for (let browser = 0; browser < 25; browser++) {
      const payer = createPayer(production.service);
      await payer.send(await payer.open(paymentLink), { institution: 'kestrel' });
    }
    const { sql } = production.service.database;
    const [row] = await sql<{ count: string }>(
      `SELECT count(*) FROM gateway_sessions s JOIN gateway_payments g ON g.id = s.payment_id
       WHERE g.payment_request_id = $1`,
      [id],
    );
    assert.equal(row?.count, '20');
  });
});

describe('a GET', () => {
  it('changes nothing, of any page, however often', async () => {
    const { paymentLink, qrCodeLink, payer, confirm } = await atConfirm();
    const gateway = confirm.address.split('/', 3).join('/');
    const tables = [
      'payment_requests',
      'payment_request_events',
      'network_requests',
      'gateway_payments',
      'gateway_sessions',
      'webhook_events',
    ];
    const { sql } = production.service.database;
    const contents = async () =>
      Object.fromEntries(
        await Promise.all(
          tables.map(async (table) => [table, await sql(`SELECT * FROM ${table} ORDER BY 1, 2`)]),
        ),
      );
    const before = await contents();
    const decided = `${confirm.address}?decision=confirm&token=${tokenOf(confirm)}`;
    for (const address of [
      paymentLink,
      qrCodeLink,
      gateway,
      `${gateway}/choose`,
      `${gateway}/choose?institution=kestrel`,
      `${gateway}/leaving`,
      `${gateway}/boreal-bank/sign-in`,
      confirm.address,
      decided,
      `${gateway}/live?seen=1`,
    ]) {
      for (const method of ['GET', 'HEAD']) {
        await payer.request(address, { method });
        await createPayer(production.service).request(address, { method });
      }
    }
    assert.deepEqual(await contents(), before);
  });
});

describe('every page of the gateway', () => {
  it('has the headers of a payer’s page, the banner, and both languages', async () => {
    const { payer, confirm } = await atConfirm();
    const gateway = confirm.address.split('/', 3).join('/');
    const other = createPayer(production.service);
    const { paymentLink: second } = await production.createLink();
    const choose = await other.open(second);
    const leaving = await other.send(choose, { institution: 'kestrel' });
    const signInAddress = /data-follow href="([^"]+)"/.exec(leaving.html)?.[1] ?? '';
    for (const [visitor, address] of [
      [payer, confirm.address],
      [payer, `${gateway}/choose`],
      [other, choose.address],
      [other, leaving.address],
      [other, signInAddress],
    ] as const) {
      for (const [language, banner] of [
        ['en', 'Simulated network: no real money moves.'],
        ['fr', 'Réseau simulé : aucun argent réel n’est transféré.'],
      ] as const) {
        const page = await visitor.open(`${address}?lang=${language}`);
        assert.equal(page.status, 200);
        assertPayerPage(page, language);
        assert.ok(page.html.replaceAll('\u00a0', ' ').includes(banner), page.address);
      }
    }
  });

  it('is not there for a payment that does not exist', async () => {
    const payer = createPayer(production.service);
    for (const path of ['x'.repeat(22), 'short', '%00']) {
      const page = await payer.open(`/gateway/${path}/choose`);
      assert.equal(page.status, 404);
      assertPayerPage(page);
    }
  });
});

describe('who tries', () => {
  const from = (address: string) => ({ 'x-forwarded-for': address });

  it('short codes is stopped after twenty misses a minute, alone', async () => {
    const payer = createPayer(production.service);
    const { paymentLink, qrCodeLink } = await production.createLink();
    for (let miss = 0; miss < 20; miss++) {
      const code = `Unknown${String(miss).padStart(9, '0')}`;
      assert.equal((await payer.open(`/pay/${code}`, from('192.0.2.1'))).status, 404);
    }
    const refused = await payer.open(paymentLink, from('192.0.2.1'));
    assert.equal(refused.status, 429);
    assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d?$/);
    assertPayerPage(refused);
    const qrCode = await payer.request(qrCodeLink, { headers: from('192.0.2.1') });
    assert.equal(qrCode.status, 429);
    assert.equal((await payer.open(paymentLink, from('192.0.2.2'))).status, 200);
    // What a stranger claims of itself does not count: the proxy's own word stands last.
    const forged = from('198.51.100.7, 192.0.2.1');
    assert.equal((await payer.open(paymentLink, forged)).status, 429);
    await production.service.advance(60);
    assert.equal((await payer.open(paymentLink, from('192.0.2.1'))).status, 200);
  });

  it('short codes from all over one IPv6 network is one', async () => {
    const payer = createPayer(production.service);
    for (let miss = 0; miss < 20; miss++) {
      await payer.open('/pay/Unknown000000000', from(`2001:db8:1:2::${miss.toString(16)}`));
    }
    const near = await payer.open('/pay/Unknown000000000', from('2001:db8:1:2:ffff::1'));
    assert.equal(near.status, 429);
    const far = await payer.open('/pay/Unknown000000000', from('2001:db8:1:3::1'));
    assert.equal(far.status, 404);
  });

  it('passwords over many payments is stopped after sixty a minute', async () => {
    const address = from('192.0.2.9');
    let tries = 0;
    let status = 0;
    while (tries < 70 && status !== 429) {
      const { paymentLink } = await production.createLink();
      const payer = createPayer(production.service);
      let page = await payer.signIn(paymentLink, 'nobody-yet');
      for (let each = 0; each < 4 && status !== 429; each++) {
        const body = new URLSearchParams({
          token: tokenOf(page),
          username: 'approve',
          password: 'guess',
        });
        const options = { method: 'POST', body, headers: address };
        const answer = await payer.request(page.address, options);
        status = answer.status;
        tries += 1;
        if (status === 303) page = await payer.open(answer.headers.get('location') ?? '');
      }
    }
    assert.equal(status, 429);
    assert.equal(tries, 61);
  });
});
