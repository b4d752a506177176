import type { Canaries } from './canaries.ts';
import { decodeHtml, decodeText } from './decode-text.ts';

/** Cookies whose values are secrets of a browser. */
const SECRET_COOKIE = /^(?:__Host-)?console(?:-form|-sign-in)?$/;
/** The token ends the link that a person pastes. */
const LINK_TOKEN = /[A-Za-z0-9_-]{43}$/;
/** Fields and parameters of the console in which people type values of payers. */
const PAYER_FIELDS = new Set([
  'payer.name',
  'payer.email',
  'payer.mobileNumber',
  'payerEmail',
  'payerMobileNumber',
]);
/** A search for an e-mail address or a phone number; people search for references too. */
const SEARCHED_PERSON = /@|^\+?[\d ()./-]{10,}$/;
/** The lines of a file of secrets that a page or a download shows once. */
const SHOWN_SECRETS = /\b(API_PASSWORD|API_KEY|LISTENER_PASSWORD|SIGNING_SECRET)=([\w+/=.-]{20,})/g;

export interface PageAnswer {
  readonly headers: Headers;
  readonly html: string;
  readonly location: string | null;
}

/** The canaries of a browser at the console: what it sends, and what it gets. */
export interface WatchedPages {
  seeCookie(name: string, value: string): void;
  seeSent(path: string, fields?: Readonly<Record<string, string>>): void;
  /** Collects tokens and secrets of an answer; fails where the answer shows values wrongly. */
  check(path: string, answer: PageAnswer): void;
}

/**
 * Watches the pages of a browser: no address or title shows a payer or a secret, and no page shows
 * a cookie or the token of a one-time link.
 */
export function watchPages(canaries: Canaries): WatchedPages {
  const credentials = new Map<string, string>();
  const seeCredential = (value: string, name: string) => {
    if (value === '') return;
    credentials.set(value, name);
    canaries.seeSecret(value, name);
  };

  function seeSent(path: string, fields: Readonly<Record<string, string>> = {}): void {
    const { searchParams } = new URL(path, 'http://console');
    for (const [name, value] of [...searchParams, ...Object.entries(fields)]) {
      const isSearch = name === 'q' && SEARCHED_PERSON.test(value.trim());
      if (PAYER_FIELDS.has(name) || isSearch) canaries.seePayerValue(value.trim(), name);
      const [token] = name === 'link' ? (LINK_TOKEN.exec(value.trim()) ?? []) : [];
      if (token) seeCredential(token, 'the token of a one-time link');
    }
  }

  function seeSecretsOf(html: string): void {
    for (const [, token = ''] of html.matchAll(/name="csrf" value="([^"]+)"/g)) {
      canaries.seeSecret(token, 'the token of a form');
    }
    if (!/API_PASSWORD|SIGNING_SECRET/.test(html)) return;
    for (const form of decodeText(decodeHtml(html))) {
      for (const [, name = '', value = ''] of form.matchAll(SHOWN_SECRETS)) {
        canaries.seeSecret(value, name);
      }
    }
  }

  return {
    seeCookie(name, value) {
      if (SECRET_COOKIE.test(name)) seeCredential(value, `the cookie ${name}`);
    },
    seeSent,
    check(path, { headers, html, location }) {
      seeSecretsOf(html);
      // A list's own address may hold a filter, and a redirect may repeat it (decision 0071).
      if (location !== null) canaries.assertAbsent(location, 'a redirect', path);
      const [, title = ''] = /<title>([^<]*)<\/title>/.exec(html) ?? [];
      canaries.assertAbsent(decodeHtml(title), 'the title of a page');
      const isPage = headers.get('content-type')?.startsWith('text/html') ?? false;
      for (const [value, name] of isPage ? credentials : []) {
        if (html.includes(value)) throw new Error(`The page ${path} shows ${name}.`);
      }
    },
  };
}
