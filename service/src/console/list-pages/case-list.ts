import { html } from 'ghtml';
import { CASE_STATES, SHOWN_KINDS, type ShownKind } from '#cases/model/case-kinds.ts';
import { type OperatorCase, shownKind } from '#cases/model/operator-case.ts';
import { caseList as listOf } from '#cases/read/case-list.ts';
import { type OpenCases, readOpenCases } from '#cases/read/read-open-cases.ts';
import { tiles } from '#console/components/parts.ts';
import {
  amountText,
  mayNamePayer,
  requestName,
  requestPath,
  shortId,
} from '#console/components/values.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import {
  age,
  cell,
  code,
  id,
  type ListColumns,
  link,
  money,
  text,
  time,
} from '#console/lists/columns.ts';
import { type ListFilter, type ListSpec, listWords } from '#console/lists/list-spec.ts';
import { inBothScopes, type Named, namedRows } from '#console/lists/named-rows.ts';
import { type OfRequest, withRequests } from '#console/lists/rows-of-requests.ts';
import { addressOf } from '#console/model/address.ts';
import {
  caseBadge,
  centsOfCase,
  currencyOfCase,
  stateOfCase,
  textOf,
} from '#console/money/cases/case-facts.ts';
import { CASE_TEXTS } from '#console/money/texts.ts';
import type { Visit } from '#console/shell/visit.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { csvForm, memberColumns } from '#lib/csv.ts';
import { formatAmount } from '#lib/money.ts';

type CaseListDeps = Pick<ConsoleDeps, 'db' | 'currency'>;

type ListedCase = OfRequest<Named<OperatorCase>>;

const words = listWords('console.lists.cases');

const FILTERS: readonly ListFilter[] = [
  { name: 'state', form: 'choice', options: CASE_STATES, usual: 'open' },
  {
    name: 'kind',
    form: 'choice',
    options: SHOWN_KINDS,
    wordOf: (language, kind) => CASE_TEXTS[language].text(`name.${kind as ShownKind}`),
    isSorted: true,
  },
  { name: 'paymentRequest', parameter: 'paymentRequestId', form: 'id' },
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
  kind: text((found, { language }) => CASE_TEXTS[language].text(`name.${shownKind(found)}`)),
  state: cell((found, visit) => caseBadge(visit, found)),
  amount: money(centsOfCase, (found, { currency }) => currencyOfCase(found, currency)),
  request: link(requestOf),
};
const LAST_COLUMNS: ListColumns<ListedCase> = {
  opened: age((found) => found.openedAt),
  closed: time((found) => found.closedAt),
  networkReference: code((found) => textOf(found, 'networkReference')),
  id: id((found) => found.id),
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
    more: [{ name: 'merchant', form: 'text', maxLength: 100 }],
    days: { names: ['from', 'to'], parameters: ['openedFrom', 'openedTo'] },
    columns: [FIRST_COLUMNS, LAST_COLUMNS],
    usual: 5,
    pageRows: 50,
    words,
    rows: withRequests(namedRows(listOf(csvOf(currency))), (found) => found.paymentRequestId),
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

/** The merchant of money on a wrong account is another than that of the payment request. */
function requestOf({ kind, paymentRequestId, merchantId, request }: ListedCase, visit: Visit) {
  if (paymentRequestId === null) return null;
  const href =
    merchantId === null || kind === 'WRONG_ACCOUNT'
      ? addressOf('/console/search', { found: paymentRequestId })
      : requestPath(merchantId, paymentRequestId);
  const name = request
    ? html`${requestName(request, mayNamePayer(visit))}`
    : shortId(paymentRequestId);
  return [href, name] as const;
}

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
