import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Database, DatabaseUnavailable } from '#database/database.ts';
import { chooseLanguage } from '#http/choose-language.ts';
import { sendPage } from '#http/page.ts';
import { qualityOf } from '#http/read-preferences.ts';
import { SHARED_IMAGE_HEADERS } from '#http/security-headers.ts';
import type { Environment } from '#lib/environment.ts';
import { Problem } from '#lib/problem.ts';
import type { LinkOpenings } from './link-openings.ts';
import { type Obstacle, obstaclePage, sandboxLinkPage } from './pages/payment-link-pages.ts';
import { qrCodePng, qrCodeSvg } from './pages/qr-code.ts';
import { findPaymentLink, type PaymentLink } from './payment-link-store.ts';
import { isShortCode } from './short-code.ts';

export interface PaymentLinkRoutesDeps {
  readonly db: Database;
  readonly environment: Environment;
  /** {payment_link_base} */
  readonly paymentLinkBase: string;
  /** E_TRANSFER_NETWORK=simulated: every page says that no real money moves (contract §1). */
  readonly simulatedNetwork: boolean;
  readonly openings: LinkOpenings;
}

interface LinkRoute {
  Params: { shortCode: string };
  Querystring: { lang?: unknown };
}

/** An obstacle's status. `notOpen` is ours to mend, not the caller's: the link itself is right. */
const STATUS_OF: Readonly<Record<Obstacle, number>> = {
  notOpen: 503,
  notFound: 404,
  unavailable: 503,
};
/** The sandbox's page (contract §8). */
const SANDBOX_STATUS = 404;
/** As for calls: a database that is away heals in seconds. */
const RETRY_AFTER_SECONDS = '2';

/** What payers open: the payment link and its QR code. */
export function registerPaymentLinkRoutes(app: FastifyInstance, deps: PaymentLinkRoutesDeps): void {
  const base = new URL(deps.paymentLinkBase).pathname.replace(/\/$/, '');
  app.addHook('onClose', () => deps.openings.settle());
  app.get<LinkRoute>(`${base}/:shortCode`, { schema: { hide: true } }, (request, reply) =>
    deps.environment === 'sandbox'
      ? sendSandboxPage(deps, request, reply)
      : sendObstacle(deps, request, reply),
  );
  app.get<LinkRoute>(`${base}/qr/:shortCode`, { schema: { hide: true } }, (request, reply) =>
    sendQrCode(deps, request, reply),
  );
}

async function sendSandboxPage(
  { db, openings }: PaymentLinkRoutesDeps,
  request: FastifyRequest<LinkRoute>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  // Only the language hangs on it: without the database the page is the browser's language.
  const link = await find(db, request).catch(unavailable);
  noteOpening(openings, request, link);
  const language = languageOf(request, link === 'UNAVAILABLE' ? null : link);
  return sendPage(reply, SANDBOX_STATUS, sandboxLinkPage(language));
}

/** Production has no gateway yet, so that every link has something in its way. */
async function sendObstacle(
  { db, simulatedNetwork, openings }: PaymentLinkRoutesDeps,
  request: FastifyRequest<LinkRoute>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const link = await find(db, request).catch(unavailable);
  noteOpening(openings, request, link);
  const language = languageOf(request, link === 'UNAVAILABLE' ? null : link);
  if (link === 'UNAVAILABLE') reply.header('retry-after', RETRY_AFTER_SECONDS);
  const obstacle = link === 'UNAVAILABLE' ? 'unavailable' : link ? 'notOpen' : 'notFound';
  return sendPage(
    reply,
    STATUS_OF[obstacle],
    obstaclePage(obstacle, language, { simulatedNetwork }),
  );
}

/** PNG, or SVG for a caller that wants it more; holds the payment link (contract §4, Create). */
async function sendQrCode(
  { db, paymentLinkBase }: PaymentLinkRoutesDeps,
  request: FastifyRequest<LinkRoute>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!(await find(db, request))) throw new Problem('PAYMENT_REQUEST_NOT_FOUND');
  const paymentLink = `${paymentLinkBase}/${request.params.shortCode}`;
  const { accept } = request.headers;
  // Browsers' image requests name both alike: the default stays.
  const wantsSvg = qualityOf('image/svg+xml', accept) > qualityOf('image/png', accept);
  return reply
    .headers({ ...SHARED_IMAGE_HEADERS, vary: 'Accept', 'cache-control': 'no-store' })
    .type(wantsSvg ? 'image/svg+xml' : 'image/png')
    .send(wantsSvg ? qrCodeSvg(paymentLink) : qrCodePng(paymentLink));
}

/** For the timeline. What looks at the link without a person behind it is no opening. */
function noteOpening(
  openings: LinkOpenings,
  { method, headers }: FastifyRequest<LinkRoute>,
  link: PaymentLink | null | 'UNAVAILABLE',
): void {
  const isPrefetch = /prefetch/i.test(`${headers['sec-purpose']} ${headers.purpose}`);
  if (link === null || link === 'UNAVAILABLE' || method !== 'GET' || isPrefetch) return;
  openings.note(link.paymentRequestId);
}

async function find(
  db: Database,
  { params }: FastifyRequest<LinkRoute>,
): Promise<PaymentLink | null> {
  return isShortCode(params.shortCode) ? findPaymentLink(db, params.shortCode) : null;
}

function unavailable(error: unknown): 'UNAVAILABLE' {
  if (error instanceof DatabaseUnavailable) return 'UNAVAILABLE';
  throw error;
}

function languageOf(request: FastifyRequest<LinkRoute>, link: PaymentLink | null) {
  return chooseLanguage({
    asked: request.query.lang,
    preferred: link?.preferredLanguage ?? null,
    acceptLanguage: request.headers['accept-language'],
  });
}
