import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ConsoleDeps } from '#console/console-deps.ts';
import { releasePermit } from '#http/overload/pending-responses.ts';
import { consoleLanguage } from '#http/pages/page-language.ts';
import { markDirection } from './mark-direction.ts';
import { readWork, type Work } from './read-work.ts';
import { type ConsoleFault, faultPage, statusOf } from './render-fault.ts';
import { renderConsolePage } from './render-page.ts';
import { sectionOf } from './sections.ts';
import { doneText } from './texts.ts';
import type { ConsoleAnswer, ConsolePage, Visit } from './visit.ts';

/** Answers what a page or form gave. */
export async function sendAnswer(
  deps: ConsoleDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  visit: Visit,
  answer: ConsoleAnswer,
): Promise<FastifyReply> {
  if ('to' in answer) {
    const { to, done } = answer;
    const mark = done === undefined ? '' : `${to.includes('?') ? '&' : '?'}done=${done}`;
    const [address = '', fragment] = to.split('#');
    const tail = fragment === undefined ? '' : `#${fragment}`;
    return reply
      .code(303)
      .header('location', address + mark + tail)
      .send();
  }
  if ('content' in answer) {
    const { fileName, type, content, isInline, policy = PAGE_POLICY } = answer;
    const how = isInline ? 'inline' : 'attachment';
    if (content instanceof Readable) {
      // Sending depends on the browser: a slow one must not hold a permit of the load gate.
      releasePermit(reply.raw);
      content.once('error', (error) => {
        request.fault = error;
      });
    }
    return reply
      .headers({
        ...CONSOLE_HEADERS,
        'content-security-policy': policy,
        'content-disposition': `${how}; filename="${fileName}"`,
      })
      .type(type)
      .send(content);
  }
  const notice = answer.notice ?? doneText(visit.language, visit.query.get('done'));
  // The page is what was asked for: it comes without the numbers, too.
  const work = answer.work ?? (await readWork(deps.db, visit).catch(() => ({})));
  const section = sectionOf((request.routeOptions.url ?? '').replace('/console', ''));
  return sendPage(deps, request, reply, { section, ...answer, notice }, visit, work);
}

/** Answers a page in the console's frame; `visit` is null where nobody is signed in. */
export function sendPage(
  { environment, origin }: Pick<ConsoleDeps, 'environment' | 'origin'>,
  request: FastifyRequest,
  reply: FastifyReply,
  page: ConsolePage,
  visit: Visit | null,
  work: Work = {},
): FastifyReply {
  const language = visit?.language ?? consoleLanguage(request, reply);
  const query = new URL(request.url, 'http://console').searchParams;
  query.delete('lang');
  query.delete('done');
  const cellMark = reply.server.cellMark ?? '';
  const { host } = new URL(origin);
  const frame = { environment, host, language, cellMark, query: `${query}`, visit, work };
  return reply
    .code(page.status ?? 200)
    .headers({
      ...CONSOLE_HEADERS,
      ...(page.hasFrame && { 'content-security-policy': `${PAGE_POLICY}; frame-src 'self'` }),
      'content-language': language,
      vary: 'Accept-Language, Cookie',
    })
    .type('text/html; charset=utf-8')
    .send(markDirection(renderConsolePage(page, frame)));
}

/** Answers a page that says why there is no other. */
export function sendFault(
  deps: Pick<ConsoleDeps, 'environment' | 'origin'>,
  request: FastifyRequest,
  reply: FastifyReply,
  fault: ConsoleFault,
  visit: Visit | null,
): FastifyReply {
  const language = visit?.language ?? consoleLanguage(request, reply);
  const page = faultPage(fault, { language, requestId: request.id });
  // The frame's navigation helps people on; nothing of it is current.
  return sendPage(deps, request, reply, { ...page, status: statusOf(fault) }, visit);
}

/** Only this origin's style sheet, scripts and images load, and no other site frames a page. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The headers of every page of the console; no other site keeps a handle on its window. */
const CONSOLE_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': PAGE_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'x-robots-tag': 'noindex, nofollow',
  'cache-control': 'no-store',
};
