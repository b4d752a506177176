import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DatabaseUnavailable } from '#database/database.ts';
import { hasManyParameters, MOST_FIELDS } from '#http/forms/count-fields.ts';
import type { Clock } from '#lib/clock.ts';
import { Problem, type ProblemCode } from '#lib/problem.ts';
import { PROBLEMS } from './kinds.ts';
import { problemBody } from './responses.ts';
import { unsupportedMediaType } from './unsupported-media-type.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The code of the problem that was answered, for the log. */
    problemCode: ProblemCode | null;
    /** The cause of a fault of the service, for the log; never shown to a caller. */
    fault: unknown;
  }
}

/** A caller waits so long before the next try while the database is down: outages last seconds. */
const RETRY_AFTER_SECONDS = '2';

/** RFC 9110 §9.2.1: such a call asks for no change, so no change can be in doubt. */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const MAY_BE_DONE =
  'This call may or may not have been done: the connection to the database broke before the ' +
  'answer. Send the call again with the same Idempotency-Key, or search for the payment request ' +
  'by its merchantTransactionId.';

/** Fastify's own refusals, and the problem code of each. */
const FASTIFY_CODES: Readonly<Record<string, ProblemCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'MALFORMED_JSON',
  FST_ERR_CTP_INVALID_JSON_BODY: 'MALFORMED_JSON',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'MALFORMED_REQUEST',
  // The caller left in the middle of its body: only the log reads this.
  ECONNRESET: 'REQUEST_TIMEOUT',
};

export interface ErrorAnswers {
  /** The origin of {base_url}. */
  readonly origin: string;
  readonly clock: Clock;
  /** Answers a page where a person asks for an unknown address; left out: programs alone ask. */
  readonly sendNotFoundPage?: (request: FastifyRequest, reply: FastifyReply) => boolean;
  /** The advice about an unknown address, by its path; left out: nothing is said. */
  readonly adviseUnknown?: (path: string) => string;
}

/** The only exit of every refused call: a thrown Problem becomes problem+json (contract §7). */
export function registerErrorHandler(app: FastifyInstance, answers: ErrorAnswers): void {
  app.decorateRequest('problemCode', null);
  app.decorateRequest('fault', null);
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const problem = problemOf(error, request);
    if (problem.code === 'INTERNAL_ERROR' || error instanceof DatabaseUnavailable) {
      request.fault = error;
    }
    if (problem.code === 'ROUTE_NOT_FOUND') return refuseUnknown(request, reply, answers, problem);
    return sendProblem(request, reply, answers, problem);
  });
  app.setNotFoundHandler((request, reply) => refuseRoute(request, reply, answers));
}

/**
 * Refuses unknown routes before their body, which would have faults of its own (contract §4: the
 * route is checked first). Call it behind the checks of the request as such.
 */
export function refuseUnknownRoutes(app: FastifyInstance, answers: ErrorAnswers): void {
  app.addHook('onRequest', (request, reply, done) => {
    const isUnknown = request.is404 && request.knownRoute === null;
    if (isUnknown || lacksPart(request)) refuseRoute(request, reply, answers);
    else done();
  });
}

/**
 * Whether a part of the address is empty, as the id in `/payment-requests/`. The router matches the
 * route with the id; a client without an id must get neither a list nor a 405.
 */
function lacksPart({ params }: FastifyRequest): boolean {
  return Object.values(params as object).includes('');
}

function refuseRoute(
  request: FastifyRequest,
  reply: FastifyReply,
  answers: ErrorAnswers,
): FastifyReply {
  const isUnreadable = request.originalUrl !== request.raw.url;
  // `OPTIONS *` asks about the server as a whole (RFC 9110 §9.3.7): it is there.
  const isServer = request.originalUrl === '*' && request.method === 'OPTIONS';
  if (isUnreadable && isServer) return reply.code(204).send();
  return refuseUnknown(
    request,
    reply,
    answers,
    isUnreadable
      ? new Problem('MALFORMED_REQUEST', { detail: unreadable(request) })
      : unknownAddress(request, answers),
  );
}

/** A person gets a page, a program the problem. */
function refuseUnknown(
  request: FastifyRequest,
  reply: FastifyReply,
  answers: ErrorAnswers,
  problem: Problem,
): FastifyReply {
  request.problemCode = problem.code;
  const isSent = answers.sendNotFoundPage?.(request, reply) ?? false;
  return isSent ? reply : sendProblem(request, reply, answers, problem);
}

function unreadable({ originalUrl }: FastifyRequest): string {
  return hasManyParameters(originalUrl)
    ? `The address has more than ${MOST_FIELDS} parameters.`
    : 'The address is not a well-formed URL.';
}

/** Says what is there instead. The detail has nothing of the address that was sent. */
function unknownAddress({ originalUrl }: FastifyRequest, { adviseUnknown }: ErrorAnswers): Problem {
  const [path = ''] = originalUrl.split('?', 1);
  const sentences = [
    PROBLEMS.ROUTE_NOT_FOUND.detail,
    path.length > 1 && path.endsWith('/') && SLASH_ADVICE,
    path.slice(0, -1).includes('//') && DOUBLE_SLASH_ADVICE,
    adviseUnknown?.(path),
  ];
  return new Problem('ROUTE_NOT_FOUND', { detail: sentences.filter(Boolean).join(' ') });
}

const SLASH_ADVICE = 'Leave out the slash at its end, or give the id behind it.';
const DOUBLE_SLASH_ADVICE = 'It has two slashes in a row: the text between them is empty.';

/** Answers a problem; for routes that refuse without throwing. */
export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  { origin, clock }: ErrorAnswers,
  problem: Problem,
): FastifyReply {
  request.problemCode = problem.code;
  return reply
    .code(PROBLEMS[problem.code].status)
    .headers(problem.headers)
    .header('cache-control', 'no-store')
    .type('application/problem+json')
    .send(
      JSON.stringify(
        problemBody(problem.code, {
          origin,
          requestId: request.id,
          now: clock.now(),
          detail: problem.detail,
          errors: problem.errors,
        }),
      ),
    );
}

function problemOf(error: FastifyError, request: FastifyRequest): Problem {
  if (error instanceof Problem) return error;
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return unsupportedMediaType(request);
  if (error instanceof DatabaseUnavailable) {
    const isInDoubt = error.mayBeDone && !SAFE_METHODS.has(request.method);
    return new Problem('TEMPORARILY_UNAVAILABLE', {
      ...(isInDoubt && { detail: MAY_BE_DONE }),
      headers: { 'retry-after': RETRY_AFTER_SECONDS },
      cause: error,
    });
  }
  return new Problem(FASTIFY_CODES[error.code] ?? 'INTERNAL_ERROR', { cause: error });
}
