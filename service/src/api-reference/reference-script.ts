import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import Fastify from 'fastify';
import { tagOf } from './send-cacheable.ts';

export interface ReferenceScript {
  /** JavaScript, compressed: without compression it is three times as large. */
  readonly gzipped: Buffer;
  readonly plain: Buffer;
  readonly tag: string;
}

/**
 * The script of the reference page, unchanged from its package. It is loaded when the page is first
 * opened: the load takes 40 MB and a tenth of a second, which most processes never need.
 */
export async function loadReferenceScript(): Promise<ReferenceScript> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  // The package exposes its script only through the routes of its plugin.
  const app = Fastify();
  await app.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } });
  const { statusCode, rawPayload: plain } = await app.inject('/docs/js/scalar.js');
  await app.close();
  if (statusCode !== 200) throw new Error('the script of the reference page is not there');
  return {
    plain,
    gzipped: await promisify(gzip)(plain, { level: constants.Z_BEST_COMPRESSION }),
    tag: tagOf(plain),
  };
}
