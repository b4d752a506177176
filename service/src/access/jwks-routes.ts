import type { FastifyInstance } from 'fastify';
import { KEY_SET_OPERATION } from '#access/token/operation.ts';
import { DatabaseUnavailable } from '#database/database.ts';
import type { Access } from './create-access.ts';

/** Short, so that other caches also drop a removed key soon. */
const MAX_AGE_SECONDS = 60;

/**
 * `/.well-known/jwks.json`: the public keys that verify tokens (contract §3). A fresh deployment
 * has its first key when it begins to listen.
 */
export function registerJwksRoutes(
  app: FastifyInstance,
  { signingKeys }: Pick<Access, 'signingKeys'>,
): void {
  app.addHook('onReady', async () => {
    // The service also starts while the database is unavailable; the first token call then creates
    // the key.
    await signingKeys.signer().catch((error: unknown) => {
      if (!(error instanceof DatabaseUnavailable)) throw error;
    });
  });
  app.get('/.well-known/jwks.json', { schema: KEY_SET_OPERATION }, async (_request, reply) => {
    const keys = await signingKeys.published();
    return reply
      .header('cache-control', `public, max-age=${MAX_AGE_SECONDS}`)
      .type('application/jwk-set+json')
      .send(JSON.stringify({ keys }));
  });
}
