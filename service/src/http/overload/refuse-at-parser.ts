import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { writeToConnection } from '#http/answers/answer-writer.ts';
import { chooseRequestId } from '#http/headers/request-id.ts';
import type { LoadGate } from './load-gate.ts';
import {
  type AnswerQueue,
  OwedAnswer,
  type OwedAnswers,
  type RefusedCall,
} from './owed-answers.ts';
import { BODY_FOLLOWS, type ParsedSocket } from './request-parser.ts';
import type { TrafficClass } from './shed-overload.ts';

/**
 * The bound of refusals that one turn of the event loop writes: 24 µs each are 3 ms. With 32
 * the process served no more, and callers waited ten times as long for a refusal. Without
 * the bound an answer of the database waits until all calls beyond the permits are refused.
 */
const MAX_WRITTEN_PER_TURN = 128;
/** The methods of merchants' calls. HEAD is left out: its answer has no body. */
const METHODS: ReadonlySet<string | undefined> = new Set(['GET', 'POST', 'PATCH', 'PUT', 'DELETE']);

/** Writes the refusal that a connection waits for. */
const WRITE_REFUSAL = Symbol('write refusal');
type RefusingSocket = ParsedSocket & { [WRITE_REFUSAL]?: () => void };

export interface RefuseAtParserDeps {
  readonly gate: Pick<LoadGate, 'isFull'>;
  /** @param url the request's path and query */
  readonly classify: (url: string) => TrafficClass;
  readonly onShed: (traffic: TrafficClass) => void;
  readonly owed: Pick<OwedAnswers, 'oweRefusal' | 'endRefusal'>;
  /** Renders the whole answer, head and body. */
  readonly render: (requestId: string) => string;
}

/**
 * Refuses merchants' calls at the parser, before Node.js makes an answer: a refusal costs 24 µs
 * instead of 43. The connection gets one ready-made text, and its next request is read as usual.
 * Requests of any uncommon form take the way of all others, and are refused there.
 *
 * A refusal waits for its turn. The connections of calls that wait send nothing more: a caller is
 * slowed down before the calls that are served.
 */
export class RefuseAtParser {
  readonly #deps: RefuseAtParserDeps;
  /** First in, first out; at most one of each connection. */
  readonly #waiting: RefusedCall[] = [];
  #isTurnSet = false;

  constructor(deps: RefuseAtParserDeps) {
    this.#deps = deps;
  }

  watch(socket: RefusingSocket, queue: AnswerQueue): void {
    const { parser } = socket;
    if (!parser) return;
    socket[WRITE_REFUSAL] = () => {
      const { current } = queue;
      if (current && !(current instanceof OwedAnswer)) this.#write(current);
    };
    const { onIncoming } = parser;
    parser.onIncoming = (request, keepsAlive) => {
      const requestId = keepsAlive ? this.#refusedId(request) : null;
      if (requestId === null || !this.#refuse({ socket, queue, requestId })) {
        return onIncoming(request, keepsAlive);
      }
      parser.incoming = null;
      return BODY_FOLLOWS;
    };
  }

  /** The id of a request to be refused here; null: the request takes the usual way. */
  #refusedId({ url = '', method, httpVersion, upgrade, rawHeaders }: RequestHead): string | null {
    const { gate, classify } = this.#deps;
    if (!gate.isFull(false) || classify(url) !== 'merchant') return null;
    const isUsual = METHODS.has(method) && httpVersion === '1.1' && !upgrade;
    return isUsual ? requestIdIn(rawHeaders) : null;
  }

  #refuse(call: RefusedCall): boolean {
    // The caller does not read its answers: Node.js stops reading from such a connection.
    if (call.socket.writableLength > 0) return false;
    if (!this.#deps.owed.oweRefusal(call)) return false;
    this.#deps.onShed('merchant');
    this.#waiting.push(call);
    this.#setTurn();
    return true;
  }

  #setTurn(): void {
    if (this.#isTurnSet) return;
    this.#isTurnSet = true;
    setImmediate(() => this.#writeWaiting());
  }

  #writeWaiting(): void {
    this.#isTurnSet = false;
    for (const call of this.#waiting.splice(0, MAX_WRITTEN_PER_TURN)) this.#write(call);
    if (this.#waiting.length > 0) this.#setTurn();
  }

  /** Writes nothing where the refusal is written, or its connection is closed. */
  #write(call: RefusedCall): void {
    if (call.queue.current !== call) return;
    const { render, owed } = this.#deps;
    writeToConnection(call.socket, render(call.requestId));
    owed.endRefusal(call);
  }
}

/**
 * Writes the refusal that waits for its turn. To be called before any answer that is written to the
 * connection itself: the caller would read that answer as the refused call's.
 */
export function writeOwedRefusal(socket: Socket): void {
  (socket as RefusingSocket)[WRITE_REFUSAL]?.();
}

type RequestHead = IncomingMessage & { readonly upgrade?: unknown };

/**
 * The request's id. `rawHeaders` is a list; the object `headers` would be made for this request.
 *
 * @returns null: the head has no length of the body, or the caller waits before it sends the body
 */
function requestIdIn(rawHeaders: readonly string[]): string | null {
  const asked: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase();
    if (name === 'transfer-encoding' || name === 'expect') return null;
    if (name === 'x-request-id') asked.push(rawHeaders[at + 1] ?? '');
  }
  return chooseRequestId(asked.length === 1 ? asked[0] : undefined);
}
