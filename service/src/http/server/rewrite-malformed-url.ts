import { hasManyParameters } from '#http/forms/count-fields.ts';

/** No route has this path; what cannot be read is sent there, so that it passes the usual exit. */
const NOWHERE = '/%25';
/** Nearly every address: nothing in it has to be decoded. */
const PLAIN = /^\/[\w./-]*$/;

/**
 * Fastify's `rewriteUrl`: an address that the router could not decode, that is none (`*`), or that
 * has too many parameters goes nowhere instead of around every hook. `request.originalUrl` keeps
 * what was asked for.
 */
export function rewriteMalformedUrl(url = ''): string {
  if (PLAIN.test(url)) return url;
  if (hasManyParameters(url)) return NOWHERE;
  if (!/^(\/|https?:\/\/)/i.test(url)) return NOWHERE;
  try {
    decodeURI(url.split(/[?#]/, 1)[0] ?? '');
    return url;
  } catch {
    return NOWHERE;
  }
}
