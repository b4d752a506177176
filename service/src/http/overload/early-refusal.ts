import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AnswerWriter } from '#http/answers/answer-writer.ts';
import { requestIdOf } from '#http/headers/request-id.ts';
import { DATA_HEADERS, transportHeaders } from '#http/headers/security-headers.ts';
import type { ErrorAnswers } from '#http/problems/error-handler.ts';
import { PROBLEMS } from '#http/problems/kinds.ts';
import { NotStarted } from '#http/problems/not-started.ts';
import { problemBody } from '#http/problems/responses.ts';
import { formatInstant } from '#lib/instant.ts';
import type { Problem } from '#lib/problem.ts';

/** The least that the header can say; the calls in flight end in a fifth of that. */
const RETRY_AFTER_SECONDS = '1';
const CODE = 'TEMPORARILY_UNAVAILABLE';
const { status: STATUS } = PROBLEMS[CODE];
const DETAIL = 'There is more to do than can be done in time. Nothing was done; try again.';

/** The problem of a call for which the gate has no permit. */
export function overloaded(): Problem {
  const headers = { 'retry-after': RETRY_AFTER_SECONDS };
  return new NotStarted(CODE, { detail: DETAIL, headers });
}

/** Placeholders in the rendered problem for the values of each answer. */
const [INSTANCE, REQUEST_ID, TIMESTAMP] = ['@instance@', '@request@', '@timestamp@'];
const OWN = new RegExp(`${INSTANCE}|${REQUEST_ID}|${TIMESTAMP}`);

/**
 * Makes the refusal that is sent before routing. The answer equals the error handler's at a
 * fraction of its cost, because all but its ids and its time is rendered once: a process that
 * refuses must have time left to serve.
 */
export function createEarlyRefusal({
  origin,
  clock,
}: ErrorAnswers): (request: IncomingMessage, response: ServerResponse) => void {
  const renderBody = createBodyRenderer(origin);
  const fixed = {
    ...DATA_HEADERS,
    ...transportHeaders(origin),
    'retry-after': RETRY_AFTER_SECONDS,
    'cache-control': 'no-store',
    'content-type': 'application/problem+json',
  };
  const headers = Object.entries(fixed).flat();
  return (request, response) => {
    const requestId = requestIdOf(request.headers);
    const body = renderBody(requestId, clock.now());
    const own = ['x-request-id', requestId, 'content-length', `${Buffer.byteLength(body)}`];
    AnswerWriter.begin(response, STATUS, [...headers, ...own])?.end(body);
  };
}

/** Renders the problem. It is ASCII alone, so that its length in characters is that in bytes. */
function createBodyRenderer(origin: string): (requestId: string, now: Date) => string {
  const problem = problemBody(CODE, { origin, requestId: '', now: new Date(0), detail: DETAIL });
  const marked = { instance: `urn:uuid:${INSTANCE}`, requestId: REQUEST_ID, timestamp: TIMESTAMP };
  const [head, middle, end, tail] = JSON.stringify({ ...problem, ...marked }).split(OWN);
  // The request's id is plain by its pattern: nothing in it has to be escaped.
  return (requestId, now) =>
    `${head}${randomUUID()}${middle}${requestId}${end}${formatInstant(now)}${tail}`;
}
