import type { FastifyInstance } from 'fastify';
import { memoizeAsync } from '#lib/memoize-async.ts';
import { registerDocsRoutes } from './docs-routes.ts';
import { type DocumentRoutesDeps, registerDocumentRoutes } from './document-routes.ts';
import { registerGuideRoutes } from './guides/guide-routes.ts';
import { registerHomeRoutes } from './home-routes.ts';

export type ApiReferenceDeps = DocumentRoutesDeps;

/** The OpenAPI document and its pages (contract §9). */
export function registerApiReferenceRoutes(app: FastifyInstance, deps: ApiReferenceDeps): void {
  const isSandbox = deps.environment === 'sandbox';
  // Only when a reader comes: the renderer costs memory.
  const readGuides = memoizeAsync(async () =>
    (await import('./guides/read-guides.ts')).readGuides(deps),
  );

  registerDocumentRoutes(app, deps);
  registerHomeRoutes(app, deps.publicApiUrl);
  registerDocsRoutes(app, {
    publicApiUrl: deps.publicApiUrl,
    publicAuthUrl: deps.publicAuthUrl,
    isSandbox,
    async readDocument() {
      const { openApiDocument } = await import('./openapi-document.ts');
      const document = openApiDocument({ ...deps, operations: deps.operations() });
      // Readers get the document without the members that JSON leaves out.
      return JSON.parse(JSON.stringify(document));
    },
    readGuides,
  });
  registerGuideRoutes(app, { readGuides, isSandbox });
}
