import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { html } from 'ghtml';
import type { ConsoleDeps } from '#console/console-deps.ts';
import {
  forgetSessionSecret,
  formToken,
  isFormOfSession,
  readSessionSecret,
  sendSessionSecret,
} from '#console/sessions/session-secret.ts';
import { signOut } from '#console/sessions/sessions.ts';
import { sendFault, sendPage } from '#console/shell/send-answer.ts';
import { pageLanguage } from '#http/pages/page-language.ts';
import { isPlainLocalhost } from '#lib/localhost.ts';
import { redeemSignInLink } from './links.ts';
import { SIGN_IN_TEXTS } from './texts.ts';

const HIDDEN = { schema: { hide: true } };

/** The pages of people who are not signed in yet. */
export function registerSignInPages(scope: FastifyInstance, deps: ConsoleDeps): void {
  const cookie = { isSecure: !isPlainLocalhost(deps.origin) };
  const showWays = (request: FastifyRequest, reply: FastifyReply) => {
    const { text, rich } = SIGN_IN_TEXTS[pageLanguage(request, reply)];
    const title = text('title');
    const body = html`<h1>${title}</h1><p>!${rich('byLink')}</p>`;
    return sendPage(deps, request, reply, { title, body }, null);
  };
  scope.get('/console/sign-in', HIDDEN, showWays);
  scope.get('/console/sign-in/again', HIDDEN, showWays);
  // Mail scanners open links: only the button uses a link up.
  scope.get('/console/sign-in/link/:token', HIDDEN, (request, reply) => {
    const { text } = SIGN_IN_TEXTS[pageLanguage(request, reply)];
    const title = text('title');
    const body = html`<h1>${title}</h1><p>${text('press')}</p>
<form method="post"><button class="button">${text('signIn')}</button></form>`;
    return sendPage(deps, request, reply, { title, body }, null);
  });
  scope.post('/console/sign-in/link/:token', HIDDEN, async (request, reply) => {
    const site = request.headers['sec-fetch-site'] ?? 'same-origin';
    const { token } = request.params as { readonly token: string };
    const secret = site === 'same-origin' ? await redeemSignInLink(deps, token) : null;
    if (secret === null) {
      const { text } = SIGN_IN_TEXTS[pageLanguage(request, reply)];
      const title = text('usedTitle');
      const body = html`<h1>${title}</h1><p>${text('used')}</p>`;
      return sendPage(deps, request, reply, { title, body, status: 403 }, null);
    }
    sendSessionSecret(reply, secret, cookie);
    return reply.code(303).header('location', '/console').send();
  });
  scope.post('/console/sign-out', HIDDEN, async (request, reply) => {
    const secret = readSessionSecret(request, cookie);
    if (secret !== null && !isFormOfSession(request, formToken(secret))) {
      return sendFault(deps, request, reply, { kind: 'outdated' }, null);
    }
    if (secret !== null) await signOut(deps, secret);
    forgetSessionSecret(reply, cookie);
    return reply.code(303).header('location', '/console/sign-in').send();
  });
}
