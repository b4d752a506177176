import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { formatInstant } from '#lib/instant.ts';
import { Problem } from '#lib/problem.ts';
import type { ErrorAnswers } from './error-handler.ts';
import type { LoadGate, Place } from './load-gate.ts';
import { PROBLEMS, problemBody } from './problem-responses.ts';
import { DATA_HEADERS } from './security-headers.ts';
import { requestIdOf } from './server-options.ts';

/** The least that the header can say; what is under way is worked off in a fifth of that. */
const RETRY_AFTER_SECONDS = '1';
const DETAIL = 'There is more to do than can be done in time. Nothing was done; try again.';

/** Whose calls: programs of merchants, or people with a page open. */
export type Caller = 'merchant' | 'person';

export interface ShedOverloadDeps extends ErrorAnswers {
  readonly gate: LoadGate;
  /** @param address the request's, path and query */
  readonly callerOf: (address: string) => Caller;
  /** Told of each call that was refused. */
  readonly onShed: (caller: Caller) => void;
}

const PLACE = Symbol('place');
const IS_SHED = Symbol('is shed');

interface Admitted extends IncomingMessage {
  [PLACE]?: Place;
  [IS_SHED]?: true;
}

/**
 * Answers what there is no place for with 503 and Retry-After, before anything else is done for it
 * (contract §7): a merchant's call before it is even routed, because refusing four times what can
 * be served must leave time to serve; a person gets a page, which the page's own scope makes.
 */
export function shedOverload(app: FastifyInstance, deps: ShedOverloadDeps): void {
  const { server } = app;
  const { gate, callerOf, onShed } = deps;
  const refuse = createRefusal(deps);
  type Handle = (request: IncomingMessage, response: ServerResponse) => void;
  const handles = server.listeners('request') as Handle[];
  server.removeAllListeners('request');
  server.on('request', (request: Admitted, response) => {
    const caller = callerOf(request.url ?? '');
    const place = gate.enter(caller === 'person');
    if (place) {
      request[PLACE] = place;
      response.once('close', place.leave);
    } else {
      onShed(caller);
      if (caller === 'merchant') return refuse(request, response);
      request[IS_SHED] = true;
    }
    for (const handle of handles) handle(request, response);
  });
  app.addHook('onRequest', (request, _reply, done) => {
    const isShed = (request.raw as Admitted)[IS_SHED];
    if (isShed) done(overloaded());
    else done();
  });
}

/** From here on the call waits for something that costs nothing, and others may have its place. */
export function leavePlace(request: IncomingMessage): void {
  (request as Admitted)[PLACE]?.leave();
}

function overloaded(): Problem {
  const headers = { 'retry-after': RETRY_AFTER_SECONDS };
  return new Problem('TEMPORARILY_UNAVAILABLE', { detail: DETAIL, headers });
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
