import type { FastifyRequest } from 'fastify';
import { Problem } from '#lib/problem.ts';

const MERGE_PATCH = 'application/merge-patch+json';
const NO_JSON_PATCH =
  ' This call takes a JSON Merge Patch (RFC 7396): an object with the fields to change. ' +
  'It takes no JSON Patch.';

/** The refusal of a body's media type: names the types that the call takes (contract §4). */
export function unsupportedMediaType({ headers, routeOptions }: FastifyRequest): Problem {
  const types = routeOptions.schema?.bodyTypes ?? ['application/json'];
  const isJsonPatch = /^application\/json-patch\b/i.test(headers['content-type'] ?? '');
  const advice = isJsonPatch && types.includes(MERGE_PATCH) ? NO_JSON_PATCH : '';
  const detail = `Send the body as ${types.join(' or ')}.${advice}`;
  return new Problem('UNSUPPORTED_MEDIA_TYPE', { detail });
}
