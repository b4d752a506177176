import assert from 'node:assert/strict';
import { callOnce, type OnceOptions, type WholeAnswer } from '../service/call-once.ts';
import type { TestService } from '../service/service.ts';

/** A page as a browser got it. */
export interface PayerPage {
  readonly status: number;
  /** Path and query of the address that it came from, after all redirects. */
  readonly address: string;
  readonly headers: Headers;
  readonly html: string;
  readonly title: string;
  /** The text inside main, without tags. */
  readonly text: string;
}

export interface Payer {
  readonly cookies: Map<string, { readonly value: string; readonly path: string }>;
  /** Opens a path or an address of the service, and follows redirects. */
  open(address: string, headers?: Readonly<Record<string, string>>): Promise<PayerPage>;
  /** Sends the form of a page with these fields beside its hidden ones. */
  send(page: PayerPage, fields: Readonly<Record<string, string>>): Promise<PayerPage>;
  /** Sends one request and follows no redirect. */
  request(address: string, options?: RequestInit): Promise<Response>;
  /** Goes from a payment link to the confirm page of an institution. */
  signIn(paymentLink: string, username: string, institution?: string): Promise<PayerPage>;
}

const MOST_REDIRECTS = 5;

/** A browser without script: cookies with their paths, forms, redirects. */
export function createPayer(service: Pick<TestService, 'url'>): Payer {
  const cookies = new Map<string, { value: string; path: string }>();

  function pathOf(address: string): string {
    const { pathname, search } = new URL(address, service.url);
    return pathname + search;
  }

  function cookieFor(path: string): Record<string, string> {
    const sent = [...cookies]
      .filter(([, cookie]) => path.startsWith(cookie.path))
      .map(([key, { value }]) => `${key.split(' ')[0]}=${value}`);
    return sent.length > 0 ? { cookie: sent.join('; ') } : {};
  }

  function keepCookies({ headers }: Pick<Response, 'headers'>): void {
    for (const line of headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ');
      const [name = '', value = ''] = pair.split('=');
      const cookiePath = attributes.find((each) => /^path=/i.test(each))?.slice(5) ?? '/';
      cookies.set(`${name} ${cookiePath}`, { value, path: cookiePath });
    }
  }

  async function request(address: string, options: RequestInit = {}): Promise<Response> {
    const path = pathOf(address);
    const headers = new Headers(options.headers);
    const { cookie } = cookieFor(path);
    if (cookie) headers.set('cookie', cookie);
    const response = await fetch(service.url + path, { ...options, headers, redirect: 'manual' });
    keepCookies(response);
    return response;
  }

  async function ask(address: string, options: OnceOptions = {}): Promise<WholeAnswer> {
    const path = pathOf(address);
    const headers = { ...options.headers, ...cookieFor(path) };
    const answer = await callOnce(service.url + path, { ...options, headers });
    keepCookies(answer);
    return answer;
  }

  async function follow(first: WholeAnswer, from: string): Promise<PayerPage> {
    let answer = first;
    let address = pathOf(from);
    for (let hops = 0; answer.status === 303; hops++) {
      assert.ok(hops < MOST_REDIRECTS, `redirects without end at ${address}`);
      address = pathOf(answer.headers.get('location') ?? '');
      answer = await ask(address);
    }
    const { text: html, ...rest } = answer;
    return {
      ...rest,
      address,
      html,
      title: decode(/<title>([^<]*)</.exec(html)?.[1] ?? ''),
      text: decode((/<main>([\s\S]*)<\/main>/.exec(html)?.[1] ?? '').replace(/<[^>]+>/g, ' ')),
    };
  }

  const payer: Payer = {
    cookies,
    request,
    async open(address, headers = {}) {
      return follow(await ask(address, { headers }), address);
    },
    async send(page, fields) {
      const token = /name="token" value="([^"]+)"/.exec(page.html)?.[1] ?? '';
      const body = new URLSearchParams({ token, ...fields });
      const options = { method: 'POST', body, headers: { 'sec-fetch-site': 'same-origin' } };
      return follow(await ask(page.address, options), page.address);
    },
    async signIn(paymentLink, username, institution = 'boreal-bank') {
      const gateway = (await payer.open(paymentLink)).address.split('/', 3).join('/');
      const choose = await payer.open(`${gateway}/choose`);
      const leaving = await payer.send(choose, { institution });
      return payer.send(await payer.open(signInAddressOf(leaving)), { username, password: 'demo' });
    },
  };
  return payer;
}

/** The address of a sign-in page. */
export function signInAddressOf({ address }: PayerPage): string {
  assert.match(address, /\/sign-in$/);
  return address;
}

function decode(html: string): string {
  return html
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/\s+/g, ' ')
    .trim();
}
