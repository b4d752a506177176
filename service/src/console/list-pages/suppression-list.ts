import { html } from 'ghtml';
import { mayNamePayer, requestName, requestPath } from '#console/components/values.ts';
import type { Act } from '#console/lists/acts.ts';
import { age, type ListColumns, link, text } from '#console/lists/columns.ts';
import { type ListSpec, listWords } from '#console/lists/list-spec.ts';
import { inBothScopes, type Named, namedRows } from '#console/lists/named-rows.ts';
import { type OfRequest, withRequests } from '#console/lists/rows-of-requests.ts';
import { channelWord, MESSAGE_TEXTS } from '#console/messages/message-parts.ts';
import { SUPPRESSIONS } from '#messages/model/suppression.ts';
import { type ListedSuppression, SUPPRESSION_LIST } from '#messages/read/list-suppressions.ts';
import { CHANNELS } from '#payment-requests/model/messages/delivery.ts';

type ListedAddress = OfRequest<Named<ListedSuppression>>;

const REQUEST: ListColumns<ListedAddress> = {
  request: link(({ request, merchantId }, visit) => {
    if (!request) return null;
    const name = requestName(request, mayNamePayer(visit));
    return [requestPath(merchantId, request.id), html`${name}`];
  }),
};
const LAST_COLUMNS: ListColumns<ListedAddress> = {
  reason: text(({ reason }, { language }) => MESSAGE_TEXTS[language].text(`reason.${reason}`)),
  channel: text(({ channel }, { language }) => channelWord(language, channel)),
  since: age((row) => row.createdAt),
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
    columns: [REQUEST, LAST_COLUMNS],
    usual: 4,
    words,
    rows: withRequests(namedRows(SUPPRESSION_LIST), (row) => row.paymentRequestId),
    rowActs: LIFTS,
  });
