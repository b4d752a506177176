import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type NumberSources, parseStrictJson } from '#lib/json/parse-strict.ts';
import { Problem } from '#lib/problem.ts';

/** Contract §4: bodies over 64 KiB are refused. */
export const LARGEST_BODY_BYTES = 65_536;

export interface JsonBodyOptions {
  /** The media types that the body may be sent as; `application/json` unless told otherwise. */
  readonly mediaTypes?: readonly string[];
}

/**
 * Makes the app read JSON bodies strictly, and nothing else. Calls whose bodies differ are
 * registered in a scope of their own (`app.register`), which this is called on again.
 */
export function registerJsonBody(
  app: FastifyInstance,
  { mediaTypes = ['application/json'] }: JsonBodyOptions = {},
): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    [...mediaTypes],
    { parseAs: 'buffer', bodyLimit: LARGEST_BODY_BYTES },
    (request, bytes, done) => {
      try {
        refuseEncoding(request);
        request.bodyBytes = bytes as Buffer;
        const { value, numberSources } = parseStrictJson(bytes as Buffer);
        request.numberSources = numberSources;
        done(null, value);
      } catch (error) {
        done(error as Error);
      }
    },
  );
}

/** Compressed, 64 KiB would be no bound on what is read. */
function refuseEncoding({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() === 'identity') return;
  throw new Problem('UNSUPPORTED_MEDIA_TYPE', {
    detail: 'Send the body as it is, without Content-Encoding.',
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it came, for fingerprints; undefined where none came. */
    bodyBytes?: Buffer;
    /** The source texts of the body's own numbers; undefined for a call without a body. */
    numberSources?: NumberSources;
  }
}
