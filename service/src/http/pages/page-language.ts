import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  CONSOLE_LANGUAGES,
  type ConsoleLanguage,
  chooseLanguage,
  LANGUAGES,
  type Language,
} from '#http/negotiation/choose-language.ts';
import { isPlainLocalhost } from '#lib/localhost.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The pages are plain HTTP on this machine, where browsers refuse cookies with Secure. */
    isOnPlainLocalhost?: boolean;
  }
}

/** Tells the pages of a listener whether their cookies can be Secure. */
export function declarePageOrigin(app: FastifyInstance, origin: string): void {
  app.decorate('isOnPlainLocalhost', isPlainLocalhost(origin));
}

/** Until the browser is closed; it says nothing of a person. No other host name sets it. */
function cookieName({ isOnPlainLocalhost }: FastifyInstance): string {
  return isOnPlainLocalhost ? 'lang' : '__Host-lang';
}

/**
 * The language of a payer's page, and the memory of it: `?lang=` holds for the browser's session
 * (journey §2). Outside the scopes of page-scope.ts there is no memory.
 */
export function pageLanguage(
  request: FastifyRequest,
  reply: FastifyReply,
  preferred: string | null = null,
): Language {
  return languageAmong(LANGUAGES, request, reply, preferred);
}

/** The language of a page of the console, which has fewer languages. */
export function consoleLanguage(request: FastifyRequest, reply: FastifyReply): ConsoleLanguage {
  return languageAmong(CONSOLE_LANGUAGES, request, reply, null);
}

function languageAmong<Spoken extends Language>(
  languages: readonly Spoken[],
  request: FastifyRequest,
  reply: FastifyReply,
  preferred: string | null,
): Spoken | 'en' {
  const { lang } = request.query as { readonly lang?: unknown };
  const asked = languages.find((language) => language === lang);
  if (asked && hasCookies(request)) {
    const secure = request.server.isOnPlainLocalhost !== true;
    const options = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
    reply.setCookie(cookieName(request.server), asked, options);
  }
  return chooseLanguage({
    asked: asked ?? rememberedLanguage(request),
    preferred,
    acceptLanguage: request.headers['accept-language'],
    languages,
  });
}

/** A call that is refused in an early hook gets here before the scope's hook has read cookies. */
function rememberedLanguage(request: FastifyRequest): string | undefined {
  if (!hasCookies(request)) return undefined;
  const cookies = request.cookies ?? request.server.parseCookie(request.headers.cookie ?? '');
  return cookies[cookieName(request.server)];
}

function hasCookies({ server }: FastifyRequest): boolean {
  return server.hasReplyDecorator('setCookie');
}
