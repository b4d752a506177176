import type { FastifyInstance, FastifyReply } from 'fastify';
import { sendPage } from '#http/pages/page.ts';
import { Problem } from '#lib/problem.ts';
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
  async function send(reply: FastifyReply, name: string): Promise<FastifyReply> {
    const { pages, ordered, files } = await readGuides();
    const file = files.get(name);
    if (file) return reply.type('application/json').send(file);
    const guide = pages.get(name);
    if (guide === undefined) throw new Problem('ROUTE_NOT_FOUND');
    return sendPage(reply, 200, guidePage(guide, ordered, isSandbox));
  }

  app.get('/docs/guides', HIDDEN, (_request, reply) => send(reply, ''));
  app.get<{ Params: { name: string } }>('/docs/guides/:name', HIDDEN, (request, reply) =>
    send(reply, request.params.name),
  );
}
