import { html } from 'ghtml';
import { badgeWithReason } from '#console/components/badges.ts';
import { emptyState } from '#console/components/parts.ts';
import { inGroups, mayNamePayer, requestName, requestPath } from '#console/components/values.ts';
import { show } from '#console/lists/columns.ts';
import { type ListSpec, listAt, listWords } from '#console/lists/list-spec.ts';
import { pagedRows } from '#console/lists/paged-rows.ts';
import { type OfRequest, withRequests } from '#console/lists/rows-of-requests.ts';
import { uploadAct } from '#console/money/bank/connection-page.ts';
import {
  aboutFile,
  accountOf,
  daysOf,
  entryBadge,
  fileBadge,
  sizeText,
} from '#console/money/bank/file-page.ts';
import type { MoneyParts } from '#console/money/money-deps.ts';
import { BANK_TEXTS, ownAmount } from '#console/money/texts.ts';
import { known } from '#console/shell/known.ts';
import {
  type BookEntry,
  type BookFile,
  ENTRY_VERDICTS,
  type EntrySum,
  type EntryVerdict,
  FILE_STATES,
  type FileState,
} from '#e-transfer/network-books.ts';
import { memberForm } from '#lib/csv.ts';

const CSV = memberForm<BookFile>(
  ...(['id', 'state', 'kind', 'reason', 'sizeBytes', 'receivedAt', 'completedAt'] as const),
  ...(['statements', 'entries', 'firstDay', 'lastDay', 'account', 'accounts'] as const),
  ...(['amountCents', 'currency'] as const),
);

/** The files of the bank with their verdicts, newest first. */
export const bankFileList = ({ books }: Pick<MoneyParts, 'books'>): ListSpec<BookFile> => ({
  ...listAt('operator.bank-files', listWords('console.lists.bank-files')),
  filters: [
    {
      name: 'state',
      form: 'choice',
      options: FILE_STATES,
      wordOf: (language, state) => BANK_TEXTS[language].text(`state.${state as FileState}`),
    },
  ],
  columns: {
    received: show.age((file) => file.receivedAt),
    verdict: show.cell((file, visit) => badgeWithReason(fileBadge(visit, file), file.reason)),
    account: show.cell(accountOf),
    sum: show.money(
      (file) => file.amountCents,
      (file) => file.currency ?? '',
    ),
    entries: show.count((file) => file.entries),
    days: show.cell(daysOf),
    statements: show.count((file) => file.statements),
    matched: show.age((file) => file.completedAt),
    kind: show.text((file) => file.kind),
    size: { isNumber: true, cell: ({ sizeBytes }, visit) => sizeText(visit, sizeBytes) },
  },
  usual: 6,
  pageRows: 50,
  lead: 'lead',
  rows: pagedRows('bank-files', CSV, async (_db, _merchant, asked) => {
    const { cursor: after, limit, filter } = asked;
    const state = filter('state') as FileState | null;
    const { data = [], next = null } = (await books?.files({ state, after, limit })) ?? {};
    return { data, nextCursor: next };
  }),
  cameAt: (file) => file.receivedAt,
  rowAddress: ({ id }) => `/console/operator/bank-files/${id}`,
  frame: ({ language }) =>
    books ? {} : { instead: emptyState(BANK_TEXTS[language].text('noBooks')) },
});

const words = listWords('console.lists.bank-entries');
const BANK_ENTRY_CSV = memberForm<BookEntry>(
  ...(['id', 'account', 'verdict', 'outcome', 'amountCents', 'currency'] as const),
  ...(['bookingDate', 'bankReference', 'paymentRequestId', 'merchantId', 'caseId'] as const),
);

/** The payments of a file of the bank, on the file's page. */
export const bankEntryList = ({
  books,
}: Pick<MoneyParts, 'books'>): ListSpec<OfRequest<BookEntry>> => ({
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
    reference: show.code((entry) => entry.bankReference),
    booked: show.date((entry) => entry.bookingDate),
    amount: ownAmount,
    match: show.cell(({ verdict }, visit) => entryBadge(visit, verdict)),
    leads: show.cell(({ caseId, request }, visit) => {
      const { text } = BANK_TEXTS[visit.language];
      const links = [
        caseId && html`<a href="/console/operator/cases/${caseId}">${text('leads.case')}</a>`,
        request &&
          html`<a href="${requestPath(request.merchantId, request.id)}"
>${requestName(request, mayNamePayer(visit))}</a>`,
      ].filter(Boolean);
      return links.join(', ') || null;
    }),
    account: show.cell(({ account }) => inGroups(account)),
    outcome: show.text((entry) => entry.outcome),
    paymentRequest: show.id((entry) => entry.paymentRequestId),
  },
  usual: 6,
  pageRows: 100,
  words,
  rows: withRequests(
    pagedRows('bank-entries', BANK_ENTRY_CSV, async (_db, _merchant, asked) => {
      const { cursor: after, limit, filter } = asked;
      const verdict = filter('match') as EntryVerdict | null;
      const fileId = filter('id') ?? '';
      const found = await books?.entries({ fileId, verdict, after, limit });
      const { data = [], next = null } = found ?? {};
      // A file without payments has no rows; one that is not there has no page.
      if (data.length === 0 && after === null) known(await books?.file(fileId));
      return { data, nextCursor: next };
    }),
    (entry) => entry.paymentRequestId,
  ),
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
      // Nothing of a refused file counts: the next one may.
      ...(contents.file.state === 'REFUSED' && { instead: uploadAct(visit) }),
      counts: { ...Object.fromEntries(ofVerdicts), all: sum(sums) },
      heading: html`<h2>${words(visit.language).text('title')}</h2>`,
    };
  },
});
