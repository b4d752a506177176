import type { FastifyRequest } from 'fastify';

/**
 * Reads a header that may be sent once. Node joins or drops repeated headers, and a proxy may
 * read another of the values. Repetition is therefore a result of its own (contract §4).
 *
 * @param name in lower case
 * @returns its value; `undefined` when it is missing or empty; `null` when it is sent repeatedly
 */
export function readSingleHeader(request: FastifyRequest, name: string): string | null | undefined {
  const { rawHeaders } = request.raw;
  let value: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (!isNamed(rawHeaders[index] ?? '', name)) continue;
    if (value !== undefined) return null;
    value = rawHeaders[index + 1];
  }
  return value === '' ? undefined : value;
}

/** Lengths first: each call looks at all headers several times. */
function isNamed(header: string, name: string): boolean {
  return header.length === name.length && header.toLowerCase() === name;
}
