import { METHODS as KNOWN_METHODS } from 'node:http';
import type { FastifyInstance, HTTPMethods } from 'fastify';
import { Problem } from '#lib/problem.ts';

/**
 * The methods that an address may be asked with: all that the HTTP layer can read. CONNECT names no
 * address and is refused before it gets here.
 */
const METHODS = KNOWN_METHODS.filter((method) => method !== 'CONNECT') as HTTPMethods[];

/** The order of `Allow`. */
const USUAL: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Answers the methods that an address lacks: OPTIONS says what there is, any other is refused with
 * 405 and `Allow` rather than 404 (contract §7).
 *
 * @returns the second half, to call when every route is registered.
 */
export function watchRoutes(app: FastifyInstance): () => void {
  const methodsOf = new Map<string, Set<string>>();
  for (const method of METHODS) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  }
  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsOf.get(url) ?? new Set();
    for (const each of [method].flat()) methods.add(each);
    methodsOf.set(url, methods);
  });

  return () => {
    for (const [url, methods] of [...methodsOf]) refuseOthers(app, url, new Set(methods));
  };
}

function refuseOthers(app: FastifyInstance, url: string, methods: ReadonlySet<string>): void {
  const allow = USUAL.filter((method) => method === 'OPTIONS' || methods.has(method)).join(', ');
  app.route({
    url,
    method: METHODS.filter((method) => !methods.has(method)),
    schema: { hide: true },
    // A body of any type stays unread: the refusal does not depend on the body.
    onRequest: async (request, reply) => {
      if (request.method === 'OPTIONS') return reply.code(204).header('allow', allow).send();
      throw new Problem('METHOD_NOT_ALLOWED', { headers: { allow } });
    },
    handler: () => {},
  });
}
