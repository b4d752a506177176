import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { entityTag, matchesNone } from '#http/headers/entity-tag.ts';
import { memoizeAsync } from '#lib/memoize-async.ts';
import { packSdk, sdkFileName } from './pack-sdk.ts';

/** A release reaches installers within five minutes; an unchanged package costs a 304. */
const CACHE_CONTROL = 'public, max-age=300';
const HIDDEN = { schema: { hide: true } };

/**
 * `/sdk.tgz`: the SDK of this service, for `npm install`. The URL with the version answers that
 * version alone: after an upgrade it is unknown, and never another version under its name.
 */
export function registerSdkRoutes(app: FastifyInstance): void {
  const fileName = sdkFileName();
  // At the first call: most processes never need it. All answers share its bytes.
  const pack = memoizeAsync(packSdk);

  const send = async (request: FastifyRequest, reply: FastifyReply) => {
    const { tarball, hash } = await pack();
    reply.headers({ 'cache-control': CACHE_CONTROL, etag: entityTag(hash) });
    if (matchesNone(request.headers['if-none-match'], hash)) return reply.code(304).send();
    return reply
      .type('application/gzip')
      .header('content-disposition', `attachment; filename="${fileName}"`)
      .send(tarball);
  };

  app.get('/sdk.tgz', HIDDEN, send);
  app.get(`/sdk/${fileName}`, HIDDEN, send);
}
