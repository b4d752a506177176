import { html } from 'ghtml';
import type { Settlement } from '#cases/model/case-kinds.ts';
import { correctedReferencesOf, type OperatorCase, shownKind } from '#cases/model/operator-case.ts';
import type { ReadCase } from '#cases/read/read-case.ts';
import { badge, statusBadge, toneOf } from '#console/components/badges.ts';
import { type Fact, facts } from '#console/components/parts.ts';
import { amount, instant, requestName, requestPath, shortId } from '#console/components/values.ts';
import type { Visit } from '#console/shell/visit.ts';
import { pageTexts } from '#http/pages/texts.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { CASE_PAGE_TEXTS } from '../texts.ts';

const CASE_TEXTS = pageTexts('console.lists.cases');

export type ShownCaseState = 'OPEN' | Settlement | 'OVERTAKEN';

/** A case that later money has settled has no settlement. */
export function stateOfCase({ closedAt, settlement }: OperatorCase): ShownCaseState {
  return closedAt === null ? 'OPEN' : (settlement ?? 'OVERTAKEN');
}

export function caseBadge({ language }: Visit, found: OperatorCase): string {
  const state = stateOfCase(found);
  return badge(CASE_TEXTS[language].text(`state.${state}`), toneOf(state));
}

export function centsIn({ details }: Pick<OperatorCase, 'details'>, name: string): number | null {
  const value = details[name];
  return typeof value === 'number' ? value : null;
}

export function textOf({ details }: Pick<OperatorCase, 'details'>, name: string): string | null {
  const value = details[name];
  return typeof value === 'string' ? value : null;
}

/** The money that a case is about: arrived, received in parts, taken back, or of its refund. */
export function centsOfCase(found: OperatorCase): number | null {
  const names = ['arrivedCents', 'receivedCents', 'returnedCents', 'refundCents'];
  return names.map((name) => centsIn(found, name)).find((cents) => cents !== null) ?? null;
}

/** Cases from before the ledger name no currency: a deployment had one. */
export function currencyOfCase(found: OperatorCase, currency: string): string {
  return textOf(found, 'currency') ?? currency;
}

interface ShownFacts {
  /** The payment requests that the case names. */
  readonly requests: readonly PaymentRequest[];
  readonly mayName: boolean;
  /** Facts before the others. */
  readonly own: readonly Fact[];
}

/** The facts in words; the codes are folded. */
export function factsCard(
  visit: Visit,
  read: ReadCase,
  { requests, mayName, own }: ShownFacts,
): string {
  const { text } = CASE_PAGE_TEXTS[visit.language];
  const { operatorCase: found, refunds } = read;
  const corrects = correctedReferencesOf(found);
  const word = (name: string, label: string): Fact => {
    const value = textOf(found, name);
    // A bank that does not say from whom the money came.
    const isKnown = value !== null && value !== 'UNKNOWN';
    return [label, isKnown && html`<span class="mono">${value}</span>`];
  };
  const named = requests.map(
    (each) => html`<a href="${requestPath(each.merchant.id, each.id)}"
>${requestName(each, mayName)}</a> !${amount(visit, each.amountCents)}
!${statusBadge(visit, `request.${each.status}`)}`,
  );
  const shown = facts([
    ...own,
    [text('fact.request'), named.join('<br>') || null],
    [text('fact.opened'), instant(visit, found.openedAt)],
    [text('fact.closed'), found.closedAt && instant(visit, found.closedAt)],
    word('institution', text('fact.institution')),
  ]);
  const codes = facts([
    word('networkReference', text('fact.reference')),
    [
      text('fact.corrects'),
      corrects.length > 0 && html`<span class="mono">${corrects.join(', ')}</span>`,
    ],
    word('reason', text('fact.reason')),
    word('refundId', text('fact.refundId')),
    [text('refunds'), refunds.length > 0 && refunds.map((each) => shortId(each.id)).join(', ')],
    [text('fact.kind'), html`<code>${shownKind(found)}</code>`],
    [text('fact.id'), html`<span class="mono">${found.id}</span>`],
  ]);
  return html`<section class="card">!${shown}<details><summary>${text('codes')}</summary>
!${codes}</details></section>`;
}
