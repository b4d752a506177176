import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendPage } from '#http/pages/page.ts';
import { Problem } from '#lib/problem.ts';
import { askedPage, sendMarkdown } from '../markdown/send-markdown.ts';
import { guidePage } from './guide-page.ts';
import type { Guides } from './read-guides.ts';

const HIDDEN = { schema: { hide: true } };

export interface GuideRoutesDeps {
  readonly readGuides: () => Promise<Guides>;
  readonly isSandbox: boolean;
}

/** The guides for integrators, as pages: a merchant need not have this project's files. */
export function registerGuideRoutes(
  app: FastifyInstance,
  { readGuides, isSandbox }: GuideRoutesDeps,
): void {
  async function send(request: FastifyRequest, reply: FastifyReply, asked: string) {
    const { pages, ordered, files } = await readGuides();
    const file = files.get(asked);
    if (file) return reply.type('application/json').send(file);
    const { name, isMarkdown } = askedPage(request, asked);
    const guide = pages.get(name);
    if (guide === undefined) throw new Problem('ROUTE_NOT_FOUND');
    if (isMarkdown) return sendMarkdown(request, reply, guide.markdown);
    return sendPage(reply, 200, guidePage(guide, ordered, isSandbox));
  }

  app.get('/docs/guides', HIDDEN, (request, reply) => send(request, reply, ''));
  app.get('/docs/guides.md', HIDDEN, (request, reply) => send(request, reply, '.md'));
  app.get<{ Params: { name: string } }>('/docs/guides/:name', HIDDEN, (request, reply) =>
    send(request, reply, request.params.name),
  );
}
