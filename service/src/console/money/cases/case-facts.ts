import { allowsSettlement, type Settlement } from '#cases/model/case-kinds.ts';
import { correctedReferencesOf, type OperatorCase } from '#cases/model/operator-case.ts';
import { badge, type Tone } from '#console/components/badge.ts';
import type { Visit } from '#console/shell/visit.ts';
import { pageTexts } from '#http/pages/texts.ts';
import type { OperatorCaseKind } from '#telemetry/metrics/network-metrics.ts';

const CASE_TEXTS = pageTexts('console.lists.cases');

/** Money that corrects a booking has words of its own within its kind. */
type ShownKind = OperatorCaseKind | 'CORRECTED_BOOKING';

export type ShownCaseState = 'OPEN' | Settlement | 'OVERTAKEN';

const TONES: Readonly<Record<ShownCaseState, Tone>> = {
  OPEN: 'warning',
  ACCEPTED: 'good',
  ASSIGNED: 'good',
  REFUNDED: 'good',
  REPLACED: 'good',
  SPLIT: 'good',
  CLOSED: 'neutral',
  OVERTAKEN: 'neutral',
};

/** A case that later money has settled has no settlement. */
export function stateOfCase({ closedAt, settlement }: OperatorCase): ShownCaseState {
  return closedAt === null ? 'OPEN' : (settlement ?? 'OVERTAKEN');
}

/** The kind for people: money that corrects an earlier booking names no two references. */
export function shownKind(found: Pick<OperatorCase, 'kind' | 'details'>): ShownKind {
  const isCorrected = correctedReferencesOf(found).length > 0;
  return isCorrected && allowsSettlement(found.kind, 'REPLACED') ? 'CORRECTED_BOOKING' : found.kind;
}

export function caseBadge({ language }: Visit, found: OperatorCase): string {
  const state = stateOfCase(found);
  return badge(CASE_TEXTS[language].text(`state.${state}`), TONES[state]);
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
