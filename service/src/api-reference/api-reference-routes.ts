import type { FastifyInstance } from 'fastify';
import { referenceHeaders } from '#http/headers/security-headers.ts';
import { memoizeAsync } from '#lib/memoize-async.ts';
import { registerDocsRoutes } from './docs-routes.ts';
import { type DocumentRoutesDeps, registerDocumentRoutes } from './document-routes.ts';
import { registerGuideRoutes } from './guides/guide-routes.ts';
import { registerHomeRoutes } from './home-routes.ts';
import {
  REFERENCE_SCRIPT_PATH,
  START_SCRIPT,
  START_SCRIPT_PATH,
  TRY_PAGE,
} from './pages/try-page.ts';
import { loadReferenceScript } from './reference-script.ts';
import { sendCacheable, tagOf } from './send-cacheable.ts';

export type ApiReferenceDeps = DocumentRoutesDeps;

const HIDDEN = { schema: { hide: true } };
const SCRIPT_TYPE = 'text/javascript; charset=utf-8';

/** The OpenAPI document and its pages (contract §9). */
export function registerApiReferenceRoutes(app: FastifyInstance, deps: ApiReferenceDeps): void {
  const loadScript = memoizeAsync(loadReferenceScript);
  // Only when a reader comes: the renderer costs memory.
  const readGuides = memoizeAsync(async () =>
    (await import('./guides/read-guides.ts')).readGuides(),
  );

  registerDocumentRoutes(app, deps);
  registerHomeRoutes(app, deps.publicApiUrl);
  registerDocsRoutes(app, {
    publicApiUrl: deps.publicApiUrl,
    publicAuthUrl: deps.publicAuthUrl,
    isSandbox: deps.environment === 'sandbox',
    async readDocument() {
      const { openApiDocument } = await import('./openapi-document.ts');
      const document = openApiDocument({ ...deps, operations: deps.operations() });
      // Readers get the document without the members that JSON leaves out.
      return JSON.parse(JSON.stringify(document));
    },
    readGuides,
  });
  registerGuideRoutes(app, readGuides);

  const callable = [deps.publicApiUrl, deps.publicAuthUrl].map((url) => new URL(url).origin);
  const pageHeaders = referenceHeaders([...new Set(callable)]);
  app.get('/docs/try', HIDDEN, (_request, reply) =>
    reply.headers(pageHeaders).type('text/html; charset=utf-8').send(TRY_PAGE),
  );

  app.get(REFERENCE_SCRIPT_PATH, HIDDEN, async (request, reply) => {
    const { plain, gzipped, tag } = await loadScript();
    const takesGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
    reply.header('vary', 'Accept-Encoding');
    if (takesGzip) reply.header('content-encoding', 'gzip');
    return sendCacheable(request, reply, tag, SCRIPT_TYPE, takesGzip ? gzipped : plain);
  });

  app.get(START_SCRIPT_PATH, HIDDEN, (request, reply) =>
    sendCacheable(request, reply, tagOf(START_SCRIPT), SCRIPT_TYPE, START_SCRIPT),
  );
}
