import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ConsoleDeps } from '#console/console-deps.ts';
import { FRESH_SIGN_IN_MS } from '#console/model/decide-access.ts';
import { SIGN_IN_KINDS } from '#console/model/roles.ts';
import {
  forgetCookie,
  formToken,
  isFormOfSession,
  readSessionSecret,
  redirect,
} from '#console/sessions/session-secret.ts';
import { findViewer, signOut } from '#console/sessions/sessions.ts';
import { FORM_BYTES } from '#console/shell/form-bytes.ts';
import { isOverLimit } from '#console/shell/limit-strangers.ts';
import { sendFault, sendPage } from '#console/shell/send-answer.ts';
import { consoleLanguage } from '#http/pages/page-language.ts';
import { isPlainLocalhost } from '#lib/localhost.ts';
import { openForm } from './browser-cookies.ts';
import { registerLinkPages } from './link-routes.ts';
import { nextPathOf } from './model/next-path.ts';
import { readSignInFault } from './model/sign-in-fault.ts';
import { againPage, waysPage } from './pages.ts';
import { registerProviderPages } from './provider-routes.ts';

const HIDDEN = { schema: { hide: true } };

/** The pages of people who are not signed in yet. */
export function registerSignInPages(scope: FastifyInstance, deps: ConsoleDeps): void {
  const host = deps.signIn.provider?.host ?? null;
  const cookie = { isSecure: !isPlainLocalhost(deps.origin) };
  const viewerOf = async (request: FastifyRequest) => {
    const secret = readSessionSecret(request, cookie);
    return secret === null ? null : findViewer(deps, secret);
  };
  scope.get('/console/sign-in', HIDDEN, async (request, reply) => {
    const query = request.query as Readonly<Record<string, unknown>>;
    const next = nextPathOf(query.next);
    const fault = readSignInFault(query.fault);
    // A callback that is loaded again has expired, and the person is signed in.
    const mayGoOn = fault === null || fault === 'EXPIRED';
    if (mayGoOn && (await viewerOf(request))) return redirect(reply, next);
    const page = waysPage({
      language: consoleLanguage(request, reply),
      ...{ next, host, fault },
      signedOut: SIGN_IN_KINDS.find((kind) => kind === query.out) ?? null,
      lacksSignOut: query.lacks === 'sign-out',
    });
    return sendPage(deps, request, reply, page, null);
  });
  scope.get('/console/sign-in/again', HIDDEN, async (request, reply) => {
    const next = nextPathOf((request.query as Readonly<Record<string, unknown>>).next);
    const viewer = await viewerOf(request);
    if (!viewer) {
      return redirect(reply, `/console/sign-in?${new URLSearchParams({ next })}`);
    }
    const ageMs = deps.clock.now().getTime() - viewer.signedInAt.getTime();
    if (ageMs < FRESH_SIGN_IN_MS) return redirect(reply, next);
    const csrf = openForm(request, reply, cookie);
    const language = consoleLanguage(request, reply);
    const page = againPage({ language, next, host, csrf, kind: viewer.kind });
    return sendPage(deps, request, reply, page, null);
  });
  const form = {
    ...HIDDEN,
    bodyLimit: FORM_BYTES.signIn,
    // A browser without a session is signed out, and its form stays unread.
    async onRequest(request: FastifyRequest, reply: FastifyReply) {
      if (await viewerOf(request)) return;
      forgetCookie(reply, 'console', cookie);
      return isOverLimit(request, reply)
        ? sendFault(deps, request, reply, { kind: 'tooMany' }, null)
        : redirect(reply, '/console/sign-in?out=LINK');
    },
  };
  scope.post('/console/sign-out', form, async (request, reply) => {
    const secret = readSessionSecret(request, cookie) ?? '';
    if (!isFormOfSession(request, formToken(secret), deps.origin)) {
      return sendFault(deps, request, reply, { kind: 'outdated' }, null);
    }
    const kind = await signOut(deps, secret);
    forgetCookie(reply, 'console', cookie);
    return redirect(reply, `/console/sign-in?out=${kind ?? 'LINK'}`);
  });
  registerLinkPages(scope, deps, cookie);
  registerProviderPages(scope, deps, cookie);
}
