import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type ConsoleClient, visitConsole } from '../support/console/console-client.ts';
import { createCookieJar } from '../support/console/cookie-jar.ts';
import {
  type ProviderBrowser,
  startIdentityProvider,
  type TestIdentityProvider,
} from '../support/console/identity-provider.ts';
import { startTestService, type TestService } from '../support/service/service.ts';

const START = new Date('2026-03-01T12:00:00.000Z');

describe('sign-in by OpenID Connect', () => {
  let provider: TestIdentityProvider;
  let service: TestService;
  let books: string;
  /** A page that needs a fresh sign-in; its payment request does not exist. */
  let money: string;
  before(async () => {
    provider = await startIdentityProvider({ now: START });
    const settings = {
      ...provider.settings,
      CONSOLE_ROLES:
        'ops=operator;audit=operator-readonly;pay-*-support=support@*;pay-*-money=finance@*',
    };
    service = await startTestService({ start: START, settings });
    books = (await service.createMerchant({ name: 'Books' })).merchantId;
    money = `/console/m/${books}/payment-requests/${randomUUID()}/refund`;
  });
  after(async () => {
    await service?.stop();
    await provider?.stop();
  });
  beforeEach(() =>
    provider.setPeople({
      ada: { name: 'Ada Byron', groups: ['ops', 'staff', `pay-${books}-money`] },
      sue: { name: 'Sue', groups: [`pay-${books}-support`] },
      eve: { name: 'Eve', groups: ['staff'] },
    }),
  );

  const advance = async (seconds: number) => {
    await service.advance(seconds);
    await provider.setNow(service.clock.now());
  };
  const begin = async (client: ConsoleClient, query = '') =>
    (await client.get(`/console/sign-in/start${query}`)).location ?? '';
  /** The path and query with which the provider leads a browser back. */
  const answerFor = async (address: string, subject: string, at?: ProviderBrowser) => {
    const { back } = await provider.signIn(address, subject, at);
    return back.pathname + back.search;
  };
  const signIn = async (subject: string, query = '', client = visitConsole(service)) => {
    const answer = await client.get(await answerFor(await begin(client, query), subject));
    return { client, answer };
  };
  const auditOf = (action: string) =>
    service.database.sql<{ actor: string; merchant_id: string | null; details: object }>(
      'SELECT actor, merchant_id, details FROM audit_log WHERE action = $1 ORDER BY position DESC',
      [action],
    );
  const faultOf = (location: string | null) =>
    new URL(location ?? '', 'https://pay.test').searchParams.get('fault');

  it('leads to the provider with state, nonce and PKCE, and back to the wanted page', async () => {
    const client = visitConsole(service);
    const wanted = `/console/m/${books}/payment-requests?status=PAID`;
    const first = await client.get(wanted);
    assert.equal(first.status, 303);
    const ways = await client.get(first.location ?? '');
    const led = await client.get(startLinkOf(ways.html));
    assert.equal(led.status, 303);
    const { searchParams } = new URL(led.location ?? '');
    for (const name of ['state', 'nonce', 'code_challenge']) {
      assert.match(searchParams.get(name) ?? '', /^[\w-]{43}$/, name);
    }
    assert.equal(searchParams.get('code_challenge_method'), 'S256');
    const back = await client.get(await answerFor(led.location ?? '', 'sue'));
    assert.deepEqual([back.status, back.location], [303, wanted]);
    const page = await client.get(wanted);
    assert.equal(page.status, 200);
    assert.match(page.html, /Signed in as Sue/);
    const [entry] = await auditOf('CONSOLE_SIGNED_IN');
    assert.equal(entry?.actor, `console (Sue, ${provider.issuer} sue)`);
    assert.equal(entry?.merchant_id, books);
  });

  it('gives the session cookie to this host alone, out of reach of scripts', async () => {
    const { answer } = await signIn('ada');
    const [session] = answer.headers.getSetCookie().filter((each) => /^__Host-console=/.test(each));
    assert.match(session ?? '', /; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    assert.doesNotMatch(session ?? '', /domain/i);
  });

  it('refuses people without a role, and tells the audit log', async () => {
    const { client, answer } = await signIn('eve');
    assert.equal(faultOf(answer.location), 'NO_ROLE');
    const page = await client.get(answer.location ?? '');
    assert.equal(page.status, 403);
    assert.match(page.html, /you have no role in this console/);
    assert.equal((await client.get('/console')).status, 303);
    const [entry] = await auditOf('CONSOLE_SIGN_IN_REFUSED');
    assert.deepEqual(entry?.details, { reason: 'NO_ROLE' });
    assert.match(entry?.actor ?? '', /Eve/);
  });

  it('leaves a log line with call, source and cause for each failed sign-in', async () => {
    const client = visitConsole(service);
    const state = new URL(await begin(client)).searchParams.get('state') ?? '';
    const requestId = randomUUID();
    const answer = { error: 'access_denied', state, iss: provider.issuer };
    const { location } = await client.get(
      `/console/sign-in/callback?${new URLSearchParams(answer)}`,
      { 'x-request-id': requestId },
    );
    assert.equal(faultOf(location), 'REFUSED');
    const line = service.logLines.findLast(({ msg }) => msg === 'console sign-in failed');
    assert.partialDeepStrictEqual(line, {
      level: 'warn',
      requestId,
      sourceAddress: '127.0.0.1',
      reason: 'REFUSED',
      err: {
        type: 'ProviderFault',
        message: 'The identity provider refused the sign-in (access_denied).',
      },
    });
  });

  it('reads the roles again at each sign-in', async () => {
    const { client } = await signIn('ada');
    assert.equal((await client.get('/console/operator/sessions')).status, 200);
    await provider.setPeople({ ada: { name: 'Ada Byron', groups: [`pay-${books}-support`] } });
    await signIn('ada', '', client);
    assert.equal((await client.get('/console/operator/sessions')).status, 403);
    assert.equal((await client.get(`/console/m/${books}/payment-requests`)).status, 200);
  });

  it('begins on the console’s own page alone, not by a link of another site', async () => {
    const client = visitConsole(service);
    const start = startLinkOf((await client.get('/console/sign-in')).html);
    for (const site of ['cross-site', 'same-site']) {
      const { location } = await client.get(start, { 'sec-fetch-site': site });
      assert.match(location ?? '', /^\/console\/sign-in\?next=/, site);
    }
    for (const site of ['same-origin', 'none']) {
      const { location } = await client.get(start, { 'sec-fetch-site': site });
      assert.equal(new URL(location ?? '').origin, provider.issuer, site);
    }
  });

  it('makes one session of an answer, even if the answer comes again', async () => {
    const client = visitConsole(service);
    const answer = await answerFor(await begin(client), 'ada');
    const thief = visitConsole(service, Object.fromEntries(cookiesOf(client)));
    assert.equal((await client.get(answer)).location, '/console');
    const again = await thief.get(answer);
    assert.ok(['REFUSED', 'EXPIRED'].includes(faultOf(again.location) ?? ''));
    assert.equal((await thief.get('/console')).status, 303);
    const reloaded = await client.get(answer);
    assert.equal((await client.get(reloaded.location ?? '')).location, '/console');
  });

  it('takes an answer only in the browser that began, for the sign-in that it began', async () => {
    const attacker = visitConsole(service);
    const answer = await answerFor(await begin(attacker), 'ada');
    const victim = visitConsole(service);
    assert.equal(faultOf((await victim.get(answer)).location), 'EXPIRED');
    await begin(victim);
    assert.equal(faultOf((await victim.get(answer)).location), 'EXPIRED');
    assert.equal((await victim.get('/console')).status, 303);
  });

  it('takes no answer of another issuer, and no answer that says nothing of its issuer', async () => {
    for (const issuer of ['https://evil.example', null]) {
      const client = visitConsole(service);
      const answer = new URL(await answerFor(await begin(client), 'ada'), 'https://pay.test');
      if (issuer) answer.searchParams.set('iss', issuer);
      else answer.searchParams.delete('iss');
      const refused = await client.get(answer.pathname + answer.search);
      assert.equal(faultOf(refused.location), 'INVALID_ANSWER');
      assert.equal((await client.get('/console')).status, 303);
    }
  });

  it('keeps no session of before the sign-in', async () => {
    const planted = 'A'.repeat(43);
    const client = visitConsole(service, { '__Host-console': planted });
    await signIn('ada', '', client);
    const secret = cookiesOf(client).get('__Host-console');
    assert.notEqual(secret, planted);
    assert.equal(
      (await visitConsole(service, { '__Host-console': planted }).get('/console')).status,
      303,
    );
    const former = visitConsole(service, { '__Host-console': secret ?? '' });
    assert.equal((await former.get('/console')).status, 200);
    await signIn('ada', '', client);
    assert.equal((await former.get('/console')).status, 303, 'the former session ended');
  });

  it('leads to no other site after the sign-in', async () => {
    for (const next of ['https://evil.example/', '//evil.example', '/\\evil.example', '/pay/x']) {
      const { answer } = await signIn('ada', `?${new URLSearchParams({ next })}`);
      assert.equal(answer.location, '/console', next);
    }
  });

  it('does not wait for a person for more than 15 minutes', async () => {
    const client = visitConsole(service);
    const answer = await answerFor(await begin(client), 'ada');
    await service.advance(15 * 60);
    assert.equal(faultOf((await client.get(answer)).location), 'EXPIRED');
    await provider.setNow(service.clock.now());
  });

  it('reads no cookie of a foreign length or form', async () => {
    for (const name of ['__Host-console', '__Host-console-sign-in', '__Host-console-form']) {
      for (const value of ['x'.repeat(8_000), '%00', 'A'.repeat(44)]) {
        const client = visitConsole(service, { [name]: value });
        assert.equal((await client.get('/console')).status, 303);
        assert.equal(
          faultOf((await client.get('/console/sign-in/callback?code=x')).location),
          'EXPIRED',
        );
        assert.equal((await client.get('/console/sign-in/link')).status, 200);
      }
    }
    const flooded = visitConsole(service, { '__Host-console': 'x'.repeat(20_000) });
    assert.equal((await flooded.get('/console')).status, 431);
  });

  it('asks for a password again before money, and believes auth_time alone', async () => {
    const browser = createCookieJar();
    const client = visitConsole(service);
    await client.get(await answerFor(await begin(client), 'ada', browser));
    assert.notEqual((await client.get(money)).status, 303);
    await advance(10 * 60);
    const stale = await client.get(money);
    assert.match(stale.location ?? '', /^\/console\/sign-in\/again\?next=/);
    const asking = await client.get(stale.location ?? '');
    assert.match(asking.html, /Confirm that it is you/);
    const start = startLinkOf(asking.html);
    const address = (await client.get(start)).location ?? '';
    assert.equal(new URL(address).searchParams.get('prompt'), 'login');

    // A provider that asks for nothing: its sign-in of ten minutes ago is no proof.
    const silent = new URL(address);
    silent.searchParams.delete('prompt');
    silent.searchParams.delete('max_age');
    const lazy = await provider.signIn(silent.href, 'ada', browser);
    assert.equal(lazy.asked, false);
    const refused = await client.get(lazy.back.pathname + lazy.back.search);
    assert.equal(faultOf(refused.location), 'NOT_FRESH');
    assert.equal((await client.get(money)).status, 303, 'still stale');

    const again = (await client.get(start)).location ?? '';
    const proof = await provider.signIn(again, 'ada', browser);
    assert.equal(proof.asked, true);
    const back = await client.get(proof.back.pathname + proof.back.search);
    assert.equal(back.location, money);
    assert.notEqual((await client.get(money)).status, 303);
  });

  it('counts the sign-in at the provider, not the one here', async () => {
    const browser = createCookieJar();
    const client = visitConsole(service);
    await client.get(await answerFor(await begin(client), 'ada', browser));
    await advance(20 * 60);
    const other = visitConsole(service);
    const { back, asked } = await provider.signIn(await begin(other), 'ada', browser);
    assert.equal(asked, false);
    assert.equal((await other.get(back.pathname + back.search)).location, '/console');
    assert.match((await other.get(money)).location ?? '', /sign-in\/again/);
  });

  it('leads to the sign-out of the provider after the sign-out here', async () => {
    const { client } = await signIn('ada');
    const out = await client.post('/console/sign-out');
    const page = await client.get(out.location ?? '');
    assert.match(page.html, /You are signed out/);
    assert.match(page.html, /href="\/console\/sign-in\/provider-sign-out"/);
    const { location } = await client.get('/console/sign-in/provider-sign-out');
    const address = new URL(location ?? '');
    assert.equal(address.origin, provider.issuer);
    assert.equal(
      address.searchParams.get('post_logout_redirect_uri'),
      'https://pay.test/console/sign-in',
    );
    assert.equal((await client.get('/console')).status, 303);
  });

  it('limits failed sign-ins of an address', async () => {
    const client = visitConsole(service);
    let fault: string | null = null;
    for (let count = 0; count < 70 && fault !== 'TOO_MANY'; count += 1) {
      await begin(client);
      fault = faultOf((await client.get('/console/sign-in/callback?code=x&state=y')).location);
    }
    assert.equal(fault, 'TOO_MANY');
    await advance(60);
    assert.equal((await signIn('ada')).answer.location, '/console');
  });

  it('writes no code, state, token or secret into the log', async () => {
    const client = visitConsole(service);
    const answer = await answerFor(await begin(client), 'ada');
    await client.get(answer);
    const lines = JSON.stringify(service.logLines);
    const { searchParams } = new URL(answer, 'https://pay.test');
    const secrets = [searchParams.get('code'), searchParams.get('state')];
    for (const secret of [...secrets, ...cookiesOf(client).values()].filter(
      (each) => each !== '',
    )) {
      assert.ok(secret && !lines.includes(secret));
    }
    assert.match(lines, /"route":"\/console\/sign-in\/callback"/);
  });
});

/** The link to the provider, as a browser reads it. */
function startLinkOf(html: string): string {
  const link = /href="(\/console\/sign-in\/start[^"]+)"/.exec(html)?.[1] ?? '';
  return link.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code)).replaceAll('&amp;', '&');
}

function cookiesOf(client: ConsoleClient): Map<string, string> {
  const pairs = client.cookies().split('; ').filter(Boolean);
  return new Map(
    pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
}
