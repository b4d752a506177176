import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { ParsedSocket, RequestParser } from '#http/overload/request-parser.ts';

/**
 * The most chunks of a body. A chunk of any size costs 1.4 µs: 64 kB sent as chunks of one
 * byte took 15 ms. The largest body in chunks of 128 bytes has as many.
 */
export const MOST_CHUNKS = 1_024;
/** The code of the error that the listener's `clientErrorHandler` receives. */
export const TOO_MANY_CHUNKS = 'TOO_MANY_CHUNKS';

/**
 * Where Node.js's parser looks for the function that takes each chunk (`HTTPParser.kOnBody`); it
 * drops the chunks where there is none. Node.js does not document this: without it no chunk is
 * counted, and a test of the service fails.
 */
const ON_BODY = 3;

type OnBody = (this: unknown, bytes: Buffer) => void;
type BodyParser = RequestParser & { [ON_BODY]?: OnBody | null };

/** Ends a request whose body comes in too many chunks. A body with a length is never counted. */
export function boundChunks({ server }: FastifyInstance): void {
  server.on('connection', (socket: Socket) => {
    const parser = (socket as ParsedSocket).parser as BodyParser | null | undefined;
    const onBody = parser?.[ON_BODY];
    if (!parser || typeof onBody !== 'function') return;
    const { onIncoming } = parser;
    const refuse = () => {
      parser[ON_BODY] = null;
      const error = Object.assign(new Error('too many chunks'), { code: TOO_MANY_CHUNKS });
      server.emit('clientError', error, socket);
    };
    parser.onIncoming = (request, keepsAlive) => {
      parser[ON_BODY] = isChunked(request) ? countChunks(onBody, refuse) : onBody;
      return onIncoming(request, keepsAlive);
    };
    // Node.js uses the parser again for another connection.
    socket.once('close', () => {
      parser[ON_BODY] = onBody;
    });
  });
}

/** An upgrade leaves the parser before its connection is closed. */
function isChunked({
  headers,
  upgrade,
}: IncomingMessage & { readonly upgrade?: unknown }): boolean {
  return headers['transfer-encoding'] !== undefined && !upgrade;
}

function countChunks(onBody: OnBody, refuse: () => void): OnBody {
  let count = 0;
  return function countChunk(bytes) {
    count += 1;
    if (count <= MOST_CHUNKS) onBody.call(this, bytes);
    else refuse();
  };
}
