import { isId, newId } from '#lib/new-id.ts';
import type { ActOfCase } from '../money-deps.ts';

/** A row of the parts of a transfer; an empty one is left out. */
export interface TypedPart {
  readonly id: string;
  readonly amount: string;
}

/** The values of the form of a settlement, as they were sent. */
export interface TypedSettlement {
  readonly note: string;
  readonly movement: string;
  /** A form that is sent twice acts once. */
  readonly formId: string;
  /** The payment request that the address or the form names. */
  readonly paymentRequest: string | null;
  /** null: the form is new, and suggests them. */
  readonly parts: readonly TypedPart[] | null;
}

export type PartField = `part-${number}-${'id' | 'amount'}`;

/** A sentence for each field with a fault; `form` is about none of them alone. */
export type Faults = Readonly<
  Partial<Record<'note' | 'movement' | 'parts' | 'form' | PartField, string>>
>;

/** The form of an act, as it is shown. */
export interface SettlementForm {
  readonly act: ActOfCase;
  readonly typed: TypedSettlement;
  readonly faults: Faults;
}

/** The name of a field of a part, by the part's place from 1. */
export function partField(place: number, field: 'id' | 'amount'): PartField {
  return `part-${place}-${field}`;
}

export function newSettlement(paymentRequest: string | null): TypedSettlement {
  return { note: '', movement: '', formId: newId(), paymentRequest, parts: null };
}

/** @param mostParts rows beyond these are not of our form */
export function readTypedSettlement(form: URLSearchParams, mostParts: number): TypedSettlement {
  const value = (name: string) => form.get(name)?.trim() ?? '';
  const places = Array.from({ length: mostParts }, (_, index) => index + 1);
  const sent = places.filter((place) => form.has(partField(place, 'id')));
  return {
    note: value('note'),
    movement: value('movement'),
    formId: isId(value('formId')) ? value('formId') : newId(),
    paymentRequest: value('paymentRequest') || null,
    parts: sent.map((place) => ({
      id: value(partField(place, 'id')).toLowerCase(),
      amount: value(partField(place, 'amount')),
    })),
  };
}
