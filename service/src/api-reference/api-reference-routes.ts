import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { referenceHeaders } from '#http/headers/security-headers.ts';
import { type OpenApiDocumentOptions, openApiDocument } from './openapi-document.ts';
import {
  REFERENCE_PAGE,
  REFERENCE_SCRIPT_PATH,
  START_SCRIPT,
  START_SCRIPT_PATH,
} from './pages/reference-page.ts';
import { loadReferenceScript, type ReferenceScript } from './reference-script.ts';
import type { Operation } from './watch-operations.ts';

export interface ApiReferenceDeps extends Omit<OpenApiDocumentOptions, 'operations'> {
  readonly operations: () => readonly Operation[];
}

/** The document changes only with a release; a later call for an unchanged document costs a 304. */
const CACHE_CONTROL = 'public, max-age=300';
const HIDDEN = { schema: { hide: true } };
const SCRIPT_TYPE = 'text/javascript; charset=utf-8';

/** The OpenAPI document and its page (contract §9). */
export function registerApiReferenceRoutes(app: FastifyInstance, deps: ApiReferenceDeps): void {
  let document: { readonly body: Buffer; readonly tag: string } | undefined;
  let script: Promise<ReferenceScript> | undefined;

  app.get('/openapi.json', HIDDEN, (request, reply) => {
    document ??= render(deps);
    return sendCacheable(request, reply, document.tag, 'application/json', document.body);
  });

  const callable = [deps.publicApiUrl, deps.publicAuthUrl].map((url) => new URL(url).origin);
  const pageHeaders = referenceHeaders([...new Set(callable)]);
  app.get('/docs', HIDDEN, (_request, reply) =>
    reply.headers(pageHeaders).type('text/html; charset=utf-8').send(REFERENCE_PAGE),
  );

  app.get(REFERENCE_SCRIPT_PATH, HIDDEN, async (request, reply) => {
    script ??= loadReferenceScript();
    const { plain, gzipped, entityTag } = await script;
    const takesGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
    reply.header('vary', 'Accept-Encoding');
    if (takesGzip) reply.header('content-encoding', 'gzip');
    return sendCacheable(request, reply, entityTag, SCRIPT_TYPE, takesGzip ? gzipped : plain);
  });

  app.get(START_SCRIPT_PATH, HIDDEN, (request, reply) =>
    sendCacheable(request, reply, tagOf(START_SCRIPT), SCRIPT_TYPE, START_SCRIPT),
  );
}

function render({ operations, ...options }: ApiReferenceDeps) {
  const text = JSON.stringify(openApiDocument({ ...options, operations: operations() }));
  // Bytes, which all answers in progress share: a string would be copied for each answer.
  return { body: Buffer.from(text), tag: tagOf(text) };
}

function tagOf(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url')}"`;
}

function sendCacheable(
  request: FastifyRequest,
  reply: FastifyReply,
  tag: string,
  type: string,
  body: string | Buffer,
): FastifyReply {
  reply.headers({ 'cache-control': CACHE_CONTROL, etag: tag });
  const known = request.headers['if-none-match']?.split(',').map((one) => one.trim()) ?? [];
  if (known.includes(tag) || known.includes(`W/${tag}`)) {
    return reply.code(304).removeHeader('content-encoding').send();
  }
  return reply.type(type).send(body);
}
