import type { Field, NamesKnownTo, NamesWith } from './field-types.ts';
import { FIELDS, type OWN_FIELDS, type PAYER_FIELDS } from './fields.ts';

export type FieldName = keyof typeof FIELDS;
export type PayerFieldName = keyof typeof PAYER_FIELDS;
export type KeptField = NamesWith<typeof FIELDS, 'kind', 'KEPT'>;
export type ConvertedField = NamesWith<typeof FIELDS, 'kind', 'CONVERTED'>;
export type ChangeableField = NamesWith<typeof FIELDS, 'set', 'WHILE_CREATED'>;
/** Fields that the list can be narrowed by; the filter of a KEPT field is derived. */
export type FilterField = NamesKnownTo<typeof FIELDS, 'FILTERS'>;
export type EqualityFilter = FilterField & KeptField;
export type AnsweredOwnField = NamesWith<typeof OWN_FIELDS, 'isAnswered', true>;

const names = Object.keys(FIELDS) as FieldName[];

export const KEPT_FIELDS = names.filter((name) => FIELDS[name].kind === 'KEPT') as KeptField[];

export const CHANGEABLE_FIELDS = names.filter(
  (name) => FIELDS[name].set === 'WHILE_CREATED',
) as ChangeableField[];

export const EQUALITY_FILTERS = names.filter((name) => {
  const { kind, knownTo }: Field = FIELDS[name];
  return kind === 'KEPT' && knownTo.includes('FILTERS');
}) as EqualityFilter[];

/** Answers show `expiryDateTime` beside `createdDateTime`, and the service's own `merchant`. */
export type AnsweredField = Exclude<FieldName, 'merchant' | 'expiryDateTime'>;
export const ANSWERED_FIELDS = names.filter(
  (name): name is AnsweredField => name !== 'merchant' && name !== 'expiryDateTime',
);
