import type { FastifyInstance } from 'fastify';
import type { Access } from './create-access.ts';

/** Short, so that a removed key soon leaves the memories of others too. */
const MAX_AGE_SECONDS = 60;

/** `/.well-known/jwks.json`: the public keys that tokens are verified with (contract §3). */
export function registerJwksRoutes(app: FastifyInstance, { signingKeys }: Access): void {
  app.get('/.well-known/jwks.json', async (_request, reply) => {
    const keys = await signingKeys.published();
    return reply
      .header('cache-control', `public, max-age=${MAX_AGE_SECONDS}`)
      .type('application/jwk-set+json')
      .send(JSON.stringify({ keys }));
  });
}
