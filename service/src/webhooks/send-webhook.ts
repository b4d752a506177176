import { createSecureContext, getCACertificates } from 'node:tls';
import type { Dispatcher } from 'undici';
import type { Clock } from '#lib/clock.ts';
import { excerptOf } from './answer-excerpt.ts';
import { createConnectionPool, type PooledConnection } from './connection-pool.ts';
import {
  codeOf,
  DeliveryFailure,
  type DeliveryOutcome,
  outcomeOfError,
  outcomeOfStatus,
} from './delivery-outcomes.ts';
import type { ConnectTimes } from './judged-connection.ts';
import { parseRetryAfter } from './retry-schedule.ts';
import { signWebhook } from './sign-webhook.ts';
import type { WebhookUrlGuard } from './webhook-url-guard.ts';

/** Promise 8: what a receiver may cost at most. The deadline is over everything, DNS included. */
const EXCHANGE_TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 5_000;
const MOST_BODY_BYTES = 16 * 1024;

const USER_AGENT = 'payment-requests-webhooks/1';

export interface OutgoingWebhook {
  readonly url: string;
  /** The event's id: the same at every attempt. */
  readonly id: string;
  readonly body: string;
  readonly username: string;
  readonly password: string;
  /** Every secret that is live: all of them sign. */
  readonly signingSecrets: readonly string[];
}

/** In milliseconds; what did not take place is left out, as on a connection that was kept. */
export interface AttemptTimes extends Readonly<ConnectTimes> {
  /** From the start of the exchange, connecting included, to the head of the answer. */
  readonly firstByteMs?: number;
}

export interface AttemptResult {
  readonly outcome: DeliveryOutcome;
  readonly httpStatus: number | null;
  readonly durationMs: number;
  /** Where it went. */
  readonly times: AttemptTimes;
  /** The answer's beginning as text, at most 4 KiB. */
  readonly responseExcerpt: string | null;
  /** The address that was connected to. */
  readonly address: string | null;
  readonly retryAfterSeconds: number | null;
  /** The library's code of what went wrong, for the log. */
  readonly errorCode: string | null;
}

export interface WebhookSender {
  /** Sends once. Never throws: what goes wrong is an outcome. Over within the deadline. */
  send(webhook: OutgoingWebhook): Promise<AttemptResult>;
  close(): Promise<void>;
}

export interface SenderNeeds {
  readonly clock: Clock;
  readonly guard: WebhookUrlGuard;
  /** Certificate authorities trusted beside the system's: the contents of WEBHOOK_CA_FILE. */
  readonly caPem: string | null;
  readonly exchangeTimeoutMs?: number;
  readonly connectTimeoutMs?: number;
}

/** Makes the one way by which webhooks leave the service (webhook-delivery, Mechanism). */
export function createWebhookSender(needs: SenderNeeds): WebhookSender {
  const { clock, guard, caPem, exchangeTimeoutMs = EXCHANGE_TIMEOUT_MS } = needs;
  const pool = createConnectionPool({
    clock,
    guard,
    secureContext: createSecureContext({
      minVersion: 'TLSv1.2',
      ...(caPem === null ? {} : { ca: [...getCACertificates('default'), caPem] }),
    }),
    connectTimeoutMs: needs.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
  });

  async function attempt(webhook: OutgoingWebhook, signal: AbortSignal): Promise<Ended> {
    const read = guard.read(webhook.url);
    if (!read.allowed) return failed(new DeliveryFailure(read.refusal), null);
    const { origin, pathname, search } = read.url;
    const exchange = (connection: PooledConnection) =>
      exchangeOnce(connection, `${pathname}${search}`, headersOf(webhook, clock), webhook.body, {
        signal,
        clock,
      });

    let connection = pool.take(origin);
    try {
      const ended = await exchange(connection);
      // A kept connection that the other side had just closed says nothing about the listener.
      const stale = connection.reused && ended.outcome === 'CONNECTION_LOST';
      if (!stale || connection.answering()) return ended;
      pool.give(connection);
      connection = pool.take(origin, { fresh: true });
      return await exchange(connection);
    } finally {
      pool.give(connection);
    }
  }

  return {
    async send(webhook) {
      const startedMs = clock.steadyMs();
      const deadline = new AbortController();
      const timer = setTimeout(
        () => deadline.abort(new DeliveryFailure('TIMED_OUT')),
        exchangeTimeoutMs,
      );
      try {
        const ended = await attempt(webhook, deadline.signal);
        return { ...ended, durationMs: clock.steadyMs() - startedMs };
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => pool.close(),
  };
}

type Ended = Omit<AttemptResult, 'durationMs'>;

async function exchangeOnce(
  connection: PooledConnection,
  path: string,
  headers: Record<string, string>,
  body: string,
  { signal, clock }: { signal: AbortSignal; clock: Clock },
): Promise<Ended> {
  const startedMs = clock.steadyMs();
  let answer: Dispatcher.ResponseData;
  try {
    answer = await connection.client.request({ method: 'POST', path, headers, body, signal });
  } catch (error) {
    return failed(error, connection);
  }
  const firstByteMs = clock.steadyMs() - startedMs;
  const { statusCode, headers: answered } = answer;
  const end = await readBeginning(answer);
  return {
    outcome: end.error === null ? outcomeOfStatus(statusCode) : outcomeOfError(end.error),
    httpStatus: statusCode,
    responseExcerpt: excerptOf(end.bytes, answered['content-encoding']),
    address: connection.address(),
    times: { ...connection.connectTimes(), firstByteMs },
    retryAfterSeconds: parseRetryAfter(answered['retry-after'], clock.now()),
    errorCode: end.error === null ? null : codeOf(end.error),
  };
}

/** Reads what may be read of a body. An answer longer than that counts by its status. */
async function readBeginning({ body }: Dispatcher.ResponseData): Promise<{
  readonly bytes: Buffer;
  readonly error: unknown;
}> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      // Leaving the loop destroys the body, and with it the connection.
      if (length > MOST_BODY_BYTES) break;
    }
    return { bytes: Buffer.concat(chunks), error: null };
  } catch (error) {
    return { bytes: Buffer.concat(chunks), error };
  }
}

function failed(
  error: unknown,
  connection: Pick<PooledConnection, 'address' | 'connectTimes'> | null,
): Ended {
  return {
    outcome: outcomeOfError(error),
    httpStatus: null,
    responseExcerpt: null,
    address: connection?.address() ?? null,
    times: { ...connection?.connectTimes() },
    retryAfterSeconds: null,
    errorCode: codeOf(error),
  };
}

function headersOf(webhook: OutgoingWebhook, clock: Clock): Record<string, string> {
  const { id, body, username, password, signingSecrets } = webhook;
  const timestamp = Math.floor(clock.now().getTime() / 1000);
  return {
    authorization: `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`,
    'content-type': 'application/json',
    // Asked for, and not relied on: a compressed answer is never unpacked.
    'accept-encoding': 'identity',
    'user-agent': USER_AGENT,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signWebhook(signingSecrets, { id, timestamp, body }),
  };
}
