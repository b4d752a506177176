import { setTimeout as wait } from 'node:timers/promises';
import { describeProblem, type MerchantApi } from './merchant-api.ts';
import { splitJsonArray } from './split-json-array.ts';
import { ToolFault } from './tool.ts';

/** The longest wait of a call; then the call is repeated. */
const WAIT_SECONDS = 30;
const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 15_000;

/** An event of the feed. */
export interface FeedEvent {
  /** The webhook's body, byte for byte. */
  readonly body: string;
  readonly id: string;
  readonly eventType: string;
  readonly sequence: number;
  readonly createdDateTime: string;
  /** A payment request, or a refund, which names its payment request. */
  readonly resource: {
    readonly id: string;
    readonly status: string;
    readonly paymentRequestId?: string;
  };
}

export interface FollowedPage {
  readonly events: readonly FeedEvent[];
  readonly cursor: string;
}

export interface FollowOptions {
  /** A cursor; `latest`; or null for the oldest event kept. */
  readonly after: string | null;
  /** null: those that the feed shows unasked. */
  readonly eventTypes: readonly string[] | null;
  readonly signal: AbortSignal;
  /** The service cannot be reached or is in trouble; it is asked again. */
  readonly onTrouble: (reason: string) => void;
}

/**
 * Follows a merchant's feed until `signal`: first an empty page with where it begins.
 * @throws ToolFault where the service refuses the call itself
 */
export async function* followFeed(
  api: MerchantApi,
  { after, eventTypes, signal, onTrouble }: FollowOptions,
): AsyncGenerator<FollowedPage> {
  let cursor = after;
  let failures = 0;
  // Not waiting the first time tells where the feed ends now.
  let waitSeconds = cursor === 'latest' ? 0 : WAIT_SECONDS;
  while (!signal.aborted) {
    const query = new URLSearchParams({
      limit: '100',
      ...(eventTypes !== null && { eventTypes: eventTypes.join(',') }),
      ...(cursor !== null && { after: cursor }),
      ...(waitSeconds > 0 && { waitSeconds: String(waitSeconds) }),
    });
    try {
      const answer = await api.call('GET', `/events?${query}`);
      if (answer.status === 200) {
        const { nextCursor } = answer.json;
        if (typeof nextCursor !== 'string') throw new Error('the answer is no page of the feed');
        cursor = nextCursor;
        failures = 0;
        waitSeconds = WAIT_SECONDS;
        yield { events: eventsOf(answer.text), cursor: nextCursor };
        continue;
      }
      const isRefused = answer.status < 500 && answer.status !== 429;
      if (isRefused) throw new ToolFault(`The feed answered ${describeProblem(answer)}`);
      onTrouble(describeProblem(answer));
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ToolFault) throw error;
      const { message, cause } = error instanceof Error ? error : new Error(String(error));
      onTrouble(cause instanceof Error ? `${message} (${cause.message})` : message);
    }
    const pauseMs = Math.min(FIRST_BACKOFF_MS * 2 ** failures++, LONGEST_BACKOFF_MS);
    await wait(pauseMs, undefined, { signal }).catch(() => {});
  }
}

/** The bodies as they were sent: what is forwarded is what a listener would get. */
function eventsOf(text: string): FeedEvent[] {
  const bodies = splitJsonArray(text.slice(text.indexOf('[')));
  return bodies.map((body) => ({ ...JSON.parse(body), body }));
}
