import type { FastifyReply, FastifyRequest } from 'fastify';
import { chooseLanguage, LANGUAGES, type Language } from './choose-language.ts';

/** Until the browser is closed; it says nothing of a person. */
const COOKIE = 'lang';

/**
 * The language of a page, and the memory of it: `?lang=` holds for the browser's session
 * (payer-journey, Quality of the pages). Its scope is one of page-scope.ts, which reads cookies.
 */
export function pageLanguage(
  request: FastifyRequest,
  reply: FastifyReply,
  preferred: string | null = null,
): Language {
  const { lang } = request.query as { readonly lang?: unknown };
  const asked = LANGUAGES.find((language) => language === lang);
  if (asked) {
    reply.setCookie(COOKIE, asked, { path: '/', httpOnly: true, sameSite: 'lax' });
  }
  return chooseLanguage({
    asked: asked ?? request.cookies[COOKIE],
    preferred,
    acceptLanguage: request.headers['accept-language'],
  });
}
