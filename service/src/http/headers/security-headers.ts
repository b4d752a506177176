import { createHash } from 'node:crypto';

type Headers = Readonly<Record<string, string>>;

/** The headers of every answer. */
const ALWAYS: Headers = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** For answers that no browser shows as a page: nothing in them may run or be framed. */
export const DATA_HEADERS: Headers = {
  ...ALWAYS,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
};

/** A year (OWASP ASVS 5.0, 3.4.1), for this host name alone: its owner decides on subdomains. */
const HSTS: Headers = { 'strict-transport-security': 'max-age=31536000' };

/** Makes browsers keep to https where the public address has it (RFC 6797). */
export function transportHeaders(origin: string): Headers {
  return origin.startsWith('https:') ? HSTS : {};
}

/** For an image that merchants' pages load (journey §2). */
export const SHARED_IMAGE_HEADERS: Headers = {
  ...ALWAYS,
  // Opened by itself an SVG is a document, and a PNG is put into one that the browser styles.
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
};

/** For a script that merchants' pages load (journey §3). */
export const SHARED_SCRIPT_HEADERS: Headers = {
  ...DATA_HEADERS,
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
};

/** For a public document that pages and tools of other origins read (contract §9). */
export const SHARED_DOCUMENT_HEADERS: Headers = SHARED_SCRIPT_HEADERS;

/** Keeps a page out of the lists of search engines. */
export const NOT_LISTED = 'noindex, nofollow';

/** The source of an inline style in a content security policy. */
export function styleSource(css: string): string {
  return `'sha256-${createHash('sha256').update(css).digest('base64')}'`;
}

export interface PageSources {
  /** The sources of the styles, made by `styleSource`. */
  readonly styles: readonly string[];
  /** Whether the page loads scripts of this origin, which may ask this origin. */
  readonly hasScripts?: boolean;
  /** Whether search engines may list the page. */
  readonly isListed?: boolean | undefined;
}

/**
 * For pages (journey §2). Only what is listed loads; no page is framed, cached, or named to another
 * site, and only documentation is listed by search engines.
 */
export function pageHeaders({ styles, hasScripts = false, isListed }: PageSources): Headers {
  return {
    ...ALWAYS,
    'content-security-policy': [
      "default-src 'none'",
      ...(hasScripts ? ["script-src 'self'", "connect-src 'self'"] : []),
      `style-src ${styles.length > 0 ? styles.join(' ') : "'none'"}`,
      // The QR image, and the icon that stands in the page itself.
      "img-src 'self' data:",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    // Any other value cuts the opener: the merchant's page would see its pop-up as closed.
    'cross-origin-opener-policy': 'unsafe-none',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    ...(!isListed && { 'x-robots-tag': NOT_LISTED }),
    'cache-control': 'no-store',
  };
}
