import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type DatabaseDeps, DatabaseUnavailable } from '#database/database.ts';
import type { LivePages } from '#http/live/live-pages.ts';
import { registerLivePageRoute } from '#http/live/routes.ts';
import { createAddressLimit } from '#http/overload/address-limit.ts';
import { type ErrorPageOptions, sendErrorPage } from '#http/pages/error-page.ts';
import { sendPage } from '#http/pages/page.ts';
import { pageLanguage } from '#http/pages/page-language.ts';
import { preparePageScope } from '#http/pages/page-scope.ts';
import { hasSent } from '#http/pages/sent-cookie.ts';
import { ownText } from '#lib/cells/cell-mark.ts';
import { isPlainLocalhost } from '#lib/localhost.ts';
import { isId } from '#lib/new-id.ts';
import { paymentRequestAt } from '#payment-requests/model/plan-change.ts';
import { readPastedCode } from '#payment-requests/model/short-code.ts';
import { findPayerUrl, type PayerUrlDeps } from '#payment-requests/network/register-request.ts';
import { paymentStatePage } from '#payment-requests/payer-link/pages/payment-state-pages.ts';
import { PAYMENT_STATE_TEXTS } from '#payment-requests/payer-link/pages/payment-state-words.ts';
import { sandboxLinkPage } from '#payment-requests/payer-link/pages/sandbox-link-page.ts';
import type { TimelineNotes } from '#payment-requests/timeline/payer-steps.ts';
import { currentState } from './current-state.ts';
import { type FindOpenedLink, MOST_MISSES } from './find-link.ts';
import type { PaymentLink } from './link-store.ts';
import { registerQrCodeRoutes } from './qr-code-routes.ts';
import { keepDecision, type ReturnQuery, viewerOf } from './viewer.ts';

export interface PaymentLinkRoutesDeps extends DatabaseDeps {
  /** `CELL`: its mark begins the addresses of live updates and logos. */
  readonly cell: number;
  /** {payment_link_base} */
  readonly paymentLinkBase: string;
  readonly findLink: FindOpenedLink;
  readonly notes: TimelineNotes;
  /** null in the sandbox: its links cannot be paid (contract §8). */
  readonly paying: PayingDeps | null;
}

/** The needs of a link that can be paid. */
export interface PayingDeps extends PayerUrlDeps {
  /** Every page says that no real money moves (contract §1). */
  readonly simulatedNetwork: boolean;
  /** Whether the network tells which browser confirmed. */
  readonly tellsPayersBrowser: boolean;
  /** `TIME_ZONE` */
  readonly timeZone: string;
  readonly livePages: LivePages;
  /** Whether a payer may ask for a receipt by e-mail. */
  readonly sendsReceipts: boolean;
}

type Deps = PaymentLinkRoutesDeps & { readonly paying: PayingDeps };

interface LinkRoute {
  Params: { shortCode: string };
  Querystring: ReturnQuery & { readonly lang?: unknown; readonly receipt?: unknown };
}

type LinkRequest = FastifyRequest<LinkRoute>;

/** The sandbox's page (contract §8). */
const SANDBOX_STATUS = 404;

/** The payer's pages: the payment link, its QR code, and the updates of open pages. */
export function registerPaymentLinkRoutes(app: FastifyInstance, deps: PaymentLinkRoutesDeps): void {
  const base = new URL(deps.paymentLinkBase).pathname.replace(/\/$/, '');
  const { paying } = deps;
  const options = linkErrorPages(deps);
  app.addHook('onClose', () => deps.notes.settle());
  app.register(async (scope) => {
    await preparePageScope(scope, options);
    const open = async (request: LinkRequest, reply: FastifyReply) => {
      const address = cleanAddress(base, request);
      if (address) return reply.header('cache-control', 'no-store').redirect(address, 308);
      return paying
        ? openLink({ ...deps, paying }, request, reply)
        : sendSandboxPage(deps, request, reply);
    };
    scope.get<LinkRoute>(`${base}/:shortCode`, { schema: { hide: true } }, open);
    scope.get<LinkRoute>(`${base}/:shortCode/`, { schema: { hide: true } }, open);
  });
  registerQrCodeRoutes(app, deps);
  if (!paying) return;
  registerLivePageRoute(app, {
    path: `${base}/live/:id`,
    pages: paying.livePages,
    misses: createAddressLimit({ clock: deps.clock, limit: MOST_MISSES, windowMs: 60_000 }),
    // The id of a payment request shows only that something has changed.
    idOf: ({ params }) => {
      const id = ownText(deps.cell, (params as { readonly id: string }).id);
      return id !== null && isId(id) ? id : null;
    },
  });
}

/**
 * The address of a link that was pasted with a sentence's punctuation behind it; null: it has none.
 * The redirect reads no database, and shows nothing of a code: only the clean address counts.
 */
function cleanAddress(base: string, { params, originalUrl }: LinkRequest): string | null {
  const shortCode = readPastedCode(params.shortCode);
  const [path = '', ...query] = originalUrl.split('?');
  if (shortCode === null || path.endsWith(`/${shortCode}`)) return null;
  return [`${base}/${shortCode}`, ...query].join('?');
}

async function sendSandboxPage(
  { notes, findLink }: PaymentLinkRoutesDeps,
  request: LinkRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  // Only the language hangs on it: without the database the page is the browser's language.
  const opened = await findLink(request.params.shortCode, request.ip).catch((error: unknown) => {
    if (error instanceof DatabaseUnavailable) return null;
    throw error;
  });
  const link = opened?.outcome === 'FOUND' ? opened.link : null;
  if (link) {
    request.paymentRequestId = link.paymentRequest.id;
    noteOpening(notes, request, link);
  }
  const language = pageLanguage(request, reply, preferredLanguage(link));
  return sendPage(reply, SANDBOX_STATUS, sandboxLinkPage(language));
}

/** Leads to the network while the request can be paid, else shows how it stands. */
async function openLink(
  deps: Deps,
  request: LinkRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { paying, paymentLinkBase } = deps;
  const { params, query } = request;
  const options = linkErrorPages(deps);
  // A prefetched page, which no payer sees, must not reach the network.
  if (isPrefetch(request)) return sendErrorPage(request, reply, 'unavailable', options);
  const opened = await deps.findLink(params.shortCode, request.ip);
  if (opened.outcome === 'NOT_FOUND') return sendErrorPage(request, reply, 'notFound', options);
  if (opened.outcome === 'TOO_MANY') {
    reply.header('retry-after', `${opened.retryAfterSeconds}`);
    const againAt = request.originalUrl.split('?')[0] ?? '';
    return sendErrorPage(request, reply, 'tooMany', options, { againAt });
  }
  const { link } = opened;
  request.paymentRequestId = link.paymentRequest.id;
  const paymentRequest = paymentRequestAt(link.paymentRequest, deps.clock.now());
  const hasReturned = query.returned !== undefined;
  const state = await currentState(deps.db, { ...link, paymentRequest, hasReturned });
  if (!hasReturned) noteOpening(deps.notes, request, link);
  const language = pageLanguage(request, reply, preferredLanguage(link));
  const { pathname, origin } = new URL(`${paymentLinkBase}/${params.shortCode}`);
  if (query.decision !== undefined) {
    const isSecure = !isPlainLocalhost(origin);
    const { secretsKey } = paying;
    keepDecision(query, reply, paymentRequest, { path: pathname, isSecure, secretsKey });
    // The page's own address, which people copy, has no reference.
    return reply.header('cache-control', 'no-store').redirect(`${pathname}?returned=1`, 303);
  }
  if (state === 'OPEN') {
    const payerUrl = await findPayerUrl(paying, paymentRequest);
    if (payerUrl) return reply.header('cache-control', 'no-store').redirect(payerUrl, 303);
    reply.header('retry-after', NETWORK_RETRY_SECONDS);
  }
  const viewer = paying.tellsPayersBrowser
    ? viewerOf(request, paymentRequest, paying.secretsKey)
    : hasSent(request)
      ? 'SENDER'
      : 'UNKNOWN';
  const page = paymentStatePage({
    ...paying,
    cell: deps.cell,
    state,
    paymentRequest,
    language,
    path: pathname,
    viewer,
    profile: link.profile,
    hasReturned,
    hasAskedReceipt: query.receipt !== undefined,
  });
  return sendPage(reply, state === 'OPEN' ? 503 : 200, page);
}

/** The network may be back when a payer tries again. */
const NETWORK_RETRY_SECONDS = '10';

/** The error pages of this deployment say when no real money moves (contract §1). */
export function linkErrorPages({
  paying,
}: Pick<PaymentLinkRoutesDeps, 'paying'>): ErrorPageOptions {
  const isSimulated = paying?.simulatedNetwork ?? false;
  return {
    notice: (language) =>
      isSimulated ? PAYMENT_STATE_TEXTS[language].text('simulated.notice') : undefined,
  };
}

function preferredLanguage(link: PaymentLink | null): string | null {
  return link?.paymentRequest.payer.preferredLanguage ?? null;
}

/**
 * For the timeline. A request without a person behind it is no opening: link previews of messengers
 * and mail filters send no `Sec-Fetch-Mode: navigate` (decision 0040).
 */
function noteOpening(notes: TimelineNotes, request: LinkRequest, link: PaymentLink): void {
  const isNavigation = request.headers['sec-fetch-mode'] === 'navigate';
  if (request.method !== 'GET' || !isNavigation || isPrefetch(request)) return;
  notes.noteOpening(link.paymentRequest.id);
}

function isPrefetch({ headers }: FastifyRequest<LinkRoute>): boolean {
  return /prefetch|prerender/i.test(`${headers['sec-purpose']} ${headers.purpose}`);
}
