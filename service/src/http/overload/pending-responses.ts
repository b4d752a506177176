import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { runOutsideCalls } from '#lib/call-context.ts';
import type { Permit } from './load-gate.ts';
import { NO_MORE_MESSAGES, type ParsedSocket } from './request-parser.ts';

/**
 * The bound of answers that one connection may wait for. Clients that pipeline send 10 at most;
 * each owed answer may lie in memory until the answers before it are sent.
 */
const MAX_OWED = 16;
/**
 * The bound of pipelined calls that begin in one turn of the event loop: at 0.3 ms each, callers
 * that do not pipeline wait 5 ms for them.
 */
const MAX_BEGUN_PER_TURN = 16;

/**
 * Plain properties, no Set or Map of answers: V8 links the outgrown table of a long-lived one to
 * its successor, and would keep the answers of all calls until the old heap is collected.
 */
export interface AnswerQueue {
  /** The answer whose call has begun. */
  current: PendingResponse | null;
  /** Whether `current` waits for an event or is a stream. */
  isWaiting: boolean;
  /** Pipelined calls that have not begun. */
  readonly next: PendingResponse[];
}

/** An answer of a listener, with the call's permit of the load gate. */
export class PendingResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  /** null: the gate has refused the call, or the listener has no gate. */
  permit: Permit | null = null;
  /** The answers that its connection is owed; null: the listener does not follow connections. */
  queue: AnswerQueue | null = null;
  /** Ends the watch over the call's body; null: the body came with the head. */
  forgetBody: (() => void) | null = null;
  /** Begins the call; null: the call has begun. */
  begin: (() => void) | null = null;

  /** Releases the permit: the work is done, and sending the answer depends on the caller. */
  override end(chunk?: unknown, encoding?: unknown, callback?: unknown): this {
    this.permit?.release();
    return super.end(chunk, encoding as BufferEncoding, callback as () => void);
  }
}

/** Follows the answers that each connection of one server is owed. */
export class PendingResponses {
  readonly #queues = new Map<Socket, AnswerQueue>();
  /** Pipelined calls whose turn has come, first in, first out; at most one of each connection. */
  readonly #due = new Set<PendingResponse>();
  #isTurnSet = false;

  watch(server: Server): void {
    server.on('connection', (socket) => {
      const queue: AnswerQueue = { current: null, isWaiting: false, next: [] };
      this.#queues.set(socket, queue);
      // An answer behind another answer has no socket yet, and would never emit `close` itself.
      socket.once('close', () => {
        this.#queues.delete(socket);
        const { current } = queue;
        if (current) {
          current.permit?.release();
          this.#due.delete(current);
        }
        queue.current = null;
        queue.next.length = 0;
      });
    });
  }

  /**
   * Adds an answer to those that its connection is owed, and begins its call when the answers
   * before it are sent. A caller that reads no answers therefore costs one call for a connection.
   *
   * Destroys the connection when it is owed 16 answers already, or when the answer would stand
   * behind a stream or a waiting read: that may take minutes (RFC 9112 §9.3.2).
   */
  owe(answer: PendingResponse, begin: () => void): void {
    const { socket } = answer.req;
    if (socket.destroyed) return;
    const queue = this.#queues.get(socket);
    if (!queue) return;
    const { current, isWaiting, next } = queue;
    if (isWaiting || (current && next.length + 1 >= MAX_OWED)) {
      destroyUnparsed(socket);
      return;
    }
    answer.queue = queue;
    answer.once('close', () => this.#end(queue, answer));
    if (current) {
      answer.begin = begin;
      next.push(answer);
      return;
    }
    queue.current = answer;
    begin();
  }

  /** Makes the next call of the connection due. */
  #end(queue: AnswerQueue, answer: PendingResponse): void {
    if (queue.current !== answer) return;
    queue.isWaiting = false;
    const next = queue.next.shift() ?? null;
    queue.current = next;
    if (!next) return;
    this.#due.add(next);
    this.#setTurn();
  }

  #setTurn(): void {
    if (this.#isTurnSet) return;
    this.#isTurnSet = true;
    runOutsideCalls(() => setImmediate(() => this.#beginDue()));
  }

  /** Begins few calls, so that the event loop reads from all other connections in between. */
  #beginDue(): void {
    this.#isTurnSet = false;
    let count = 0;
    for (const answer of this.#due) {
      if (count === MAX_BEGUN_PER_TURN) break;
      count += 1;
      this.#due.delete(answer);
      const { begin } = answer;
      answer.begin = null;
      // The connection closes after the answer before: the call was never begun.
      if (answer.req.socket.writable) begin?.();
    }
    if (this.#due.size > 0) this.#setTurn();
  }
}

/**
 * Destroys a connection, and drops the bytes that came with its last request. Node.js parses on
 * otherwise: 50 kB are 1,200 requests and 1,200 errors with a stack, 20 ms on the event loop.
 * Node.js does not document `parser`; without it the bytes are parsed, and nothing else changes.
 */
function destroyUnparsed(socket: ParsedSocket): void {
  if (socket.parser) socket.parser.onIncoming = () => NO_MORE_MESSAGES;
  socket.destroy();
}

/**
 * Releases a call's permit before its answer: the call waits for an event from here on, or streams.
 * Destroys the connection when a later request was sent on it.
 */
export function releasePermit(answer: ServerResponse): void {
  if (!(answer instanceof PendingResponse)) return;
  const { queue } = answer;
  if (queue?.current !== answer) return;
  answer.permit?.release();
  if (queue.next.length === 0) queue.isWaiting = true;
  else destroyUnparsed(answer.req.socket);
}

/** Aborts when the caller closes its connection, so that no wait outlives its caller. */
export function goneSignal({ raw }: { readonly raw: ServerResponse }): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => gone.abort());
  return gone.signal;
}
