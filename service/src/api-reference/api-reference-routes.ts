import type { FastifyInstance } from 'fastify';
import { referenceHeaders } from '#http/headers/security-headers.ts';
import { type DocumentRoutesDeps, registerDocumentRoutes } from './document-routes.ts';
import { registerHomeRoutes } from './home-routes.ts';
import {
  REFERENCE_PAGE,
  REFERENCE_SCRIPT_PATH,
  START_SCRIPT,
  START_SCRIPT_PATH,
} from './pages/reference-page.ts';
import { loadReferenceScript, type ReferenceScript } from './reference-script.ts';
import { sendCacheable, tagOf } from './send-cacheable.ts';

export type ApiReferenceDeps = DocumentRoutesDeps;

const HIDDEN = { schema: { hide: true } };
const SCRIPT_TYPE = 'text/javascript; charset=utf-8';

/** The OpenAPI document and its page (contract §9). */
export function registerApiReferenceRoutes(app: FastifyInstance, deps: ApiReferenceDeps): void {
  let script: Promise<ReferenceScript> | undefined;

  registerDocumentRoutes(app, deps);
  registerHomeRoutes(app, deps.publicApiUrl);

  const callable = [deps.publicApiUrl, deps.publicAuthUrl].map((url) => new URL(url).origin);
  const pageHeaders = referenceHeaders([...new Set(callable)]);
  app.get('/docs', HIDDEN, (_request, reply) =>
    reply.headers(pageHeaders).type('text/html; charset=utf-8').send(REFERENCE_PAGE),
  );

  app.get(REFERENCE_SCRIPT_PATH, HIDDEN, async (request, reply) => {
    script ??= loadReferenceScript();
    const { plain, gzipped, entityTag } = await script;
    const takesGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
    reply.header('vary', 'Accept-Encoding');
    if (takesGzip) reply.header('content-encoding', 'gzip');
    return sendCacheable(request, reply, entityTag, SCRIPT_TYPE, takesGzip ? gzipped : plain);
  });

  app.get(START_SCRIPT_PATH, HIDDEN, (request, reply) =>
    sendCacheable(request, reply, tagOf(START_SCRIPT), SCRIPT_TYPE, START_SCRIPT),
  );
}
