import { html } from 'ghtml';
import { badge } from '#console/components/badges.ts';
import { mayNamePayer, requestName, requestPath } from '#console/components/values.ts';
import { type Act, addingAct } from '#console/lists/acts.ts';
import { type ListColumns, show } from '#console/lists/columns.ts';
import {
  CREATED_DAYS,
  type ListSpec,
  listAt,
  listWords,
  statusFilter,
} from '#console/lists/list-spec.ts';
import { inBothScopes, type Named, namedRows } from '#console/lists/named-rows.ts';
import { pagedRows } from '#console/lists/paged-rows.ts';
import {
  type OfRequest,
  PEOPLE,
  REQUEST_FILTER,
  withRequests,
} from '#console/lists/rows-of-requests.ts';
import {
  channelWord,
  kindWord,
  MESSAGE_TEXTS,
  messageBadge,
  messageName,
  reasonOf,
} from '#console/messages/message-parts.ts';
import { memberForm } from '#lib/csv.ts';
import { KINDS } from '#messages/model/kinds.ts';
import type { StoredMessage } from '#messages/model/message.ts';
import { SUPPRESSIONS } from '#messages/model/suppression.ts';
import type { Template } from '#messages/model/template.ts';
import {
  countMessages,
  MESSAGES_OF_MERCHANT,
  MOST_COUNTED_MESSAGES,
} from '#messages/read/list-messages.ts';
import { type ListedSuppression, SUPPRESSION_LIST } from '#messages/read/list-suppressions.ts';
import { listTemplates } from '#messages/templates/read-templates.ts';
import { CHANNELS } from '#payment-requests/model/messages/delivery.ts';
import { MESSAGE_STATUSES } from '#payment-requests/model/messages/link-message.ts';

type ListedMessage = OfRequest<Named<StoredMessage>>;

const FIRST_COLUMNS: ListColumns<ListedMessage> = {
  kind: show.text((message, { language }) => messageName(language, message)),
  status: show.cell((message, visit) => messageBadge(visit, message)),
  payer: PEOPLE.payer,
};
const LAST_COLUMNS: ListColumns<ListedMessage> = {
  reason: show.text((message, visit) => reasonOf(visit, message)),
  next: show.age(({ nextAttemptAt: at }, { now }) => (at && at < now ? now : at)),
  sent: show.age((message) => message.sentAt),
  invoiceNumber: PEOPLE.invoiceNumber,
  due: show.age((message) => message.dueAt),
  attempts: show.count((message) => message.attempts),
  created: show.age((message) => message.createdAt),
  paymentRequest: show.id((message) => message.paymentRequestId),
  id: show.id((message) => message.id),
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
      REQUEST_FILTER,
    ],
    days: CREATED_DAYS,
    columns: [FIRST_COLUMNS, LAST_COLUMNS],
    usual: 6,
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

type ListedAddress = OfRequest<Named<ListedSuppression>>;

const REQUEST: ListColumns<ListedAddress> = {
  request: show.link(({ request, merchantId }, visit) => {
    if (!request) return null;
    const name = requestName(request, mayNamePayer(visit));
    return [requestPath(merchantId, request.id), html`${name}`];
  }),
};
const SUPPRESSION_LAST_COLUMNS: ListColumns<ListedAddress> = {
  reason: show.text(({ reason }, { language }) => MESSAGE_TEXTS[language].text(`reason.${reason}`)),
  channel: show.text(({ channel }, { language }) => channelWord(language, channel)),
  since: show.age((row) => row.createdAt),
};

const words = listWords('console.lists.suppressions');
const LIFT: Omit<Act<ListedAddress>, 'path'> = {
  word: 'lift',
  method: 'POST',
  look: 'slim',
  name: ({ request, channel }, { language }) =>
    words(language).text('liftOf', { name: request?.payer.name ?? channelWord(language, channel) }),
};

/** A merchant lifts what came back; the wish of a recipient is lifted by operators alone. */
const LIFTS: readonly Act<ListedAddress>[] = [
  {
    ...LIFT,
    may: 'messages.lift',
    path: ({ reason, merchantId, messageId }) =>
      reason === 'BOUNCED' ? `/m/${merchantId}/suppressions/${messageId}/lift` : null,
  },
  {
    ...LIFT,
    may: 'operator.messages.lift',
    path: ({ reason, messageId }) => `/operator/suppressions/${messageId}/${reason}/lift`,
  },
];

/** The addresses that messages do not reach. */
export const suppressionLists = (): readonly ListSpec<ListedAddress>[] =>
  inBothScopes({
    name: 'suppressions',
    section: 'messages',
    part: 'suppressions',
    filters: [
      {
        name: 'reason',
        form: 'choice',
        options: SUPPRESSIONS,
        wordOf: (language, reason) =>
          MESSAGE_TEXTS[language].text(`reason.${reason as ListedSuppression['reason']}`),
      },
      { name: 'channel', form: 'choice', options: CHANNELS, wordOf: channelWord },
    ],
    columns: [REQUEST, SUPPRESSION_LAST_COLUMNS],
    usual: 4,
    words,
    rows: withRequests(namedRows(SUPPRESSION_LIST), (row) => row.paymentRequestId),
    rowActs: LIFTS,
  });

const templateWords = listWords('console.lists.templates');
const ADD = addingAct(
  'add',
  'templates.change',
  ({ merchantId }) => `/m/${merchantId}/templates/new`,
);

/** The templates of a merchant: so few that they are one page. */
export const templateList = (): ListSpec<Template> => ({
  ...listAt('templates', templateWords),
  filters: [],
  columns: {
    template: show.cell(({ id }) => html`<code>${id}</code>`),
    state: show.cell(({ archivedAt }, { language }) => {
      const { text: word } = templateWords(language);
      return archivedAt ? badge(word('archived'), 'neutral') : badge(word('inUse'), 'good');
    }),
    languages: show.text(({ texts, footer }) =>
      [...new Set([...Object.keys(texts), ...Object.keys(footer)])].sort().join(', '),
    ),
    version: show.cell(({ version }) => `${version}`),
    changed: show.age(({ createdAt }) => createdAt),
  },
  usual: 5,
  lead: 'lead',
  rows: pagedRows(
    'message-templates',
    memberForm<Template>('id', 'version', 'replyTo', 'createdAt', 'archivedAt'),
    async (db, merchantId) => ({
      data: await listTemplates(db, `${merchantId}`),
      nextCursor: null,
    }),
  ),
  rowAddress: ({ id }, { merchantId }) => `/console/m/${merchantId}/template/${id}`,
  acts: [ADD],
  emptyActs: [ADD],
});
