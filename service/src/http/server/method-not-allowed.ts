import type { FastifyInstance, FastifyRequest } from 'fastify';
import createRouter from 'find-my-way';
import { Problem } from '#lib/problem.ts';
import { LARGEST_HEADERS_BYTES } from './options.ts';

type Addresses = ReturnType<typeof createRouter>;

/** The order of `Allow`. */
const USUAL: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

interface KnownRoute {
  /** The route's pattern, as in `/v1/payment-requests/:id`. */
  readonly url: string;
  /** The methods that it has, as `Allow` names them. */
  readonly allow: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The route of an address that lacks the request's method; null: no such route. */
    knownRoute: KnownRoute | null;
  }
}

/**
 * Watches the routes, and finds for each request without a route whether its address has another
 * method. Call it before any route is registered, and before `refuseUnknownRoutes`.
 *
 * The addresses stand in a router of their own, made at the first such request. Routes of Fastify
 * for each of the 34 methods that Node.js reads took a twentieth of a start and 7 MB.
 */
export function watchRoutes(app: FastifyInstance): void {
  const methodsOf = new Map<string, Set<string>>();
  let addresses: Addresses | undefined;
  app.decorateRequest('knownRoute', null);
  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsOf.get(url) ?? new Set();
    for (const each of [method].flat()) methods.add(each);
    methodsOf.set(url, methods);
  });
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.is404) {
      addresses ??= routerOf(methodsOf);
      request.knownRoute = findRoute(addresses, request);
    }
    done();
  });
}

/**
 * Answers the methods that an address lacks: OPTIONS says what there is, any other is refused with
 * 405 and `Allow` rather than 404 (contract §7). A body stays unread. Call it behind the hooks that
 * such a request passes.
 */
export function refuseOtherMethods(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.knownRoute === null) return;
    const { allow } = request.knownRoute;
    if (request.method === 'OPTIONS') return reply.code(204).header('allow', allow).send();
    throw new Problem('METHOD_NOT_ALLOWED', { headers: { allow } });
  });
}

function routerOf(methodsOf: ReadonlyMap<string, ReadonlySet<string>>): Addresses {
  const router = createRouter({ maxParamLength: LARGEST_HEADERS_BYTES });
  for (const [url, methods] of methodsOf) {
    const allow = USUAL.filter((method) => method === 'OPTIONS' || methods.has(method)).join(', ');
    router.on('GET', url, () => {}, { url, allow } satisfies KnownRoute);
  }
  return router;
}

/** An address that lacks a part, as the id in `/payment-requests/`, is unknown. */
function findRoute(addresses: Addresses, { raw }: FastifyRequest): KnownRoute | null {
  const found = addresses.find('GET', raw.url ?? '');
  if (!found || Object.values(found.params).includes('')) return null;
  return found.store as KnownRoute;
}
