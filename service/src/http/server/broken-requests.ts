import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { endConnection } from '#http/answers/answer-writer.ts';
import { DATA_HEADERS, transportHeaders } from '#http/headers/security-headers.ts';
import { writeOwedRefusal } from '#http/overload/refuse-in-turns.ts';
import { type ErrorAnswers, sendProblem } from '#http/problems/error-handler.ts';
import { PROBLEMS } from '#http/problems/kinds.ts';
import { problemBody } from '#http/problems/responses.ts';
import { Problem, type ProblemCode } from '#lib/problem.ts';
import { MOST_CHUNKS, TOO_MANY_CHUNKS } from './bound-chunks.ts';
import { linger } from './leave-unread.ts';
import type { OpenCalls } from './open-calls.ts';

export interface BrokenRequestDeps extends ErrorAnswers {
  /** The calls of the same listener. */
  readonly openCalls: Pick<OpenCalls, 'isUnderWay'>;
  /** Called with each refusal that no request's log line reports. */
  readonly onRefused: (refusal: { readonly code: ProblemCode; readonly status: number }) => void;
}

export type BrokenRequestAnswers = ReturnType<typeof createBrokenRequestAnswers>;

interface Call {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** A property of the connection itself: a WeakMap costs each call and each collection more. */
const LATEST_CALL = Symbol('latest call');
type CallingSocket = Socket & { [LATEST_CALL]?: Call };

/**
 * Gives what the HTTP layer itself refuses the form of every other refusal (contract §7): bytes
 * that are not HTTP, headers that are too large, a request that does not arrive whole or in time.
 */
export function createBrokenRequestAnswers(deps: BrokenRequestDeps) {
  /** Connections whose refusal waits for the end of an answer. */
  const refused = new WeakSet<Socket>();
  return {
    /** Fastify's option of this name. */
    clientErrorHandler(error: ConnectionError, socket: Socket) {
      if (error.code === 'ECONNRESET' || !socket.writable) return;
      const problem = problemOf(error);
      const call = (socket as CallingSocket)[LATEST_CALL];
      if (!call) return writeProblem(deps, socket, problem);
      if (!call.request.raw.complete) return endCall(deps, call, problem);
      if (call.reply.raw.closed) return writeProblem(deps, socket, problem);
      // The parser reports its fault again with each later packet of the caller.
      if (refused.has(socket)) return;
      refused.add(socket);
      // The fault is in what came after a whole request, whose answer is still owed first.
      call.reply.raw.once('close', () => writeProblem(deps, socket, problem));
    },
    /** The rest of it; to be called once the answers' headers are set. */
    watch(app: FastifyInstance) {
      app.server.on('connect', (_request, stream) => {
        const socket = stream as Socket;
        // Node.js has taken its own listener away: a reset would end the process.
        socket.on('error', () => socket.destroy());
        // No parser and no time-out watches the connection from here on.
        if (deps.openCalls.isUnderWay(socket)) return void socket.destroy();
        const problem = new Problem('METHOD_NOT_ALLOWED', { headers: { allow: '' } });
        writeProblem(deps, socket, problem);
      });
      // Only 100-continue is defined; RFC 9110 §10.1.1 lets any other expectation be ignored.
      app.server.on('checkExpectation', (request, response) => {
        app.server.emit('request', request, response);
      });
      // Without a promise: the fault may be in the very bytes that brought the request's head.
      app.addHook('onRequest', (request, reply, done) => {
        (request.raw.socket as CallingSocket)[LATEST_CALL] = { request, reply };
        done();
      });
    },
  };
}

function problemOf({ code, message }: ConnectionError): Problem {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('REQUEST_TIMEOUT');
    case 'HPE_INVALID_EOF_STATE':
      return new Problem('REQUEST_TIMEOUT', { detail: 'The request ended before it was whole.' });
    case 'HPE_INVALID_VERSION':
      if (!message.endsWith('Invalid HTTP version')) return malformed(message);
      return new Problem('HTTP_VERSION_NOT_SUPPORTED');
    case 'HPE_INVALID_TRANSFER_ENCODING':
      // A length and any coding together are two answers to one question.
      if (message.includes('Content-Length')) return malformed(message);
      return new Problem('TRANSFER_CODING_NOT_IMPLEMENTED');
    case 'HPE_HEADER_OVERFLOW':
      return new Problem('HEADERS_TOO_LARGE');
    case TOO_MANY_CHUNKS:
      return new Problem('PAYLOAD_TOO_LARGE', {
        detail: `The body has more than ${MOST_CHUNKS} chunks.`,
      });
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new Problem('PAYLOAD_TOO_LARGE', { detail: 'The body’s chunks are too large.' });
    default:
      return malformed(message);
  }
}

/** The parser's words are fixed sentences; they hold nothing of what was sent. */
function malformed(message: string): Problem {
  return new Problem('MALFORMED_REQUEST', {
    detail: `The request is not well-formed HTTP (${message.replace(/^Parse Error: /, '')}).`,
  });
}

/** Answers a request whose body is broken or late, unless its answer has begun already. */
function endCall(deps: BrokenRequestDeps, { request, reply }: Call, problem: Problem): void {
  if (reply.raw.headersSent) request.raw.destroy();
  else sendProblem(request, reply.header('connection', 'close'), deps, problem);
}

/** Writes the answer to what never became a request, and closes the connection. */
function writeProblem(deps: BrokenRequestDeps, socket: Socket, problem: Problem): void {
  writeOwedRefusal(socket);
  if (!socket.writable) return;
  const { status } = PROBLEMS[problem.code];
  const requestId = randomUUID();
  const now = deps.clock.now();
  const body = JSON.stringify(
    problemBody(problem.code, { origin: deps.origin, requestId, now, detail: problem.detail }),
  );
  const headers = {
    ...DATA_HEADERS,
    ...transportHeaders(deps.origin),
    ...problem.headers,
    'x-request-id': requestId,
    'cache-control': 'no-store',
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    date: now.toUTCString(),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  endConnection(
    socket,
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`,
  );
  linger(socket);
  deps.onRefused({ code: problem.code, status });
}
