import type { FastifyReply, FastifyRequest } from 'fastify';
import { qualityOf } from '#http/negotiation/read-preferences.ts';
import { developerPage } from './developer-page.ts';
import { type ErrorPageOptions, sendErrorPage } from './error-page.ts';
import { type Page, sendPage } from './page.ts';

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

/** Only a sandbox has the page on which calls are tried. */
function noDocumentPage(isTry: boolean): Page {
  const [title, lead] = isTry
    ? ['Calls are tried in the sandbox', 'Here they would move real money.']
    : ['There is no page here', 'The address may be incomplete, or the page has another name.'];
  const next = isTry
    ? '<p>Open <code>/docs/try</code> at the address of your sandbox.</p>'
    : '<p>Search above, or begin with one of these.</p>';
  return developerPage({
    section: 'try',
    isSandbox: false,
    title,
    body: `<h1>${title}</h1><p class="lead">${lead}</p>${next}<ul>
<li><a href="/docs">All calls</a></li><li><a href="/docs/guides">All guides</a></li>
<li><a href="/problems">All problems</a></li></ul>`,
  });
}
