import type { RequestListener } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { chooseMediaType } from '#http/negotiation/choose-media-type.ts';
import { sendErrorPage } from '#http/pages/error-page.ts';
import type { ErrorAnswers } from '#http/problems/error-handler.ts';
import { NotStarted } from '#http/problems/not-started.ts';
import type { Problem } from '#lib/problem.ts';
import { createEarlyRefusal, overloaded } from './early-refusal.ts';
import type { LoadGate, TrafficClass } from './load-gate.ts';
import { type PendingResponse, PendingResponses } from './pending-responses.ts';
import { createRefusalTurns } from './refuse-in-turns.ts';
import { type BodyEnd, createUnfinishedBodies } from './unfinished-bodies.ts';

export interface ShedOverloadDeps extends ErrorAnswers {
  readonly gate: Pick<LoadGate, 'enter'>;
  /** @param url the request's path and query */
  readonly classify: (url: string) => TrafficClass;
  /** Whether the head of a request had a valid API key; known once its `onRequest` hooks ran. */
  readonly isOfMerchant: (request: FastifyRequest) => boolean;
  /** Called with each call that was refused. */
  readonly onShed: (traffic: TrafficClass) => void;
}

export interface OverloadShedding {
  /** Stands in front of Fastify's handler of requests. */
  inFrontOf(handle: RequestListener): RequestListener;
  /** Registers the hooks of the app whose handler it stands in front of. */
  register(app: FastifyInstance): void;
}

/**
 * Answers a call for which the gate has no permit with 503 and Retry-After (contract §7). A
 * merchant's call is refused before routing, because refusals must leave time to serve. A person
 * gets a page.
 *
 * A call has no permit while its body arrives: other calls would wait for a slow caller.
 */
export function createOverloadShedding(deps: ShedOverloadDeps): OverloadShedding {
  const { gate, classify, onShed } = deps;
  const refuse = createEarlyRefusal(deps);
  const refuseInTurn = createRefusalTurns();
  const owed = new PendingResponses();
  return {
    inFrontOf: (handle) => (request, response) => {
      // The server makes every answer as an PendingResponse (server-options).
      const answer = response as PendingResponse;
      owed.owe(answer, () => {
        const traffic = classify(request.url ?? '');
        answer.permit = gate.enter(traffic === 'person');
        if (!answer.permit) {
          onShed(traffic);
          if (traffic === 'merchant') {
            return refuseInTurn(request.socket, () => refuse(request, answer));
          }
        }
        handle(request, response);
      });
    },
    register(app) {
      owed.watch(app.server);
      app.addHook('onRequest', (request, reply, done) => {
        if (answerOf(reply).permit) return done();
        if (hasOwnPages(request) || !wantsPage(request)) return done(overloaded());
        sendErrorPage(request, reply, 'unavailable', { notice: () => undefined });
      });
      pauseForBodies(app, deps);
    },
  };
}

/** Pauses a call's permit until its body is whole, and bounds the bodies under way. */
function pauseForBodies(
  app: FastifyInstance,
  {
    isOfMerchant,
    classify,
    onShed,
  }: Pick<ShedOverloadDeps, 'isOfMerchant' | 'classify' | 'onShed'>,
): void {
  const bodies = createUnfinishedBodies();
  function watchBody(request: FastifyRequest, reply: FastifyReply): void {
    const answer = answerOf(reply);
    answer.permit?.pause();
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
    // The tick runs after the parser has read the bytes that came with the head. A whole body needs
    // no watch: a watch over every body took 5 % of the CPU of a token call and 6 % of a create.
    process.nextTick(() => {
      if (!hasWholeBody(request) && !request.raw.destroyed) watchBody(request, reply);
      done();
    });
  });
  app.addHook('preValidation', (request, reply, done) => {
    const answer = answerOf(reply);
    answer.forgetBody?.();
    if (answer.permit?.resume() !== false) return done();
    onShed(classify(request.url));
    done(overloaded());
  });
}

/** Node.js runs the ticks after the last byte of a body before it sets `complete`. */
function hasWholeBody({ raw, headers }: FastifyRequest): boolean {
  return raw.complete || raw.readableLength === Number(headers['content-length']);
}

/** A request without a body is not complete either while its head is read. */
function hasBody({ headers }: FastifyRequest): boolean {
  const length = headers['content-length'];
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined;
}

function answerOf({ raw }: FastifyReply): PendingResponse {
  return raw as PendingResponse;
}

function hasOwnPages({ server }: FastifyRequest): boolean {
  return server.hasReplyDecorator('setCookie');
}

function wantsPage({ headers }: FastifyRequest): boolean {
  return chooseMediaType(headers.accept, ['application/json', 'text/html']) === 'text/html';
}

function unfinished(how: BodyEnd): Problem {
  const detail =
    how === 'late'
      ? 'The body did not arrive in time. Nothing was done; try again.'
      : 'The body was late while many others arrived. Nothing was done; try again.';
  return new NotStarted('REQUEST_TIMEOUT', { detail });
}
