import { age, count, id, type ListColumns, status, text, time } from '#console/lists/columns.ts';
import { CREATED_DAYS, type ListSpec, listWords } from '#console/lists/list-spec.ts';
import { inBothScopes, type Named, namedRows } from '#console/lists/named-rows.ts';
import { type OfRequest, PEOPLE, withRequests } from '#console/lists/rows-of-requests.ts';
import { statusFilter } from '#console/lists/status-tabs.ts';
import { channelWord, kindWord, messageName, reasonOf } from '#console/messages/message-parts.ts';
import { KINDS } from '#messages/model/kinds.ts';
import type { StoredMessage } from '#messages/model/message.ts';
import {
  countMessages,
  MESSAGES_OF_MERCHANT,
  MOST_COUNTED_MESSAGES,
} from '#messages/read/list-messages.ts';
import { CHANNELS } from '#payment-requests/model/messages/delivery.ts';
import { MESSAGE_STATUSES } from '#payment-requests/model/messages/link-message.ts';

type ListedMessage = OfRequest<Named<StoredMessage>>;

const FIRST_COLUMNS: ListColumns<ListedMessage> = {
  kind: text((message, { language }) => messageName(language, message)),
  status: status('message', (message) => message.status),
  payer: PEOPLE.payer,
};
const LAST_COLUMNS: ListColumns<ListedMessage> = {
  reason: text((message, { language }) => reasonOf(language, message)),
  due: age((message) => message.dueAt),
  invoiceNumber: PEOPLE.invoiceNumber,
  sent: time((message) => message.sentAt),
  attempts: count((message) => message.attempts),
  created: time((message) => message.createdAt),
  paymentRequest: id((message) => message.paymentRequestId),
  id: id((message) => message.id),
};

/** The messages to payers, newest first. */
export const messageLists = (): readonly ListSpec<ListedMessage>[] =>
  inBothScopes({
    name: 'messages',
    section: 'messages',
    part: 'messages',
    filters: [
      statusFilter('message', MESSAGE_STATUSES),
      { name: 'kind', form: 'choices', options: KINDS, wordOf: kindWord },
      { name: 'channel', form: 'choice', options: CHANNELS, wordOf: channelWord },
      { name: 'undelivered', form: 'choice', options: ['yes'] },
      { name: 'paymentRequest', parameter: 'paymentRequestId', form: 'id' },
    ],
    days: CREATED_DAYS,
    columns: [FIRST_COLUMNS, LAST_COLUMNS],
    usual: 5,
    words: listWords('console.lists.messages'),
    rows: withRequests(namedRows(MESSAGES_OF_MERCHANT), (message) => message.paymentRequestId),
    tabs: {
      queries: { all: '', waiting: 'status=SCHEDULED', undelivered: 'undelivered=yes' },
      most: MOST_COUNTED_MESSAGES,
      count: async (db, { merchant }) => ({ ...(await countMessages(db, merchant?.id ?? null)) }),
    },
    cameAt: (message) => message.createdAt,
    rowAddress: ({ merchantId, id }) => `/console/m/${merchantId}/messages/${id}`,
    rowName: ({ request }) => request?.payer.name ?? '',
    acts: [
      {
        word: 'suppressions',
        path: (_, { merchant }) => `${merchant ? `/m/${merchant.id}` : '/operator'}/suppressions`,
      },
    ],
  });
