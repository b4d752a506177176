import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** The caller's id of a request, or a new one. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const asked = headers['x-request-id'];
  // Not a text: the header is missing or repeated.
  return typeof asked === 'string' && REQUEST_ID.test(asked) ? asked : randomUUID();
}
