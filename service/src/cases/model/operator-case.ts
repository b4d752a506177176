import type { MoneyMovement } from '#e-transfer/network-money.ts';
import type { OperatorCaseKind } from '#telemetry/metrics/network-metrics.ts';
import { allowsSettlement, type Settlement, type ShownKind } from './case-kinds.ts';

/** A matter of money that only an operator can settle, as it is stored. */
export interface OperatorCase {
  readonly id: string;
  readonly kind: OperatorCaseKind;
  readonly paymentRequestId: string | null;
  /** null: no merchant can be named. */
  readonly merchantId: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly openedAt: Date;
  /** null: open. */
  readonly closedAt: Date | null;
  /** null: open, or overtaken by later money. */
  readonly settlement: Settlement | null;
}

/** The network references of the movements that a case is about. */
export function referencesOf({ details }: Pick<OperatorCase, 'details'>): string[] {
  const { networkReferences, networkReference } = details;
  return textsOf(Array.isArray(networkReferences) ? networkReferences : [networkReference]);
}

/** The network references of the earlier bookings that the money of a case corrects. */
export function correctedReferencesOf({ details }: Pick<OperatorCase, 'details'>): string[] {
  const { correctedReferences: named } = details;
  return textsOf(Array.isArray(named) ? named : []);
}

/** The kind for people: money that corrects an earlier booking names no two references. */
export function shownKind(found: Pick<OperatorCase, 'kind' | 'details'>): ShownKind {
  const isCorrected = correctedReferencesOf(found).length > 0;
  return isCorrected && allowsSettlement(found.kind, 'REPLACED') ? 'CORRECTED_BOOKING' : found.kind;
}

function textsOf(values: readonly unknown[]): string[] {
  return values.filter((value): value is string => typeof value === 'string');
}

/** The movement of a debit or credit that the ledger gets when its case is settled. */
export function movementIn(
  operatorCase: Pick<OperatorCase, 'details'>,
  networkReference: string,
): Omit<MoneyMovement, 'amountCents'> {
  return {
    networkReference,
    bankReference: textIn(operatorCase, 'bankReference'),
    bookingDate: textIn(operatorCase, 'bookingDate'),
  };
}

/** A text of a case's details; null: the details have none. */
export function textIn({ details }: Pick<OperatorCase, 'details'>, name: string): string | null {
  const value = details[name];
  return typeof value === 'string' ? value : null;
}
