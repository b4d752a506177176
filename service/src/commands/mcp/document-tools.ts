import { Type } from 'typebox';
import { Problem } from '#lib/problem.ts';
import type { Surface } from './surface.ts';
import { input, type Tool } from './tool.ts';

/** The service's own pages, as Markdown. */
export const DOCUMENT_TOOLS: readonly Tool[] = [
  {
    name: 'search_docs',
    description: 'The guides, calls and problems whose text has all these words, with addresses.',
    input: input({ query: Type.String({ minLength: 1, maxLength: 100 }) }),
    run: (surface, { query }) => read(surface, `/docs?q=${encodeURIComponent(query)}`),
  },
  {
    name: 'read_docs',
    description: 'A page of the documentation, by an address that search_docs has found.',
    input: input({
      address: Type.String({
        pattern: '^/(docs(/guides)?|problems)(/[A-Za-z0-9_-]+)?$',
        maxLength: 200,
        description: 'As in /docs/guides/refunds, /docs/createRefund or /problems.',
      }),
    }),
    run: (surface, { address }) => read(surface, address),
  },
];

/** Asks the routes in this process: no network is needed, and no service that runs. */
async function read(surface: Surface, url: string): Promise<string> {
  const { documents } = await surface.service();
  const headers = { accept: 'text/markdown, application/json;q=0.9' };
  const { statusCode, body } = await documents.inject({ url, headers });
  if (statusCode !== 200) throw new Problem('ROUTE_NOT_FOUND');
  return body;
}
