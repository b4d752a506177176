import { age, count, id, status, text, time } from '#console/lists/columns.ts';
import { CREATED_DAYS, type ListSpec, listWords } from '#console/lists/list-spec.ts';
import { merchantLink, type Named, namedRows } from '#console/lists/named-rows.ts';
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

const FIRST_COLUMNS = {
  kind: text<ListedMessage>((message, { language }) => messageName(language, message)),
  status: status<ListedMessage>('message', (message) => message.status),
  payer: PEOPLE.payer,
};
const LAST_COLUMNS = {
  reason: text<ListedMessage>((message, { language }) => reasonOf(language, message)),
  due: age<ListedMessage>((message) => message.dueAt),
  invoiceNumber: PEOPLE.invoiceNumber,
  sent: time<ListedMessage>((message) => message.sentAt),
  attempts: count<ListedMessage>((message) => message.attempts),
  created: time<ListedMessage>((message) => message.createdAt),
  paymentRequest: id<ListedMessage>((message) => message.paymentRequestId),
  id: id<ListedMessage>((message) => message.id),
};

/** The forms of the filters check them. */
const { schema: _, ...ROWS } = MESSAGES_OF_MERCHANT;

const LIST = {
  name: 'messages',
  filters: [
    statusFilter('message', MESSAGE_STATUSES),
    { name: 'kind', form: 'choices', options: KINDS, wordOf: kindWord },
    { name: 'channel', form: 'choice', options: CHANNELS, wordOf: channelWord },
    { name: 'undelivered', form: 'choice', options: ['yes'] },
    { name: 'paymentRequest', parameter: 'paymentRequestId', form: 'id' },
  ],
  days: CREATED_DAYS,
  words: listWords('console.lists.messages'),
  rows: withRequests(namedRows(ROWS), (message) => message.paymentRequestId),
  tabs: {
    queries: { all: '', waiting: 'status=SCHEDULED', undelivered: 'undelivered=yes' },
    most: MOST_COUNTED_MESSAGES,
    count: async (db, { merchant }) => ({ ...(await countMessages(db, merchant?.id ?? null)) }),
  },
  cameAt: (message) => message.createdAt,
  rowAddress: ({ merchantId, id }) => `/console/m/${merchantId}/messages/${id}`,
  rowName: ({ request }) => request?.payer.name ?? '',
} as const satisfies Partial<ListSpec<ListedMessage>>;

/** The messages to payers of a merchant, newest first. */
export const ownMessageList = (): ListSpec<ListedMessage> => ({
  ...LIST,
  path: '/m/:merchant/messages',
  section: 'messages',
  action: 'messages.read',
  columns: { ...FIRST_COLUMNS, ...LAST_COLUMNS },
  usual: 5,
  lead: 'leadOwn',
  acts: [{ word: 'suppressions', path: (_, { merchantId }) => `/m/${merchantId}/suppressions` }],
});

/** Those of all merchants, for operators. */
export const messageList = (): ListSpec<ListedMessage> => ({
  ...LIST,
  path: '/operator/messages',
  section: 'operator.messages',
  action: 'operator.messages.read',
  columns: {
    ...FIRST_COLUMNS,
    merchant: merchantLink((of) => `/m/${of}/messages`),
    ...LAST_COLUMNS,
  },
  usual: 6,
  lead: 'lead',
  acts: [{ word: 'suppressions', path: () => '/operator/suppressions' }],
});
