import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertPayerPage } from '../support/browser/payer-page.ts';
import { eventually } from '../support/eventually.ts';
import {
  createPayer,
  type Payer,
  type PayerPage,
  signInAddressOf,
} from '../support/payment-requests/payer.ts';
import { type Production, startProduction } from '../support/service/production.ts';

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
      const page = await refused.text();
      assert.match(page, /This page was open too long/);
      assert.match(page, /Harbour Books[\s\S]*\$12\.34[\s\S]*Go on from where you were/);
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
      ['application/x-www-form-urlencoded', '&'.repeat(200), 413],
      ['application/x-www-form-urlencoded', '&'.repeat(199), 403],
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
    assert.match((await attacker.open(confirm.address)).address, /choose\?ended=1$/);
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
    assert.match((await payer.open(confirm.address)).address, /choose\?ended=1$/);
    const { sql } = production.service.database;
    await production.service.advance(60);
    await eventually(async () => {
      const [row] = await sql<{ count: string }>('SELECT count(*) FROM gateway_sessions');
      return row?.count === '0';
    }, 'pruned sessions');
  });

  it('opens no payment but its own', async () => {
    const [own, other] = [await atConfirm(), await atConfirm()];
    const session = own.payer.cookies.get(`gateway ${gatewayOf(own.confirm)}`);
    assert.ok(session);
    const attacker = createPayer(production.service);
    const path = gatewayOf(other.confirm);
    (attacker.cookies as Map<string, unknown>).set(`gateway ${path}`, { ...session, path });
    assert.match((await attacker.open(other.confirm.address)).address, /choose\?ended=1$/);
    assert.equal((await own.payer.open(own.confirm.address)).address, own.confirm.address);
  });

  it('is over after half an hour, also before its row is pruned', async () => {
    const api = await startProduction({ roles: ['api'] });
    try {
      const payer = createPayer(api.service);
      const confirm = await payer.signIn((await api.createLink()).paymentLink, 'approve');
      await api.service.advance(30 * 60 - 1);
      assert.equal((await payer.open(confirm.address)).address, confirm.address);
      await api.service.advance(1);
      assert.match((await payer.open(confirm.address)).address, /choose\?ended=1$/);
      const rows = await api.service.database.sql(
        'SELECT FROM gateway_sessions WHERE username IS NOT NULL',
      );
      assert.equal(rows.length, 1, 'no loop has pruned the session');
    } finally {
      await api.stop();
    }
  });

  it('gives way as the oldest when a 21st browser chooses an institution', async () => {
    const { paymentLink } = await production.createLink();
    const oldest = await chooseInstitution(paymentLink);
    await production.service.advance(1);
    for (let browser = 0; browser < 18; browser++) await chooseInstitution(paymentLink);
    await production.service.advance(1);
    const youngest = await chooseInstitution(paymentLink);
    assert.equal((await oldest.payer.open(oldest.page.address)).address, oldest.page.address);
    await chooseInstitution(paymentLink);
    assert.match((await oldest.payer.open(oldest.page.address)).address, /choose\?ended=1$/);
    const { payer, page } = youngest;
    assert.equal((await payer.open(page.address)).address, page.address);
  });

  it('is one of twenty of a payment at most', async () => {
    const { id, paymentLink } = await production.createLink();
    for (let browser = 0; browser < 25; browser++) await chooseInstitution(paymentLink);
    assert.equal(await countSessions(id), 20);
  });

  it('with a signed-in payer outlives 25 browsers that open the same link', async () => {
    const { id, paymentLink, payer, confirm } = await atConfirm();
    // All other sessions are younger.
    await production.service.advance(1);
    for (let browser = 0; browser < 25; browser++) await chooseInstitution(paymentLink);
    const taken = await confirmBy(payer, confirm);
    assert.equal(taken.status, 303);
    assert.equal((await production.read(id)).status, 'PAID');
  });

  it('with a payer outlives 25 others who sign in; at most twenty of them are admitted', async () => {
    const { id, paymentLink, payer, confirm } = await atConfirm();
    await production.service.advance(1);
    const statuses: number[] = [];
    for (let browser = 0; browser < 25; browser++) {
      const page = await createPayer(production.service).signIn(paymentLink, 'approve');
      statuses.push(page.status);
    }
    assert.deepEqual(statuses, [...Array(19).fill(200), ...Array(6).fill(429)]);
    assert.ok((await countSessions(id)) <= 40);
    assert.equal((await confirmBy(payer, confirm)).status, 303);
    assert.equal((await production.read(id)).status, 'PAID');
  });
});

/** A new browser that has chosen an institution, with the page that follows. */
async function chooseInstitution(
  paymentLink: string,
): Promise<{ readonly payer: Payer; readonly page: PayerPage }> {
  const payer = createPayer(production.service);
  const page = await payer.send(await payer.open(paymentLink), { institution: 'kestrel' });
  return { payer, page };
}

/** The path of a payment at the gateway. */
function gatewayOf(page: PayerPage): string {
  return page.address.split('/', 3).join('/');
}

async function countSessions(id: string): Promise<number> {
  const [row] = await production.service.database.sql<{ count: string }>(
    `SELECT count(*) FROM gateway_sessions s JOIN gateway_payments g ON g.id = s.payment_id
     WHERE g.payment_request_id = $1`,
    [id],
  );
  return Number(row?.count);
}

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
    const signIn = await other.send(choose, { institution: 'kestrel' });
    for (const [visitor, address] of [
      [payer, confirm.address],
      [payer, `${gateway}/choose`],
      [other, choose.address],
      [other, signIn.address],
    ] as const) {
      for (const [language, banner] of [
        ['en', 'Simulated network: no real money moves.'],
        ['fr', 'Simulation : aucun argent réel n’est transféré.'],
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

describe('an address from which guesses come', () => {
  const from = (address: string) => ({ 'x-forwarded-for': address });
  const unknown = (miss: number) => String(miss).padStart(9, '0');
  const statusOf = async (path: string, address: string) =>
    (await createPayer(production.service).request(path, { headers: from(address) })).status;

  it('is refused further guesses after 20 unknown links, and never a link that exists', async () => {
    const { paymentLink, qrCodeLink } = await production.createLink();
    const address = '192.0.2.1';
    for (let miss = 0; miss < 20; miss++) {
      assert.equal(await statusOf(`/pay/Unknown${unknown(miss)}`, address), 404);
    }
    const refused = await createPayer(production.service).open('/pay/Unknown0', from(address));
    assert.equal(refused.status, 429);
    assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d?$/);
    assertPayerPage(refused);
    assert.equal(await statusOf('/pay/qr/Unknown000000021', address), 429);
    assert.equal(await statusOf(paymentLink, address), 303);
    assert.equal(await statusOf(qrCodeLink, address), 200);
    assert.equal(await statusOf('/pay/Unknown0', '192.0.2.2'), 404);
    // A stranger's own claim does not count: the proxy's word stands last.
    assert.equal(await statusOf('/pay/Unknown0', `198.51.100.7, ${address}`), 429);
    await production.service.advance(60);
    assert.equal(await statusOf('/pay/Unknown0', address), 404);
  });

  it('is one with its whole IPv6 network', async () => {
    for (let miss = 0; miss < 20; miss++) {
      await statusOf('/pay/Unknown000000000', `2001:db8:1:2::${miss.toString(16)}`);
    }
    assert.equal(await statusOf('/pay/Unknown000000000', '2001:db8:1:2:ffff::1'), 429);
    assert.equal(await statusOf('/pay/Unknown000000000', '2001:db8:1:3::1'), 404);
  });

  it('does not hold up a payer in mid-payment after 40 unknown gateway ids', async () => {
    const address = '192.0.2.3';
    const { id, payer, confirm } = await atConfirm();
    const statuses: number[] = [];
    for (let miss = 0; miss < 40; miss++) {
      statuses.push(await statusOf(`/gateway/${'x'.repeat(13)}${unknown(miss)}/choose`, address));
    }
    assert.deepEqual(statuses, [...Array(20).fill(404), ...Array(20).fill(429)]);
    assert.equal((await payer.open(confirm.address, from(address))).status, 200);
    const taken = await confirmBy(payer, confirm, from(address));
    assert.equal(taken.status, 303);
    assert.equal((await production.read(id)).status, 'PAID');
  });

  it('that all payers share opens 1,500 links a minute, but one link 300 times at most', async () => {
    const address = '192.0.2.4';
    const links = await Promise.all(Array.from({ length: 5 }, () => production.createLink()));
    const [first, ...others] = links.map(({ qrCodeLink }) => qrCodeLink) as [string, ...string[]];
    for (const link of [first, ...others]) {
      for (let opened = 0; opened < 300; opened += 50) {
        const openings = Array.from({ length: 50 }, () => statusOf(link, address));
        assert.deepEqual(new Set(await Promise.all(openings)), new Set([200]));
      }
    }
    assert.equal(await statusOf(first, address), 429);
    assert.equal(await statusOf(first, '192.0.2.5'), 200);
    const another = await production.createLink();
    assert.equal(await statusOf(another.paymentLink, address), 303);
  });

  it('is refused wrong passwords over many payments after 60 a minute, and never a right one', async () => {
    const address = from('192.0.2.9');
    const { id, paymentLink } = await production.createLink();
    const honest = createPayer(production.service);
    const gateway = (await honest.open(paymentLink)).address.split('/', 3).join('/');
    const leaving = await honest.send(await honest.open(`${gateway}/choose`), {
      institution: 'boreal-bank',
    });
    const signIn = await honest.open(signInAddressOf(leaving));
    let tries = 0;
    let status = 0;
    while (tries < 70 && status !== 429) {
      const link = await production.createLink();
      const payer = createPayer(production.service);
      let page = await payer.signIn(link.paymentLink, 'nobody-yet');
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
    const body = new URLSearchParams({
      token: tokenOf(signIn),
      username: 'approve',
      password: 'demo',
    });
    const options = { method: 'POST', body, headers: address };
    const answer = await honest.request(signIn.address, options);
    assert.equal(answer.status, 303);
    const confirm = await honest.open(answer.headers.get('location') ?? '');
    assert.match(confirm.address, /confirm$/);
    await confirmBy(honest, confirm, address);
    assert.equal((await production.read(id)).status, 'PAID');
  });
});
