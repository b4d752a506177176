import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { chooseMediaType } from '#http/negotiation/choose-media-type.ts';
import { Problem } from '#lib/problem.ts';

/**
 * The origin and {base_url} as people open them: a browser goes on to the reference page. There is
 * nothing here for a program, which gets the problem of every unknown address.
 */
export function registerHomeRoutes(app: FastifyInstance, publicApiUrl: string): void {
  const lead = (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('vary', 'Accept');
    const type = chooseMediaType(request.headers.accept, ['application/json', 'text/html']);
    if (type !== 'text/html') throw new Problem('ROUTE_NOT_FOUND');
    return reply.redirect('/docs', 302);
  };
  for (const path of new Set(['/', new URL(publicApiUrl).pathname])) {
    app.get(path, { schema: { hide: true } }, lead);
  }
}
