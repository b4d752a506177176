import type { Server } from 'node:http';
import type { FastifyHttpOptions } from 'fastify';
import { requestIdOf } from '#http/headers/request-id.ts';
import { LARGEST_BODY_BYTES } from '#http/json/body.ts';
import { OwedAnswer } from '#http/overload/owed-answers.ts';
import type { BrokenRequestAnswers } from './broken-requests.ts';
import { readableAddress } from './rewrite-malformed-url.ts';

/** A request's head must be there in 10 s, all of it in 30 s: Node's own 60 s and 300 s are a gift
 *  to whoever opens connections to hold them (contract §4; dependencies, traps). */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** How exact the two are: Node looks every 30 s otherwise, and 10 s would mean up to 40 s. */
const TIMEOUT_CHECK_MS = 1_000;
/** Longer than the usual proxy's idle time of 60 s, so that the proxy closes first, not we. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** A connection on which nothing moves, such as a caller that does not read its answer, is cut; a
 *  read that waits is silent for 30 s at most, and an idle one is closed after 65 s before this. */
const SILENCE_TIMEOUT_MS = 90_000;
/** Two long headers (token and API key) take 2 KiB; 16 KiB leaves room for proxies' own. */
const LARGEST_HEADERS_BYTES = 16_384;

/** The options of both listeners: bounds on time and size, ids, strict validation. */
export function serverOptions(
  trustedProxies: readonly string[],
  { clientErrorHandler }: Pick<BrokenRequestAnswers, 'clientErrorHandler'>,
): FastifyHttpOptions<Server> {
  return {
    logger: false,
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    bodyLimit: LARGEST_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionTimeout: SILENCE_TIMEOUT_MS,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      maxHeaderSize: LARGEST_HEADERS_BYTES,
      ServerResponse: OwedAnswer,
      // Refused by refuse-ambiguous-requests: Node's own refusal is empty.
      requireHostHeader: false,
    },
    clientErrorHandler,
    rewriteUrl: ({ url }) => readableAddress(url),
    // Longer than any address can be: what is too long for an id is an unknown id.
    routerOptions: { maxParamLength: LARGEST_HEADERS_BYTES },
    // What still comes while the service stops is answered, on a connection that then closes.
    return503OnClosing: false,
    // A caller's own id is kept, so that its log and ours can be laid side by side (contract §4).
    genReqId: ({ headers }) => requestIdOf(headers),
    // What was sent is judged as it is: the defaults would turn null into 0.
    ajv: {
      customOptions: {
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: false,
        allErrors: true,
        strict: false,
      },
    },
    forceCloseConnections: 'idle',
  };
}
