import type { CallOptions } from '../call-options.ts';
import type { WebhookEventFilter } from '../webhook-endpoints/endpoint.ts';
import type { AnyWebhookEvent, WebhookEvent, WebhookEventType } from '../webhooks/event.ts';

/** The events of these types. */
export type EventOf<Types extends WebhookEventFilter> = '*' extends Types
  ? AnyWebhookEvent
  : Extract<AnyWebhookEvent, { readonly eventType: Types }>;

/** A page of the feed. */
export interface EventPage<Event extends AnyWebhookEvent = WebhookEvent> {
  /** Oldest first. */
  readonly items: readonly Event[];
  /** Store it after the work on `items`; give it as `after` to continue behind them. */
  readonly nextCursor: string;
}

/** Events of your payment requests, oldest first; the client fetches pages as you read on. */
export interface EventFeed<Event extends AnyWebhookEvent = WebhookEvent>
  extends AsyncIterable<Event> {
  /** Iterates over whole pages, each with the cursor to store. */
  pages(): AsyncIterable<EventPage<Event>>;
}

export interface FeedOptions<Types extends WebhookEventFilter = WebhookEventType>
  extends CallOptions {
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
  readonly eventTypes?: readonly Types[] | undefined;
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
   * its `id`. `eventTypes` sets the type of the events.
   *
   * @throws ProblemError `VALIDATION_ERROR` for a cursor of another merchant
   * @example
   * const feed = client.readEvents({ after: 'latest' });
   * for await (const { items, nextCursor } of feed.pages()) {
   *   for (const event of items) console.log(event.id, event.resource.status);
   *   console.log('store', nextCursor);
   * }
   */
  readEvents<Types extends WebhookEventFilter = WebhookEventType>(
    options?: FeedOptions<Types>,
  ): EventFeed<EventOf<Types>>;
}
