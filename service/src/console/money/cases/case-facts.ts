import type { Settlement } from '#cases/model/case-kinds.ts';
import type { OperatorCase } from '#cases/model/operator-case.ts';
import { badge, toneOf } from '#console/components/badges.ts';
import type { Visit } from '#console/shell/visit.ts';
import { pageTexts } from '#http/pages/texts.ts';

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
