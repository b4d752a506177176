import { html } from 'ghtml';
import { requestPath, shortId } from '#console/components/amount.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import { code, date, id, link, money, reference, text, time } from '#console/lists/columns.ts';
import { type ListSpec, listWords } from '#console/lists/list-spec.ts';
import { MONEY_WORDS } from '#console/money/texts.ts';
import { ledgerList as listOf, readEntries } from '#ledger/entries/read-entries.ts';
import { ENTRY_TYPES, type EntryType } from '#ledger/model/entry.ts';
import type { StoredEntry } from '#ledger/model/stored-entry.ts';

const words = listWords('console.lists.ledger');

/** A merchant's ledger, oldest first, by the filters of the call that lists it. */
export const ledgerList = ({ timeZone }: Pick<ConsoleDeps, 'timeZone'>): ListSpec<StoredEntry> => ({
  name: 'ledger',
  path: '/m/:merchant/ledger',
  section: 'report',
  action: 'ledger.read',
  filters: [
    {
      name: 'type',
      form: 'choices',
      options: Object.keys(ENTRY_TYPES),
      wordOf: (language, type) => MONEY_WORDS[language].text(`type.${type as EntryType}`),
    },
    { name: 'paymentRequest', parameter: 'paymentRequestId', form: 'id' },
  ],
  days: { names: ['from', 'to'], parameters: ['from', 'to'], datesIn: timeZone },
  columns: {
    type: text(({ type }, { language }) => MONEY_WORDS[language].text(`type.${type}`)),
    amount: money(
      (entry) => entry.amountCents,
      (entry) => entry.currency,
    ),
    networkReference: reference((entry) => entry.networkReference),
    request: link(
      ({ paymentRequestId: of }, { merchantId }) =>
        of && ([requestPath(merchantId, of), shortId(of)] as const),
    ),
    booked: date((entry) => entry.bookingDate),
    learned: time((entry) => entry.createdAt),
    reference: code((entry) => entry.bankReference),
    refund: id((entry) => entry.refundId),
    id: id((entry) => entry.id),
  },
  usual: 6,
  pageRows: 100,
  words,
  lead: 'lead',
  rows: {
    ...listOf(timeZone),
    async readPage(db, merchantId, { cursor, ...query }, faults) {
      const asked = { ...query, ...(cursor && { after: String(cursor) }) };
      const page = await readEntries({ db, timeZone }, `${merchantId}`, asked, faults);
      return { data: page.entries, nextCursor: page.hasMore ? page.nextCursor : null };
    },
  },
  rowAddress: ({ paymentRequestId: of }, { merchantId }) => of && requestPath(merchantId, of),
  frame: ({ merchantId, language }) => ({
    before: html`<p class="crumbs"><a href="/console/m/${merchantId}/report"
>← ${words(language).text('back')}</a></p>`,
  }),
});
