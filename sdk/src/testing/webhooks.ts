import { InvalidArgumentError } from '../errors/invalid-argument-error.ts';
import type { WebhookEventFilter } from '../webhook-endpoints/endpoint.ts';
import type {
  AnyWebhookEvent,
  AnyWebhookEventType,
  ListenerCredentials,
} from '../webhooks/event.ts';
import { sealWebhook } from '../webhooks/make-test-webhook.ts';
import { newSigningSecret } from '../webhooks/signature.ts';
import { writeJson } from './amounts.ts';
import type { Schedule } from './schedule.ts';
import { BUSY_STATUSES, EVENT_TYPES, LIMITS, RETRY_SECONDS } from './tables.ts';

/** A webhook as it is sent, signed as by the service. */
export interface SentWebhook {
  /** Your `webhookUrl` of the payment request or refund, or that of all. */
  readonly url: string;
  readonly method: 'POST';
  readonly headers: Readonly<Record<string, string>>;
  /** Give it to `verifyWebhook` as it is. */
  readonly body: string;
  /** The parsed body. */
  readonly event: AnyWebhookEvent;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
}

/** The status of your listener, alone or as a response has it. */
export type ListenerAnswer = number | { readonly status: number };

/** A webhook that was sent, with the answer of your listener. */
export interface DeliveredWebhook extends SentWebhook {
  /** null: the listener failed, or its URL cannot be reached. */
  readonly status: number | null;
  /** Where `status` is null: what the listener threw, such as a failed assertion. */
  readonly error?: unknown;
}

/** Your listener: a function, or the URL to which all webhooks go. */
export type Listener =
  | string
  | ((webhook: SentWebhook) => ListenerAnswer | Promise<ListenerAnswer>);

export interface WebhooksOptions {
  readonly listener: Listener | undefined;
  readonly eventTypes: readonly WebhookEventFilter[] | undefined;
  readonly credentials: ListenerCredentials;
  readonly schedule: Schedule;
}

export interface NewEvent {
  readonly type: AnyWebhookEventType;
  readonly message: string;
  readonly resource: object;
  readonly sequence: number;
  /** The `webhookUrl` of the resource. */
  readonly ownUrl: unknown;
  readonly misbehaviour: string | undefined;
}

/** The URL that a function gets for events of an endpoint. */
const ENDPOINT_URL = 'https://listener.test/webhooks';
const GONE = 410;

/** Sends events as the service does: at once, then by the table of waits until a 2xx. */
export function createWebhooks({ listener, eventTypes, credentials, schedule }: WebhooksOptions) {
  const delivered: DeliveredWebhook[] = [];
  for (const type of eventTypes ?? []) {
    if (type === '*' || Object.hasOwn(EVENT_TYPES, type)) continue;
    throw new InvalidArgumentError(`eventTypes has "${type}", which is no type of an event.`);
  }
  const endpointUrl = typeof listener === 'string' ? listener : ENDPOINT_URL;

  function emit(event: NewEvent): void {
    const [resourceType, isSpecified, goesToOwnUrl] = EVENT_TYPES[event.type];
    if (listener === undefined || event.misbehaviour === 'NO_WEBHOOK') return;
    const isAsked = eventTypes
      ? eventTypes.includes(event.type) || eventTypes.includes('*')
      : isSpecified;
    const { message, sequence } = event;
    const head = { eventType: event.type, message, resourceType };
    const resource = writeJson(event.resource);
    const facts = { id: crypto.randomUUID(), sequence, now: schedule.now() };
    const urls = [goesToOwnUrl ? event.ownUrl : undefined, isAsked ? endpointUrl : undefined];
    for (const url of urls.filter((each) => typeof each === 'string')) {
      const attemptAt = (attempt: number, seconds: number) =>
        schedule.at(schedule.now().getTime() + seconds * 1000, async () => {
          const isForged = event.misbehaviour === 'BAD_SIGNATURE' && attempt === 1;
          const signer = isForged
            ? { ...credentials, signingSecret: newSigningSecret() }
            : credentials;
          const made = await sealWebhook(head, resource, signer, {
            ...facts,
            signedAt: new Date(),
          });
          const sent = { url, ...made, attempt } as SentWebhook;
          const answer = await send(listener, sent);
          const { status } = answer;
          delivered.push({ ...sent, ...answer });
          const isTaken = status !== null && status >= 200 && status < 300;
          const isRepeated = event.misbehaviour === 'DUPLICATE' && attempt === 1;
          const wait = isTaken ? (isRepeated ? 0 : undefined) : RETRY_SECONDS[attempt];
          if (wait === undefined || status === GONE) return;
          // A busy listener is left alone for a while.
          const least = BUSY_STATUSES.includes(status ?? 0) ? LIMITS.busyListenerSeconds : 0;
          attemptAt(attempt + 1, Math.max(wait, least));
        });
      attemptAt(1, RETRY_SECONDS[0] ?? 0);
    }
  }

  return { emit, delivered };
}

/** @returns status null: the listener failed, or its answer took longer than the service waits */
async function send(
  listener: Listener,
  webhook: SentWebhook,
): Promise<Pick<DeliveredWebhook, 'status' | 'error'>> {
  const timeout = new AbortController();
  const { signal } = timeout;
  const timedOut = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason)),
  );
  const late = new Error('The listener gave no whole answer in time.');
  const timer = setTimeout(() => timeout.abort(late), LIMITS.exchangeMs);
  try {
    const post = typeof listener === 'string' ? postTo(listener, signal) : listener;
    const answer = await Promise.race([post(webhook), timedOut]);
    return { status: typeof answer === 'number' ? answer : answer.status };
  } catch (error) {
    // A listener that fails gets the webhook again, as it does from the service.
    return { status: null, error };
  } finally {
    clearTimeout(timer);
  }
}

function postTo(url: string, signal: AbortSignal) {
  return async ({ method, headers, body }: SentWebhook): Promise<ListenerAnswer> => {
    const answer = await fetch(url, { method, headers, body, signal, redirect: 'manual' });
    await answer.arrayBuffer();
    return answer;
  };
}
