import { noteAnswer } from '../answers.ts';
import { limitsOf, type MerchantCalls } from '../calls/merchant-calls.ts';
import { membersOf } from '../calls/send-call.ts';
import { writeQuery } from '../calls/write-query.ts';
import type { WebhookEventFilter } from '../webhook-endpoints/endpoint.ts';
import type { EventCalls, EventOf, EventPage, FeedOptions } from './event-feed.ts';

/** A service that stops answers waiting calls at once. The pause keeps the loop from spinning. */
const LEAST_PAUSE_MS = 1_000;

export function createEventCalls(calls: MerchantCalls): EventCalls {
  return {
    readEvents<Types extends WebhookEventFilter>(options: FeedOptions<Types> = {}) {
      const pages = () => fetchPages(calls, options);
      return {
        pages,
        async *[Symbol.asyncIterator]() {
          for await (const { items } of pages()) {
            for (const item of items) {
              yield item;
              // An abort inside the loop ends it before the rest of the page.
              options.signal?.throwIfAborted();
            }
          }
        },
      };
    },
  };
}

async function* fetchPages<Types extends WebhookEventFilter>(
  calls: MerchantCalls,
  { after, eventTypes, pageSize, waitSeconds, ...options }: FeedOptions<Types>,
): AsyncGenerator<EventPage<EventOf<Types>>, void, undefined> {
  const { clock } = calls.transport;
  let cursor = after;
  for (;;) {
    const startedAt = clock.now();
    const types = eventTypes?.join(',');
    const query = writeQuery({ after: cursor, eventTypes: types, limit: pageSize, waitSeconds });
    const answer = await calls.call({
      method: 'GET',
      path: `/events${query}`,
      waitMs: (waitSeconds ?? 0) * 1000,
      ...limitsOf(options),
    });
    const { data, hasMore, nextCursor } = membersOf(answer);
    const items = (Array.isArray(data) ? data : []) as EventOf<Types>[];
    const isMoved = typeof nextCursor === 'string' && nextCursor !== cursor;
    // An empty page that moves has the cursor behind the latest event.
    if (isMoved) yield noteAnswer({ items, nextCursor }, answer);
    cursor = isMoved ? nextCursor : cursor;
    if (hasMore === true && isMoved) continue;
    if (waitSeconds === undefined) return;
    const tookMs = clock.now() - startedAt;
    if (items.length === 0 && tookMs < LEAST_PAUSE_MS) {
      await clock.sleep(LEAST_PAUSE_MS - tookMs, options.signal);
    }
  }
}
