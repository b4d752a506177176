import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { endConnection } from '#http/answers/answer-writer.ts';

/**
 * How long a connection whose answer is written stays open. Closing it with bytes unread resets it,
 * and the caller may lose the very answer; a caller that goes on sending is cut off.
 */
const LINGER_MS = 1_000;
/** The most that is discarded behind a refusal, so that the connection can be used again. */
const MOST_DISCARDED_BYTES = 16_384;

/**
 * Leaves the body of a call unread that is answered without it. Node.js discards it to its end: a
 * stranger's 130 kB cost more than the refusal itself. The caller gets the answer at once, and its
 * connection ends after a second.
 */
export function leaveUnread(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (isLargeAndUnread(request)) {
      reply.header('connection', 'close');
      stopReading(request.raw);
    }
    done();
  });
}

function isLargeAndUnread({ raw, headers }: FastifyRequest): boolean {
  if (raw.complete) return false;
  // A body that comes in chunks has no known length.
  if (headers['transfer-encoding'] !== undefined) return true;
  return Number(headers['content-length'] ?? 0) > MOST_DISCARDED_BYTES;
}

function stopReading(raw: IncomingMessage): void {
  const { socket } = raw;
  // Node.js discards only a body of which nothing was asked for.
  raw.read(0);
  // Node.js calls this behind the last answer of a connection.
  socket.destroySoon = () => {
    endConnection(socket, '');
    socket.pause();
    linger(socket);
  };
}

/** Ends a connection, whose answer is written, after a second. */
export function linger(socket: Socket): void {
  const lingering = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(lingering));
}
