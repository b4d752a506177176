import type { FastifyReply, FastifyRequest } from 'fastify';
import { html } from 'ghtml';
import { type Look, type Page, sendPage } from './page.ts';
import { pageLanguage } from './page-language.ts';
import { statusIcon } from './status-icons.ts';
import { pageTexts } from './texts.ts';

/**
 * The reasons why a page cannot be shown; `unsure`: the outcome of a form that was sent is not
 * known.
 */
export type ErrorPageKind =
  | 'notFound'
  | 'noPage'
  | 'unavailable'
  | 'tooMany'
  | 'outdated'
  | 'unsure';

const STATUS_OF: Readonly<Record<ErrorPageKind, number>> = {
  notFound: 404,
  noPage: 404,
  unavailable: 503,
  tooMany: 429,
  outdated: 403,
  unsure: 503,
};

/** Pages have the wait of calls: a database that is away heals in seconds. */
const RETRY_AFTER_SECONDS = '2';

const texts = pageTexts('error-pages');

export interface ErrorPageOptions {
  readonly notice: (language: Page['language']) => string | undefined;
  readonly look?: (language: Page['language']) => Look;
}

export interface ErrorPageExtras {
  /** The language that the merchant named for the payer, where it is known. */
  readonly preferredLanguage?: string | null;
  /** The payer goes on at this address; left out: the page has no such link. */
  readonly againAt?: string;
  /** The request headers that the page hangs on; left out: the language. */
  readonly vary?: string;
}

/** Answers a page that says what is in the way, and what to do now. */
export function sendErrorPage(
  request: FastifyRequest,
  reply: FastifyReply,
  obstacle: ErrorPageKind,
  { notice, look }: ErrorPageOptions,
  { preferredLanguage = null, againAt, vary }: ErrorPageExtras = {},
): FastifyReply {
  const language = pageLanguage(request, reply, preferredLanguage);
  const { text } = texts[language];
  if (STATUS_OF[obstacle] === 503) reply.header('retry-after', RETRY_AFTER_SECONDS);
  // A form that may have counted must not be tried again.
  const label = text(obstacle === 'unsure' ? 'look' : 'again');
  const again = againAt
    ? html`<p class="actions"><a class="button" href="${againAt}">${label}</a></p>`
    : '';
  return sendPage(reply, STATUS_OF[obstacle], {
    language,
    title: text(`${obstacle}.title`),
    notice: notice(language),
    ...(look && { look: look(language) }),
    ...(vary && { vary }),
    body: html`<div class="small-page">!${statusIcon('neutral')}
<h1>${text(`${obstacle}.title`)}</h1>
<p class="lead">${text(`${obstacle}.lead`)}</p>
<p>${text(`${obstacle}.next`)}</p>
!${again}</div>`,
  });
}
