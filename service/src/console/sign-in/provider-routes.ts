import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ConsoleDeps } from '#console/console-deps.ts';
import {
  type CookieOptions,
  forgetCookie,
  readCookie,
  readSessionSecret,
  redirect,
  sendCookie,
} from '#console/sessions/session-secret.ts';
import { createAddressLimit, networkOf } from '#http/overload/address-limit.ts';
import { limitConcurrency } from './limit-concurrency.ts';
import { nextPathOf } from './model/next-path.ts';
import { type BegunSignIn, openSignIn, SIGN_IN_MINUTES, sealSignIn } from './oidc/begun-sign-in.ts';
import { newSignInSecrets } from './oidc/identity-provider.ts';
import { ProviderFault } from './oidc/provider-fault.ts';
import { type FailedSignIn, signInByProvider } from './sign-in-by-provider.ts';
import type { ConsoleProvider, SignInDeps } from './sign-in-deps.ts';

const HIDDEN = { schema: { hide: true } };
const SIGN_IN = 'console-sign-in';
const MINUTE_MS = 60_000;
/** A whole office may have one address; a failed sign-in costs the provider a call. */
const MOST_FAILURES = 60;
/** A silent provider holds each for 13 s at most; more people are asked to come again. */
const MOST_AT_ONCE = 50;

/** Sign-in at the identity provider: there by a link, back by the provider's redirect. */
export function registerProviderPages(
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
