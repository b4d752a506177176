import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requestIdOf } from '#http/headers/request-id.ts';
import { DATA_HEADERS, transportHeaders } from '#http/headers/security-headers.ts';
import { chooseMediaType } from '#http/negotiation/choose-media-type.ts';
import { sendObstacle } from '#http/pages/error-page.ts';
import type { ErrorAnswers } from '#http/problems/error-handler.ts';
import { PROBLEMS } from '#http/problems/kinds.ts';
import { NotStarted } from '#http/problems/not-started.ts';
import { problemBody } from '#http/problems/responses.ts';
import { formatInstant } from '#lib/instant.ts';
import type { Problem } from '#lib/problem.ts';
import type { LoadGate, Place } from './load-gate.ts';
import { type OwedAnswer, oweAnswer, watchConnections } from './owed-answers.ts';
import { type BodyEnd, createUnfinishedBodies } from './unfinished-bodies.ts';

export { leavePlace } from './owed-answers.ts';

/** The least that the header can say; what is under way is worked off in a fifth of that. */
const RETRY_AFTER_SECONDS = '1';
const DETAIL = 'There is more to do than can be done in time. Nothing was done; try again.';

/** Whose calls: programs of merchants, or people with a page open. */
export type Caller = 'merchant' | 'person';

export interface ShedOverloadDeps extends ErrorAnswers {
  readonly gate: LoadGate;
  /** @param address the request's, path and query */
  readonly callerOf: (address: string) => Caller;
  /** Whether the head of a request had a valid API key; known once its `onRequest` hooks ran. */
  readonly isOfMerchant: (request: FastifyRequest) => boolean;
  /** Told of each call that was refused. */
  readonly onShed: (caller: Caller) => void;
}

/**
 * Answers a call for which the gate has no place with 503 and Retry-After (contract §7). A
 * merchant's call is refused before routing, because refusals must leave time to serve. A person
 * gets a page.
 *
 * A call whose body is still under way has no place: others would wait for a caller that is slow.
 */
export function shedOverload(app: FastifyInstance, deps: ShedOverloadDeps): void {
  const { server } = app;
  const { gate, callerOf, onShed } = deps;
  const refuse = createRefusal(deps);
  type Handle = (request: IncomingMessage, response: ServerResponse) => void;
  const handles = server.listeners('request') as Handle[];
  server.removeAllListeners('request');
  watchConnections(server);
  server.on('request', (request: IncomingMessage, answer: OwedAnswer) => {
    oweAnswer(answer, () => {
      const caller = callerOf(request.url ?? '');
      answer.place = gate.enter(caller === 'person');
      if (!answer.place) {
        onShed(caller);
        if (caller === 'merchant') return refuse(request, answer);
      }
      for (const handle of handles) handle(request, answer);
    });
  });
  app.addHook('onRequest', (request, reply, done) => {
    if (placeOf(reply)) return done();
    if (hasPagesOfItsOwn(request) || !wantsPage(request)) return done(overloaded());
    sendObstacle(request, reply, 'unavailable', { notice: () => undefined });
  });
  pauseForBodies(app, deps);
}

/** Gives a call's place to others until its body is whole, and bounds the bodies under way. */
function pauseForBodies(
  app: FastifyInstance,
  { isOfMerchant, callerOf, onShed }: ShedOverloadDeps,
): void {
  const bodies = createUnfinishedBodies();
  function watchBody(request: FastifyRequest, reply: FastifyReply): void {
    const answer = reply.raw as OwedAnswer;
    answer.place?.pause();
    const forget = bodies.add({
      address: request.ip,
      isOfMerchant: isOfMerchant(request),
      onEnd(how) {
        forget();
        if (!reply.sent) reply.header('connection', 'close').send(unfinished(how));
      },
    });
    answer.forgetBody = forget;
    request.raw.once('close', forget);
  }
  app.addHook('preParsing', (request, reply, _payload, done) => {
    if (!hasBody(request) || request.raw.complete) return done();
    // A body that came with its head is complete once the parser returns, and needs no watch.
    process.nextTick(() => {
      if (!request.raw.complete && !request.raw.destroyed) watchBody(request, reply);
      done();
    });
  });
  app.addHook('preValidation', (request, reply, done) => {
    const answer = reply.raw as OwedAnswer;
    answer.forgetBody?.();
    if (answer.place?.resume() !== false) return done();
    onShed(callerOf(request.url));
    done(overloaded());
  });
}

/** A request without a body is not complete either while its head is read. */
function hasBody({ headers }: FastifyRequest): boolean {
  const length = headers['content-length'];
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined;
}

function placeOf({ raw }: FastifyReply): Place | null {
  return (raw as OwedAnswer).place;
}

function hasPagesOfItsOwn({ server }: FastifyRequest): boolean {
  return server.hasReplyDecorator('setCookie');
}

function wantsPage({ headers }: FastifyRequest): boolean {
  return chooseMediaType(headers.accept, ['application/json', 'text/html']) === 'text/html';
}

function overloaded(): Problem {
  const headers = { 'retry-after': RETRY_AFTER_SECONDS };
  return new NotStarted('TEMPORARILY_UNAVAILABLE', { detail: DETAIL, headers });
}

function unfinished(how: BodyEnd): Problem {
  const detail =
    how === 'late'
      ? 'The body did not arrive in time. Nothing was done; try again.'
      : 'The body was late while many others arrived. Nothing was done; try again.';
  return new NotStarted('REQUEST_TIMEOUT', { detail });
}

type Refuse = (request: IncomingMessage, response: ServerResponse) => void;

/** Stand in the rendered problem for what is each answer's own. */
const [INSTANCE, REQUEST_ID, TIMESTAMP] = ['@instance@', '@request@', '@timestamp@'];
const OWN = new RegExp(`${INSTANCE}|${REQUEST_ID}|${TIMESTAMP}`);

/**
 * Makes the same answer as the error handler's, at a fraction of its cost: all but its ids and its
 * time is rendered once. Of a core that refuses, the rest is left to serve.
 */
function createRefusal({ origin, clock }: ErrorAnswers): Refuse {
  const code = 'TEMPORARILY_UNAVAILABLE';
  const problem = problemBody(code, { origin, requestId: '', now: new Date(0), detail: DETAIL });
  const marked = { instance: `urn:uuid:${INSTANCE}`, requestId: REQUEST_ID, timestamp: TIMESTAMP };
  const [head, middle, end, tail] = JSON.stringify({ ...problem, ...marked }).split(OWN);
  const headers = Object.entries({
    ...DATA_HEADERS,
    ...transportHeaders(origin),
    'retry-after': RETRY_AFTER_SECONDS,
    'cache-control': 'no-store',
    'content-type': 'application/problem+json',
  }).flat();
  return (request, response) => {
    // Plain by its pattern: nothing in it has to be escaped.
    const requestId = requestIdOf(request.headers);
    const timestamp = formatInstant(clock.now());
    const body = `${head}${randomUUID()}${middle}${requestId}${end}${timestamp}${tail}`;
    const length = `${Buffer.byteLength(body)}`;
    const own = ['x-request-id', requestId, 'content-length', length];
    response.writeHead(PROBLEMS[code].status, [...headers, ...own]);
    response.end(body);
  };
}
