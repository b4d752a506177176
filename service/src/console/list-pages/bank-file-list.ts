import { badgeWithReason } from '#console/components/badges.ts';
import { emptyState } from '#console/components/parts.ts';
import { cell, count, text, time } from '#console/lists/columns.ts';
import { type ListSpec, listAt, listWords } from '#console/lists/list-spec.ts';
import { pagedRows } from '#console/lists/paged-rows.ts';
import { daysOf, fileBadge, sizeText } from '#console/money/bank/file-page.ts';
import type { MoneyParts } from '#console/money/money-deps.ts';
import { BANK_TEXTS } from '#console/money/texts.ts';
import { type BookFile, FILE_STATES, type FileState } from '#e-transfer/network-books.ts';
import { csvForm, memberColumns } from '#lib/csv.ts';

const CSV = csvForm(
  memberColumns<BookFile>(
    ...(['id', 'state', 'kind', 'reason', 'sizeBytes', 'receivedAt', 'completedAt'] as const),
    ...(['statements', 'entries', 'firstDay', 'lastDay'] as const),
  ),
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
    received: time((file) => file.receivedAt),
    verdict: cell(({ state, reason }, visit) => badgeWithReason(fileBadge(visit, state), reason)),
    days: cell(daysOf),
    statements: count((file) => file.statements),
    entries: count((file) => file.entries),
    matched: time((file) => file.completedAt),
    kind: text((file) => file.kind),
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
