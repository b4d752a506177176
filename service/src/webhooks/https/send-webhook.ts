import { createSecureContext, getCACertificates } from 'node:tls';
import type { Clock } from '#lib/clock.ts';
import {
  codeOf,
  DeliveryFailure,
  type DeliveryOutcome,
  outcomeOfError,
  outcomeOfStatus,
} from '#webhooks/model/outcomes.ts';
import { parseRetryAfter } from '#webhooks/model/retry-schedule.ts';
import { excerptOf } from './answer-excerpt.ts';
import { ConnectionPool } from './connection-pool.ts';
import { Deadline } from './deadline.ts';
import { exchangeHttps } from './exchange-https.ts';
import type { ConnectionUse, PooledConnection } from './idle-connections.ts';
import { Remembered } from './remembered.ts';
import { renderRequest } from './render-request.ts';
import { signWebhook } from './sign-webhook.ts';
import { hasUnaskedBytes } from './unasked-bytes.ts';
import type { GuardRefusal, WebhookUrlGuard } from './url-guard.ts';
import type { ConnectTimes } from './vetted-connection.ts';
import { webhookHeaders } from './webhook-headers.ts';

/** Promise 8: what a receiver may cost at most. The deadline is over everything, DNS included. */
export const EXCHANGE_TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** A URL has at most 2 kB, so that these take a few MB at most. */
export const MOST_URLS = 1_000;

export interface OutgoingWebhook extends Omit<ConnectionUse, 'origin'> {
  /** The event's id: the same at every attempt. */
  readonly id: string;
  readonly body: string;
  readonly username: string;
  readonly password: string;
  /** Every secret that is live: all of them sign. */
  readonly signingSecrets: readonly string[];
  /** The W3C trace that the webhook goes on with. */
  readonly traceparent?: string | null;
}

/** In milliseconds; what did not take place is left out, as on a connection that was kept. */
export interface AttemptTimes extends Readonly<ConnectTimes> {
  /** The time from the start of the exchange, connecting included, to the head of the answer. */
  readonly firstByteMs?: number;
}

export interface AttemptResult {
  readonly outcome: DeliveryOutcome;
  readonly httpStatus: number | null;
  readonly durationMs: number;
  /** How the time was spent. */
  readonly times: AttemptTimes;
  /** The answer's beginning as text, at most 4 KiB. */
  readonly responseExcerpt: string | null;
  /** The address that was connected to. */
  readonly address: string | null;
  readonly retryAfterSeconds: number | null;
  /** The library's code of what went wrong, for the log. */
  readonly errorCode: string | null;
}

/** The lease would be over before the exchange: another sender may have the delivery. */
export class SentTooLate extends Error {
  override readonly name = 'SentTooLate';
}

export type WebhookSender = ReturnType<typeof createWebhookSender>;

export interface SenderDeps {
  readonly clock: Clock;
  readonly guard: WebhookUrlGuard;
  /** Certificate authorities trusted beside the system's: the contents of WEBHOOK_CA_FILE. */
  readonly caPem: string | null;
  readonly exchangeTimeoutMs?: number;
  readonly connectTimeoutMs?: number;
}

/** Makes the one way by which webhooks leave the service (delivery §2). */
export function createWebhookSender(deps: SenderDeps) {
  const { clock, guard, caPem, exchangeTimeoutMs = EXCHANGE_TIMEOUT_MS } = deps;
  const pool = new ConnectionPool({
    clock,
    guard,
    secureContext: createSecureContext({
      minVersion: 'TLSv1.2',
      ...(caPem === null ? {} : { ca: [...getCACertificates('default'), caPem] }),
    }),
    connectTimeoutMs: deps.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
  });

  // `read` asks no DNS server: its result is the same for each delivery to the URL.
  const targets = new Remembered<Target>(MOST_URLS);
  const readUrl = (url: string) => readTarget(guard, url);

  async function attempt(
    webhook: OutgoingWebhook,
    deadline: Deadline,
    mayStillSend: () => boolean,
  ): Promise<Ended> {
    const target = targets.get(webhook.url, readUrl);
    if (target.refusal !== null) return failed(new DeliveryFailure(target.refusal));
    const exchange = (isFresh: boolean) =>
      exchangeOnce({ pool, clock }, target, webhook, { deadline, isFresh, mayStillSend });
    const ended = await exchange(false);
    // A kept connection that ended or had bytes before the request says nothing about this one.
    return ended.isStale ? exchange(true) : ended;
  }

  return {
    /**
     * Sends once, within the deadline. A failure is an outcome.
     *
     * @param mayStillSend asked right before the request is written, after the connection stands
     * @throws SentTooLate only, where it may not: nothing was sent
     */
    async send(webhook: OutgoingWebhook, mayStillSend: () => boolean = () => true) {
      const startedMs = clock.steadyMs();
      const deadline = new Deadline(exchangeTimeoutMs);
      try {
        const ended = await attempt(webhook, deadline, mayStillSend);
        const { isStale: _, ...result } = ended;
        return { ...result, durationMs: clock.steadyMs() - startedMs };
      } finally {
        deadline.cancel();
      }
    },
    close: async () => pool.close(),
  };
}

interface Target {
  /** null: the guard allows the URL. */
  readonly refusal: GuardRefusal | null;
  readonly origin: string;
  readonly host: string;
  /** With the query. */
  readonly path: string;
}

function readTarget(guard: WebhookUrlGuard, text: string): Target {
  const read = guard.read(text);
  if (!read.allowed) return { refusal: read.refusal, origin: '', host: '', path: '' };
  const { origin, host, pathname, search } = read.url;
  return { refusal: null, origin, host, path: `${pathname}${search}` };
}

/** `isStale`: a kept connection ended, or had bytes, before a byte of the answer came. */
type Ended = Omit<AttemptResult, 'durationMs'> & { readonly isStale: boolean };

async function exchangeOnce(
  { pool, clock }: { readonly pool: ConnectionPool; readonly clock: Clock },
  target: Target,
  webhook: OutgoingWebhook,
  options: {
    readonly deadline: Deadline;
    readonly isFresh: boolean;
    readonly mayStillSend: () => boolean;
  },
): Promise<Ended> {
  const { deadline, isFresh, mayStillSend } = options;
  const startedMs = clock.steadyMs();
  const times: ConnectTimes = {};
  let connection: PooledConnection;
  try {
    const { merchantId, endpointId, url } = webhook;
    const use = { merchantId, endpointId, url, origin: target.origin };
    connection = await pool.take(use, { times, deadline, isFresh });
  } catch (error) {
    return failed(error, { times });
  }
  const { socket, address, isReused, arrivedBytes } = connection;
  if (!mayStillSend()) {
    pool.give(connection, true);
    throw new SentTooLate();
  }
  let firstByteMs = 0;
  const onHead = () => {
    firstByteMs = clock.steadyMs() - startedMs;
  };
  let request: string;
  try {
    deadline.throwIfOver();
    request = renderRequest(target, headersOf(webhook, clock), webhook.body);
  } catch (error) {
    pool.give(connection, true);
    return failed(error, { times, address });
  }
  if (hasUnaskedBytes(socket, arrivedBytes)) {
    pool.give(connection, false);
    const early = new DeliveryFailure('ANSWER_TOO_EARLY');
    return { ...failed(early, { times, address }), isStale: isReused };
  }
  const answer = await exchangeHttps(socket, request, { deadline, onHead });
  pool.give(connection, answer.isReusable);
  const { head, bytes, error } = answer;
  if (head === null) {
    const ended = failed(error, { times, address });
    return {
      ...ended,
      isStale: isReused && answer.isSilent && ended.outcome === 'CONNECTION_LOST',
    };
  }
  const { status, contentEncoding, retryAfter } = head;
  return {
    outcome: error === null ? outcomeOfStatus(status) : outcomeOfError(error),
    httpStatus: status,
    responseExcerpt: excerptOf(bytes, contentEncoding),
    address,
    times: { ...times, firstByteMs },
    retryAfterSeconds: parseRetryAfter(retryAfter, clock.now()),
    errorCode: error === null ? null : codeOf(error),
    isStale: false,
  };
}

function failed(
  error: unknown,
  { times = {}, address = null }: { times?: ConnectTimes; address?: string | null } = {},
): Ended {
  return {
    outcome: outcomeOfError(error),
    httpStatus: null,
    responseExcerpt: null,
    address,
    times: { ...times },
    retryAfterSeconds: null,
    errorCode: codeOf(error),
    isStale: false,
  };
}

function headersOf(webhook: OutgoingWebhook, clock: Clock): Record<string, string> {
  const { id, body, username, password, signingSecrets, traceparent } = webhook;
  const timestamp = Math.floor(clock.now().getTime() / 1000);
  return webhookHeaders({
    id,
    timestamp,
    authorization: `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`,
    signature: signWebhook(signingSecrets, { id, timestamp, body }),
    traceparent,
  });
}
