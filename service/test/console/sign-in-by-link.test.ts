import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { runCli } from '../commands/run-cli.ts';
import { type ConsoleClient, signIn, visitConsole } from '../support/console/console-client.ts';
import { startTestService, type TestService } from '../support/service/service.ts';

const LINK = '/console/sign-in/link';

describe('one-time links', () => {
  let service: TestService;
  let books: string;
  before(async () => {
    service = await startTestService({ start: new Date() });
    books = (await service.createMerchant({ name: 'Books' })).merchantId;
  });
  after(() => service?.stop());

  const run = (...args: string[]) => runCli(['console', ...args], service.env);
  const operatorLink = ['link', '--role', 'operator', '--person', 'Ada Byron'];
  const makeLink = async (...args: string[]): Promise<string> => {
    const { exitCode, stderr, json } = await run(
      ...(args.length > 0 ? args : operatorLink),
      '--json',
    );
    assert.equal(exitCode, 0, stderr);
    return json().url;
  };
  const openLink = async () => {
    const client = visitConsole(service);
    await client.get(LINK);
    return client;
  };
  const use = (client: ConsoleClient, link: string, fields = {}) =>
    client.post(LINK, { link, ...fields });

  it('have 256 bits behind the hash sign, of which the database holds no part', async () => {
    const link = new URL(await makeLink());
    assert.equal(link.origin + link.pathname + link.search, `https://pay.test${LINK}`);
    assert.match(link.hash, /^#[\w-]{43}$/);
    const token = link.hash.slice(1);
    const rows = await service.database.sql('SELECT * FROM console_sign_in_links');
    const kept = JSON.stringify([rows, await service.database.sql('SELECT * FROM audit_log')]);
    assert.ok(!kept.includes(token));
    assert.ok(!kept.includes(Buffer.from(token, 'base64url').toString('hex')));
  });

  it('sign a person in with a role, by the button alone', async () => {
    const link = await makeLink(
      'link',
      '--role',
      'support',
      '--merchant',
      books,
      '--person',
      'Sue',
    );
    // A mail scanner opens the address, and asks for what the page loads.
    for (let opened = 0; opened < 3; opened += 1)
      assert.equal((await openLink()).cookies().length > 0, true);
    const client = await openLink();
    const answer = await use(client, link);
    assert.deepEqual([answer.status, answer.location], [303, '/console']);
    assert.equal((await client.get(`/console/m/${books}/payment-requests`)).status, 200);
    assert.equal((await client.get('/console/operator/sessions')).status, 403);
    const [entry] = await service.database.sql<{ actor: string; details: { kind: string } }>(
      `SELECT actor, details FROM audit_log WHERE action = 'CONSOLE_SIGNED_IN'
       ORDER BY position DESC`,
    );
    assert.equal(entry?.actor, 'console (Sue, by link)');
    assert.equal(entry?.details.kind, 'LINK');
  });

  it('work once, also for two people at the same moment', async () => {
    const link = await makeLink();
    const clients = await Promise.all([openLink(), openLink(), openLink(), openLink()]);
    const answers = await Promise.all(clients.map((client) => use(client, link)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 403, 403, 403]);
    const refused = answers.find(({ status }) => status === 403);
    assert.match(refused?.html ?? '', /This link does not work/);
    assert.match(refused?.html ?? '', /name="link"/, 'the person can paste another');
  });

  it('end after ten minutes', async () => {
    const [link, other] = [await makeLink(), await makeLink()];
    await service.advance(9 * 60 + 50);
    assert.equal((await use(await openLink(), link)).status, 303);
    await service.advance(20);
    assert.equal((await use(await openLink(), other)).status, 403);
    await service.advance(60);
  });

  it('need a form of this browser: no other site signs its visitor in', async () => {
    const link = await makeLink();
    const stranger = visitConsole(service);
    const strange = await stranger.post(LINK, { link, csrf: 'x'.repeat(43) });
    assert.equal(strange.status, 403);
    const body = new URLSearchParams({
      link,
      csrf: tokenOf((await (await openLink()).get(LINK)).html),
    });
    const client = await openLink();
    const post = (headers: Record<string, string>, csrf = body.get('csrf') ?? '') =>
      fetch(service.url + LINK, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie: client.cookies(), ...headers },
        body: new URLSearchParams({ link, csrf }),
      });
    assert.equal((await post({})).status, 403, 'the token of another browser');
    const own = tokenOf((await client.get(LINK)).html);
    for (const site of ['cross-site', 'same-site', 'none']) {
      assert.equal((await post({ 'sec-fetch-site': site }, own)).status, 403, site);
    }
    assert.equal((await post({ origin: 'https://evil.example' }, own)).status, 403);
    assert.equal((await post({ origin: 'https://pay.test' }, own)).status, 303);
  });

  it('lead to the page that the person wanted, and to no other site', async () => {
    const wanted = `/console/m/${books}/payment-requests`;
    assert.equal(
      (await use(await openLink(), await makeLink(), { next: wanted })).location,
      wanted,
    );
    const evil = await use(await openLink(), await makeLink(), { next: '//evil.example' });
    assert.equal(evil.location, '/console');
  });

  it('may be pasted whole or in part', async () => {
    const part = new URL(await makeLink()).hash.slice(1);
    assert.equal((await use(await openLink(), ` ${part} `)).status, 303);
    for (const wrong of ['', 'x', `${part}x`, 'https://pay.test/console/sign-in/link', '%00']) {
      assert.equal((await use(await openLink(), wrong)).status, 403, wrong);
    }
    await service.advance(60);
  });

  it('make wrong links wait after ten of an address, and never a good one', async () => {
    const client = await openLink();
    for (let count = 0; count < 10; count += 1) {
      assert.equal((await use(client, 'A'.repeat(43))).status, 403);
    }
    const late = await use(client, 'A'.repeat(43));
    assert.equal(late.status, 429);
    assert.ok(Number(late.headers.get('retry-after')) <= 60);
    const link = await makeLink();
    assert.equal((await use(await openLink(), link)).status, 303);
    await service.advance(60);
  });

  it('end the session that the browser had', async () => {
    const client = await openLink();
    await use(client, await makeLink());
    const former = client.cookies();
    await client.get(LINK);
    await use(client, await makeLink());
    assert.notEqual(client.cookies(), former);
    const answer = await fetch(`${service.url}/console`, {
      redirect: 'manual',
      headers: { cookie: former },
    });
    assert.equal(answer.status, 303);
  });

  it('renew a sign-in by link for money, on the page that asks for it', async () => {
    const client = await signIn(service, { role: 'finance', merchantId: books });
    const money = `/console/m/${books}/payment-requests/0199a1b2-0000-7000-8000-000000000000/refund`;
    await service.advance(10 * 60);
    const again = await client.get((await client.get(money)).location ?? '');
    assert.match(again.html, /Ask an operator for a new link, and paste it here/);
    const link = await makeLink(
      'link',
      '--role',
      'finance',
      '--merchant',
      books,
      '--person',
      'Ada',
    );
    const back = await client.post(LINK, { link, next: money });
    assert.deepEqual([back.status, back.location], [303, money]);
    assert.notEqual((await client.get(money)).status, 303);
  });

  it('leave no trace of their secret in the log', async () => {
    const link = await makeLink();
    await use(await openLink(), link);
    assert.ok(!JSON.stringify(service.logLines).includes(link.slice(-43)));
    assert.match(JSON.stringify(service.logLines), /"route":"\/console\/sign-in\/link"/);
  });

  it('are refused for a role without its merchant, a merchant that is none, and a strange name', async () => {
    const faults: readonly (readonly [string[], RegExp])[] = [
      [['--role', 'support', '--person', 'Ada'], /needs --merchant/],
      [['--role', 'operator', '--person', 'Ada', '--merchant', books], /takes no --merchant/],
      [
        ['--role', 'viewer', '--person', 'Ada', '--merchant', 'mer_x'],
        /There is no merchant "mer_x"/,
      ],
      [['--role', 'root', '--person', 'Ada'], /Allowed choices are operator/],
      [['--role', 'operator', '--person', 'Ada\n(root)'], /--person/],
      [['--role', 'operator'], /--person/],
    ];
    for (const [args, fault] of faults) {
      const { exitCode, stderr } = await run('link', ...args);
      assert.ok(exitCode === 1 || exitCode === 2, stderr);
      assert.match(stderr, fault);
    }
  });
});

function tokenOf(html: string): string {
  return /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
}
