import { html } from 'ghtml';
import { amountText, requestPath } from '#console/components/values.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import { age, code, date, id, reference } from '#console/lists/columns.ts';
import { type ListSpec, listWords } from '#console/lists/list-spec.ts';
import { firstDayOf, isPeriod, PERIODS, startOfDay } from '#console/lists/model/days.ts';
import { type OfRequest, PEOPLE, withRequests } from '#console/lists/rows-of-requests.ts';
import { entryType, ownAmount } from '#console/money/entry-columns.ts';
import { MONEY_WORDS } from '#console/money/texts.ts';
import { ledgerList as listOf, readEntries } from '#ledger/entries/read-entries.ts';
import { ShownEntriesQuerySchema } from '#ledger/entries/schemas.ts';
import { ENTRY_TYPES, type EntryType } from '#ledger/model/entry.ts';
import type { StoredEntry } from '#ledger/model/stored-entry.ts';

const words = listWords('console.lists.ledger');

/** A merchant's ledger, oldest first, by the filters of the call that lists it. */
export const ledgerList = ({
  timeZone,
}: Pick<ConsoleDeps, 'timeZone'>): ListSpec<OfRequest<StoredEntry>> => ({
  name: 'ledger',
  path: '/m/:merchant/ledger',
  action: 'ledger.read',
  filters: [
    {
      name: 'type',
      form: 'choices',
      options: Object.keys(ENTRY_TYPES),
      wordOf: (language, type) => MONEY_WORDS[language].text(`type.${type as EntryType}`),
    },
    {
      name: 'recorded',
      form: 'choice',
      options: Object.keys(PERIODS),
      wordOf: (language, period) => words(language).text(`period.${period}`),
      parametersOf: (period, { now, timeZone: zone }) =>
        isPeriod(period) ? { recordedFrom: startOfDay(firstDayOf(period, now, zone), zone) } : {},
    },
    { name: 'paymentRequest', parameter: 'paymentRequestId', form: 'id' },
  ],
  days: { names: ['from', 'to'], parameters: ['from', 'to'], datesIn: timeZone },
  columns: {
    type: entryType,
    amount: ownAmount,
    ...PEOPLE,
    booked: date((entry) => entry.bookingDate),
    learned: age((entry) => entry.createdAt),
    networkReference: reference((entry) => entry.networkReference),
    request: id((entry) => entry.paymentRequestId),
    reference: code((entry) => entry.bankReference),
    refund: id((entry) => entry.refundId),
    id: id((entry) => entry.id),
  },
  usual: 6,
  pageRows: 100,
  words,
  lead: 'lead',
  rows: withRequests(
    {
      ...listOf(timeZone),
      schema: ShownEntriesQuerySchema,
      async readPage(db, merchantId, { cursor, ...query }, faults) {
        const asked = { ...query, ...(cursor && { after: String(cursor) }) };
        const page = await readEntries({ db, timeZone }, `${merchantId}`, asked, faults);
        return { data: page.entries, nextCursor: page.hasMore ? page.nextCursor : null };
      },
    },
    (entry) => entry.paymentRequestId,
  ),
  rowName: ({ amountCents, currency, request }, visit) =>
    `${amountText(visit, amountCents, currency)}, ${request?.payer.name ?? ''}`,
  rowAddress: ({ paymentRequestId: of }, { merchantId }) => of && requestPath(merchantId, of),
  frame: ({ merchantId, language }) => ({
    before: html`<p class="crumbs"><a href="/console/m/${merchantId}/report"
>← ${words(language).text('back')}</a></p>`,
  }),
});
