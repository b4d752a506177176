import { html } from 'ghtml';
import { CASE_STATES, SHOWN_KINDS, type ShownKind } from '#cases/model/case-kinds.ts';
import { type OperatorCase, shownKind } from '#cases/model/operator-case.ts';
import { caseList as allCases } from '#cases/read/case-list.ts';
import { type OpenCases, readOpenCases } from '#cases/read/read-open-cases.ts';
import { statusBadge } from '#console/components/badges.ts';
import { tiles } from '#console/components/parts.ts';
import { amountText, requestPath } from '#console/components/values.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import { type ListColumns, show } from '#console/lists/columns.ts';
import {
  CREATED_DAYS,
  type ListFilter,
  type ListSpec,
  listAt,
  listWords,
  statusFilter,
  statusTabs,
} from '#console/lists/list-spec.ts';
import { firstDayOf, isPeriod, PERIODS, startOfDay } from '#console/lists/model/days.ts';
import { inBothScopes, MERCHANT_FILTER, namedRows } from '#console/lists/named-rows.ts';
import {
  type OfRequest,
  PEOPLE,
  REQUEST_FILTER,
  withRequests,
} from '#console/lists/rows-of-requests.ts';
import { addressOf } from '#console/model/address.ts';
import {
  caseBadge,
  centsOfCase,
  currencyOfCase,
  stateOfCase,
  textOf,
} from '#console/money/cases/case-facts.ts';
import { CASE_TEXTS, entryType, MONEY_WORDS, ownAmount } from '#console/money/texts.ts';
import { REASON_TEXTS } from '#console/payment-requests/texts.ts';
import type { Visit } from '#console/shell/visit.ts';
import { pageTexts } from '#http/pages/texts.ts';
import {
  ledgerList as entryList,
  MOST_SUMMED as MOST_ENTRIES,
  readEntries,
  sumMatching,
} from '#ledger/entries/read-entries.ts';
import { ShownEntriesQuerySchema } from '#ledger/entries/schemas.ts';
import { ENTRY_TYPES, type EntryType } from '#ledger/model/entry.ts';
import type { StoredEntry } from '#ledger/model/stored-entry.ts';
import { csvForm, memberColumns } from '#lib/csv.ts';
import { formatAmount } from '#lib/money.ts';
import type { Refund } from '#refunds/model/refund.ts';
import { REFUND_STATUSES, type RefundStatus } from '#refunds/model/statuses.ts';
import { countRefunds, MOST_COUNTED_REFUNDS } from '#refunds/read/count-refunds.ts';
import { refundList as allRefunds } from '#refunds/read/refund-list.ts';
import { type ListedCase, requestLines, withNames } from './requests-of-cases.ts';

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
    REQUEST_FILTER,
  ],
  days: { names: ['from', 'to'], parameters: ['from', 'to'], datesIn: timeZone },
  columns: {
    type: entryType,
    amount: ownAmount,
    ...PEOPLE,
    booked: show.date((entry) => entry.bookingDate),
    learned: show.age((entry) => entry.createdAt),
    networkReference: show.reference((entry) => entry.networkReference),
    request: show.id((entry) => entry.paymentRequestId),
    reference: show.code((entry) => entry.bankReference),
    refund: show.id((entry) => entry.refundId),
    id: show.id((entry) => entry.id),
  },
  usual: 6,
  pageRows: 100,
  words,
  lead: 'lead',
  rows: withRequests(
    {
      ...entryList(timeZone),
      schema: ShownEntriesQuerySchema,
      async readPage(db, merchantId, { cursor, ...query }, faults) {
        const asked = { ...query, ...(cursor && { after: String(cursor) }) };
        const page = await readEntries({ db, timeZone }, `${merchantId}`, asked, faults);
        return { data: page.entries, nextCursor: page.hasMore ? page.nextCursor : null };
      },
    },
    (entry) => entry.paymentRequestId,
  ),
  async summary(db, visit, query) {
    const { rich } = words(visit.language);
    const sums = await sumMatching({ db, timeZone }, visit.merchantId, query);
    if (sums === null) return rich('sumNot', { most: MOST_ENTRIES });
    const count = sums.reduce((total, sum) => total + sum.count, 0);
    const amounts = sums.map((sum) => amountText(visit, sum.amountCents, sum.currency));
    return count === 0 ? '' : rich('sum', { count, amount: amounts.join(' · ') });
  },
  rowName: ({ amountCents, currency, request }, visit) =>
    `${amountText(visit, amountCents, currency)}, ${request?.payer.name ?? ''}`,
  rowAddress: ({ paymentRequestId: of }, { merchantId }) => of && requestPath(merchantId, of),
  frame: ({ merchantId, language }) => ({
    before: html`<p class="crumbs"><a href="/console/m/${merchantId}/report"
>← ${words(language).text('back')}</a></p>`,
  }),
});

type CaseListDeps = Pick<ConsoleDeps, 'db' | 'currency'>;

const caseWords = listWords('console.lists.cases');

const FILTERS: readonly ListFilter[] = [
  { name: 'state', form: 'choice', options: CASE_STATES, usual: 'open' },
  {
    name: 'kind',
    form: 'choice',
    options: SHOWN_KINDS,
    wordOf: (language, kind) => CASE_TEXTS[language].text(`name.${kind as ShownKind}`),
    isSorted: true,
  },
  REQUEST_FILTER,
];

/** Without names and account numbers of payers. */
const csvOf = (currency: string) =>
  csvForm<OperatorCase>({
    id: (found) => found.id,
    state: stateOfCase,
    ...memberColumns<OperatorCase>('kind', 'openedAt', 'closedAt'),
    ...memberColumns<OperatorCase>('merchantId', 'paymentRequestId'),
    amount(found) {
      const cents = centsOfCase(found);
      return cents === null ? null : { decimal: formatAmount(cents) };
    },
    currency: (found) => currencyOfCase(found, currency),
    networkReference: (found) => textOf(found, 'networkReference'),
  });

const FIRST_COLUMNS: ListColumns<ListedCase> = {
  kind: show.text((found, { language }) => CASE_TEXTS[language].text(`name.${shownKind(found)}`)),
  state: show.cell((found, visit) => caseBadge(visit, found)),
  amount: show.money(centsOfCase, (found, { currency }) => currencyOfCase(found, currency)),
  request: show.cell(requestLines),
};
const LAST_COLUMNS: ListColumns<ListedCase> = {
  opened: show.age((found) => found.openedAt),
  closed: show.age((found) => found.closedAt),
  networkReference: show.code((found) => textOf(found, 'networkReference')),
  id: show.id((found) => found.id),
};

/** A merchant's own cases, and those of all merchants, of which some name none. */
export const caseLists = ({ db, currency }: CaseListDeps): readonly ListSpec<ListedCase>[] => {
  const address = ({ merchant }: Visit) =>
    `/console${merchant ? `/m/${merchant.id}` : '/operator'}/cases`;
  return inBothScopes({
    name: 'cases',
    section: 'cases',
    part: 'cases',
    filters: FILTERS,
    more: [MERCHANT_FILTER],
    days: { names: ['from', 'to'], parameters: ['openedFrom', 'openedTo'] },
    columns: [FIRST_COLUMNS, LAST_COLUMNS],
    usual: 5,
    pageRows: 50,
    words: caseWords,
    rows: withNames(namedRows(allCases(csvOf(currency)))),
    cameAt: ({ openedAt }) => openedAt,
    rowAddress: ({ id }, visit) => `${address(visit)}/${id}`,
    tabs: {
      queries: { open: '', settled: 'state=settled', all: 'state=all' },
      most: MOST_SUMMED - 1,
    },
    async frame(visit) {
      const open = await readOpenCases(db, visit.merchant?.id ?? null, currency, MOST_SUMMED);
      const counts = { open: open.reduce((sum, { count }) => sum + count, 0) };
      return { intro: openSummary(visit, address(visit), open), counts };
    },
  });
};

const TEXTS = pageTexts('console.lists.cases');

/** Some 20 ms of one statement; more wait in a disaster alone, and the heading says so then. */
const MOST_SUMMED = 5_000;

/** Each kind with open cases leads to its list, whose address is given. */
function openSummary(visit: Visit, address: string, open: readonly OpenCases[]): string {
  if (open.length === 0) return '';
  const name = CASE_TEXTS[visit.language];
  const count = open.reduce((sum, each) => sum + each.count, 0);
  const kinds = open.map(({ kind, count: ofKind, arrivedCents, currency }) => ({
    label: name.text(`name.${kind}`),
    value: html`${ofKind}`,
    note: arrivedCents === 0 ? '' : amountText(visit, arrivedCents, currency),
    href: addressOf(address, { kind }),
  }));
  const heading = count < MOST_SUMMED ? 'open' : 'openOldest';
  return html`<h2>${TEXTS[visit.language].text(heading, { count })}</h2>!${tiles(kinds)}`;
}

const TABS: Readonly<Record<string, readonly RefundStatus[]>> = {
  open: ['CREATED', 'PROCESSING'],
  completed: ['COMPLETED'],
  failed: ['FAILED'],
};
const REASONS = pageTexts('console.refunds.reasons');

/** The refunds of a merchant, by the filters of the call that lists them. */
export const refundList = ({
  reads,
  currency,
}: Pick<ConsoleDeps, 'reads' | 'currency'>): ListSpec<OfRequest<Refund>> => ({
  ...listAt('refunds', listWords('console.lists.refunds')),
  filters: [
    statusFilter('refund', REFUND_STATUSES),
    { name: 'merchantRefundId', form: 'text', maxLength: 64 },
  ],
  days: CREATED_DAYS,
  columns: {
    status: show.cell(stateOf),
    amount: show.money((refund) => refund.amountCents),
    ...PEOPLE,
    reason: show.text(({ reason }, { language }) => REASONS[language].text(reason)),
    created: show.age((refund) => refund.createdAt),
    merchantRefundId: show.id((refund) => refund.merchantRefundId),
    completed: show.age((refund) => refund.payment?.completedAt ?? null),
    networkReference: show.code((refund) => refund.payment?.networkReference ?? null),
    paymentRequest: show.id((refund) => refund.paymentRequestId),
    id: show.id((refund) => refund.id),
  },
  usual: 6,
  tabs: statusTabs(TABS, {
    most: MOST_COUNTED_REFUNDS,
    read: (db, { merchantId }) => countRefunds(db, merchantId),
  }),
  rows: withRequests(allRefunds({ currency }), (refund) => refund.paymentRequestId),
  reads,
  rowName: ({ amountCents, request }, visit) =>
    `${amountText(visit, amountCents, currency)}, ${request?.payer.name ?? ''}`,
  cameAt: (refund) => refund.createdAt,
  rowAddress: ({ paymentRequestId }, { merchantId }) =>
    `/console/m/${merchantId}/payment-requests/${paymentRequestId}`,
});

/** The status, and below it why a refund failed. */
function stateOf({ status, statusReasonCode: code }: Refund, visit: Visit): string {
  const { text } = REASON_TEXTS[visit.language];
  const why = code && html`<span class="why">${text(`refund.${code}`)}</span>`;
  return html`!${statusBadge(visit, `refund.${status}`)}!${why ?? ''}`;
}
