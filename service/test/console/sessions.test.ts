import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { runCli } from '../commands/run-cli.ts';
import { visitAsPerson } from '../support/approvals/person-session.ts';
import { type ConsoleClient, signIn } from '../support/console/console-client.ts';
import { eventually } from '../support/eventually.ts';
import { openEventStream } from '../support/network/event-stream.ts';
import { startTestService, type TestService } from '../support/service/service.ts';

const MINUTE = 60;

describe('sessions of the console', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service?.stop());

  const run = (...args: string[]) => runCli(['console', 'sessions', ...args], service.env);
  const isOpen = async (client: ConsoleClient) => (await client.get('/console')).status === 200;
  const visit = (subject: string) =>
    visitAsPerson(service, { subject, grants: [{ role: 'operator', merchantId: null }] });
  const idOf = async (subject: string) => {
    const { sessions } = (await run('list', '--json')).json();
    return sessions.find((session: { subject: string }) => session.subject === subject)?.id;
  };

  it('end after 30 minutes without a page, and after 8 hours with many', async () => {
    const [busy, idle] = [await visit('busy'), await visit('idle')];
    await service.advance(29 * MINUTE);
    assert.ok(await isOpen(busy));
    await service.advance(2 * MINUTE);
    assert.ok(!(await isOpen(idle)));
    for (let minutes = 31; minutes < 8 * 60; minutes += 29) {
      assert.ok(await isOpen(busy), `after ${minutes} minutes`);
      await service.advance(Math.min(29, 8 * 60 - minutes) * MINUTE);
    }
    assert.ok(!(await isOpen(busy)));
  });

  it('end at the sign-out, which needs a form of the session', async () => {
    const client = await visit('ada');
    assert.equal((await client.post('/console/sign-out', { csrf: 'wrong' })).status, 403);
    assert.ok(await isOpen(client));
    const cookies = client.cookies();
    await client.post('/console/sign-out');
    const answer = await fetch(`${service.url}/console`, {
      redirect: 'manual',
      headers: { cookie: cookies },
    });
    assert.equal(answer.status, 303, 'the former cookie opens nothing');
    const [entry] = await service.database.sql<{ actor: string }>(
      `SELECT actor FROM audit_log WHERE action = 'CONSOLE_SIGNED_OUT'`,
    );
    assert.equal(entry?.actor, 'console (ada, https://id.example ada)');
  });

  it('say who has a role at a merchant, and when each person was last seen', async () => {
    const { merchantId } = await service.createMerchant({ name: 'Team Shop' });
    const other = (await service.createMerchant({ name: 'Other Shop' })).merchantId;
    const team = `/console/m/${merchantId}/team`;
    const person = (subject: string, role: 'finance' | 'support', at = merchantId) =>
      visitAsPerson(service, { subject, grants: [{ role, merchantId: at }] });
    await person('fiona', 'finance');
    await person('stranger', 'support', other);
    await service.advance(40 * MINUTE);
    const twice = [await person('sam', 'finance'), await person('sam', 'support')];
    await service.advance(5 * MINUTE);
    await twice[0]?.get('/console');
    const anna = await signIn(service, { role: 'administrator', merchantId, name: 'Anna' });
    const rowsOf = async (client: ConsoleClient) => {
      const [, body = ''] = /<tbody>([\s\S]*)<\/tbody>/.exec((await client.get(team)).html) ?? [];
      return body.split('</tr>').map((row) =>
        row
          .replace(/<[^>]+>/g, ' ')
          .replace(/\s+/g, ' ')
          .trim(),
      );
    };
    const rows = [
      'Anna one-time link Administrator this minute Signed in',
      'sam sam Support this minute Signed in',
      'fiona fiona Finance 45 minutes ago –',
      '',
    ];
    assert.deepEqual(await rowsOf(anna), rows);
    assert.deepEqual(await rowsOf(await visit('olga')), rows, 'an operator is not of the team');
    assert.equal((await twice[1]?.get(team))?.status, 403);
  });

  it('have ten live streams, a person has twenty, and a session’s streams end with it', async () => {
    const clients = [await visit('grace'), await visit('grace'), await visit('grace')];
    const open = ({ cookies }: ConsoleClient, count: number) =>
      Promise.all(
        Array.from({ length: count }, () =>
          openEventStream(`${service.url}/console/operator/overview/live?seen=999999999`, {
            cookie: cookies(),
          }),
        ),
      );
    const [first, second, third] = clients as [ConsoleClient, ConsoleClient, ConsoleClient];
    const ofFirst = await open(first, 11);
    const good = ofFirst.filter(({ status }) => status === 200);
    assert.equal(good.length, 10);
    const ofSecond = await open(second, 10);
    assert.ok(ofSecond.every(({ status }) => status === 200));
    assert.equal((await open(third, 1))[0]?.status, 503);
    await first.post('/console/sign-out');
    await Promise.all(good.map(({ ended }) => ended));
    const [ofThird] = await open(third, 1);
    assert.equal(ofThird?.status, 200, 'the ended streams have left their places');
    assert.ok(ofSecond.every(({ isOpen }) => isOpen()));
    for (const stream of [...ofSecond, ofThird]) stream.close();
  });

  it('take no form of another site, whoever knows its token', async () => {
    const client = await visit('ada');
    const { html } = await client.get('/console/account');
    const csrf = /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
    const post = async (headers: Readonly<Record<string, string>>, token = csrf) => {
      const answer = await fetch(`${service.url}/console/account/sign-out-everywhere`, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie: client.cookies(), ...headers },
        body: new URLSearchParams({ csrf: token }),
      });
      return answer.status;
    };
    for (const site of ['cross-site', 'same-site', 'none']) {
      assert.equal(await post({ 'sec-fetch-site': site }), 403, site);
    }
    assert.equal(await post({ origin: 'https://evil.example' }), 403);
    assert.equal(await post({ 'sec-fetch-site': 'same-origin' }, 'wrong'), 403);
    assert.ok(await isOpen(client));
    assert.equal(await post({ 'sec-fetch-site': 'same-origin', origin: 'null' }), 303);
    assert.ok(!(await isOpen(client)));
  });

  it('end everywhere at once, for this person alone', async () => {
    const [first, second, other] = [await visit('ada'), await visit('ada'), await visit('bob')];
    const page = await first.get('/console/account');
    assert.equal(page.html.match(/<th scope="row">/g)?.length, 2);
    assert.match(page.html, /this browser/);
    const out = await first.post('/console/account/sign-out-everywhere');
    assert.equal(out.location, '/console/sign-in?out=OIDC');
    assert.deepEqual(
      [await isOpen(first), await isOpen(second), await isOpen(other)],
      [false, false, true],
    );
  });

  it('do not join two people of one name at two merchants', async () => {
    const [books, bikes] = [await service.createMerchant(), await service.createMerchant()];
    const role = 'administrator';
    const one = await signIn(service, { role, merchantId: books.merchantId, name: 'Jo' });
    const other = await signIn(service, { role, merchantId: bikes.merchantId, name: 'Jo' });
    await one.post('/console/account/sign-out-everywhere');
    assert.deepEqual([await isOpen(one), await isOpen(other)], [false, true]);
  });

  it('are ended by an operator, one by one', async () => {
    const [operator, person] = [await visit('olive'), await visit('paul')];
    const page = await operator.get('/console/operator/sessions');
    assert.match(page.html, /End the session of paul/);
    const id = await idOf('paul');
    const ended = await operator.post(`/console/operator/sessions/${id}/end`);
    assert.equal(ended.location, '/console/operator/sessions?done=ended');
    assert.match((await operator.get(ended.location ?? '')).html, /The session is ended/);
    assert.ok(!(await isOpen(person)));
    const again = await operator.post(`/console/operator/sessions/${id}/end`);
    assert.equal(again.location, '/console/operator/sessions?done=gone');
    const [entry] = await service.database.sql<{ actor: string; details: object }>(
      `SELECT actor, details FROM audit_log WHERE action = 'CONSOLE_SESSIONS_ENDED'
       ORDER BY position DESC`,
    );
    assert.match(entry?.actor ?? '', /olive/);
    assert.deepEqual(entry?.details, { count: 1, sessionIds: [id] });
  });

  it('are listed and ended by payreq', async () => {
    const [ada, bob, cy] = [await visit('ada'), await visit('bob'), await visit('cy')];
    const { stdout } = await run('list');
    assert.match(stdout, /^SESSION +NAME +SUBJECT +ROLES/);
    assert.match(stdout, /bob +bob +operator/);
    assert.ok(!stdout.includes((await ada.get('/console')).headers.get('x-request-id') ?? 'none'));
    assert.equal((await run('end', '--session', await idOf('ada'))).stdout, '1 session ended.\n');
    assert.ok(!(await isOpen(ada)));
    assert.match((await run('end', '--person', 'bob')).stdout, /sessions? ended/);
    assert.ok(!(await isOpen(bob)));
    assert.match((await run('end', '--person', 'nobody')).stdout, /no such open session/);
    const unsure = await run('end', '--all');
    assert.equal(unsure.exitCode, 2);
    assert.ok(await isOpen(cy));
    assert.equal((await run('end', '--all', '--yes')).exitCode, 0);
    assert.ok(!(await isOpen(cy)));
    assert.equal((await run('list')).stdout, 'No person is signed in.\n');
    for (const args of [[], ['--all', '--person', 'x'], ['--session', '1; drop']]) {
      assert.equal((await run('end', ...args)).exitCode, 2, args.join(' '));
    }
  });

  it('are deleted 30 days after their end, with the links', async () => {
    await signIn(service, { role: 'operator' });
    const count = async () => {
      const [row] = await service.database.sql<{ count: number }>(
        `SELECT (SELECT count(*) FROM console_sessions)::int
           + (SELECT count(*) FROM console_sign_in_links)::int AS count`,
      );
      return row?.count;
    };
    await service.advance(29 * 24 * 3_600);
    assert.ok(((await count()) ?? 0) > 0);
    await service.advance(2 * 24 * 3_600);
    await eventually(async () => {
      assert.equal(await count(), 0);
      return true;
    }, 'the deletion');
  });
});
