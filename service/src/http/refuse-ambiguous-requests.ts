import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '#lib/problem.ts';

/**
 * Headers that may be sent once. Of a repeated one Node keeps the first, and a proxy may have
 * judged by the last. Credentials are refused by the access check in its own words; the parser
 * refuses a repeated or contradicted length of the body.
 */
const ONCE = new Set(['host', 'content-type']);

/** Refuses what two readers could understand in two ways (RFC 9110 §5.3, RFC 9112 §3.2). */
export function refuseAmbiguousRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    const repeated = repeatedHeader(request);
    if (repeated) {
      throw new Problem('MALFORMED_REQUEST', {
        detail: `The request has more than one ${repeated} header.`,
      });
    }
    const { httpVersion, headers } = request.raw;
    if (httpVersion === '1.1' && headers.host === undefined) {
      throw new Problem('MALFORMED_REQUEST', { detail: 'The request has no Host header.' });
    }
  });
}

function repeatedHeader({ raw: { rawHeaders } }: FastifyRequest): string | null {
  const met = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? '';
    if (!ONCE.has(name)) continue;
    if (met.has(name)) return name;
    met.add(name);
  }
  return null;
}
