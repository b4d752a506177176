import type { FastifyInstance } from 'fastify';
import { memoizeAsync } from '#lib/memoize-async.ts';
import { registerDocsRoutes } from './docs-routes.ts';
import { type DocumentRoutesDeps, registerDocumentRoutes } from './document-routes.ts';
import { registerGuideRoutes } from './guides/guide-routes.ts';
import { registerHomeRoutes } from './home-routes.ts';
import { listEntries } from './list-entries.ts';
import { registerMachineRoutes } from './machines/machine-routes.ts';
import type { Overview } from './pages/layout.ts';

export type ApiReferenceDeps = DocumentRoutesDeps;

/** The OpenAPI document and its pages (contract §9). */
export function registerApiReferenceRoutes(app: FastifyInstance, deps: ApiReferenceDeps): void {
  const isSandbox = deps.environment === 'sandbox';
  const { publicApiUrl, publicAuthUrl } = deps;
  // Only when a reader comes: the renderer costs memory, and most processes never need it.
  const readGuides = memoizeAsync(async () =>
    (await import('./guides/read-guides.ts')).readGuides(deps),
  );
  const readOverview = memoizeAsync(async (): Promise<Overview> => {
    const { openApiDocument } = await import('./openapi-document.ts');
    const { findables } = await import('./pages/search-page.ts');
    const made = openApiDocument({ ...deps, operations: deps.operations() });
    // Readers get the document without the members that JSON leaves out.
    const document = JSON.parse(JSON.stringify(made));
    const entries = listEntries(document);
    const guides = (await readGuides()).ordered;
    const findable = findables(guides, entries);
    return { publicApiUrl, publicAuthUrl, isSandbox, document, entries, guides, findable };
  });

  registerDocumentRoutes(app, deps);
  registerHomeRoutes(app, publicApiUrl);
  registerDocsRoutes(app, readOverview);
  registerGuideRoutes(app, { readGuides, isSandbox });
  registerMachineRoutes(app, readOverview);
}
