import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { entityTag, matchesNone } from '#http/headers/entity-tag.ts';

/** A document changes only with a release; a later call for an unchanged document costs a 304. */
const CACHE_CONTROL = 'public, max-age=300';

/** The opaque part of the ETag of a content. */
export function tagOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('base64url');
}

/** Answers a document, or 304 to a caller that has it. */
export function sendCacheable(
  request: FastifyRequest,
  reply: FastifyReply,
  tag: string,
  type: string,
  body: string | Buffer,
): FastifyReply {
  reply.headers({ 'cache-control': CACHE_CONTROL, etag: entityTag(tag) });
  if (matchesNone(request.headers['if-none-match'], tag)) {
    return reply.code(304).removeHeader('content-encoding').send();
  }
  return reply.type(type).send(body);
}
