import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { entityTag, matchesNone } from '#http/headers/entity-tag.ts';
import { SHARED_SCRIPT_HEADERS } from '#http/headers/security-headers.ts';
import { readPreferences } from '#http/negotiation/read-preferences.ts';

/** A release reaches merchants' pages within five minutes; before that no page asks again. */
const CACHE_CONTROL = 'public, max-age=300';

/**
 * `/checkout.js`: the SDK's module for the merchant's page, as it lies in the SDK (journey §3).
 * Pages of other origins load it.
 */
export function registerCheckoutScriptRoutes(app: FastifyInstance): void {
  const source = readFileSync(fileURLToPath(import.meta.resolve('@payment-requests/sdk/checkout')));
  const plain = representation(source);
  const zipped = representation(gzipSync(source, { level: 9 }));

  app.get('/checkout.js', { schema: { hide: true } }, (request, reply) => {
    const encodings = readPreferences(request.headers['accept-encoding']);
    const takesGzip = encodings.some(({ value, quality }) => value === 'gzip' && quality > 0);
    const { body, version } = takesGzip ? zipped : plain;
    reply.headers({
      ...SHARED_SCRIPT_HEADERS,
      'cache-control': CACHE_CONTROL,
      vary: 'Accept-Encoding',
      etag: entityTag(version),
    });
    if (matchesNone(request.headers['if-none-match'], version)) return reply.code(304).send();
    if (takesGzip) reply.header('content-encoding', 'gzip');
    return reply.type('text/javascript; charset=utf-8').send(body);
  });
}

function representation(body: Buffer) {
  return { body, version: createHash('sha256').update(body).digest('base64url').slice(0, 22) };
}
