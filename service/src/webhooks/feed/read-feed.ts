import type { Executor } from '#database/database.ts';
import { DEFAULT_LIMIT } from '#database/lists/list.ts';
import { throwFaults } from '#lib/first-faults.ts';
import type { FieldFault } from '#lib/problem.ts';
import { eventTypesFault } from '#webhooks/endpoints/check-fields.ts';
import {
  ALL_EVENT_TYPES,
  EVENT_TYPES,
  SPECIFIED_EVENT_TYPES,
  type WebhookEventType,
} from '#webhooks/model/event-types.ts';
import { decodeFeedCursor, encodeFeedCursor, FEED_START, type FeedPosition } from './cursor.ts';
import { findLatest, readFeed } from './feed-store.ts';
import { type FeedQuery, LATEST } from './schemas.ts';
import type { FeedWaiters } from './wait-for-events.ts';

/**
 * Reads of a call that finds only events of other types, 5,000 in all: some ten milliseconds. The
 * next call goes on from there.
 */
const MOST_READS = 5;

export interface FeedDeps {
  readonly db: Executor;
  readonly feedWaiters: FeedWaiters;
}

/**
 * Reads the events of a merchant after a place (delivery §3). With `waitSeconds` an empty answer
 * waits until an event arrives or the time is over.
 *
 * @param faults the faults of the parameters that the schema found
 * @param gone   aborted when the caller has closed its connection
 * @throws Problem VALIDATION_ERROR, or RATE_LIMITED when too many wait
 */
export async function readEventFeed(
  { db, feedWaiters }: FeedDeps,
  merchantId: string,
  query: Partial<FeedQuery>,
  faults: readonly FieldFault[],
  gone: AbortSignal,
) {
  const types = parseEventTypes(query.eventTypes);
  throwFaults([...faults, isFault(types) ? types : null]);
  const eventTypes = isFault(types) ? null : types;
  const limit = query.limit ?? DEFAULT_LIMIT;
  const asked = placeOf(merchantId, query.after);
  const read = async (after: FeedPosition) => {
    // The row after the page tells whether there are more.
    const page = await readFeed(db, { merchantId, eventTypes, after, limit: limit + 1 });
    if (page.isForeign) throwFaults([OTHER_DATABASE]);
    return page;
  };
  let after = asked ?? (await findLatest(db, merchantId)) ?? FEED_START;
  let page = await read(after);
  for (let reads = 1; page.events.length === 0 && page.isCut && reads < MOST_READS; reads += 1) {
    after = page.seenTo ?? after;
    page = await read(after);
  }
  if (page.events.length === 0 && !page.isCut && query.waitSeconds) {
    // Events of other types that were looked at are not looked at again.
    after = page.seenTo ?? after;
    const follower = { merchantId, eventTypes, after };
    await feedWaiters.wait(follower, query.waitSeconds * 1000, gone);
    page = await read(after);
  }
  const events = page.events.slice(0, limit);
  const isFull = page.events.length > limit;
  return {
    /** Webhook bodies as they are delivered: JSON texts, oldest first. */
    bodies: events.map(({ body }) => body),
    hasMore: isFull || page.isCut,
    /** The cursor of the next call; it is never absent. */
    nextCursor: encodeFeedCursor(merchantId, (isFull ? events.at(-1) : page.seenTo) ?? after),
  };
}

function isFault(types: ShownEventTypes | FieldFault): types is FieldFault {
  return types !== null && 'message' in types;
}

/** The place of the parameter; null: after the latest event. */
function placeOf(merchantId: string, after: string | undefined): FeedPosition | null {
  if (after === undefined) return FEED_START;
  if (after === LATEST) return null;
  const place = decodeFeedCursor(merchantId, after);
  if (place === null) throwFaults([NOT_A_CURSOR]);
  return place;
}

const NOT_A_CURSOR: FieldFault = {
  field: 'after',
  code: 'INVALID_FORMAT',
  message: `Give after as the nextCursor of an earlier answer of this feed, or as ${LATEST}.`,
};
const OTHER_DATABASE: FieldFault = {
  field: 'after',
  code: 'INVALID_VALUE',
  message:
    'This cursor is of another database than this one, or of events that a restore of this one ' +
    'has lost. Begin without after, and skip the ids that you know.',
};

/** The types that a call of the feed shows; null: all, those of later versions too. */
type ShownEventTypes = readonly WebhookEventType[] | null;

/**
 * Reads the parameter `eventTypes`. Without it the feed keeps to the specified types
 * (contract §11). The schema refuses unknown types.
 */
function parseEventTypes(asked: unknown): ShownEventTypes | FieldFault {
  if (!Array.isArray(asked)) return SPECIFIED_EVENT_TYPES;
  if (!asked.includes(ALL_EVENT_TYPES)) return EVENT_TYPES.filter((type) => asked.includes(type));
  return eventTypesFault(asked);
}
