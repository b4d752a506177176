import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** The answer of `onIncoming` for a request whose body the parser may go on reading. */
export const BODY_FOLLOWS = 0;
/** The answer with which the parser ends: no message follows (llhttp, `on_headers_complete`). */
export const NO_MORE_MESSAGES = 2;

/**
 * The parser of a connection's requests. Node.js does not document this property: without it every
 * request takes the documented way, and tests of the service fail.
 */
export interface RequestParser {
  /** The request whose body arrives; null: the parser drops the body. */
  incoming: IncomingMessage | null;
  onIncoming: (request: IncomingMessage, keepsAlive: boolean) => number;
}

export type ParsedSocket = Socket & { readonly parser?: RequestParser | null };
