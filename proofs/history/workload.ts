import { setTimeout as wait } from 'node:timers/promises';
import { callService, type WorkloadMerchant } from './call-service.ts';
import type { PeopleOptions } from './console/person.ts';
import { workInConsole } from './console/work-in-console.ts';
import { type Decision, drawCall } from './draw-call.ts';
import { createFollower, type Follower } from './follow-list.ts';
import type { History } from './history.ts';
import type { ApiAsked } from './history-line.ts';
import { createKnownPayments, type KnownPayments } from './known-payments.ts';
import { createRandom, type Random } from './random.ts';

export interface WorkloadOptions {
  readonly history: History;
  /** The next address of a service, as in `http://127.0.0.1:4010`; asked before each call. */
  readonly nextOrigin: () => string;
  readonly merchants: readonly WorkloadMerchant[];
  /** Workers of each merchant; default 4. Each has one call in flight. */
  readonly workers?: number;
  /** The mean time between two calls of one worker; default 100 ms. */
  readonly pauseMs?: number;
  /** The console: a person takes the place of one worker of each merchant. Default: no person. */
  readonly people?: PeopleOptions;
}

/** Callers of the service that write down each call before it is sent and after its answer. */
export interface Workload {
  /** Ends the load; the calls in flight end within their limit. */
  stop(): Promise<void>;
  /**
   * Repeats each create, cancellation and refund of unknown outcome with its key until the outcome
   * is known.
   *
   * @returns the number of outcomes that are still unknown
   */
  settle(limitMs: number): Promise<number>;
  /** Reads the rest of feed and ledger under the cursors. Call this after all work is done. */
  finishLists(limitMs: number): Promise<void>;
}

/** Repeats of a call at once, before the worker goes on and leaves the call for `settle`. */
const REPEATS = 3;
const REPEAT_PAUSE_MS = 250;
/** The workload ends by itself, also when it is not stopped: no proof loads for longer. */
const LONGEST_LOAD_MS = 60 * 60_000;

/** A merchant with its token and all that the workload knows of its payment requests. */
export interface Caller {
  readonly merchant: WorkloadMerchant;
  readonly payments: KnownPayments;
  /** The access token; empty as long as none could be bought. */
  token(): Promise<string>;
  call(asked: ApiAsked): Promise<'ok' | 'refused' | 'unknown'>;
}

/** Starts the load. The decisions of the load come from the history's seed. */
export function startWorkload(options: WorkloadOptions): Workload {
  const { history, merchants, people, pauseMs = 100 } = options;
  const { workers = people ? 3 : 4 } = options;
  const stopped = new AbortController();
  const { signal } = stopped;
  const ended = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_LOAD_MS)]);
  const unsettled: (() => Promise<boolean>)[] = [];
  const followers: Follower[] = [];
  const running: Promise<void>[] = [];
  const leave = (caller: Caller, asked: ApiAsked) =>
    void unsettled.push(async () => isKnown(await caller.call(asked)));

  for (const [index, merchant] of merchants.entries()) {
    const caller = createCaller(options, merchant);
    for (const name of ['feed', 'ledger'] as const) {
      const follower = createFollower(options, caller, name);
      followers.push(follower);
      running.push(follower.follow(ended));
    }
    for (let worker = 0; worker < workers; worker += 1) {
      const random = createRandom(history.seed, `worker ${index}.${worker}`);
      const name = `${history.seed}-${index}.${worker}`;
      running.push(work({ caller, random, name, pauseMs, ended, leave }));
    }
    if (!people) continue;
    const { merchantId } = merchant;
    const person = {
      ...{ ...people, history, merchantId, ended, payments: caller.payments },
      leave: (again: () => Promise<boolean>) => void unsettled.push(again),
      random: createRandom(history.seed, `person ${index}`),
      name: `${history.seed}-${index}`,
      // A page costs more than a call: people take their time.
      pauseMs: 2 * pauseMs,
      otherMerchantId: merchants[(index + 1) % merchants.length]?.merchantId ?? '',
    };
    running.push(workInConsole(person));
  }
  return {
    async stop() {
      stopped.abort();
      await Promise.all(running);
    },
    settle: (limitMs) => settle(unsettled, limitMs),
    async finishLists(limitMs) {
      await Promise.all(followers.map((follower) => follower.finish(limitMs)));
    },
  };
}

interface Work {
  readonly caller: Caller;
  readonly random: Random;
  readonly name: string;
  readonly pauseMs: number;
  readonly ended: AbortSignal;
  readonly leave: (caller: Caller, asked: ApiAsked) => void;
}

async function work({ caller, random, name, pauseMs, ended, leave }: Work): Promise<void> {
  for (let number = 1; !ended.aborted; number += 1) {
    const decision = drawCall(random);
    const asked = askedOf(decision, caller.payments, `${name}.${number}`);
    let outcome = await caller.call(asked);
    const isWrite = ['create', 'cancel', 'refund'].includes(asked.name);
    for (let repeat = 0; isWrite && !isKnown(outcome) && repeat < REPEATS; repeat += 1) {
      if (ended.aborted) break;
      await wait(REPEAT_PAUSE_MS);
      outcome = await caller.call(asked);
    }
    if (isWrite && !isKnown(outcome)) leave(caller, asked);
    await wait(pauseMs * decision.pauseFactor, undefined, { signal: ended }).catch(() => {});
  }
}

/** A call that needs a payment request is a create as long as there is none. */
function askedOf(decision: Decision, payments: KnownPayments, name: string): ApiAsked {
  const { amountCents, payerName, place } = decision;
  const key = `key-${name}`;
  const any = payments.at(place, 'all');
  if (decision.name === 'token') return { name: 'token' };
  if (decision.name === 'create' || !any) {
    return { name: 'create', key, transactionId: `tx-${name}`, amountCents, payerName };
  }
  if (decision.name === 'cancel') return { name: 'cancel', id: any.id, key };
  const paid = payments.at(place, 'paid');
  if (decision.name === 'read' || !paid) return { name: 'read', id: any.id };
  const cents = Math.max(1, Math.ceil(paid.amountCents * decision.share));
  return {
    name: 'refund',
    id: paid.id,
    key,
    merchantRefundId: `refund-${name}`,
    amountCents: cents,
  };
}

function isKnown(outcome: string): boolean {
  return outcome !== 'unknown';
}

function createCaller(
  { history, nextOrigin }: WorkloadOptions,
  merchant: WorkloadMerchant,
): Caller {
  const payments = createKnownPayments();
  let token = '';
  async function call(asked: ApiAsked): Promise<'ok' | 'refused' | 'unknown'> {
    // Without a token the call cannot be made, and is not written down.
    const bearer = asked.name === 'token' ? '' : await haveToken();
    if (asked.name !== 'token' && bearer === '') return 'unknown';
    const number = history.send(merchant.merchantId, asked);
    const answered = await callService(nextOrigin(), merchant, bearer, asked);
    const { token: bought, ...line } = answered;
    history.append({ kind: 'answered', call: number, ...line });
    if (bought !== undefined) token = bought;
    if (line.told?.paymentRequest) payments.learn(line.told.paymentRequest);
    // The first of two equal calls is still running, and its outcome is unknown.
    return line.code === 'IDEMPOTENCY_IN_PROGRESS' ? 'unknown' : line.outcome;
  }
  async function haveToken(): Promise<string> {
    if (token === '') await call({ name: 'token' });
    return token;
  }
  return { merchant, payments, token: haveToken, call };
}

async function settle(unsettled: (() => Promise<boolean>)[], limitMs: number): Promise<number> {
  const giveUpAt = performance.now() + limitMs;
  let left = unsettled.splice(0);
  while (left.length > 0 && performance.now() < giveUpAt) {
    const again: typeof left = [];
    for (const repeat of left) {
      const isSettled = performance.now() < giveUpAt && (await repeat());
      if (!isSettled) again.push(repeat);
    }
    left = again;
    if (left.length > 0) await wait(REPEAT_PAUSE_MS);
  }
  return left.length;
}
