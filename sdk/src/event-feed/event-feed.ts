import type { CallOptions } from '../call-options.ts';
import type { WebhookEventFilter } from '../webhook-endpoints/endpoint.ts';
import type { WebhookEvent } from '../webhooks/event.ts';

/** A page of the feed. */
export interface EventPage {
  /** Oldest first. */
  readonly items: readonly WebhookEvent[];
  /** Store it after the work on `items`; give it as `after` to continue behind them. */
  readonly nextCursor: string;
}

/** Events of your payment requests, oldest first; the client fetches pages as you read on. */
export interface EventFeed extends AsyncIterable<WebhookEvent> {
  /** Iterates over whole pages, each with the cursor to store. */
  pages(): AsyncIterable<EventPage>;
}

export interface FeedOptions extends CallOptions {
  /**
   * A `nextCursor` that you stored; absent: from the oldest event kept, 90 days; `latest`: only
   * events from now on.
   */
  readonly after?: string | undefined;
  /**
   * Only events of these types; absent: PAYMENT-COMPLETED and PAYMENT-FAILED; `['*']`: all, also
   * those that later versions of the service add. A stored `nextCursor` is a place among the events
   * of all types: with another choice it leads to the events after that place.
   */
  readonly eventTypes?: readonly WebhookEventFilter[] | undefined;
  /** Events in each page that the client fetches: 1 to 100. */
  readonly pageSize?: number | undefined;
  /**
   * 1 to 30. The feed then never ends: each call waits this long for the next event. Abort the
   * `signal` to stop; the iteration then throws the signal's reason. Without it the feed ends after
   * the latest event.
   */
  readonly waitSeconds?: number | undefined;
}

export interface EventCalls {
  /**
   * Reads the feed: every event of the types asked for, whether or not its webhook arrived. The
   * feed is the remedy for lost webhooks. An event can come twice, by webhook and by feed: compare
   * its `id`.
   *
   * @throws ProblemError `VALIDATION_ERROR` for a cursor of another merchant
   * @example
   * const feed = client.readEvents({ after: 'latest' });
   * for await (const { items, nextCursor } of feed.pages()) {
   *   for (const event of items) console.log(event.id, event.resource.status);
   *   console.log('store', nextCursor);
   * }
   */
  readEvents(options?: FeedOptions): EventFeed;
}
