import type { FastifyReply, FastifyRequest } from 'fastify';
import { chooseLanguage, LANGUAGES, type Language } from '#http/negotiation/choose-language.ts';

/** Until the browser is closed; it says nothing of a person. */
const COOKIE = 'lang';

/**
 * The language of a page, and the memory of it: `?lang=` holds for the browser's session
 * (journey §2). Outside the scopes of page-scope.ts there is no memory.
 */
export function pageLanguage(
  request: FastifyRequest,
  reply: FastifyReply,
  preferred: string | null = null,
): Language {
  const { lang } = request.query as { readonly lang?: unknown };
  const asked = LANGUAGES.find((language) => language === lang);
  if (asked && hasCookies(request)) {
    reply.setCookie(COOKIE, asked, { path: '/', httpOnly: true, sameSite: 'lax' });
  }
  return chooseLanguage({
    asked: asked ?? rememberedLanguage(request),
    preferred,
    acceptLanguage: request.headers['accept-language'],
  });
}

/** A call that is refused in an early hook gets here before the scope's hook has read cookies. */
function rememberedLanguage(request: FastifyRequest): string | undefined {
  if (!hasCookies(request)) return undefined;
  const cookies = request.cookies ?? request.server.parseCookie(request.headers.cookie ?? '');
  return cookies[COOKIE];
}

function hasCookies({ server }: FastifyRequest): boolean {
  return server.hasReplyDecorator('setCookie');
}
