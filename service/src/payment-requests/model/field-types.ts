import { type Static, type TOptional, type TSchema, type TUnsafe, Type } from 'typebox';
import { NO_CONTROL_CHARACTERS } from '#lib/text-forms.ts';

export type SqlType =
  | 'bigint'
  | 'boolean'
  | 'date'
  | 'integer'
  | 'json'
  | 'text'
  | 'timestamptz'
  | 'uuid'
  | 'xid8';

/** The columns of `payment_requests` that hold a field, each with its type. */
export type Columns = Readonly<Record<string, SqlType>>;

/** The parts of the service that know some fields only. */
export type Knower = 'CSV' | 'FILTERS' | 'PAGES' | 'CONSOLE' | 'ERASURE';

/** A field that a merchant sets. */
export interface Field {
  /**
   * - `KEPT`: one column holds the value as sent; the property in `PaymentRequest` has its name.
   * - `CONVERTED`: each place that reads or writes the field names its conversion.
   * - `CHECKED`: the value is validated and not stored.
   */
  readonly kind: 'KEPT' | 'CONVERTED' | 'CHECKED';
  readonly columns: Columns;
  /** The schema in a creation. */
  readonly rule: TSchema;
  /** The schema in an update; left out: `rule`, or null. */
  readonly patchRule?: TSchema;
  /** The schema in answers; left out: `rule`. */
  readonly answerRule?: TSchema;
  /** When a merchant may set the field. */
  readonly set: 'AT_CREATION' | 'WHILE_CREATED';
  /**
   * - `CSV`: the CSV list has a column of it.
   * - `FILTERS`: the list can be narrowed by it.
   * - `PAGES`: the payer's pages show it.
   * - `CONSOLE`: the form, the page and the list of payment requests show a text of one line, by
   *   its label `field.<name>`.
   * - `ERASURE`: the erasure of a payer removes it, or replaces it by `erasedTo`.
   */
  readonly knownTo: readonly Knower[];
  readonly erasedTo?: string;
  /** The value in the examples of the API reference; left out: the examples do not have it. */
  readonly example?: unknown;
}

/** A field that the service sets; no merchant can. */
export interface OwnField {
  readonly columns: Columns;
  /** Whether answers and webhooks show the field. */
  readonly isAnswered: boolean;
}

/** The rule of a line of text, as pages show it. */
export const text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: NO_CONTROL_CHARACTERS, description });

/** A rule for an update: the field's rule, or null, which removes the value (RFC 7396). */
export type Removable<Rule extends TSchema> = TOptional<TUnsafe<Static<Rule> | null>>;

/** The rule of a creation, or `null`, which removes the value (RFC 7396). */
export function removable<Rule extends TSchema>(rule: Rule): Removable<Rule> {
  const { type } = rule as { readonly type?: string };
  return Type.Optional(Type.Unsafe({ ...rule, type: [type, 'null'] })) as Removable<Rule>;
}

/** The stored value of a KEPT field: null stands for an optional field that is absent. */
export type Kept<Rule extends TSchema> = Rule extends TOptional
  ? Static<Rule> | null
  : Static<Rule>;

/** The stored values of the KEPT fields of a table. */
export type KeptValues<Table extends Readonly<Record<string, Field>>> = {
  readonly [Name in keyof Table as Table[Name]['kind'] extends 'KEPT' ? Name : never]: Kept<
    Table[Name]['rule']
  >;
};

/** The names of the fields that have a property of this value, such as one `kind`. */
export type NamesWith<Table, Property extends string, Value> = {
  [Name in keyof Table]: Table[Name] extends { readonly [Key in Property]: Value } ? Name : never;
}[keyof Table];

/** The names of the fields that a part of the service knows. */
export type NamesKnownTo<Table extends Readonly<Record<string, Field>>, Part extends Knower> = {
  [Name in keyof Table]: Part extends Table[Name]['knownTo'][number] ? Name : never;
}[keyof Table];

/** The creation rules of a table's fields, by name. */
export type RulesOf<Table extends Readonly<Record<string, Field>>> = {
  -readonly [Name in keyof Table]: Table[Name]['rule'];
};

export function rulesOf<Table extends Readonly<Record<string, Field>>>(
  table: Table,
): RulesOf<Table> {
  const rules = Object.entries(table).map(([name, { rule }]) => [name, rule]);
  return Object.fromEntries(rules) as RulesOf<Table>;
}
