import type { FastifyReply, FastifyRequest } from 'fastify';
import { html } from 'ghtml';
import type { Language } from '#http/negotiation/choose-language.ts';
import { type Look, sendPage } from './page.ts';
import { pageLanguage } from './page-language.ts';
import { type StatusIcon, statusIcon } from './status-icons.ts';
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

type Kind = readonly [status: number, icon: StatusIcon, link: 'again' | 'look' | 'goOn'];
const KINDS: Readonly<Record<ErrorPageKind, Kind>> = {
  notFound: [404, 'lost', 'again'],
  noPage: [404, 'lost', 'again'],
  unavailable: [503, 'away', 'again'],
  tooMany: [429, 'wait', 'again'],
  outdated: [403, 'wait', 'goOn'],
  // A form that may have counted must not be tried again.
  unsure: [503, 'away', 'look'],
};

/** Pages have the wait of calls: a database that is away heals in seconds. */
const RETRY_AFTER_SECONDS = '2';

const texts = pageTexts('error-pages');

export interface ErrorPageOptions {
  readonly notice: (language: Language) => string | undefined;
  readonly look?: (language: Language) => Look;
}

export interface ErrorPageExtras {
  /** The language that the merchant named for the payer, where it is known. */
  readonly preferredLanguage?: string | null;
  /** The payer goes on at this address; left out: the page has no such link. */
  readonly againAt?: string;
  /** HTML that says what the payer was about to pay. */
  readonly about?: (language: Language) => string;
  /** The request headers that the page hangs on; left out: the language. */
  readonly vary?: string;
}

/** Answers a page that says what is in the way, and what to do now. */
export function sendErrorPage(
  request: FastifyRequest,
  reply: FastifyReply,
  obstacle: ErrorPageKind,
  { notice, look }: ErrorPageOptions,
  { preferredLanguage = null, againAt, about, vary }: ErrorPageExtras = {},
): FastifyReply {
  const language = pageLanguage(request, reply, preferredLanguage);
  const { text } = texts[language];
  const [status, icon, label] = KINDS[obstacle];
  if (status === 503) reply.header('retry-after', RETRY_AFTER_SECONDS);
  // The wait of 503 is too short to be counted down.
  const seconds = status === 429 && againAt ? reply.getHeader('retry-after') : undefined;
  const wait = seconds ? html` data-wait="${seconds}" data-text="${text('waiting')}"` : '';
  const again = againAt
    ? html`<p class="actions"><a class="button" href="${againAt}"!${wait}
>${text(label)}</a></p>`
    : '';
  return sendPage(reply, status, {
    language,
    title: text(`${obstacle}.title`),
    notice: notice(language),
    ...(look && { look: look(language) }),
    ...(vary && { vary }),
    ...(wait && { scripts: ['shown-times'] as const }),
    body: html`<div class="small-page">!${statusIcon(icon)}
<h1>${text(`${obstacle}.title`)}</h1>
<p class="lead">${text(`${obstacle}.lead`)}</p>
!${about?.(language) ?? ''}<p>${text(`${obstacle}.next`)}</p>
!${again}</div>`,
  });
}
