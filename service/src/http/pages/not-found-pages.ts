import type { FastifyReply, FastifyRequest } from 'fastify';
import { qualityOf } from '#http/negotiation/read-preferences.ts';
import { noDocumentPage } from './developer-page.ts';
import { type ErrorPageOptions, sendErrorPage } from './error-page.ts';
import { sendPage } from './page.ts';

export interface NotFoundPagesDeps extends ErrorPageOptions {
  /** The URLs of calls: a caller reads a problem there, also one that accepts HTML. */
  readonly callUrls: readonly string[];
  readonly isSandbox: boolean;
}

/** Answers a person's request for an unknown address; false: the caller is a program. */
export type SendNotFoundPage = (request: FastifyRequest, reply: FastifyReply) => boolean;

/**
 * A person at an unknown address gets a page rather than a problem. A browser wants HTML more than
 * anything else; a program without wishes wants both alike.
 */
export function createNotFoundPages(deps: NotFoundPagesDeps): SendNotFoundPage {
  const { callUrls, isSandbox, ...options } = deps;
  const paths = callUrls.map((url) => new URL(url).pathname.replace(/\/$/, ''));
  const isCall = (path: string) =>
    paths.some((each) => each !== '' && (path === each || path.startsWith(`${each}/`)));
  return (request, reply) => {
    const { method, originalUrl, headers } = request;
    const { accept } = headers;
    const isPerson = qualityOf('text/html', accept) > qualityOf('application/json', accept);
    const [path = ''] = originalUrl.split('?', 1);
    if (!isPerson || (method !== 'GET' && method !== 'HEAD') || isCall(path)) return false;
    if (path.startsWith('/docs/')) sendPage(reply, 404, noDocumentPage(path, isSandbox));
    else sendErrorPage(request, reply, 'noPage', options, { vary: 'Accept, Accept-Language' });
    return true;
  };
}
