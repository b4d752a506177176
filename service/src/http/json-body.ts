import type { FastifyInstance } from 'fastify';
import { parseStrictJson } from '#lib/strict-json.ts';

/** Contract §4: bodies over 64 KiB are refused. */
export const LARGEST_BODY_BYTES = 65_536;

/** Makes the app read JSON bodies strictly, and nothing else. */
export function registerJsonBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: LARGEST_BODY_BYTES },
    (request, bytes, done) => {
      try {
        request.bodyBytes = bytes as Buffer;
        done(null, parseStrictJson(bytes as Buffer));
      } catch (error) {
        done(error as Error);
      }
    },
  );
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it came, for fingerprints; undefined where none came. */
    bodyBytes?: Buffer;
  }
}
