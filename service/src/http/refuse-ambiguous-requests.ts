import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '#lib/problem.ts';
import { readSingleHeader } from './read-single-header.ts';

/**
 * Headers that may be sent once. Of a repeated one Node keeps the first, and a proxy may have
 * judged by the last. Credentials are refused by the access check in its own words; the parser
 * refuses a repeated or contradicted length of the body.
 */
const ONCE = ['host', 'content-type'] as const;

/** Refuses what two readers could understand in two ways (RFC 9110 §5.3, RFC 9112 §3.2). */
export function refuseAmbiguousRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const detail = ambiguity(request);
    done(detail === null ? undefined : new Problem('MALFORMED_REQUEST', { detail }));
  });
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
