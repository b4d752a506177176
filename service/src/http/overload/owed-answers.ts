import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { runOutsideCalls } from '#lib/call-context.ts';
import type { Place } from './load-gate.ts';

/**
 * The most answers that a connection may wait for at once. Clients that pipeline send 10 at most;
 * each owed answer may lie in memory until the answers before it are sent.
 */
const MOST_OWED = 16;
/**
 * The most pipelined calls that begin in one turn of the event loop: at 0.3 ms each, callers that
 * do not pipeline wait 5 ms for them.
 */
const MOST_BEGUN_PER_TURN = 16;

/** An answer of the public listener, with the call's place in the load gate. */
export class OwedAnswer<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  /** null: the gate has refused the call. */
  place: Place | null = null;
  /** Ends the watch over the call's body; null: the body came with the head. */
  forgetBody: (() => void) | null = null;
  /** Begins the call; null: the call has begun. */
  begin: (() => void) | null = null;

  /** The handler is done: sending the answer depends on the caller, and takes no place. */
  override end(chunk?: unknown, encoding?: unknown, callback?: unknown): this {
    this.place?.leave();
    return super.end(chunk, encoding as BufferEncoding, callback as () => void);
  }
}

/**
 * Plain properties, no Set or Map of answers: V8 links the outgrown table of a long-lived one to
 * its successor, and would keep the answers of all calls until the old heap is collected.
 */
interface Connection {
  /** The answer whose call has begun. */
  current: OwedAnswer | null;
  /** Whether `current` waits for an event or is a stream. */
  isWaiting: boolean;
  /** Pipelined calls that have not begun. */
  readonly next: OwedAnswer[];
}

const connections = new WeakMap<Socket, Connection>();

/** Pipelined calls whose turn has come, first in, first out; at most one of each connection. */
const due = new Set<OwedAnswer>();
let isTurnSet = false;

/** Follows the answers that each connection of a server is owed. */
export function watchConnections(server: Server): void {
  server.on('connection', (socket) => {
    const connection: Connection = { current: null, isWaiting: false, next: [] };
    connections.set(socket, connection);
    // An answer behind another one has no socket yet, and would never emit `close` itself.
    socket.once('close', () => {
      const { current } = connection;
      current?.place?.leave();
      if (current) due.delete(current);
      connection.current = null;
      connection.next.length = 0;
    });
  });
}

/**
 * Takes an answer among those that its connection is owed, and begins its call when the answers
 * before it are sent. A caller that reads no answers therefore costs one call for a connection.
 *
 * Destroys the connection when it is owed 16 answers already, or when the answer would stand
 * behind a stream or a waiting read: that may take minutes (RFC 9112 §9.3.2).
 */
export function oweAnswer(answer: OwedAnswer, begin: () => void): void {
  const { socket } = answer.req;
  if (socket.destroyed) return;
  const connection = connections.get(socket);
  if (!connection) return;
  const { current, isWaiting, next } = connection;
  if (isWaiting || (current && next.length + 1 >= MOST_OWED)) {
    destroyUnparsed(socket);
    return;
  }
  answer.once('close', () => endAnswer(connection, answer));
  if (current) {
    answer.begin = begin;
    next.push(answer);
    return;
  }
  connection.current = answer;
  begin();
}

/** Makes the next call of the connection due. */
function endAnswer(connection: Connection, answer: OwedAnswer): void {
  if (connection.current !== answer) return;
  connection.isWaiting = false;
  connection.current = connection.next.shift() ?? null;
  if (connection.current) makeDue(connection.current);
}

/** The value with which the parser ends: no message follows (llhttp, `on_headers_complete`). */
const NO_MORE_MESSAGES = 2;

type ParsedSocket = Socket & { readonly parser?: { onIncoming: () => number } | null };

/**
 * Destroys a connection, and drops the bytes that came with its last request. Node.js parses on
 * otherwise: 50 kB are 1,200 requests and 1,200 errors with a stack, 20 ms on the event loop.
 * Node.js does not document `parser`; without it the bytes are parsed, and nothing else changes.
 */
function destroyUnparsed(socket: ParsedSocket): void {
  if (socket.parser) socket.parser.onIncoming = () => NO_MORE_MESSAGES;
  socket.destroy();
}

function makeDue(answer: OwedAnswer): void {
  due.add(answer);
  if (!isTurnSet) setTurn();
}

function setTurn(): void {
  isTurnSet = true;
  runOutsideCalls(() => setImmediate(beginDue));
}

/** Begins few calls, so that the event loop reads from all other connections in between. */
function beginDue(): void {
  isTurnSet = false;
  let count = 0;
  for (const answer of due) {
    if (count === MOST_BEGUN_PER_TURN) break;
    count += 1;
    due.delete(answer);
    const { begin } = answer;
    answer.begin = null;
    // The connection closes after the answer before: the call was never begun.
    if (answer.req.socket.writable) begin?.();
  }
  if (due.size > 0 && !isTurnSet) setTurn();
}

/**
 * Gives a call's place in the gate back: from here on the call waits for an event, or is a stream.
 * Destroys the connection when a later request was sent on it.
 */
export function leavePlace(request: IncomingMessage): void {
  const connection = connections.get(request.socket);
  if (!connection) return;
  const { current, next } = connection;
  if (current?.req !== request) return;
  current.place?.leave();
  if (next.length === 0) connection.isWaiting = true;
  else destroyUnparsed(request.socket);
}
