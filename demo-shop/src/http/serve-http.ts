import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { readBody } from './read-body.ts';
import type { ShopAnswer, ShopRequest } from './shop-request.ts';

/** A checkout form has a dozen short fields. */
const LARGEST_FORM_BYTES = 16_384;
const HEADERS_MS = 10_000;
const REQUEST_MS = 30_000;

/** The shop's own server: from bytes to a ShopRequest, and back. */
export function serveHttp(
  answer: (request: ShopRequest) => Promise<ShopAnswer>,
  securityHeaders: Readonly<Record<string, string>>,
): Server {
  const options = { headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS };
  return createServer(options, async (message, response) => {
    try {
      if (isForged(message)) return send(response, 403, {}, 'This form came from another site.');
      const bytes = await readBody(message, LARGEST_FORM_BYTES);
      if (bytes === null) return send(response, 413, {}, 'The form is too large.');
      const { status, headers, body } = await answer(readRequest(message, bytes));
      send(response, status, { ...securityHeaders, ...headers }, body, message.method === 'HEAD');
    } catch (error) {
      console.error(error);
      if (!response.headersSent) send(response, 500, {}, 'Something went wrong in the shop.');
    }
  });
}

function readRequest(message: IncomingMessage, bytes: Buffer): ShopRequest {
  const { headers, method = 'GET', url = '/' } = message;
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded');
  return {
    method: method === 'HEAD' ? 'GET' : method,
    path: url.split('?')[0] ?? '/',
    form: new URLSearchParams(isForm ? bytes.toString('utf8') : ''),
    cookies: readCookies(headers.cookie),
    wantsJson: headers.accept?.startsWith('application/json') ?? false,
    language: /^fr\b/i.test(headers['accept-language'] ?? '') ? 'fr' : 'en',
  };
}

/** A form that another site's page sends. Browsers say where a call comes from; no cookie can. */
function isForged({ method, headers }: IncomingMessage): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  // An older browser sends its origin with a POST; what sends neither is no browser.
  const { origin, host } = headers;
  return origin !== undefined && URL.parse(origin)?.host !== host;
}

function readCookies(header = ''): Map<string, string> {
  const pairs = header.split(';').map((pair) => pair.trim().split('='));
  return new Map(pairs.map(([name = '', value = '']) => [name, value]));
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
