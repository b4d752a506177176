import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Page, sendPage } from '#http/pages/page.ts';
import { askedPage, sendMarkdown } from './markdown/send-markdown.ts';
import type { Overview } from './pages/layout.ts';
import { makePage, TRY } from './pages/make-page.ts';

const HIDDEN = { schema: { hide: true } };
/** More words narrow a search no further; the page shows the query again. */
const LONGEST_QUERY = 100;

/**
 * The reference for people, made from the OpenAPI document: it needs no script. A page is made when
 * it is first opened and kept for all readers; there are as many as calls. Machines read the same
 * pages as Markdown, which is kept, too: a conversion takes 10 ms.
 */
export function registerDocsRoutes(
  app: FastifyInstance,
  readOverview: () => Promise<Overview>,
): void {
  const pages = new Map<string, Page>();
  const markdown = new Map<string, string>();

  async function keep(name: string): Promise<Page> {
    const page = pages.get(name) ?? (await makePage(await readOverview(), name));
    pages.set(name, page);
    return page;
  }

  async function send(request: FastifyRequest, reply: FastifyReply, asked: string) {
    const { name, isMarkdown } = askedPage(request, asked);
    const page = await keep(name);
    // Forms that a script sends say nothing as Markdown.
    if (!isMarkdown || asked === TRY) return sendPage(reply, 200, page);
    const text =
      markdown.get(name) ?? (await import('./markdown/page-markdown.ts')).pageMarkdown(page);
    markdown.set(name, text);
    return sendMarkdown(request, reply, text);
  }

  app.get<{ Querystring: { q?: unknown } }>('/docs', HIDDEN, async (request, reply) => {
    const { q } = request.query;
    const query = typeof q === 'string' ? q.slice(0, LONGEST_QUERY).trim() : '';
    if (!query) return send(request, reply, '');
    const { searchPage } = await import('./pages/search-page.ts');
    const page = searchPage(await readOverview(), query);
    if (!askedPage(request, '').isMarkdown) return sendPage(reply, 200, page);
    const { pageMarkdown } = await import('./markdown/page-markdown.ts');
    return sendMarkdown(request, reply, pageMarkdown(page));
  });
  app.get('/docs.md', HIDDEN, (request, reply) => send(request, reply, '.md'));
  app.get<{ Params: { name: string } }>('/docs/:name', HIDDEN, (request, reply) =>
    send(request, reply, request.params.name),
  );
}
