import assert from 'node:assert/strict';
import type { Grant, Role } from '#console/model/roles.ts';
import { createSignInLink } from '#console/sign-in/links.ts';
import { collectCanaries } from '../privacy/canaries.ts';
import { watchPages } from '../privacy/watch-pages.ts';
import { callOnce, type OnceOptions } from '../service/call-once.ts';
import { onceConnected, type TestService } from '../service/service.ts';

export interface ConsoleAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  /** The path of a redirect; null: the answer is none. */
  readonly location: string | null;
}

/** A browser without scripts: it keeps the cookies and fills the token into forms. */
export interface ConsoleClient {
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<ConsoleAnswer>;
  /** Sends a form as a page of this session would. */
  post(path: string, fields?: Readonly<Record<string, string>>): Promise<ConsoleAnswer>;
  /** The cookies, as a browser sends them. */
  cookies(): string;
}

export interface SignInOptions {
  readonly role: Role;
  /** For a merchant's role. */
  readonly merchantId?: string;
  readonly name?: string;
}

/** A service of another process collects no canaries. */
type VisitedService = Pick<TestService, 'url'> & Partial<Pick<TestService, 'canaries'>>;
type SignInService = VisitedService & Pick<TestService, 'database' | 'clock'>;

/** Signs a person in by a one-time link, through the pages. */
export async function signIn(
  service: SignInService,
  { role, merchantId, name = 'Ada' }: SignInOptions,
): Promise<ConsoleClient> {
  const grant = { role, merchantId: merchantId ?? null } as Grant;
  const deps = { db: service.database.db, clock: service.clock };
  const { token } = await onceConnected(() =>
    createSignInLink(deps, { name, grant, actor: 'test' }),
  );
  const client = visitConsole(service);
  await client.get('/console/sign-in/link');
  const answer = await client.post('/console/sign-in/link', { link: token });
  assert.equal(answer.status, 303, answer.html);
  return client;
}

/**
 * A browser that nobody has signed in with, unless its cookies say so. The canaries of the service
 * collect what it sends and gets.
 */
export function visitConsole(
  { url, canaries }: VisitedService,
  known: Readonly<Record<string, string>> = {},
): ConsoleClient {
  const watched = watchPages(canaries ?? collectCanaries());
  const jar = new Map(Object.entries(known));
  for (const [name, value] of jar) watched.seeCookie(name, value);
  let csrf = '';
  const send = async (path: string, how: OnceOptions): Promise<ConsoleAnswer> => {
    const headers = { cookie: cookies(), accept: 'text/html', ...how.headers };
    const { text: html, ...answered } = await callOnce(url + path, { ...how, headers });
    for (const cookie of answered.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      // Forms of before the sign-in have another token.
      if (/^(__Host-)?console$/.test(name)) csrf = '';
      jar.set(name, value);
      watched.seeCookie(name, value);
    }
    csrf = /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? csrf;
    const answer = { ...answered, html, location: answered.headers.get('location') };
    watched.check(path, answer);
    return answer;
  };
  const cookies = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  return {
    cookies,
    get(path, headers = {}) {
      watched.seeSent(path);
      return send(path, { headers });
    },
    async post(path, fields = {}) {
      watched.seeSent(path, fields);
      // Every page has the sign-out form, and with it the session's token.
      if (csrf === '' && jar.size > 0) await send('/console', {});
      const body = new URLSearchParams({ csrf, ...fields });
      return send(path, { method: 'POST', body });
    },
  };
}
