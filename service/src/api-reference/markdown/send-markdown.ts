import type { FastifyReply, FastifyRequest } from 'fastify';
import { chooseMediaType } from '#http/negotiation/choose-media-type.ts';
import { sendCacheable, tagOf } from '../send-cacheable.ts';

const ENDING = '.md';

export interface AskedPage {
  readonly name: string;
  readonly isMarkdown: boolean;
}

/** The page that a call asks for, as Markdown where its name ends so or its Accept wants it so. */
export function askedPage({ headers: { accept } }: FastifyRequest, name: string): AskedPage {
  if (name.endsWith(ENDING)) return { name: name.slice(0, -ENDING.length), isMarkdown: true };
  const isMarkdown = chooseMediaType(accept, ['text/html', 'text/markdown']) === 'text/markdown';
  return { name, isMarkdown };
}

/** Answers Markdown, or 304 to a caller that has it. */
export function sendMarkdown(request: FastifyRequest, reply: FastifyReply, text: string) {
  reply.header('vary', 'Accept');
  return sendCacheable(request, reply, tagOf(text), 'text/markdown; charset=utf-8', text);
}
