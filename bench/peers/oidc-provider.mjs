/**
 * oidc-provider as its documentation starts it: client_credentials, opaque access tokens (its
 * default, which costs less than a signed one), kept by the adapter in memory that it brings along.
 * `node bench/peers/oidc-provider.mjs PORT CLIENT_ID CLIENT_SECRET`
 */
import { Provider } from 'oidc-provider';

const [port = '0', client_id = '', client_secret = ''] = process.argv.slice(2);
// Its warnings that this is no production set-up are true, and not what is measured.
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
      scope: 'payment_request/all',
    },
  ],
  scopes: ['payment_request/all'],
  features: { clientCredentials: { enabled: true }, devInteractions: { enabled: false } },
  ttl: { ClientCredentials: 3600 },
});
process.once('disconnect', () => process.exit());
provider.listen(Number(port), '127.0.0.1', () => process.send?.('ready'));
