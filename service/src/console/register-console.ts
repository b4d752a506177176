import fastifyCookie from '@fastify/cookie';
import type { FastifyError, FastifyInstance } from 'fastify';
import { readForms } from '#http/forms/read-forms.ts';
import { registerAccountPages } from './account/routes.ts';
import { registerApprovalPages } from './approvals/routes.ts';
import { registerAuditPages } from './audit/routes.ts';
import { registerComponentPage } from './component-page/routes.ts';
import type { ConsoleDeps } from './console-deps.ts';
import { type CreatePagesDeps, registerCreatePages } from './create/routes.ts';
import { registerCredentialPages } from './credentials/routes.ts';
import { registerHomePages } from './home/routes.ts';
import { type ListsDeps, registerLists } from './list-pages/register-lists.ts';
import { registerMessagePages } from './messages/routes.ts';
import { registerMoneyPages } from './money/register-money-pages.ts';
import { registerOperatorPages } from './operators/routes.ts';
import { registerOverviewPages } from './overview/routes.ts';
import { registerPaymentRequestPages } from './payment-requests/routes.ts';
import { registerRefundForm } from './refunds/routes.ts';
import { registerSearchPages } from './search/routes.ts';
import { type ConsoleRoute, ConsoleRoutes } from './shell/console-routes.ts';
import { limitStrangers } from './shell/limit-strangers.ts';
import { receiveVisit } from './shell/receive-visit.ts';
import { faultOf } from './shell/render-fault.ts';
import { sendFault } from './shell/send-answer.ts';
import { CONSOLE_STYLE, STYLE_PATH } from './shell/style.ts';
import { registerSignInPages } from './sign-in/routes.ts';
import { registerTemplatePages } from './templates/routes.ts';
import { registerWebhookPages } from './webhooks/register-webhook-pages.ts';

/** The address of the style sheet holds a hash of its contents. */
const FOR_EVER = 'public, max-age=31536000, immutable';

declare module 'fastify' {
  interface FastifyInstance {
    /** Every page and form of the console, for the test of the access matrix. */
    consoleRoutes?: readonly ConsoleRoute[];
  }
}

/** The console: every module by name. */
export function registerConsole(
  app: FastifyInstance,
  deps: ConsoleDeps & Pick<CreatePagesDeps, 'creation'> & Pick<ListsDeps, 'readPage'>,
): void {
  app.register(async (scope) => {
    await scope.register(fastifyCookie);
    scope.decorateRequest('consoleVisit', null);
    watchPeople(scope);
    readForms(scope);
    limitStrangers(scope, deps.clock);
    scope.setErrorHandler((error: FastifyError, request, reply) => {
      const fault = faultOf(error, request);
      // No form of a browser has these faults: programs read a problem document.
      if (!fault && error.code?.startsWith('FST_ERR_CTP_')) throw error;
      if (!fault) request.fault = error;
      const kind = request.method === 'POST' ? 'unsure' : 'unavailable';
      return sendFault(deps, request, reply, fault ?? { kind }, request.consoleVisit);
    });
    scope.get(STYLE_PATH, { schema: { hide: true } }, (_request, reply) =>
      reply.type('text/css; charset=utf-8').header('cache-control', FOR_EVER).send(CONSOLE_STYLE),
    );
    registerSignInPages(scope, deps);
    const routes = new ConsoleRoutes(scope, deps);
    registerAccountPages(routes);
    registerComponentPage(routes, deps);
    registerHomePages(routes);
    registerMoneyPages(routes);
    registerMessagePages(routes);
    registerLists(routes, deps);
    registerCreatePages(routes, deps);
    registerSearchPages(routes);
    registerOverviewPages(routes, deps);
    registerRefundForm(routes);
    registerApprovalPages(routes);
    registerPaymentRequestPages(routes, deps);
    registerTemplatePages(routes);
    registerWebhookPages(routes);
    registerCredentialPages(routes);
    registerAuditPages(routes);
    registerOperatorPages(routes);
    app.consoleRoutes = routes.all;
    scope.get('/console/*', { schema: { hide: true } }, async (request, reply) => {
      const visit = await receiveVisit(deps, request, reply, 'home.read');
      return visit ? sendFault(deps, request, reply, { kind: 'notFound' }, visit) : reply;
    });
  });
}

/** Lets the log lines of the console say whose call it was. */
function watchPeople(scope: FastifyInstance): void {
  scope.decorateRequest('person', null);
  scope.addHook('onRequest', (request, _reply, done) => {
    request.person = { sessionId: null };
    done();
  });
}
