import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requireMediaType } from '#http/negotiation/choose-media-type.ts';
import { describeProblem, summarizeProblem } from '#http/problems/description.ts';
import type { ErrorAnswers } from '#http/problems/error-handler.ts';
import { problemName } from '#http/problems/responses.ts';
import { PROBLEM_CODES, Problem, type ProblemCode } from '#lib/problem.ts';
import { type Page, sendPage } from './page.ts';

/** Only when a reader comes: the colours of the examples take 50 ms. */
const loadPages = () => import('./problem-pages.ts');
const CODE_OF_NAME = new Map(PROBLEM_CODES.map((code) => [problemName(code), code]));

/** They change only with a release. */
const CACHE_CONTROL = 'public, max-age=300';

/** The pages that a problem's `type` leads to, as a page or as JSON by `Accept` (contract §7). */
export function registerProblemRoutes(
  app: FastifyInstance,
  { origin, isSandbox }: Pick<ErrorAnswers, 'origin'> & { readonly isSandbox: boolean },
): void {
  app.get('/problems', { schema: { hide: true } }, (request, reply) =>
    answer(request, reply, {
      page: async () => (await loadPages()).problemListPage(isSandbox),
      data: () => ({ problems: PROBLEM_CODES.map((code) => summarizeProblem(code, origin)) }),
    }),
  );
  app.get<{ Params: { name: string } }>(
    '/problems/:name',
    { schema: { hide: true } },
    (request, reply) => {
      const code: ProblemCode | undefined = CODE_OF_NAME.get(request.params.name);
      if (code === undefined) throw new Problem('ROUTE_NOT_FOUND');
      const description = describeProblem(code, origin);
      return answer(request, reply, {
        page: async () => (await loadPages()).problemPage(description, isSandbox),
        data: () => description,
      });
    },
  );
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  { page, data }: { readonly page: () => Promise<Page>; readonly data: () => object },
): Promise<FastifyReply> {
  const type = requireMediaType(request.headers.accept, ['application/json', 'text/html']);
  if (type === 'text/html') return sendPage(reply, 200, await page());
  return reply.headers({ vary: 'Accept', 'cache-control': CACHE_CONTROL }).send(data());
}
