import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A document changes only with a release; a later call for an unchanged document costs a 304. */
const CACHE_CONTROL = 'public, max-age=300';

export function tagOf(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url')}"`;
}

/** Answers a document, or 304 to a caller that has it. */
export function sendCacheable(
  request: FastifyRequest,
  reply: FastifyReply,
  tag: string,
  type: string,
  body: string | Buffer,
): FastifyReply {
  reply.headers({ 'cache-control': CACHE_CONTROL, etag: tag });
  const known = request.headers['if-none-match']?.split(',').map((one) => one.trim()) ?? [];
  if (known.includes(tag) || known.includes(`W/${tag}`)) {
    return reply.code(304).removeHeader('content-encoding').send();
  }
  return reply.type(type).send(body);
}
