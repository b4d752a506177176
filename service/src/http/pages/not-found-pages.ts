import type { FastifyReply, FastifyRequest } from 'fastify';
import { qualityOf } from '#http/negotiation/read-preferences.ts';
import { noDocumentPage } from './developer-page.ts';
import { type ErrorPageOptions, sendErrorPage } from './error-page.ts';
import { sendPage } from './page.ts';

export interface NotFoundPagesDeps extends ErrorPageOptions {
  /** The URLs of calls: a caller reads a problem there, also one that accepts HTML. */
  readonly callUrls: readonly string[];
}

/** Answers a person's request for an unknown address; false: the caller is a program. */
export type SendNotFoundPage = (request: FastifyRequest, reply: FastifyReply) => boolean;

/**
 * A person at an unknown address gets a page rather than a problem. A browser wants HTML more than
 * anything else; a program without wishes wants both alike.
 */
export function createNotFoundPages({ callUrls, ...options }: NotFoundPagesDeps): SendNotFoundPage {
  const paths = callUrls.map((url) => new URL(url).pathname.replace(/\/$/, ''));
  const isCall = (address: string) => {
    const [path = ''] = address.split('?', 1);
    return paths.some((each) => each !== '' && (path === each || path.startsWith(`${each}/`)));
  };
  return (request, reply) => {
    const { method, originalUrl, headers } = request;
    const { accept } = headers;
    const isPerson = qualityOf('text/html', accept) > qualityOf('application/json', accept);
    if (!isPerson || (method !== 'GET' && method !== 'HEAD') || isCall(originalUrl)) return false;
    const isOfDocs = originalUrl.startsWith('/docs/');
    if (isOfDocs) sendPage(reply, 404, noDocumentPage(originalUrl === '/docs/try'));
    else sendErrorPage(request, reply, 'noPage', options, { vary: 'Accept, Accept-Language' });
    return true;
  };
}
