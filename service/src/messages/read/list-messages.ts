import type { Executor } from '#database/database.ts';
import { createdRangeFaults, readCreatedRange } from '#database/lists/created-range.ts';
import { type List, makeList } from '#database/lists/list.ts';
import { memberForm } from '#lib/csv.ts';
import { ID_PLACE } from '#lib/cursor.ts';
import { isId } from '#lib/new-id.ts';
import type { FieldFault } from '#lib/problem.ts';
import type { StoredMessage } from '#messages/model/message.ts';
import {
  type ChannelHealth,
  countAll,
  countOwn,
  countUndelivered,
  findChannels,
  findMessages,
  findOwnMessage,
  type KeptMessage,
  type MessageCounts,
  MOST_COUNTED,
} from './message-store.ts';

export type { ChannelHealth, KeptMessage, MessageCounts };
export const MOST_COUNTED_MESSAGES = MOST_COUNTED;

/** The parameters of the list for people. */
export interface MessageListQuery {
  readonly status: readonly string[];
  readonly kind: readonly string[];
  readonly channel: string;
  readonly paymentRequestId: string;
  /** Links that did not arrive, whose payers could still pay. */
  readonly undelivered: string;
  readonly createdFrom: string;
  readonly createdTo: string;
  readonly limit: number;
  readonly cursor: string;
}

/** The messages of a merchant or, with null, of all merchants, newest first. */
export const MESSAGES_OF_MERCHANT: List<MessageListQuery, StoredMessage, string | null> = makeList({
  name: 'messages',
  schema: { properties: {} },
  readFilters(query: Partial<MessageListQuery>) {
    const faults: FieldFault[] = [];
    const { status, kind, channel, paymentRequestId, undelivered } = query;
    const filters = {
      statuses: status ?? null,
      kinds: kind ?? null,
      channel: channel ?? null,
      paymentRequestId: paymentRequestId ?? null,
      isUndelivered: undelivered !== undefined,
      ...readCreatedRange(query, faults),
    };
    return { filters, faults: [...faults, ...createdRangeFaults(filters)] };
  },
  identityOf: (merchantId, filters) => ['messages-of-merchant', merchantId, filters],
  place: ID_PLACE,
  placeOf: ({ id }: StoredMessage) => ({ id }),
  find: findMessages,
  // Without what the sandbox "sent", which holds the payer's name.
  csv: memberForm<StoredMessage>(
    ...(['id', 'kind', 'channel', 'status', 'reason', 'merchantId', 'paymentRequestId'] as const),
    ...(['dueAt', 'sentAt', 'attempts', 'createdAt'] as const),
  ),
});

/** How many messages there are, wait, and are links that did not arrive; up to 1,001 each. */
export function countMessages(db: Executor, merchantId: string | null): Promise<MessageCounts> {
  return merchantId === null ? countAll(db) : countOwn(db, merchantId);
}

/** How many links of a merchant did not arrive, while their payers could still pay. */
export function countUndeliveredLinks(db: Executor, merchantId: string): Promise<number> {
  return countUndelivered(db, merchantId);
}

/** A merchant's message; undefined: there is none with this id. */
export async function readMessage(
  db: Executor,
  merchantId: string,
  id: string,
): Promise<KeptMessage | undefined> {
  return isId(id) ? findOwnMessage(db, id, merchantId) : undefined;
}

/** How each channel is doing. */
export function readChannels(db: Executor): Promise<readonly ChannelHealth[]> {
  return findChannels(db);
}
