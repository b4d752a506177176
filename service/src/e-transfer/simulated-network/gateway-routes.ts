import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readForms } from '#http/forms/read-forms.ts';
import { registerLivePageRoute } from '#http/live/routes.ts';
import type { Language } from '#http/negotiation/choose-language.ts';
import { sendErrorPage } from '#http/pages/error-page.ts';
import { type Page, sendPage } from '#http/pages/page.ts';
import { preparePageScope } from '#http/pages/page-scope.ts';
import { isPageId } from '#lib/cells/page-id.ts';
import {
  chooseAction,
  decideAction,
  type GatewayAction,
  type GatewayActionDeps,
  goTo,
  MOST_SIGN_INS,
  refusedAction,
  signInAction,
  TOO_MANY_SIGN_INS,
} from './gateway-actions.ts';
import { MOST_REFUSALS } from './gateway-payment.ts';
import { isFormOfSession } from './gateway-session.ts';
import { type GatewayPage, STEPS } from './gateway-steps.ts';
import {
  addressOf,
  chosenInstitution,
  followState,
  GATEWAY_PATH,
  type GatewayVisit,
  type GatewayVisitDeps,
  newsOf,
  pageOptions,
  receiveVisit,
  seeOther,
} from './gateway-visit.ts';
import { findInstitution } from './institutions.ts';
import { findLastInstitution } from './last-institution.ts';
import { askingPage } from './pages/asking-page.ts';
import { choosePage } from './pages/choose-page.ts';
import { confirmPage } from './pages/confirm-page.ts';
import { askedBill, type GatewayPageOptions } from './pages/gateway-pages.ts';
import { GATEWAY_ERROR_PAGES } from './pages/gateway-style.ts';
import { refusedPage } from './pages/refused-page.ts';
import { signInPage } from './pages/sign-in-page.ts';

export type GatewayRoutesDeps = GatewayVisitDeps & GatewayActionDeps;

/** Four short fields. */
const LARGEST_FORM_BYTES = 4_096;

type MakePage = (
  options: GatewayPageOptions,
  visit: GatewayVisit,
  request: FastifyRequest,
) => Page | null;
type Query = Readonly<Record<string, unknown>>;

/** Every page by its address, what it shows, and what its form does. */
const ROUTES: Readonly<
  Record<GatewayPage, { readonly path: string; readonly show: MakePage; act?: GatewayAction }>
> = {
  choose: {
    path: '/choose',
    show: (options, { session, elsewhere }, request) => {
      const { missing, down, institution } = request.query as Query;
      const fault = missing === undefined && down === undefined ? null : { institution: `${down}` };
      // A switch of the language sends the choice that is not submitted yet.
      // A payer who was refused would otherwise go back there with one press of the button.
      const before = session?.refusalReason ? null : session?.institution;
      const chosen = findInstitution(institution)?.id ?? before ?? null;
      const last = findLastInstitution(request);
      return choosePage({ ...options, chosen, last, fault, elsewhere });
    },
    act: chooseAction,
  },
  'sign-in': {
    path: '/:institution/sign-in',
    show: (options, visit, request) => {
      const { failed } = request.query as Query;
      const institution = chosenInstitution(visit);
      const { failedSignIns } = visit.payment;
      const username = visit.session?.attemptedUsername ?? null;
      const hasFailed = failed !== undefined && failedSignIns > 0;
      const triesLeft = hasFailed ? MOST_SIGN_INS - failedSignIns : null;
      return institution ? signInPage({ ...options, institution, triesLeft, username }) : null;
    },
    act: signInAction,
  },
  asking: {
    path: '/asking',
    show: (options, { payment, hasDecided }) =>
      askingPage({ ...options, institution: hasDecided ? payment.institution : null }),
  },
  refused: {
    path: '/refused',
    show: (options, visit) => {
      const institution = chosenInstitution(visit);
      const reason = visit.session?.refusalReason;
      const triesLeft = MOST_REFUSALS - visit.payment.refusals;
      return institution && reason
        ? refusedPage({ ...options, institution, reason, triesLeft })
        : null;
    },
    act: refusedAction,
  },
  confirm: {
    path: '/:institution/confirm',
    show: (options, visit) => {
      const institution = chosenInstitution(visit);
      const username = visit.session?.username;
      return institution && username ? confirmPage({ ...options, institution, username }) : null;
    },
    act: decideAction,
  },
};

/** The gateway and its institutions: the page follows the state, a GET changes nothing. */
export function registerGatewayRoutes(app: FastifyInstance, deps: GatewayRoutesDeps): void {
  app.register(async (scope) => {
    await preparePageScope(scope, GATEWAY_ERROR_PAGES);
    readForms(scope);
    const hidden = { schema: { hide: true } };
    // A form for an unknown payment is refused before its body is read.
    const onRequest = async (request: FastifyRequest, reply: FastifyReply) =>
      (await receiveVisit(deps, request, reply)) ? undefined : reply;
    const form = { ...hidden, onRequest, bodyLimit: LARGEST_FORM_BYTES };
    scope.get(`${GATEWAY_PATH}/:id`, hidden, async (request, reply) => {
      const visit = await receiveVisit(deps, request, reply);
      return visit ? followState(reply, visit) : reply;
    });
    for (const [page, { path, act }] of Object.entries(ROUTES)) {
      const name = page as GatewayPage;
      const address = `${GATEWAY_PATH}/:id${path}`;
      scope.get(address, hidden, (request, reply) => show(deps, name, request, reply));
      if (act) scope.post(address, form, (request, reply) => send(deps, name, request, reply));
    }
  });
  registerLivePageRoute(app, {
    path: `${GATEWAY_PATH}/:id/live`,
    pages: deps.livePages,
    misses: deps.misses,
    idOf: ({ params }) => {
      const { id } = params as { readonly id: string };
      return isPageId(id) ? id : null;
    },
  });
}

async function show(
  deps: GatewayRoutesDeps,
  page: GatewayPage,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const visit = await receiveVisit(deps, request, reply);
  if (!visit) return reply;
  if (!STEPS[visit.step].pages.includes(page) || !isAtItsAddress(request, visit, page)) {
    return followState(reply, visit, newsOf(request, visit, page));
  }
  const options = pageOptions(deps, request, reply, visit);
  const shown = ROUTES[page].show(options, visit, request);
  return shown ? sendPage(reply, 200, shown) : followState(reply, visit);
}

async function send(
  deps: GatewayRoutesDeps,
  page: GatewayPage,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const visit = await receiveVisit(deps, request, reply);
  if (!visit) return reply;
  const { secret, payment } = visit;
  const { preferredLanguage } = payment;
  const about = (language: Language) => askedBill({ ...deps, payment, language }, []);
  const extras = { preferredLanguage, againAt: visit.path, about };
  if (!isFormOfSession(request, secret)) {
    return sendErrorPage(request, reply, 'outdated', GATEWAY_ERROR_PAGES, extras);
  }
  const isAllowed = STEPS[visit.step].actions.includes(page);
  const { act } = ROUTES[page];
  if (!act || !isAllowed || !isAtItsAddress(request, visit, page)) {
    const news = newsOf(request, visit, page);
    // A payer whose sign-in has ended signs in at the same institution again.
    const { institution: id } = request.params as { readonly institution?: string };
    const institution = news === 'ended' ? findInstitution(id) : undefined;
    if (!institution) return followState(reply, visit, news);
    return seeOther(reply, `${await goTo(deps, visit, secret, institution)}?ended=1`);
  }
  const fields = request.body as URLSearchParams;
  const next = await act(deps, visit, { fields, secret, address: request.ip, reply });
  if (next !== TOO_MANY_SIGN_INS) return seeOther(reply, next);
  reply.header('retry-after', `${deps.signIns.retryAfterSeconds()}`);
  return sendErrorPage(request, reply, 'tooMany', GATEWAY_ERROR_PAGES, extras);
}

/** An institution's pages lie under the name of the one that was chosen. */
function isAtItsAddress(
  { params }: FastifyRequest,
  visit: GatewayVisit,
  page: GatewayPage,
): boolean {
  const { institution } = params as { readonly institution?: string };
  return institution === undefined || addressOf(visit, page).includes(`/${institution}/`);
}
