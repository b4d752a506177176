import type { FastifyInstance } from 'fastify';
import type { Executor } from '#database/database.ts';
import { SHARED_IMAGE_HEADERS } from '#http/headers/security-headers.ts';
import { ownText } from '#lib/cells/cell-mark.ts';
import { Problem } from '#lib/problem.ts';
import { findLogo } from './find-profile.ts';
import { logoPath } from './profile.ts';

/** The address holds a hash of the contents, so that it never changes what it answers. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** Serves merchants' logos, also to the pages of a network at another origin. */
export function registerLogoRoutes(
  app: FastifyInstance,
  { db, cell }: { readonly db: Executor; readonly cell: number },
): void {
  app.get<{ Params: { id: string } }>(
    logoPath(':id'),
    { schema: { hide: true } },
    async (request, reply) => {
      const hash = ownText(cell, request.params.id);
      const png = hash && (await findLogo(db, hash));
      if (!png) throw new Problem('ROUTE_NOT_FOUND');
      return reply
        .headers({ ...SHARED_IMAGE_HEADERS, 'cache-control': FOR_EVER })
        .type('image/png')
        .send(png);
    },
  );
}
