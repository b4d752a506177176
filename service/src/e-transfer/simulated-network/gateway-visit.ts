import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '#database/database.ts';
import type { AddressLimit } from '#http/overload/address-limit.ts';
import { sendErrorPage } from '#http/pages/error-page.ts';
import { pageLanguage } from '#http/pages/page-language.ts';
import { isPageId } from '#lib/cells/page-id.ts';
import type { GatewayPayment } from './gateway-payment.ts';
import { findGatewayPayment } from './gateway-payment-store.ts';
import {
  formToken,
  newSessionSecret,
  readSessionSecret,
  sendSessionSecret,
  sessionIdHash,
} from './gateway-session.ts';
import {
  findGatewaySession,
  findStepElsewhere,
  type GatewaySession,
  type StepElsewhere,
} from './gateway-session-store.ts';
import { type GatewayPage, type GatewayStep, STEPS, stepOf } from './gateway-steps.ts';
import { findInstitution, type Institution } from './institutions.ts';
import { GATEWAY_NEWS, type GatewayNews, type GatewayPageOptions } from './pages/gateway-pages.ts';
import { GATEWAY_ERROR_PAGES } from './pages/gateway-style.ts';

/** The gateway's addresses begin with it, then the payment's id. */
export const GATEWAY_PATH = '/gateway';

export interface GatewayVisitDeps {
  readonly db: Database;
  /** Counts addresses of payments that do not exist. */
  readonly misses: AddressLimit;
  readonly isCookieSecure: boolean;
  /** `TIME_ZONE` */
  readonly timeZone: string;
}

/** A payer's browser at one payment. */
export interface GatewayVisit {
  readonly payment: GatewayPayment;
  readonly session: GatewaySession | null;
  /** The secret of the session's cookie; null where the browser sent none. */
  readonly secret: string | null;
  readonly step: GatewayStep;
  /** How far another browser is, for the first screen of a payer who goes on with a phone. */
  readonly elsewhere: StepElsewhere | null;
  /** Whether this browser has confirmed, declined, or was refused for good. */
  readonly hasDecided: boolean;
  /** `/gateway/{id}` */
  readonly path: string;
}

/**
 * Finds the payment and the session of a browser; null when a page was answered already. The
 * look-up comes first: a payment that exists is never refused for other people's guesses.
 */
export async function receiveVisit(
  { db, misses }: GatewayVisitDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<GatewayVisit | null> {
  const { id } = request.params as { readonly id: string };
  const payment = isPageId(id) ? await findGatewayPayment(db, id) : undefined;
  if (!payment) {
    const isWithin = misses.count(request.ip);
    if (!isWithin) reply.header('retry-after', `${misses.retryAfterSeconds()}`);
    sendErrorPage(request, reply, isWithin ? 'notFound' : 'tooMany', GATEWAY_ERROR_PAGES);
    return null;
  }
  request.paymentRequestId = payment.paymentRequestId;
  const secret = readSessionSecret(request);
  const sessionId = secret === null ? null : sessionIdHash(secret);
  const session = sessionId ? await findGatewaySession(db, sessionId, id) : null;
  const step = stepOf(payment, session);
  const isFirstScreen = step === 'CHOOSE' && secret !== null && request.method === 'GET';
  return {
    payment,
    session,
    secret,
    step,
    elsewhere: isFirstScreen ? await findStepElsewhere(db, id) : null,
    hasDecided: sessionId !== null && payment.decidedBy?.equals(sessionId) === true,
    path: `${GATEWAY_PATH}/${id}`,
  };
}

/** Sends the payer where the payment and the session stand, with the reason where it is known. */
export function followState(
  reply: FastifyReply,
  visit: GatewayVisit,
  news: GatewayNews | null = null,
): FastifyReply {
  const { home } = STEPS[visit.step];
  if (home === null) return seeOther(reply, returnAddress(visit));
  return seeOther(reply, `${addressOf(visit, home)}${news ? `?${news}=1` : ''}`);
}

/** The service's page, with this browser's part in the payment (e-transfer-network.ts). */
function returnAddress({ payment, session, secret, hasDecided }: GatewayVisit): string {
  const address = new URL(payment.returnUrl);
  // Stored inside the URL, and told to the browser that decided alone.
  if (!hasDecided) address.searchParams.delete('proof');
  if (hasDecided) {
    address.searchParams.set('decision', payment.networkReference ?? 'refused');
  } else if (secret !== null && payment.networkReference !== null && !session?.username) {
    // The first screen of a payer who went on with a phone, most probably.
    address.searchParams.set('elsewhere', '1');
  }
  return address.href;
}

/**
 * Why a payer cannot go on at a page of an institution, or after a refusal; null for all other
 * pages. A payer without a cookie has no sign-in that could have ended.
 */
export function newsOf(
  { params }: Pick<FastifyRequest, 'params'>,
  { step, secret, session }: GatewayVisit,
  page: GatewayPage,
): GatewayNews | null {
  const { institution } = params as { readonly institution?: string };
  if (institution === undefined && page !== 'refused') return null;
  if (step === 'CHOOSE') return secret === null ? null : 'ended';
  if (institution === undefined) return null;
  const isOpen = step === 'SIGN_IN' || step === 'CONFIRM';
  return isOpen && session?.institution !== institution ? 'changed' : null;
}

export function seeOther(reply: FastifyReply, address: string): FastifyReply {
  return reply.header('cache-control', 'no-store').redirect(address, 303);
}

/** The path of a page; an institution's own lie under its name. */
export function addressOf({ path, session }: GatewayVisit, page: GatewayPage): string {
  const isOfInstitution = page === 'sign-in' || page === 'confirm';
  return isOfInstitution ? `${path}/${session?.institution}/${page}` : `${path}/${page}`;
}

/** The institution of the session's choice. */
export function chosenInstitution({ session }: GatewayVisit): Institution | undefined {
  return findInstitution(session?.institution);
}

/**
 * The options that every page needs. A browser without a session's cookie gets one, which gives no
 * access yet.
 */
export function pageOptions(
  { isCookieSecure, timeZone }: GatewayVisitDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { payment, secret, path }: GatewayVisit,
): GatewayPageOptions {
  const kept = secret ?? newSessionSecret();
  if (secret === null) sendSessionSecret(reply, kept, { path, isSecure: isCookieSecure });
  const language = pageLanguage(request, reply, payment.preferredLanguage);
  const query = request.query as Readonly<Record<string, unknown>>;
  const news = GATEWAY_NEWS.find((each) => query[each] !== undefined) ?? null;
  return { payment, language, timeZone, token: formToken(kept), path, news };
}
