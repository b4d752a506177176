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

interface Connection {
  readonly owed: Set<OwedAnswer>;
  /** The answer that waits for an event or is a stream; only the last of `owed` can. */
  waiting: OwedAnswer | null;
}

const connections = new WeakMap<Socket, Connection>();

/** Pipelined calls whose turn has come, first in, first out; at most one of each connection. */
const due = new Set<OwedAnswer>();
let isTurnSet = false;

/** Follows the answers that each connection of a server is owed. */
export function watchConnections(server: Server): void {
  server.on('connection', (socket) => {
    const connection: Connection = { owed: new Set(), waiting: null };
    connections.set(socket, connection);
    // An answer behind another one has no socket yet, and would never emit `close` itself.
    socket.once('close', () => {
      for (const answer of connection.owed) {
        answer.place?.leave();
        due.delete(answer);
      }
      connection.owed.clear();
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
  const { owed, waiting } = connection;
  if (waiting || owed.size >= MOST_OWED) {
    destroyUnparsed(socket);
    return;
  }
  owed.add(answer);
  answer.once('close', () => {
    owed.delete(answer);
    if (connection.waiting === answer) connection.waiting = null;
    const [next] = owed;
    if (next?.begin) makeDue(next);
  });
  if (owed.size === 1) begin();
  else answer.begin = begin;
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
  const answers = [...connection.owed];
  const answer = answers.find(({ req }) => req === request);
  answer?.place?.leave();
  if (!answer) return;
  if (answer === answers.at(-1)) connection.waiting = answer;
  else destroyUnparsed(request.socket);
}
