import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { chooseCoding } from '#http/compression/choose-coding.ts';
import { SHARED_DOCUMENT_HEADERS } from '#http/headers/security-headers.ts';
import { memoizeAsync } from '#lib/memoize-async.ts';
import type { OpenApiDocumentOptions } from './openapi-document.ts';
import { sendCacheable, tagOf } from './send-cacheable.ts';
import type { Operation } from './watch-operations.ts';

export interface DocumentRoutesDeps extends Omit<OpenApiDocumentOptions, 'operations'> {
  readonly operations: () => readonly Operation[];
}

/** Above it, brotli takes ten times as long for 5 % less. */
const BROTLI_QUALITY = 9;

/**
 * `/openapi.json` (contract §9): a public document, which pages of every origin may read. It is
 * compressed once, when it is first asked for so. Each coding has its own strong ETag.
 */
export function registerDocumentRoutes(app: FastifyInstance, deps: DocumentRoutesDeps): void {
  const readDocument = memoizeAsync(() => render(deps));
  app.get('/openapi.json', { schema: { hide: true } }, async (request, reply) => {
    const document = await readDocument();
    const coding = chooseCoding(request.headers['accept-encoding']);
    const body = coding ? await document.compressed[coding]() : document.plain;
    reply.headers(SHARED_DOCUMENT_HEADERS).header('vary', 'Accept-Encoding');
    if (coding) reply.header('content-encoding', coding);
    const tag = coding ? `${document.tag}-${coding}` : document.tag;
    return sendCacheable(request, reply, tag, 'application/json', body);
  });
}

async function render({ operations, ...options }: DocumentRoutesDeps) {
  const { openApiDocument } = await import('./openapi-document.ts');
  const text = JSON.stringify(openApiDocument({ ...options, operations: operations() }));
  // Bytes, which all answers in progress share: a string would be copied for each answer.
  const plain = Buffer.from(text);
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  return {
    plain,
    tag: tagOf(text),
    compressed: {
      gzip: memoizeAsync(() => promisify(gzip)(plain, { level: constants.Z_BEST_COMPRESSION })),
      br: memoizeAsync(() => promisify(brotliCompress)(plain, { params })),
    },
  };
}
