import { html } from 'ghtml';
import { allowsSettlement } from '#cases/model/case-kinds.ts';
import { type OperatorCase, shownKind } from '#cases/model/operator-case.ts';
import {
  type MoneyOfCase,
  namesOneMovement,
  readCandidates,
  readCase,
} from '#cases/read/read-case.ts';
import { type Fact, tiles } from '#console/components/parts.ts';
import { NONE, table, titledTable } from '#console/components/table.ts';
import { amount, amountText, mayNamePayer } from '#console/components/values.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import { renderField } from '#console/forms/render-field.ts';
import { type Act, renderActs } from '#console/lists/acts.ts';
import { type ListColumns, show, titled } from '#console/lists/columns.ts';
import { addressOf } from '#console/model/address.ts';
import { CASE_PAGE_TEXTS, CASE_TEXTS, entryType, ownAmount } from '#console/money/texts.ts';
import { known } from '#console/shell/known.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { ID_LENGTH } from '#lib/new-id.ts';
import { findNamedMerchant } from '#merchants/find-named-merchant.ts';
import { candidateTable } from './candidate-table.ts';
import { caseBadge, centsIn, currencyOfCase, factsCard } from './case-facts.ts';
import { type CaseView, exactParts, viewCase } from './view-case.ts';

type CaseDeps = Pick<ConsoleDeps, 'db' | 'money' | 'currency'>;

/** A case for an operator: the money, the payment requests beside it, and the ways to settle it. */
export async function showCase(deps: CaseDeps, visit: Visit): Promise<ConsolePage> {
  const { text } = CASE_PAGE_TEXTS[visit.language];
  const beside = visit.query.get('beside')?.trim() || null;
  const view = await viewCase(deps, visit, visit.params.id ?? '', beside);
  const { operatorCase, money, leftCents } = view.read;
  const merchant =
    operatorCase.merchantId === null
      ? null
      : await findNamedMerchant(deps.db, operatorCase.merchantId);
  const named = view.candidates.filter(({ origin }) => origin === 'NAMED');
  const own: Fact[] = [
    [
      text('fact.merchant'),
      merchant
        ? html`<a href="/console/m/${merchant.id}/cases">${merchant.name}</a>`
        : html`${text('noMerchant')}`,
    ],
  ];
  const requests = named.map(({ paymentRequest }) => paymentRequest);
  const body = html`!${sumsOf(visit, operatorCase, leftCents)}!${detailTable(visit, operatorCase)}
!${comparison(visit, view)}!${movements(visit, money)}
!${factsCard(visit, view.read, { requests, mayName: mayNamePayer(visit), own })}`;
  return pageOf(visit, operatorCase, '/operator/cases', body, acts(visit, view));
}

/** A merchant's own case, without the other sides of its money. */
export async function showOwnCase(deps: CaseDeps, visit: Visit): Promise<ConsolePage> {
  const { merchantId } = visit;
  const read = await readCase(deps.db, visit.params.id ?? '', merchantId);
  const found = known(read);
  const { operatorCase, money, leftCents } = found;
  const requests = await readCandidates(deps.db, operatorCase.requestIds, visit.now);
  // A guess at the payment request names no payer.
  const mayName = operatorCase.paymentRequestId !== null;
  const body = html`!${sumsOf(visit, operatorCase, leftCents)}!${movements(visit, money)}
!${factsCard(visit, found, { requests, mayName, own: [] })}`;
  return pageOf(visit, operatorCase, `/m/${merchantId}/cases`, body);
}

function pageOf(
  visit: Visit,
  operatorCase: OperatorCase,
  path: string,
  body: string,
  acts = '',
): ConsolePage {
  const { text } = CASE_PAGE_TEXTS[visit.language];
  const named = CASE_TEXTS[visit.language];
  const { closedAt } = operatorCase;
  const kind = shownKind(operatorCase);
  const isOperators = path.startsWith('/operator/');
  const next =
    closedAt !== null
      ? ''
      : isOperators
        ? html`<p class="notice warning"><strong>${text('nextStep')}</strong>
${named.text(`advice.${kind}`)}</p>`
        : html`<p class="notice info">${text('readOnly')}</p>`;
  const head = {
    badge: caseBadge(visit, operatorCase),
    under: html`${named.text(`meaning.${kind}`)}`,
    back: { href: `/console${path}`, name: text('back') },
    acts,
  };
  return { title: named.text(`name.${kind}`), head, body: next + body };
}

/** The sums that the case names, and those that are left of it. */
const SUMS = ['asked', 'arrived', 'received', 'returned', 'refund', 'booked'] as const;

function sumsOf(visit: Visit, found: OperatorCase, leftCents: number | null): string {
  const { text } = CASE_PAGE_TEXTS[visit.language];
  const currency = currencyOfCase(found, visit.currency);
  const named = SUMS.map((name) => [centsIn(found, `${name}Cents`), text(`fact.${name}`)] as const);
  const sums = [...named, [leftCents, text('fact.left')] as const].flatMap(([cents, label]) =>
    cents === null ? [] : [{ label, value: amount(visit, cents, currency) }],
  );
  return sums.length > 0 ? html`<h2>${text('theMoney')}</h2>` + tiles(sums) : '';
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
  return html`<h2>${text('compare')}</h2>!${exactNotice(visit, view)}!${list}
!${canAssign ? besideForm(visit, view) : ''}`;
}

/** Offers to split money that is exactly the sum of several payment requests. */
function exactNotice(visit: Visit, { read, money, candidates }: CaseView): string {
  const { text } = CASE_PAGE_TEXTS[visit.language];
  const { id, kind, closedAt } = read.operatorCase;
  const count = exactParts(money, candidates).length;
  const canSplit = allowsSettlement(kind, 'SPLIT') && namesOneMovement(read) && closedAt === null;
  if (count === 0 || !canSplit) return '';
  const sum = text('exact', { count, amount: amountText(visit, money.cents ?? 0, money.currency) });
  // An earlier booking of the same money would count beside the parts.
  const answer = isReplacedFirst({ read, money, candidates })
    ? html`<span>${text('exactReplace')}</span>`
    : renderActs(visit, text, [SPLIT_EXACTLY], id);
  return html`<div class="notice set-apart"><p><strong>${sum}</strong></p>!${answer}</div>`;
}

/** An exact sum of several payment requests that is split only once it has replaced a booking. */
function isReplacedFirst(view: Pick<CaseView, 'read' | 'money' | 'candidates'>): boolean {
  const isCorrected = shownKind(view.read.operatorCase) === 'CORRECTED_BOOKING';
  return isCorrected && exactParts(view.money, view.candidates).length > 0;
}

const SPLIT_EXACTLY: Act<string> = {
  word: 'act.splitExactly',
  may: 'operator.cases.settle',
  look: 'main',
  path: (id) => `/operator/cases/${id}/split`,
};

function besideForm(visit: Visit, { read, isAskedUnknown }: CaseView): string {
  const { text } = CASE_PAGE_TEXTS[visit.language];
  const field = {
    name: 'beside',
    label: text('besideLabel'),
    hint: text('besideHint'),
    value: visit.query.get('beside'),
    maxLength: ID_LENGTH,
    isRequired: true,
  };
  const faults = isAskedUnknown ? { beside: text('besideUnknown') } : {};
  return html`<form class="filters" method="get"
 action="/console/operator/cases/${read.operatorCase.id}">!${renderField(field, { faults })}
<button class="button quiet">${text('besideShow')}</button></form>`;
}

const MOVEMENTS: ListColumns<MoneyOfCase> = {
  'column.type': entryType,
  'column.amount': ownAmount,
  'column.left': show.cell(leftOf),
  'column.reference': show.code((each) => each.bankReference ?? each.networkReference),
  'column.booked': show.date((each) => each.bookingDate),
  'column.learned': show.age((each) => each.createdAt),
};

function leftOf({ became, currency }: MoneyOfCase, visit: Visit): string | null {
  if (became === null) return null;
  const { state, leftCents } = became;
  const word = html`${CASE_PAGE_TEXTS[visit.language].text(`became.${state}`)}`;
  return state === 'WAITS' ? html`!${amount(visit, leftCents, currency)} !${word}` : word;
}

function movements(visit: Visit, money: readonly MoneyOfCase[]): string {
  if (money.length === 0) return '';
  const { text } = CASE_PAGE_TEXTS[visit.language];
  return titledTable(text('movements'), titled(visit, text, MOVEMENTS), money);
}

/** Acts that need no choice among payment requests, each where its case allows it. */
const ACTS: readonly Act<CaseView>[] = [
  settling('replace', (found) => shownKind(found) === 'CORRECTED_BOOKING', 'main'),
  settling(
    'split',
    ({ kind }, view) =>
      allowsSettlement(kind, 'SPLIT') && namesOneMovement(view.read) && !isReplacedFirst(view),
  ),
  settling(
    'refund',
    ({ kind, paymentRequestId }) => allowsSettlement(kind, 'REFUNDED') && paymentRequestId !== null,
  ),
  settling('close', () => true),
];

/** A closed case is refunded again alone: a refund that failed leaves the money where it was. */
function settling(
  act: 'replace' | 'split' | 'refund' | 'close',
  isOffered: (found: OperatorCase, view: CaseView) => boolean,
  look: 'quiet' | 'main' = 'quiet',
): Act<CaseView> {
  return {
    word: `act.${act}`,
    may: 'operator.cases.settle',
    look,
    path(view, { query }) {
      const { operatorCase } = view.read;
      if (act !== 'refund' && operatorCase.closedAt !== null) return null;
      if (!isOffered(operatorCase, view)) return null;
      const paymentRequest = act === 'split' ? query.get('beside') : null;
      return addressOf(`/operator/cases/${operatorCase.id}/${act}`, { paymentRequest });
    },
  };
}

function acts(visit: Visit, view: CaseView): string {
  const { text } = CASE_PAGE_TEXTS[visit.language];
  const { operatorCase, refunds } = view.read;
  if (!visit.can('operator.cases.settle')) return '';
  const mayRepeat = operatorCase.settlement === 'REFUNDED' && refunds.length === 0;
  if (operatorCase.closedAt !== null && !mayRepeat) {
    return html`<p class="quiet">${text('settledBy')}</p>`;
  }
  return renderActs(visit, text, ACTS, view);
}

interface Detail {
  readonly amountCents: number | null;
  readonly currency: string;
  readonly references: readonly string[];
}

const COLUMNS: ListColumns<Detail> = {
  'column.ownReference': show.code(({ references }) => references.join(', ') || NONE),
  'column.amount': show.money(
    (each) => each.amountCents,
    (each) => each.currency,
  ),
};

/** The details of a bank's entry that do not add up, as the bank states them. */
function detailTable(visit: Visit, { details: found }: Pick<OperatorCase, 'details'>): string {
  if (!Array.isArray(found.details)) return '';
  const { text } = CASE_PAGE_TEXTS[visit.language];
  const details = found.details as readonly Detail[];
  return table(text('details'), titled(visit, text, COLUMNS), details);
}
