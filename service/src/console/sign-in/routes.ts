import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ConsoleDeps } from '#console/console-deps.ts';
import { FRESH_SIGN_IN_MS } from '#console/model/decide-access.ts';
import { SIGN_IN_KINDS } from '#console/model/roles.ts';
import {
  type CookieOptions,
  forgetCookie,
  formToken,
  isFormOfSession,
  readCookie,
  readSessionSecret,
  redirect,
  sendCookie,
} from '#console/sessions/session-secret.ts';
import { findViewer, signOut } from '#console/sessions/sessions.ts';
import { FORM_BYTES } from '#console/shell/console-routes.ts';
import { isOverLimit } from '#console/shell/limit-strangers.ts';
import { sendFault, sendPage } from '#console/shell/send-answer.ts';
import { nextPathOf } from '#console/sign-in/model/next-path.ts';
import { readSignInFault } from '#console/sign-in/model/sign-in-fault.ts';
import {
  type BegunSignIn,
  openSignIn,
  SIGN_IN_MINUTES,
  sealSignIn,
} from '#console/sign-in/oidc/begun-sign-in.ts';
import { newSignInSecrets } from '#console/sign-in/oidc/identity-provider.ts';
import { ProviderFault } from '#console/sign-in/oidc/provider-fault.ts';
import { createAddressLimit, networkOf } from '#http/overload/address-limit.ts';
import { consoleLanguage } from '#http/pages/page-language.ts';
import { isPlainLocalhost } from '#lib/localhost.ts';
import { hasFormCookie, isFormOfBrowser, openForm } from './browser-cookies.ts';
import { limitConcurrency } from './limit-concurrency.ts';
import { redeemSignInLink, tokenOfLink } from './links.ts';
import { againPage, linkPage, waysPage } from './pages.ts';
import { type FailedSignIn, signInByProvider } from './sign-in-by-provider.ts';
import type { ConsoleProvider, SignInDeps } from './sign-in-deps.ts';

const HIDDEN = { schema: { hide: true } };
const MINUTE_MS = 60_000;

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

const ADDRESS = '/console/sign-in/link';
/** People paste a link twice or thrice; 256 bits are guessed by nobody. */
const MOST_WRONG_LINKS = 10;

/** Sign-in by a one-time link: GET shows a button, POST uses the link up. */
function registerLinkPages(scope: FastifyInstance, deps: ConsoleDeps, cookie: CookieOptions): void {
  const { clock, origin } = deps;
  const host = deps.signIn.provider?.host ?? null;
  const failures = createAddressLimit({ clock, limit: MOST_WRONG_LINKS, windowMs: MINUTE_MS });

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

const SIGN_IN = 'console-sign-in';
/** A whole office may have one address; a failed sign-in costs the provider a call. */
const MOST_FAILURES = 60;
/** A silent provider holds each for 13 s at most; more people are asked to come again. */
const MOST_AT_ONCE = 50;

/** Sign-in at the identity provider: there by a link, back by the provider's redirect. */
function registerProviderPages(
  scope: FastifyInstance,
  deps: ConsoleDeps,
  cookie: CookieOptions,
): void {
  const { provider } = deps.signIn;
  if (!provider) return;
  const pages = createProviderPages(deps, provider, cookie);
  scope.get('/console/sign-in/start', HIDDEN, pages.start);
  scope.get('/console/sign-in/callback', HIDDEN, pages.receiveAnswer);
  scope.get('/console/sign-in/provider-sign-out', HIDDEN, async (_request, reply) => {
    const address = await provider.signOutUrl(`${deps.origin}/console/sign-in`);
    return redirect(reply, address ?? '/console/sign-in?lacks=sign-out');
  });
}

function createProviderPages(deps: ConsoleDeps, provider: ConsoleProvider, cookie: CookieOptions) {
  const { clock, signIn, origin } = deps;
  const { secretsKey, log } = signIn;
  const failures = createAddressLimit({ clock, limit: MOST_FAILURES, windowMs: MINUTE_MS });
  const limited = limitConcurrency(MOST_AT_ONCE);

  async function begin(
    reply: FastifyReply,
    next: string,
    isFresh: boolean,
  ): Promise<{ readonly address: string } | FailedSignIn> {
    try {
      const secrets = await newSignInSecrets();
      const address = await provider.begin(secrets, isFresh);
      const begun: BegunSignIn = { ...secrets, next, isFresh, begunAt: clock.now() };
      const kept = { ...cookie, maxAge: SIGN_IN_MINUTES * 60 };
      sendCookie(reply, SIGN_IN, sealSignIn(secretsKey, begun), kept);
      return { address };
    } catch (error) {
      if (error instanceof ProviderFault) return { fault: error.reason, error };
      throw error;
    }
  }

  const fail = failWith(log);

  return {
    async start(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
      const query = request.query as Readonly<Record<string, unknown>>;
      const next = nextPathOf(query.next);
      // Another site must not sign its visitor in: the person decides, on our own page.
      if (isFromElsewhere(request)) {
        return redirect(reply, `/console/sign-in?${new URLSearchParams({ next })}`);
      }
      const begun = await limited(() => begin(reply, next, query.fresh === 'yes'));
      if (begun === null) return fail(request, reply, { fault: 'BUSY' }, next);
      return 'fault' in begun ? fail(request, reply, begun, next) : redirect(reply, begun.address);
    },
    async receiveAnswer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
      const begun = openSignIn(secretsKey, readCookie(request, SIGN_IN, cookie), clock.now());
      if (!begun) return fail(request, reply, { fault: 'EXPIRED' }, '/console');
      const { next } = begun;
      if (failures.isSpent(request.ip)) return fail(request, reply, { fault: 'TOO_MANY' }, next);
      const { search: query, searchParams } = new URL(request.url, origin);
      // Another window has begun later, or a stranger has made this address: the cookie stays.
      if (searchParams.get('state') !== begun.state) {
        failures.count(request.ip);
        return fail(request, reply, { fault: 'EXPIRED' }, next);
      }
      const formerSecret = readSessionSecret(request, cookie);
      const by = { ...deps, provider, rules: provider.rules };
      const outcome = await limited(() => signInByProvider(by, { query, begun, formerSecret }));
      if (outcome === null) return fail(request, reply, { fault: 'BUSY' }, next);
      forgetCookie(reply, SIGN_IN, cookie);
      if ('fault' in outcome) {
        failures.count(request.ip);
        return fail(request, reply, outcome, next);
      }
      sendCookie(reply, 'console', outcome.secret, cookie);
      return redirect(reply, next);
    },
  };
}

/** The redirect takes the provider's code out of the address bar. */
function failWith(log: SignInDeps['log']) {
  return (
    { id: requestId, ip }: FastifyRequest,
    reply: FastifyReply,
    { fault, error }: FailedSignIn,
    next: string,
  ): FastifyReply => {
    const from = { requestId, sourceAddress: networkOf(ip) };
    log.warn({ ...from, reason: fault, ...(error && { err: error }) }, 'console sign-in failed');
    return redirect(reply, `/console/sign-in?${new URLSearchParams({ fault, next })}`);
  };
}

/** Browsers of before 2023 may lack the header; `none` is an address that a person typed. */
function isFromElsewhere({ headers }: FastifyRequest): boolean {
  return !['same-origin', 'none', undefined].includes(headers['sec-fetch-site']?.toString());
}
