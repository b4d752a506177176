import { html } from 'ghtml';
import { inGroups, requestPath } from '#console/components/values.ts';
import { cell, code, date, id, text } from '#console/lists/columns.ts';
import { type ListSpec, listWords } from '#console/lists/list-spec.ts';
import { pagedRows } from '#console/lists/paged-rows.ts';
import { aboutFile, entryBadge } from '#console/money/bank/file-page.ts';
import { ownAmount } from '#console/money/entry-columns.ts';
import type { MoneyParts } from '#console/money/money-deps.ts';
import { BANK_TEXTS } from '#console/money/texts.ts';
import { known } from '#console/shell/known.ts';
import {
  type BookEntry,
  ENTRY_VERDICTS,
  type EntrySum,
  type EntryVerdict,
} from '#e-transfer/network-books.ts';
import { csvForm, memberColumns } from '#lib/csv.ts';

const words = listWords('console.lists.bank-entries');
const CSV = csvForm(
  memberColumns<BookEntry>(
    ...(['id', 'account', 'verdict', 'outcome', 'amountCents', 'currency'] as const),
    ...(['bookingDate', 'bankReference', 'paymentRequestId', 'merchantId', 'caseId'] as const),
  ),
);

/** The payments of a file of the bank, on the file's page. */
export const bankEntryList = ({ books }: Pick<MoneyParts, 'books'>): ListSpec<BookEntry> => ({
  name: 'bank-entries',
  path: '/operator/bank-files/:id',
  action: 'operator.bank.read',
  filters: [
    {
      name: 'match',
      form: 'choice',
      options: ENTRY_VERDICTS,
      wordOf: (language, match) => BANK_TEXTS[language].text(`match.${match as EntryVerdict}`),
    },
  ],
  columns: {
    reference: code((entry) => entry.bankReference),
    booked: date((entry) => entry.bookingDate),
    amount: ownAmount,
    match: cell(({ verdict }, visit) => entryBadge(visit, verdict)),
    leads: cell(({ caseId, merchantId, paymentRequestId }, { language }) => {
      const { text } = BANK_TEXTS[language];
      const links = [
        caseId && html`<a href="/console/operator/cases/${caseId}">${text('leads.case')}</a>`,
        merchantId &&
          paymentRequestId &&
          html`<a href="${requestPath(merchantId, paymentRequestId)}">${text('leads.request')}</a>`,
      ].filter(Boolean);
      return links.join(', ') || null;
    }),
    account: cell(({ account }) => inGroups(account)),
    outcome: text((entry) => entry.outcome),
    paymentRequest: id((entry) => entry.paymentRequestId),
  },
  usual: 6,
  pageRows: 100,
  words,
  rows: pagedRows('bank-entries', CSV, async (_db, _merchant, asked) => {
    const { cursor: after, limit, filter } = asked;
    const verdict = filter('match') as EntryVerdict | null;
    const fileId = filter('id') ?? '';
    const found = await books?.entries({ fileId, verdict, after, limit });
    const { data = [], next = null } = found ?? {};
    // A file without payments has no rows; one that is not there has no CSV.
    if (data.length === 0 && after === null) known(await books?.file(fileId));
    return { data, nextCursor: next };
  }),
  tabs: {
    queries: {
      all: '',
      ...Object.fromEntries(ENTRY_VERDICTS.map((verdict) => [verdict, `match=${verdict}`])),
    },
    most: Infinity,
    hidesEmpty: true,
  },
  async frame(visit) {
    const contents = known(await books?.file(visit.params.id ?? ''));
    const sum = (sums: readonly EntrySum[]) => sums.reduce((total, { count }) => total + count, 0);
    const { sums } = contents;
    const ofVerdicts = ENTRY_VERDICTS.map(
      (match) => [match, sum(sums.filter(({ verdict }) => verdict === match))] as const,
    );
    return {
      before: aboutFile(visit, contents),
      counts: { ...Object.fromEntries(ofVerdicts), all: sum(sums) },
      heading: html`<h2>${words(visit.language).text('title')}</h2>`,
    };
  },
});
