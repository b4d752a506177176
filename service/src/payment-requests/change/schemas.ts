import { type Static, type TSchema, Type } from 'typebox';
import { CANCELLATION_REASONS } from '#payment-requests/model/cancellation-reasons.ts';
import type { ChangeableField } from '#payment-requests/model/field-lists.ts';
import {
  type Field,
  type Removable,
  removable,
  text,
} from '#payment-requests/model/field-types.ts';
import { FIELDS } from '#payment-requests/model/fields.ts';

/** The body of POST /payment-requests/{id}/cancellation; it may be left out. */
export const CancellationSchema = Type.Object({
  reason: Type.Optional(
    Type.Enum([...CANCELLATION_REASONS], { description: 'Why; kept for the timeline.' }),
  ),
  comment: Type.Optional(text(250, 'In your own words; kept for the timeline.')),
});

export type CancellationBody = Static<typeof CancellationSchema>;

type UpdateRules = {
  -readonly [Name in ChangeableField]: (typeof FIELDS)[Name] extends {
    readonly patchRule: infer Rule extends TSchema;
  }
    ? Rule
    : Removable<(typeof FIELDS)[Name]['rule']>;
};

/** The body of PATCH /payment-requests/{id}: a JSON Merge Patch (contract §4, Update). */
export const PaymentRequestUpdateSchema = Type.Object(updateRules(), {
  additionalProperties: false,
});

export type PaymentRequestUpdateBody = Static<typeof PaymentRequestUpdateSchema>;

function updateRules(): UpdateRules {
  const fields: readonly (readonly [name: string, field: Field])[] = Object.entries(FIELDS);
  const rules = fields
    .filter(([, { set }]) => set === 'WHILE_CREATED')
    .map(([name, { rule, patchRule }]) => [name, patchRule ?? removable(rule)]);
  return Object.fromEntries(rules) as UpdateRules;
}
