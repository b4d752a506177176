import type { FastifyInstance } from 'fastify';
import { type Page, sendPage } from '#http/pages/page.ts';
import { memoizeAsync } from '#lib/memoize-async.ts';
import { Problem } from '#lib/problem.ts';
import type { ReferenceDocument } from './document-types.ts';
import type { Guides } from './guides/read-guides.ts';
import { listEntries } from './list-entries.ts';
import type { Overview } from './pages/layout.ts';

export interface DocsRoutesDeps extends Pick<Overview, 'publicApiUrl' | 'publicAuthUrl'> {
  readonly isSandbox: boolean;
  readonly readDocument: () => Promise<ReferenceDocument>;
  readonly readGuides: () => Promise<Guides>;
}

type MakePage = (all: Overview) => Page | null | Promise<Page | null>;

const HIDDEN = { schema: { hide: true } };
/** Only when a reader comes: the renderer costs memory. */
const loadOverview = () => import('./pages/overview-page.ts');
const loadSearch = () => import('./pages/search-page.ts');
/** More words narrow a search no further; the page shows the query again. */
const LONGEST_QUERY = 100;

/**
 * The reference for people, made from the OpenAPI document: it needs no script. A page is made when
 * it is first opened and kept for all readers; there are as many as calls.
 */
export function registerDocsRoutes(
  app: FastifyInstance,
  { readDocument, readGuides, ...deployment }: DocsRoutesDeps,
): void {
  const pages = new Map<string, Page>();

  /** Made when a first reader comes: most processes never need it. */
  const read = memoizeAsync(async (): Promise<Overview> => {
    const { findables } = await loadSearch();
    const guides = (await readGuides()).ordered;
    const document = await readDocument();
    const entries = listEntries(document);
    return { ...deployment, document, entries, guides, findable: findables(guides, entries) };
  });

  async function keep(path: string, make: MakePage): Promise<Page> {
    const page = pages.get(path) ?? (await make(await read()));
    if (page === null) throw new Problem('ROUTE_NOT_FOUND');
    pages.set(path, page);
    return page;
  }

  app.get<{ Querystring: { q?: unknown } }>('/docs', HIDDEN, async ({ query }, reply) => {
    const asked = typeof query.q === 'string' ? query.q.slice(0, LONGEST_QUERY).trim() : '';
    if (asked) return sendPage(reply, 200, (await loadSearch()).searchPage(await read(), asked));
    return sendPage(reply, 200, await keep('', (await loadOverview()).overviewPage));
  });

  app.get<{ Params: { id: string } }>('/docs/:id', HIDDEN, async ({ params }, reply) => {
    const page = await keep(params.id, async (all) => {
      if (params.id === 'try' && all.isSandbox) {
        return (await import('./pages/try-page.ts')).tryPage(all);
      }
      const { operationPage } = await import('./pages/operation-page.ts');
      const entry = all.entries.find(({ id }) => id === params.id);
      return entry ? operationPage(all, entry) : null;
    });
    return sendPage(reply, 200, page);
  });
}
