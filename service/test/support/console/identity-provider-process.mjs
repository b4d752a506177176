// npm's oidc-provider as the other side of the console's sign-in, with a clock that a test moves.
// `node identity-provider-process.mjs OPTIONS-AS-JSON`
import { generateKeyPairSync } from 'node:crypto';

const { clientId, clientSecret, redirectUri, afterSignOutUri, nowMs } = JSON.parse(
  process.argv[2] ?? '{}',
);
const hostNow = Date.now;
let aheadMs = nowMs - hostNow();
Date.now = () => hostNow() + aheadMs;
/** @type {Record<string, Record<string, unknown>>} */
let people = {};

// It warns that this is no production set-up; the warnings do not matter here.
console.warn = () => {};
console.info = () => {};
const { Provider } = await import('oidc-provider');

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const key = { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'test' };
const port = Number(process.argv[3]);
const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [
    {
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: [redirectUri],
      post_logout_redirect_uris: [afterSignOutUri],
    },
  ],
  claims: { openid: ['sub'], profile: ['name'], groups: ['groups'] },
  scopes: ['openid', 'profile', 'groups'],
  pkce: { required: () => true },
  jwks: { keys: [key] },
  cookies: { keys: ['test'] },
  findAccount: (_context, sub) => ({
    accountId: sub,
    claims: () => ({ sub, ...people[sub] }),
  }),
  // The operator's own client needs no consent.
  async loadExistingGrant(context) {
    const { client, session } = context.oidc;
    const grant = new context.oidc.provider.Grant({
      clientId: client.clientId,
      accountId: session.accountId,
    });
    grant.addOIDCScope('openid profile groups');
    await grant.save();
    return grant;
  },
});
process.on('message', (message) => {
  if (message.people) people = message.people;
  if (message.nowMs) aheadMs = message.nowMs - hostNow();
  process.send?.('done');
});
process.once('disconnect', () => process.exit());
provider.listen(port, '127.0.0.1', () => process.send?.('done'));
