import type { Type as TypeBox } from 'typebox';

type Builder =
  | 'Array'
  | 'Boolean'
  | 'Enum'
  | 'Integer'
  | 'Literal'
  | 'Null'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'Record'
  | 'String'
  | 'Union'
  | 'Unsafe';
type Schema = Readonly<Record<string, unknown>>;

/** Marks a member that may be left out. Neither JSON nor a copy by `...` has the mark. */
const OPTIONAL = '~optional';

const copyOf = (schema: Schema): Schema =>
  Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema));

const ofType = (type: string) => (options?: Schema) => ({ type, ...options });

const builders: Readonly<Record<Builder, (...parts: never[]) => Schema>> = {
  Array: (items: Schema, options?: Schema) => ({ type: 'array', items, ...options }),
  Boolean: ofType('boolean'),
  Enum: (values: readonly (string | number)[], options?: Schema) => ({ enum: values, ...options }),
  Integer: ofType('integer'),
  Literal: (value: string | number | boolean, options?: Schema) => ({
    type: typeof value,
    const: value,
    ...options,
  }),
  Null: ofType('null'),
  Number: ofType('number'),
  Object(properties: Readonly<Record<string, Schema>>, options?: Schema) {
    const isNeeded = (name: string) => !(OPTIONAL in (properties[name] ?? {}));
    const required = Object.keys(properties).filter(isNeeded);
    return { type: 'object', ...(required.length > 0 && { required }), properties, ...options };
  },
  Optional: (schema: Schema) => Object.defineProperty(copyOf(schema), OPTIONAL, { value: true }),
  /** Its keys are any texts. */
  Record: (_key: Schema, value: Schema, options?: Schema) => ({
    type: 'object',
    patternProperties: { '^.*$': value },
    ...options,
  }),
  String: ofType('string'),
  Union: (anyOf: readonly Schema[], options?: Schema) => ({ anyOf, ...options }),
  Unsafe: (schema: Schema) => copyOf(schema),
};

/**
 * The builders of TypeBox that schemas use, with its types: they give the same JSON Schema. TypeBox
 * itself is 370 modules, a fifth of those that a start loaded.
 */
export const Type = builders as unknown as Pick<typeof TypeBox, Builder>;
