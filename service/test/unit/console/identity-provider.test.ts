import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  createIdentityProvider,
  type IdentityProvider,
} from '#console/sign-in/oidc/identity-provider.ts';
import { ProviderFault } from '#console/sign-in/oidc/provider-fault.ts';
import { type Answers, startLyingProvider } from '../../support/console/lying-provider.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

const REDIRECT_URI = 'https://pay.test/console/sign-in/callback';
const SECRETS = { state: 's', nonce: 'n', codeVerifier: 'v'.repeat(43) };
const HOUR_MS = 3_600_000;

describe('an identity provider', () => {
  const clock = createFakeClock();
  let other: Awaited<ReturnType<typeof startLyingProvider>>;
  before(async () => {
    other = await startLyingProvider(clock);
  });
  after(() => other?.stop());

  const inSeconds = (seconds: number) => Math.floor(clock.now().getTime() / 1_000) + seconds;
  const connect = (issuer = other.issuer): IdentityProvider =>
    createIdentityProvider({
      issuer,
      clientId: 'console',
      clientSecret: 'secret',
      scopes: 'openid',
      rolesClaim: 'groups',
      redirectUri: REDIRECT_URI,
      clock,
    });
  const back = (parameters: Readonly<Record<string, string>> = {}) =>
    `?${new URLSearchParams({ code: 'c', state: 's', iss: other.issuer, ...parameters })}`;
  const finish = (answers: Answers, query = back()) => {
    other.answer(answers);
    return connect().finish(query, SECRETS);
  };
  const isFault = (reason: string) => (error: unknown) =>
    error instanceof ProviderFault && error.reason === reason;

  it('proves a person, with the roles of the user information', async () => {
    assert.deepEqual(await finish({ claims: { name: 'Ada Byron' } }), {
      issuer: other.issuer,
      subject: 'ada',
      name: 'Ada Byron',
      email: null,
      roleValues: ['ops'],
      authenticatedAt: clock.now(),
    });
  });

  it('takes the roles of the ID token before those of the user information', async () => {
    const claims = { groups: ['books'], name: 'Ada' };
    assert.deepEqual((await finish({ claims })).roleValues, ['books']);
  });

  const refused: Readonly<Record<string, Answers>> = {
    'another nonce': { claims: { nonce: 'm' } },
    'no nonce': { claims: { nonce: undefined } as never },
    'another audience': { claims: { aud: 'another' } },
    'several audiences without the party': { claims: { aud: ['console', 'x'], azp: 'x' } },
    'another issuer': { claims: { iss: 'https://evil.example' } },
    'an ended token': { claims: { exp: inSeconds(-60) } },
    'a sign-in of tomorrow': { claims: { auth_time: inSeconds(86_400) } },
    'a sign-in beyond the tolerance of clocks': { claims: { auth_time: inSeconds(31) } },
    'a subject with a line end': { claims: { sub: 'ada\nx' } },
    'a signature by another key': { signature: 'OTHER_KEY' },
    'no signature': { signature: 'NONE' },
    'user information of another person': { userInfo: { sub: 'eve', groups: ['ops'] } },
    'a huge answer': { blanks: 600_000 },
    'a redirect': {
      token: (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    },
    'no JSON': { token: (response) => response.end('<p>hello') },
    'no ID token': {
      token: (response) =>
        response
          .setHeader('content-type', 'application/json')
          .end('{"access_token":"a","token_type":"Bearer"}'),
    },
  };
  for (const [name, answers] of Object.entries(refused)) {
    it(`is refused with ${name}`, () => assert.rejects(finish(answers), isFault('INVALID_ANSWER')));
  }

  it('is refused with an answer for another sign-in, or from another issuer', async () => {
    for (const query of [
      back({ state: 't' }),
      back({ iss: 'https://evil.example' }),
      `?code=c&state=s`,
      `?state=s&iss=${encodeURIComponent(other.issuer)}`,
      `${back()}&state=s`,
      '',
    ]) {
      await assert.rejects(finish({}, query), isFault('INVALID_ANSWER'), query);
    }
  });

  it('may have a clock that is 30 s ahead', async () => {
    const { authenticatedAt } = await finish({ claims: { auth_time: inSeconds(30) } });
    assert.equal(authenticatedAt?.getTime(), inSeconds(30) * 1_000);
  });

  it('is asked for its keys again by a bad signature, once in 30 s, with one token call', async () => {
    const connected = connect();
    const callsOf = (answers: Answers) => async () => {
      other.answer(answers);
      const before = [other.callsOf('/token'), other.callsOf('/keys')] as const;
      const outcome = await connected.finish(back(), SECRETS).then(
        () => 'PROVEN',
        (error: ProviderFault) => error.reason,
      );
      const [tokens, keys] = before;
      return [outcome, other.callsOf('/token') - tokens, other.callsOf('/keys') - keys];
    };
    const first = callsOf({});
    const replaced = callsOf({ signature: 'OTHER_KEY', published: 'OTHER_KEY' });
    const forged = callsOf({ signature: 'OTHER_KEY' });
    assert.deepEqual(await first(), ['PROVEN', 1, 1]);
    assert.deepEqual(await first(), ['PROVEN', 1, 0]);
    assert.deepEqual(await replaced(), ['PROVEN', 1, 1]);
    assert.deepEqual(await replaced(), ['PROVEN', 1, 0]);
    assert.deepEqual(await first(), ['INVALID_ANSWER', 1, 0], 'within 30 s');
    clock.advance(30_000);
    assert.deepEqual(await first(), ['PROVEN', 1, 1]);
    clock.advance(30_000);
    assert.deepEqual(await forged(), ['INVALID_ANSWER', 1, 1]);
    assert.deepEqual(await forged(), ['INVALID_ANSWER', 1, 1], 'no keys are kept');
    assert.deepEqual(await first(), ['PROVEN', 1, 1]);
  });

  it('may refuse the person itself', async () => {
    await assert.rejects(
      finish({}, `?error=access_denied&state=s&iss=${encodeURIComponent(other.issuer)}`),
      isFault('REFUSED'),
    );
    const token: Answers['token'] = (response) =>
      response
        .writeHead(400, { 'content-type': 'application/json' })
        .end('{"error":"invalid_grant"}');
    await assert.rejects(finish({ token }), isFault('REFUSED'));
  });

  it('ends a sign-in as UNREACHABLE while it is down', async () => {
    const token: Answers['token'] = (response) => response.writeHead(503).end();
    await assert.rejects(finish({ token }), isFault('UNREACHABLE'));
    await assert.rejects(
      connect('http://127.0.0.1:1').begin(SECRETS, false),
      isFault('UNREACHABLE'),
    );
  });

  it('is refused when its document names another issuer, or leads out of https', async () => {
    for (const discovery of [
      { issuer: 'https://evil.example' },
      { authorization_endpoint: 'javascript:alert(1)' },
      { token_endpoint: undefined },
    ]) {
      other.answer({ discovery });
      await assert.rejects(connect().begin(SECRETS, false), isFault('INVALID_ANSWER'));
    }
  });

  it('is asked for its document once in 10 minutes, and may be away for a day', async () => {
    other.answer({});
    const connected = connect();
    const before = other.discoveries();
    await Promise.all([connected.begin(SECRETS, false), connected.begin(SECRETS, true)]);
    clock.advance(9 * 60_000);
    await connected.begin(SECRETS, false);
    assert.equal(other.discoveries() - before, 1);
    clock.advance(60_000);
    await connected.begin(SECRETS, false);
    assert.equal(other.discoveries() - before, 2);

    other.answer({ discovery: { issuer: 'https://evil.example' } });
    clock.advance(HOUR_MS);
    await connected.begin(SECRETS, false);
    await connected.begin(SECRETS, false);
    assert.equal(other.discoveries() - before, 3, 'the next sign-in does not ask at once');
    clock.advance(24 * HOUR_MS);
    await assert.rejects(connected.begin(SECRETS, false), isFault('INVALID_ANSWER'));
  });
});
