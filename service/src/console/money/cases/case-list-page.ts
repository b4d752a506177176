import { html } from 'ghtml';
import { CASE_KINDS } from '#cases/model/case-kinds.ts';
import type { OperatorCase } from '#cases/model/operator-case.ts';
import { listCasePage, readCases, readOpenCases } from '#cases/read/list-cases.ts';
import { choiceField } from '#console/components/choice-field.ts';
import { emptyState } from '#console/components/empty-state.ts';
import { textField } from '#console/components/form.ts';
import { instant } from '#console/components/instant.ts';
import { pager } from '#console/components/pager.ts';
import { type Column, table } from '#console/components/table.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import type { ConsoleAnswer, ConsolePage, Visit } from '#console/shell/visit.ts';
import { listNamedMerchants } from '#merchants/find-named-merchant.ts';
import type { OperatorCaseKind } from '#telemetry/metrics/network-metrics.ts';
import { addressOf } from '../parts/address.ts';
import { amount, requestPath, shortId } from '../parts/amount.ts';
import { CASE_LIST_TEXTS } from '../texts/case-list-texts.ts';
import { CASE_TEXTS } from '../texts/case-texts.ts';
import { caseFile } from './case-csv.ts';
import { caseBadge, centsOfCase, currencyOfCase, shownKind } from './case-facts.ts';
import { type CaseFilterName, type ReadCaseFilters, readCaseFilters } from './read-case-filters.ts';

/** A page that a person reads without losing the place. */
const PAGE_SIZE = 50;

/** The list of an operator, or of a merchant: the path below `/console`. */
export interface CaseListPlace {
  readonly path: string;
  /** null: all merchants. */
  readonly merchantId: string | null;
}

/** The list of cases, with its filters in the address. */
export async function showCaseList(
  { db, currency }: Pick<ConsoleDeps, 'db' | 'currency'>,
  visit: Visit,
  place: CaseListPlace,
): Promise<ConsolePage> {
  const { text } = CASE_LIST_TEXTS[visit.language];
  const asked = readCaseFilters(visit, place.merchantId);
  const isFaulty = Object.keys(asked.faults).length > 0;
  const cursor = visit.query.get('cursor');
  const page = isFaulty
    ? { data: [], nextCursor: null }
    : await listCasePage(db, { filters: asked.filters, cursor, limit: PAGE_SIZE });
  const open = await readOpenCases(db, place.merchantId, currency);
  const isOwn = place.merchantId !== null;
  const query = { ...asked.sent };
  const names = isOwn
    ? new Map<string, string>()
    : await merchantNames(
        db,
        page.data.map(({ merchantId }) => merchantId),
      );
  const list =
    page.data.length > 0
      ? table(text('caption'), columnsOf(visit, place, currency, names), page.data)
      : emptyState(text(isFiltered(asked) ? 'noneOfFilter' : 'none'));
  return {
    title: text('title'),
    section: isOwn ? 'cases' : 'operator.cases',
    status: isFaulty ? 422 : 200,
    body: html`<h1>${text('title')}</h1>
<p class="quiet">${text(isOwn ? 'leadOwn' : 'lead')}</p>
!${openSummary(visit, place, open)}!${filterForm(visit, place, asked)}
!${list}
!${pager({
      firstHref: addressOf(`/console${place.path}`, query),
      nextCursor: page.nextCursor,
      isFirst: cursor === null,
      labels: { first: text('first'), next: text('next'), name: text('pages') },
    })}
!${
      page.data.length > 0
        ? html`<p><a href="${addressOf(`/console${place.path}.csv`, query)}">${text('csv')}</a></p>`
        : ''
    }`,
  };
}

/** The list as a file. */
export async function exportCases(
  deps: Pick<ConsoleDeps, 'db' | 'currency'>,
  visit: Visit,
  place: CaseListPlace,
): Promise<ConsoleAnswer> {
  const asked = readCaseFilters(visit, place.merchantId);
  if (Object.keys(asked.faults).length > 0) return showCaseList(deps, visit, place);
  return caseFile(readCases(deps.db, asked.filters), deps.currency);
}

function isFiltered({ sent }: ReadCaseFilters): boolean {
  return Object.entries(sent).some(([name, value]) =>
    name === 'state' ? value !== 'open' : value !== '',
  );
}

type Open = Awaited<ReturnType<typeof readOpenCases>>;

/** Each kind with open cases leads to its list. */
function openSummary(visit: Visit, { path }: CaseListPlace, open: Open): string {
  if (open.length === 0) return '';
  const { text } = CASE_LIST_TEXTS[visit.language];
  const name = CASE_TEXTS[visit.language];
  const count = open.reduce((sum, each) => sum + each.count, 0);
  const items = open.map(
    (each) =>
      html`<li><a class="card kind" href="${addressOf(`/console${path}`, { kind: each.kind })}"
><span class="number">${each.count}</span><span>${name.text(`name.${each.kind}`)}</span>
!${each.arrivedCents === 0 ? '' : amount(visit, each.arrivedCents, each.currency)}</a></li>`,
  );
  return html`<h2>${text('open', { count })}</h2><ul class="cards">!${items.join('')}</ul>`;
}

function filterForm(visit: Visit, { path, merchantId }: CaseListPlace, asked: ReadCaseFilters) {
  const { text } = CASE_LIST_TEXTS[visit.language];
  const name = CASE_TEXTS[visit.language];
  const { sent, faults } = asked;
  const fault = (of: CaseFilterName) => {
    const found = faults[of];
    return found && text(`fault.${found}`);
  };
  const kinds = (Object.keys(CASE_KINDS) as OperatorCaseKind[])
    .map((kind): [string, string] => [kind, name.text(`name.${kind}`)])
    .sort(([, one], [, other]) => one.localeCompare(other, visit.language));
  const states = (['open', 'settled', 'all'] as const).map((state): [string, string] => [
    state,
    text(`filter.state.${state}`),
  ]);
  const plain = (of: CaseFilterName, label: string, type = 'text') =>
    textField({ name: of, label, value: sent[of], type, fault: fault(of) });
  const fields = [
    choiceField({
      ...{ name: 'state', label: text('filter.state'), value: sent.state, choices: states },
      fault: fault('state'),
    }),
    choiceField({
      ...{ name: 'kind', label: text('filter.kind'), value: sent.kind, fault: fault('kind') },
      choices: [['', text('filter.anyKind')], ...kinds],
    }),
    merchantId === null ? plain('merchant', text('filter.merchant')) : '',
    plain('paymentRequest', text('filter.request')),
    plain('from', text('filter.from'), 'date'),
    plain('to', text('filter.to'), 'date'),
  ];
  const clear = isFiltered(asked)
    ? html`<a class="button quiet" href="/console${path}">${text('filter.clear')}</a>`
    : '';
  return html`<form class="filters" method="get" action="/console${path}">!${fields.join('')}
<button class="button">${text('filter.apply')}</button>!${clear}</form>`;
}

function columnsOf(
  visit: Visit,
  { path, merchantId }: CaseListPlace,
  currency: string,
  names: ReadonlyMap<string, string>,
): Column<OperatorCase>[] {
  const { text } = CASE_LIST_TEXTS[visit.language];
  const name = CASE_TEXTS[visit.language];
  return [
    {
      title: text('column.kind'),
      isRowHeader: true,
      cell: (found) =>
        html`<a href="/console${path}/${found.id}">${name.text(`name.${shownKind(found)}`)}</a>`,
    },
    { title: text('column.opened'), cell: ({ openedAt }) => instant(visit, openedAt) },
    { title: text('column.state'), cell: (found) => caseBadge(visit, found) },
    {
      title: text('column.amount'),
      isMoney: true,
      cell: (found) => {
        const cents = centsOfCase(found);
        return cents === null ? '–' : amount(visit, cents, currencyOfCase(found, currency));
      },
    },
    { title: text('column.request'), cell: (found) => requestLink(found) },
    ...(merchantId === null
      ? [
          {
            title: text('column.merchant'),
            cell: (found: OperatorCase) => merchantLink(names, found.merchantId),
          },
        ]
      : []),
  ];
}

/** The merchant of money on a wrong account is another than that of the payment request. */
function requestLink({ kind, paymentRequestId, merchantId }: OperatorCase): string {
  if (paymentRequestId === null) return '–';
  const href =
    merchantId === null || kind === 'WRONG_ACCOUNT'
      ? addressOf('/console/search', { found: paymentRequestId })
      : requestPath(merchantId, paymentRequestId);
  return html`<a href="${href}">!${shortId(paymentRequestId)}</a>`;
}

/** The names of the merchants of a page, by their ids. */
export async function merchantNames(
  db: ConsoleDeps['db'],
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(ids)].filter((id) => id !== null);
  return new Map((await listNamedMerchants(db, wanted)).map(({ id, name }) => [id, name]));
}

function merchantLink(names: ReadonlyMap<string, string>, merchantId: string | null): string {
  if (merchantId === null) return '–';
  const name = names.get(merchantId) ?? merchantId;
  return html`<a href="/console/m/${merchantId}/cases">${name}</a>`;
}
