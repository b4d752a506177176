/**
 * oidc-provider as in its documentation: client_credentials, with its in-memory adapter. Its
 * default
 * tokens are opaque, and valid only in the process that stores them. With `jwt` it signs them with
 * Ed25519, as the service does, so that any process can check them.
 * `node bench/peers/oidc-provider.mjs PORT CLIENT_ID CLIENT_SECRET opaque|jwt`
 */
import { generateKeyPairSync } from 'node:crypto';
import { Provider } from 'oidc-provider';

const [port = '0', client_id = '', client_secret = '', format = 'opaque'] = process.argv.slice(2);
const RESOURCE = 'https://api.example/v1';
// oidc-provider warns that this is no production set-up; the warnings do not matter here.
console.warn = () => {};
console.info = () => {};

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [
    {
      client_id,
      client_secret,
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
      id_token_signed_response_alg: 'EdDSA',
      scope: 'payment_request/all',
    },
  ],
  scopes: ['payment_request/all'],
  features: {
    clientCredentials: { enabled: true },
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: format === 'jwt',
      defaultResource: () => RESOURCE,
      getResourceServerInfo: () => ({
        scope: 'payment_request/all',
        audience: RESOURCE,
        accessTokenTTL: 3600,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'EdDSA' } },
      }),
    },
  },
  jwks: { keys: [signingKey()] },
  ttl: { ClientCredentials: 3600 },
});
process.once('disconnect', () => process.exit());
provider.listen(Number(port), '127.0.0.1', () => process.send?.('ready'));

function signingKey() {
  const { privateKey } = generateKeyPairSync('ed25519');
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'EdDSA', kid: 'bench' };
}
