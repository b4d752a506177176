import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { preferredLanguage, readLanguage } from '../language.ts';
import { readCookies, writeCookie } from './cookies.ts';
import { readBody } from './read-body.ts';
import type { ShopAnswer, ShopRequest } from './shop-request.ts';

/** A checkout form has few short fields; 16 KiB hold them many times. */
const LARGEST_FORM_BYTES = 16_384;
/** A browser sends its headers at once; the rest allows for a slow network. */
const HEADERS_MS = 10_000;
/** A form of 16 KiB arrives within seconds, also over a slow network. */
const REQUEST_MS = 30_000;

export interface ServeHttpOptions {
  readonly answer: (request: ShopRequest) => Promise<ShopAnswer>;
  /** The answers of GET by path, before `answer`. */
  readonly files: ReadonlyMap<string, ShopAnswer>;
  /** The headers of every answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether customers reach the shop over HTTPS; a proxy may end it before this server. */
  readonly isHttps: boolean;
}

/** The shop's HTTP server: reads a ShopRequest and sends its ShopAnswer. */
export function serveHttp(shop: ServeHttpOptions): Server {
  const { answer, files, headers: ownHeaders, isHttps } = shop;
  const options = { headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS };
  return createServer(options, async (message, response) => {
    try {
      if (isForged(message)) return send(response, 403, {}, 'This form came from another site.');
      const bytes = await readBody(message, LARGEST_FORM_BYTES);
      if (bytes === null) return send(response, 413, {}, 'The form is too large.');
      const request = readRequest(message, bytes, isHttps);
      const file = request.method === 'GET' ? files.get(request.path) : undefined;
      const { status, headers, cookies = [], body } = file ?? (await answer(request));
      const lines = cookies.map((cookie) => writeCookie(cookie, isHttps));
      if (lines.length > 0) response.setHeader('set-cookie', lines);
      send(response, status, { ...ownHeaders, ...headers }, body, message.method === 'HEAD');
    } catch (error) {
      console.error(error);
      if (!response.headersSent) send(response, 500, {}, 'Something went wrong in the shop.');
    }
  });
}

function readRequest(message: IncomingMessage, bytes: Buffer, isHttps: boolean): ShopRequest {
  const { headers, method = 'GET', url = '/' } = message;
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded');
  const [path = '/', search] = url.split('?', 2);
  const query = new URLSearchParams(search);
  const cookies = readCookies(headers.cookie, isHttps);
  const chosen = readLanguage(query.get('lang')) ?? readLanguage(cookies.get('language'));
  return {
    method: method === 'HEAD' ? 'GET' : method,
    path,
    query,
    form: new URLSearchParams(isForm ? bytes.toString('utf8') : ''),
    cookies,
    wantsJson: headers.accept?.startsWith('application/json') ?? false,
    language: chosen ?? preferredLanguage(headers['accept-language']),
  };
}

/** Detects a form of another site's page: browsers send the page's origin, not only cookies. */
function isForged({ method, headers }: IncomingMessage): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  // An older browser sends Origin with a POST. A client without either header is no browser.
  const { origin, host } = headers;
  return origin !== undefined && URL.parse(origin)?.host !== host;
}

function send(
  response: ServerResponse,
  status: number,
  headers: ShopAnswer['headers'],
  body: string | Uint8Array,
  isHead = false,
): void {
  const length = Buffer.byteLength(body);
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    ...headers,
    'content-length': length,
  });
  response.end(isHead ? undefined : body);
}
