import { createServer, type RequestListener, type Server } from 'node:http';
import type { FastifyHttpOptions } from 'fastify';
import { hasManyParameters } from '#http/forms/count-fields.ts';
import { boundForwardedFor } from '#http/headers/bound-forwarded-for.ts';
import { requestIdOf } from '#http/headers/request-id.ts';
import { LARGEST_BODY_BYTES } from '#http/json/body.ts';
import { compileValidators } from '#http/json/compile-validators.ts';
import { PendingResponse } from '#http/overload/pending-responses.ts';
import type { BrokenRequestAnswers } from './broken-requests.ts';

/**
 * A request's head must arrive in 10 s, the whole request in 30 s. Node's own 60 s and 300 s help
 * a caller that opens connections only to hold them (contract §4).
 */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** The precision of both: by default Node checks every 30 s, and 10 s would mean up to 40 s. */
const TIMEOUT_CHECK_MS = 1_000;
/** Longer than the usual proxy's idle time of 60 s: the proxy closes first. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/**
 * The silence after which a connection is cut, as of a caller that does not read its answer. A
 * waiting read is silent for 30 s at most; an idle connection is closed after 65 s, before this.
 */
const SILENCE_TIMEOUT_MS = 90_000;
/** Two long headers (token and API key) take 2 KiB; 16 KiB leave room for proxies' own headers. */
export const LARGEST_HEADERS_BYTES = 16_384;

export interface ServerOptions {
  readonly trustedProxies: readonly string[];
  readonly clientErrorHandler: BrokenRequestAnswers['clientErrorHandler'];
  /** Stands in front of Fastify's handler: its result is the server's only handler of requests. */
  readonly inFrontOf: (handle: RequestListener) => RequestListener;
}

/** The options of both listeners: bounds on time and size, ids, strict validation. */
export function serverOptions({
  trustedProxies,
  clientErrorHandler,
  inFrontOf,
}: ServerOptions): FastifyHttpOptions<Server> {
  return {
    logger: false,
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    bodyLimit: LARGEST_BODY_BYTES,
    serverFactory: (handle) => createBoundedServer(inFrontOf(handle)),
    clientErrorHandler,
    rewriteUrl: ({ url }) => rewriteMalformedUrl(url),
    // Longer than any URL can be: an id that is too long is an unknown id.
    routerOptions: { maxParamLength: LARGEST_HEADERS_BYTES },
    // A call during a stop is answered, and its connection then closes.
    return503OnClosing: false,
    // The service keeps a caller's own id: both logs can be compared by it (contract §4).
    genReqId({ headers }) {
      // The first function that sees a request: hooks read `request.ip`.
      boundForwardedFor(headers);
      return requestIdOf(headers);
    },
    schemaController: { compilersFactory: { buildValidator, buildSerializer } },
    forceCloseConnections: 'idle',
  };
}

type Compilers = NonNullable<
  NonNullable<FastifyHttpOptions<Server>['schemaController']>['compilersFactory']
>;

/** Fastify calls the result with a route's schema; the type is that of Ajv's own `compile`. */
const buildValidator = compileValidators as unknown as NonNullable<Compilers['buildValidator']>;

/** Routes name no schemas of answers. Fastify's own factory would load 40 modules for nothing. */
function buildSerializer(): never {
  throw new Error('a route has a schema of its answer, and no serializer is configured');
}

/** Fastify leaves these bounds to the factory of a server. */
function createBoundedServer(handle: RequestListener): Server {
  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      maxHeaderSize: LARGEST_HEADERS_BYTES,
      ServerResponse: PendingResponse,
      // A request without a body skips the events of a stream.
      optimizeEmptyRequests: true,
      // Refused by refuse-ambiguous-requests: Node's own refusal is empty.
      requireHostHeader: false,
    },
    handle,
  );
  server.setTimeout(SILENCE_TIMEOUT_MS);
  // Beyond this count Node drops headers silently, repeated ones too; their size is bounded.
  server.maxHeadersCount = 0;
  return server;
}

/** No route has this path; what cannot be read is sent there, so that it passes the usual exit. */
const NOWHERE = '/%25';
/** Nearly every address: nothing in it has to be decoded. */
const PLAIN = /^\/[\w./-]*$/;

/**
 * Fastify's `rewriteUrl`: an address that the router could not decode, that is none (`*`), or that
 * has too many parameters goes nowhere instead of around every hook. `request.originalUrl` keeps
 * what was asked for.
 */
function rewriteMalformedUrl(url = ''): string {
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
