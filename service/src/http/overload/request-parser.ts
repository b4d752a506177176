import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** The answer with which the parser ends: no message follows (llhttp, `on_headers_complete`). */
export const NO_MORE_MESSAGES = 2;

/**
 * The parser of a connection's requests. Node.js does not document this property: without it the
 * bounds of chunks and of pipelined requests are lost, and tests of the service fail.
 */
export interface RequestParser {
  onIncoming: (request: IncomingMessage, keepsAlive: boolean) => number;
}

export type ParsedSocket = Socket & { readonly parser?: RequestParser | null };
