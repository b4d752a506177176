import { html } from 'ghtml';
import { allowsSettlement } from '#cases/model/case-kinds.ts';
import { correctedReferencesOf, type OperatorCase } from '#cases/model/operator-case.ts';
import {
  type MoneyOfCase,
  namesOneMovement,
  readCandidates,
  readCase,
} from '#cases/read/read-case.ts';
import { type Fact, facts } from '#console/components/facts.ts';
import { instant } from '#console/components/instant.ts';
import { pageHead } from '#console/components/page-head.ts';
import { statusBadge } from '#console/components/status-badge.ts';
import { column, moneyColumn, rowHeader, titledTable } from '#console/components/table.ts';
import { tiles } from '#console/components/tile.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import { textField } from '#console/forms/post-form.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { ID_LENGTH } from '#lib/new-id.ts';
import { Problem } from '#lib/problem.ts';
import { findNamedMerchant } from '#merchants/find-named-merchant.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { addressOf } from '../format/address.ts';
import { amount, day, requestPath, shortId } from '../format/amount.ts';
import { CASE_PAGE_TEXTS, CASE_TEXTS, MONEY_WORDS } from '../texts.ts';
import { candidateTable } from './candidate-table.ts';
import { caseBadge, centsIn, currencyOfCase, shownKind, textOf } from './case-facts.ts';
import { detailTable } from './detail-table.ts';
import { type CaseView, viewCase } from './view-case.ts';

type CaseDeps = Pick<ConsoleDeps, 'db' | 'money' | 'currency'>;

/** A case for an operator: the money, the payment requests beside it, and the ways to settle it. */
export async function showCase(deps: CaseDeps, visit: Visit): Promise<ConsolePage> {
  const { text } = CASE_PAGE_TEXTS[visit.language];
  const beside = visit.query.get('beside')?.trim() || null;
  const view = await viewCase(deps, visit, visit.params.id ?? '', beside);
  if (!view) throw new Problem('ROUTE_NOT_FOUND');
  const { operatorCase, money, refunds, leftCents } = view.read;
  const merchant =
    operatorCase.merchantId === null
      ? null
      : await findNamedMerchant(deps.db, operatorCase.merchantId);
  const named = view.candidates.find(({ origin }) => origin === 'NAMED')?.paymentRequest ?? null;
  const merchantFact: Fact = [
    text('fact.merchant'),
    merchant
      ? html`<a href="/console/m/${merchant.id}/cases">${merchant.name}</a>`
      : html`${text('noMerchant')}`,
  ];
  const refundFact: Fact | null =
    refunds.length === 0
      ? null
      : [text('refunds'), refunds.map((each) => shortId(each.id)).join(', ')];
  return {
    ...pageOf(visit, operatorCase, 'operator.cases'),
    body: html`!${heading(visit, operatorCase, '/operator/cases', acts(visit, view))}
!${sumsOf(visit, operatorCase, leftCents)}!${detailTable(visit, operatorCase)}
!${comparison(visit, view)}!${movements(visit, money)}<section class="card">!${facts([
      merchantFact,
      ...factsOf(visit, operatorCase, named),
      refundFact,
    ])}</section>`,
  };
}

/** A merchant's own case, without the other sides of its money. */
export async function showOwnCase(deps: CaseDeps, visit: Visit): Promise<ConsolePage> {
  const { text } = CASE_PAGE_TEXTS[visit.language];
  const { merchantId } = visit;
  const read = await readCase(deps.db, visit.params.id ?? '', merchantId);
  if (!read) throw new Problem('ROUTE_NOT_FOUND');
  const { operatorCase, money, leftCents } = read;
  const { paymentRequestId } = operatorCase;
  const ids = paymentRequestId === null ? [] : [paymentRequestId];
  const [own = null] = await readCandidates(deps.db, ids, visit.now);
  return {
    ...pageOf(visit, operatorCase, 'cases'),
    body: html`!${heading(visit, operatorCase, `/m/${merchantId}/cases`)}
!${sumsOf(visit, operatorCase, leftCents)}!${movements(visit, money)}
<section class="card">!${facts(factsOf(visit, operatorCase, own))}</section>
<p class="quiet">${text('readOnly')}</p>`,
  };
}

function pageOf({ language }: Visit, found: OperatorCase, section: ConsolePage['section']) {
  return { title: CASE_TEXTS[language].text(`name.${shownKind(found)}`), section };
}

function heading(visit: Visit, operatorCase: OperatorCase, path: string, acts = ''): string {
  const { text } = CASE_PAGE_TEXTS[visit.language];
  const named = CASE_TEXTS[visit.language];
  const { closedAt } = operatorCase;
  const kind = shownKind(operatorCase);
  const isOperators = path.startsWith('/operator/');
  const next =
    closedAt === null && isOperators
      ? html`<p class="notice warning"><strong>${text('nextStep')}:</strong>
${named.text(`advice.${kind}`)}</p>`
      : '';
  const head = pageHead({
    title: named.text(`name.${kind}`),
    badge: caseBadge(visit, operatorCase),
    under: html`${named.text(`meaning.${kind}`)}`,
    back: { href: `/console${path}`, name: text('back') },
    acts,
  });
  return head + next;
}

/** The sums that the case names, and those that are left of it. */
const SUMS = [
  ['askedCents', 'fact.asked'],
  ['arrivedCents', 'fact.arrived'],
  ['receivedCents', 'fact.received'],
  ['returnedCents', 'fact.returned'],
  ['refundCents', 'fact.refund'],
  ['bookedCents', 'fact.booked'],
] as const;

function sumsOf(visit: Visit, found: OperatorCase, leftCents: number | null): string {
  const { text } = CASE_PAGE_TEXTS[visit.language];
  const currency = currencyOfCase(found, visit.currency);
  const named = SUMS.map(([name, label]) => [centsIn(found, name), text(label)] as const);
  const sums = [...named, [leftCents, text('fact.left')] as const].flatMap(([cents, label]) =>
    cents === null ? [] : [{ label, value: amount(visit, cents, currency) }],
  );
  return sums.length > 0 ? html`<h2>${text('theMoney')}</h2>` + tiles(sums) : '';
}

function factsOf(
  visit: Visit,
  found: OperatorCase,
  request: PaymentRequest | null,
): (Fact | null)[] {
  const { text } = CASE_PAGE_TEXTS[visit.language];
  const corrects = correctedReferencesOf(found);
  const word = (name: string, label: string): Fact | null => {
    const value = textOf(found, name);
    // A bank that does not say from whom the money came.
    return value === null || value === 'UNKNOWN'
      ? null
      : [label, html`<span class="mono">${value}</span>`];
  };
  return [
    request && [
      text('fact.request'),
      html`<a href="${requestPath(request.merchant.id, request.id)}">!${shortId(request.id)}</a>
!${statusBadge(visit, `request.${request.status}`)}`,
    ],
    word('networkReference', text('fact.reference')),
    corrects.length === 0
      ? null
      : [text('fact.corrects'), html`<span class="mono">${corrects.join(', ')}</span>`],
    word('institution', text('fact.institution')),
    word('reason', text('fact.reason')),
    word('refundId', text('fact.refundId')),
    [text('fact.opened'), instant(visit, found.openedAt)],
    found.closedAt && [text('fact.closed'), instant(visit, found.closedAt)],
    [text('fact.kind'), html`<code>${found.kind}</code>`],
    [text('fact.id'), html`<span class="mono">${found.id}</span>`],
  ];
}

function comparison(visit: Visit, view: CaseView): string {
  const { text } = CASE_PAGE_TEXTS[visit.language];
  const { operatorCase } = view.read;
  const canAssign = allowsSettlement(operatorCase.kind, 'ASSIGNED');
  if (view.candidates.length === 0 && !canAssign) return '';
  const list =
    view.candidates.length > 0
      ? candidateTable(visit, view)
      : html`<p class="quiet">${text('noCandidates')}</p>`;
  return html`<h2>${text('compare')}</h2>!${list}!${canAssign ? besideForm(visit, view) : ''}`;
}

function besideForm(visit: Visit, { read, isAskedUnknown }: CaseView): string {
  const { text } = CASE_PAGE_TEXTS[visit.language];
  const input = textField({
    name: 'beside',
    label: text('besideLabel'),
    hint: text('besideHint'),
    value: visit.query.get('beside') ?? '',
    maxLength: ID_LENGTH,
    isRequired: true,
    fault: isAskedUnknown ? text('besideUnknown') : undefined,
  });
  return html`<form class="filters" method="get"
 action="/console/operator/cases/${read.operatorCase.id}">!${input}
<button class="button quiet">${text('besideShow')}</button></form>`;
}

function movements(visit: Visit, money: readonly MoneyOfCase[]): string {
  if (money.length === 0) return '';
  const { text } = CASE_PAGE_TEXTS[visit.language];
  const words = MONEY_WORDS[visit.language];
  const columns = [
    rowHeader(text('column.type'), ({ type }: MoneyOfCase) => html`${words.text(`type.${type}`)}`),
    moneyColumn(text('column.amount'), ({ amountCents, currency }: MoneyOfCase) =>
      amount(visit, amountCents, currency),
    ),
    column(text('column.left'), ({ became, currency }: MoneyOfCase) => {
      if (became === null) return html`–`;
      const { state, leftCents } = became;
      const word = html`${text(`became.${state}`)}`;
      return state === 'WAITS' ? html`!${amount(visit, leftCents, currency)} !${word}` : word;
    }),
    column(
      text('column.reference'),
      ({ bankReference, networkReference }: MoneyOfCase) =>
        html`<span class="mono">${bankReference ?? networkReference}</span>`,
    ),
    column(text('column.booked'), ({ bookingDate }: MoneyOfCase) => day(bookingDate)),
    column(text('column.learned'), ({ createdAt }: MoneyOfCase) => instant(visit, createdAt)),
  ];
  return titledTable(text('movements'), columns, money);
}

/** Acts that need no choice among payment requests. */
function acts(visit: Visit, { read }: CaseView): string {
  const { text } = CASE_PAGE_TEXTS[visit.language];
  const found = read.operatorCase;
  const { id, kind, closedAt, settlement, paymentRequestId } = found;
  if (!visit.can('operator.cases.settle')) return '';
  // A refund that failed leaves the money where it was.
  const mayRepeat = settlement === 'REFUNDED' && read.refunds.length === 0;
  if (closedAt !== null && !mayRepeat) return html`<p class="quiet">${text('settledBy')}</p>`;
  const acts: (readonly ['replace' | 'split' | 'refund' | 'close', boolean])[] = [
    ['replace', shownKind(found) === 'CORRECTED_BOOKING'],
    ['split', allowsSettlement(kind, 'SPLIT') && namesOneMovement(read)],
    ['refund', allowsSettlement(kind, 'REFUNDED') && paymentRequestId !== null],
    ['close', closedAt === null],
  ];
  const links = acts
    .filter(([act, isOffered]) => isOffered && (act === 'refund' || closedAt === null))
    .map(([act]) => {
      const query = { paymentRequest: act === 'split' ? visit.query.get('beside') : null };
      const href = addressOf(`/console/operator/cases/${id}/${act}`, query);
      const look = act === 'replace' ? '' : ' quiet';
      return html`<a class="button!${look}" href="${href}">${text(`act.${act}`)}</a>`;
    });
  return links.join('\n');
}
