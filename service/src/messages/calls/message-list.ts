import { makeList } from '#database/lists/list.ts';
import { csvForm } from '#lib/csv.ts';
import { ID_PLACE } from '#lib/cursor.ts';
import { throwFaults } from '#lib/first-faults.ts';
import { formatInstant } from '#lib/instant.ts';
import type { FieldFault } from '#lib/problem.ts';
import type { StoredMessage } from '#messages/model/message.ts';
import { findMessagePage } from './list-store.ts';
import { type MessageQuery, MessageQuerySchema } from './schemas.ts';

/** The messages about a payment request, newest first; their owner is the payment request. */
export const MESSAGE_LIST = makeList({
  name: 'messages',
  schema: MessageQuerySchema,
  readFilters(_: Partial<MessageQuery>, faults: readonly FieldFault[]) {
    throwFaults(faults);
    return { filters: {}, faults: [] };
  },
  identityOf: (paymentRequestId: string) => ['messages', paymentRequestId],
  place: ID_PLACE,
  placeOf: ({ id }: StoredMessage) => ({ id }),
  find: findMessagePage,
  csv: csvForm<StoredMessage>({
    id: ({ id }) => id,
    kind: ({ kind }) => kind,
    channel: ({ channel }) => channel,
    status: ({ status }) => status,
    scheduledDateTime: ({ dueAt }) => formatInstant(dueAt),
  }),
});
