import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Place } from './load-gate.ts';

/**
 * The most answers that a connection may wait for at once. Clients that pipeline send 10 at most;
 * each owed answer may lie in memory until the answers before it are sent.
 */
const MOST_OWED = 16;

/** An answer of the public listener, with the call's place in the load gate. */
export class OwedAnswer<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  /** null: the gate has refused the call. */
  place: Place | null = null;
  /** Ends the watch over the call's body; null: the body came with the head. */
  forgetBody: (() => void) | null = null;

  /** The handler is done: sending the answer depends on the caller, and takes no place. */
  override end(chunk?: unknown, encoding?: unknown, callback?: unknown): this {
    this.place?.leave();
    return super.end(chunk, encoding as BufferEncoding, callback as () => void);
  }
}

interface Connection {
  readonly owed: Set<OwedAnswer>;
  /** The answer that waits for an event or is a stream; only the last of `owed` can. */
  waiting: OwedAnswer | null;
}

const connections = new WeakMap<Socket, Connection>();

/** Follows the answers that each connection of a server is owed. */
export function watchConnections(server: Server): void {
  server.on('connection', (socket) => {
    const connection: Connection = { owed: new Set(), waiting: null };
    connections.set(socket, connection);
    // An answer behind another one has no socket yet, and would never emit `close` itself.
    socket.once('close', () => {
      for (const answer of connection.owed) answer.place?.leave();
      connection.owed.clear();
    });
  });
}

/**
 * Takes an answer among those that its connection is owed.
 *
 * Destroys the connection, and returns false, when it is owed 16 answers already, or when the
 * answer would stand behind a stream or a waiting read: that may take minutes (RFC 9112 §9.3.2).
 */
export function oweAnswer(answer: OwedAnswer): boolean {
  const { socket } = answer.req;
  const connection = connections.get(socket);
  if (!connection || socket.destroyed) return false;
  const { owed, waiting } = connection;
  if (waiting || owed.size >= MOST_OWED) {
    socket.destroy();
    return false;
  }
  owed.add(answer);
  answer.once('close', () => {
    owed.delete(answer);
    if (connection.waiting === answer) connection.waiting = null;
  });
  return true;
}

/**
 * Gives a call's place in the gate back: from here on the call waits for an event, or is a stream.
 * Destroys the connection when a later request was sent on it.
 */
export function leavePlace(request: IncomingMessage): void {
  const connection = connections.get(request.socket);
  if (!connection) return;
  const answers = [...connection.owed];
  const answer = answers.find(({ req }) => req === request);
  answer?.place?.leave();
  if (!answer) return;
  if (answer === answers.at(-1)) connection.waiting = answer;
  else request.socket.destroy();
}
