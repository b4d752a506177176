import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ConsoleDeps } from '#console/console-deps.ts';
import type { Action } from '#console/model/access-matrix.ts';
import { decideAccess } from '#console/model/decide-access.ts';
import { formToken, readSessionSecret } from '#console/sessions/session-secret.ts';
import { actorOf, findViewer, type Viewer } from '#console/sessions/sessions.ts';
import { consoleLanguage } from '#http/pages/page-language.ts';
import { isPlainLocalhost } from '#lib/localhost.ts';
import { timeZoneOf } from '#lib/zones/time-zone.ts';
import { findNamedMerchant } from '#merchants/find-named-merchant.ts';
import { isOverLimit } from './limit-strangers.ts';
import { sendFault } from './send-answer.ts';
import type { Visit, VisitedMerchant } from './visit.ts';
import { hasNul, withoutNul } from './without-nul.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in person's call, for the frame of a fault's page; null: nobody is known. */
    consoleVisit: Visit | null;
    /** For the log line: a call of the console, and its session where one is open. */
    person: { readonly sessionId: string | null } | null;
  }
}

/**
 * Receives a call of a page or form: the session, the access matrix, and the merchant of the path.
 *
 * @returns null: the call was answered (sign-in, 403, 404, 429)
 */
export async function receiveVisit(
  deps: ConsoleDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  action: Action,
): Promise<Visit | null> {
  const { db, clock, environment } = deps;
  const secret = readSessionSecret(request, { isSecure: !isPlainLocalhost(deps.origin) });
  const viewer = secret === null ? null : await findViewer({ db, clock }, secret, isAct(request));
  if (secret === null || !viewer) {
    if (request.method === 'POST' && isOverLimit(request, reply)) {
      sendFault(deps, request, reply, { kind: 'tooMany' }, null);
    } else redirectToSignIn(request, reply, '/console/sign-in');
    return null;
  }
  request.person = { sessionId: viewer.sessionId };
  const params = request.params as Readonly<Record<string, string>>;
  const merchantId = params.merchant ?? null;
  const ask = (asked: Action, at = merchantId) =>
    decideAccess({ ...viewer, action: asked, merchantId: at, environment, now: clock.now() });
  const decision = ask(action);
  // No id of ours has the character that PostgreSQL refuses.
  const isMissing = decision === 'NOT_FOUND' || Object.values(params).some(hasNul);
  const shownId = merchantId ?? onlyMerchantOf(viewer);
  const shownMerchant = shownId === null || isMissing ? null : await findNamedMerchant(db, shownId);
  const merchant = merchantId === null ? null : shownMerchant;
  const parts = { viewer, secret, merchant, shownMerchant, params, ask };
  const visit = makeVisit(deps, request, reply, parts);
  const isUnknown = isMissing || (merchantId !== null && !merchant);
  if (isUnknown || decision === 'DENIED') {
    sendFault(deps, request, reply, { kind: isUnknown ? 'notFound' : 'denied' }, visit);
    return null;
  }
  if (decision === 'STALE_SIGN_IN') {
    redirectToSignIn(request, reply, '/console/sign-in/again');
    return null;
  }
  request.consoleVisit = visit;
  return visit;
}

/** Live figures ask by themselves: only what a person opens or sends counts as activity. */
function isAct({ headers }: FastifyRequest): boolean {
  return headers['x-refresh'] === undefined && headers.accept !== 'text/event-stream';
}

/** Such a person keeps the navigation on pages that concern no merchant, too. */
function onlyMerchantOf({ grants }: Viewer): string | null {
  const [first, ...others] = new Set(grants.map(({ merchantId }) => merchantId));
  return others.length === 0 ? (first ?? null) : null;
}

interface VisitParts {
  readonly viewer: Viewer;
  readonly secret: string;
  readonly merchant: VisitedMerchant | null;
  readonly shownMerchant: VisitedMerchant | null;
  readonly params: Visit['params'];
  readonly ask: (...asked: Parameters<Visit['can']>) => ReturnType<typeof decideAccess>;
}

function makeVisit(
  { clock, timeZone: bookZone, currency }: ConsoleDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { viewer, secret, merchant, shownMerchant, params, ask }: VisitParts,
): Visit {
  const { pathname, searchParams } = new URL(request.url, 'http://console');
  const query = withoutNul(searchParams);
  const asked = timeZoneOf(query.get('zone') ?? '');
  return {
    viewer,
    merchant,
    shownMerchant,
    get merchantId(): string {
      if (!merchant) throw new Error('This page has no merchant.');
      return merchant.id;
    },
    params,
    query,
    path: pathname.slice('/console'.length),
    language: consoleLanguage(request, reply),
    timeZone: asked ?? viewer.timeZone ?? shownMerchant?.timeZone ?? bookZone,
    bookZone,
    currency,
    now: clock.now(),
    actor: actorOf(viewer),
    requestId: request.id,
    csrf: formToken(secret),
    can: (...asked) => ['ALLOWED', 'STALE_SIGN_IN'].includes(ask(...asked)),
  };
}

/** After a form the person comes back to the page that the form was on, by its own link. */
function redirectToSignIn(request: FastifyRequest, reply: FastifyReply, path: string): void {
  const next = request.method === 'GET' ? request.url : '/console';
  reply
    .code(303)
    .header('location', `${path}?${new URLSearchParams({ next })}`)
    .send();
}
