import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readSingleHeader } from '#http/headers/read-single-header.ts';
import { Problem } from '#lib/problem.ts';

/**
 * Headers that may be sent once. Node keeps the first value of a repeated header, and a proxy may
 * have used the last. Credentials are refused by the access check in its own words; the parser
 * refuses a repeated or contradicted length of the body.
 */
const ONCE = ['host', 'content-type'] as const;

/** Refuses what two readers could understand in two ways (RFC 9110 §5.3, RFC 9112 §3.2). */
export function refuseAmbiguousRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const detail = ambiguity(request);
    if (detail !== null) return done(new Problem('MALFORMED_REQUEST', { detail }));
    done(unsupported(request));
  });
}

/** The connection ends: the next reader could see another end of this request. */
const CLOSE = { headers: { connection: 'close' } } as const;

/** Refuses what the parser takes and this service does not speak (RFC 9112 §2.3, §6.1). */
function unsupported({ raw: { httpVersion, headers } }: FastifyRequest): Problem | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    return new Problem('HTTP_VERSION_NOT_SUPPORTED', CLOSE);
  }
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    return new Problem('TRANSFER_CODING_NOT_IMPLEMENTED', CLOSE);
  }
  return undefined;
}

function ambiguity(request: FastifyRequest): string | null {
  for (const name of ONCE) {
    if (readSingleHeader(request, name) === null) {
      return `The request has more than one ${name} header.`;
    }
  }
  const { httpVersion, headers } = request.raw;
  const hasHost = httpVersion !== '1.1' || headers.host !== undefined;
  return hasHost ? null : 'The request has no Host header.';
}
