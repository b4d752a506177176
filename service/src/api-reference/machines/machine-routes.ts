import type { FastifyInstance } from 'fastify';
import { memoizeAsync } from '#lib/memoize-async.ts';
import type { Overview } from '../pages/layout.ts';
import { sendCacheable, tagOf } from '../send-cacheable.ts';

/** The addresses of documents for machines, and their types. */
const TYPES = {
  '/llms.txt': 'text/plain; charset=utf-8',
  '/llms-full.txt': 'text/plain; charset=utf-8',
  '/sitemap.xml': 'application/xml',
  '/changelog.atom': 'application/atom+xml',
} as const;

/** The documentation as search engines, editors and assistants read it. */
export function registerMachineRoutes(
  app: FastifyInstance,
  readOverview: () => Promise<Overview>,
): void {
  for (const [path, type] of Object.entries(TYPES) as [keyof typeof TYPES, string][]) {
    // Made when a first reader comes, and kept: it changes only with a release.
    const read = memoizeAsync(async () => {
      const { renderers } = await import('./render-documents.ts');
      const text = await renderers[path](await readOverview());
      return { text, tag: tagOf(text) };
    });
    app.get(path, { schema: { hide: true } }, async (request, reply) => {
      const { text, tag } = await read();
      return sendCacheable(request, reply, tag, type, text);
    });
  }
}
