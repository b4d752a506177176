import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ConsoleDeps } from '#console/console-deps.ts';
import {
  type CookieOptions,
  readSessionSecret,
  redirect,
  sendCookie,
} from '#console/sessions/session-secret.ts';
import { FORM_BYTES } from '#console/shell/form-bytes.ts';
import { isOverLimit } from '#console/shell/limit-strangers.ts';
import { sendFault, sendPage } from '#console/shell/send-answer.ts';
import { createAddressLimit } from '#http/overload/address-limit.ts';
import { consoleLanguage } from '#http/pages/page-language.ts';
import { hasFormCookie, isFormOfBrowser, openForm } from './browser-cookies.ts';
import { redeemSignInLink, tokenOfLink } from './links.ts';
import { nextPathOf } from './model/next-path.ts';
import { linkPage } from './pages.ts';

const HIDDEN = { schema: { hide: true } };
const ADDRESS = '/console/sign-in/link';
const MINUTE_MS = 60_000;
/** People paste a link twice or thrice; 256 bits are guessed by nobody. */
const MOST_FAILURES = 10;

/** Sign-in by a one-time link: GET shows a button, POST uses the link up. */
export function registerLinkPages(
  scope: FastifyInstance,
  deps: ConsoleDeps,
  cookie: CookieOptions,
): void {
  const { clock, origin } = deps;
  const host = deps.signIn.provider?.host ?? null;
  const failures = createAddressLimit({ clock, limit: MOST_FAILURES, windowMs: MINUTE_MS });

  scope.get(ADDRESS, HIDDEN, (request, reply) => {
    const { next } = request.query as Readonly<Record<string, unknown>>;
    const page = linkPage({
      language: consoleLanguage(request, reply),
      next: nextPathOf(next),
      ...{ host, csrf: openForm(request, reply, cookie), isUsed: false },
    });
    return sendPage(deps, request, reply, page, null);
  });

  const refuse = (request: FastifyRequest, reply: FastifyReply) => {
    const kind = isOverLimit(request, reply) ? 'tooMany' : 'outdated';
    return sendFault(deps, request, reply, { kind }, null);
  };
  const form = {
    ...HIDDEN,
    bodyLimit: FORM_BYTES.signIn,
    // A browser that has not opened the page sends nothing that could be used.
    onRequest: async (request: FastifyRequest, reply: FastifyReply) =>
      hasFormCookie(request, cookie) ? undefined : refuse(request, reply),
  };
  scope.post(ADDRESS, form, async (request, reply) => {
    if (!isFormOfBrowser(request, cookie, origin)) return refuse(request, reply);
    const fields = request.body as URLSearchParams;
    const next = nextPathOf(fields.get('next'));
    const token = tokenOfLink(fields.get('link') ?? '');
    const secret = await redeemSignInLink(deps, token, readSessionSecret(request, cookie));
    if (secret !== null) {
      sendCookie(reply, 'console', secret, cookie);
      return redirect(reply, next);
    }
    if (!failures.count(request.ip)) {
      reply.header('retry-after', `${failures.retryAfterSeconds()}`);
      return sendFault(deps, request, reply, { kind: 'tooMany' }, null);
    }
    const language = consoleLanguage(request, reply);
    const csrf = openForm(request, reply, cookie);
    const page = linkPage({ language, next, host, csrf, isUsed: true });
    return sendPage(deps, request, reply, page, null);
  });
}
