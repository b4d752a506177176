import fc from 'fast-check';

/** A JSON schema as the OpenAPI document has it. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
}

export type Resolve = (ref: string) => JsonSchema;

/** Longer than any limit of the API, short enough that bodies stay small. */
const LONGEST_TEXT = 600;

/** Values that break rules which most schemas have, or none has thought of. */
export const JUNK: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e21,
  0.1 + 0.2,
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u2028',
  'é'.repeat(300),
  '💶'.repeat(130),
  '2026-02-30',
  '0000-00-00T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
  'https://[::1]/',
  'https://user@example.com/#x',
  "'; DROP TABLE payment_requests; --",
  '<script>alert(1)</script>',
  '=1+1',
  [],
  {},
  [[]],
  { toString: 'x', constructor: null, hasOwnProperty: 1 },
];

/** Texts of the formats that the document names: right ones, and some on the edge. */
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  date: ['2026-03-15', '2024-02-29', '2026-13-01', '1-1-1'],
  'date-time': [
    '2026-03-02T12:00:00Z',
    '2026-03-02T12:00:00.123456+14:00',
    '2026-03-01T12:04:59Z',
    '2027-03-01T12:00:00Z',
    '2026-03-02 12:00:00',
    '2016-12-31T23:59:60Z',
  ],
  uri: ['https://203.0.113.9/hook', 'https://shop.test/hook', 'http://shop.test/', 'ftp:x'],
  uuid: ['018f2c7e-95a4-7c3b-8d1e-3a4b5c6d7e8f', '00000000-0000-0000-0000-000000000000'],
};

const URLS = [...(FORMATS.uri ?? []), 'https://203.0.113.7/', 'https://other.test:8443/hook'];

/** Texts that members of these names take by rules which no schema says. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  name: ['Ada', 'depositSubmit', 'depositSubmit:3601', 'depositFail:NONE', 'createError:409'],
  email: ['ada@example.com', 'ADA@example.com', 'ada@@example.com', 'ada'],
  mobileNumber: ['15145550142', '+1 (514) 555-0142', '1', '----------'],
  preferredLanguage: ['fr', 'en-CA', 'fr-', 'FRA'],
  webhookUrl: URLS,
  callbackUrl: URLS,
  returnUrl: URLS,
  url: URLS,
};

const SURROGATES = 0x800;

/**
 * Every code point but half surrogates. The unit 'binary' of fast-check is the same, but builds a
 * map of all 1.1 million for shrinking: seconds, and a heap that each collection walks.
 */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES })
  .map((nth) => String.fromCodePoint(nth < 0xd800 ? nth : nth + SURROGATES));

/** Values that nearly fit a schema: mostly right ones, and in each place some that are not. */
export function nearlyFitting(schema: JsonSchema, resolve: Resolve): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 12, arbitrary: fitting(schema, resolve) },
    { weight: 1, arbitrary: fc.constantFrom(...JUNK) },
  );
}

function fitting(schema: JsonSchema, resolve: Resolve): fc.Arbitrary<unknown> {
  if (schema.$ref) return fitting(resolve(schema.$ref), resolve);
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((each) => fitting(each, resolve)));
  const types = [schema.type ?? 'object'].flat();
  return fc.oneof(...types.map((type) => ofType(type, schema, resolve)));
}

function ofType(type: string, schema: JsonSchema, resolve: Resolve): fc.Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: (schema.minimum ?? 0) - 1, max: (schema.maximum ?? 1000) + 1 });
    case 'number':
      return fc.oneof(
        fc.integer({ min: 1, max: 1_000_000 }).map((cents) => cents / 100),
        fc.double(),
      );
    case 'array':
      return fc.array(nearlyFitting(schema.items ?? {}, resolve), { maxLength: 3 });
    case 'string':
      return text(schema);
    default:
      return object(schema, resolve);
  }
}

function text({ format, minLength = 0, maxLength = LONGEST_TEXT }: JsonSchema) {
  const most = Math.min(maxLength, LONGEST_TEXT);
  const any = fc.string({ minLength: Math.min(minLength, most), maxLength: most + 1 });
  const unicode = fc.string({ unit: anyCharacter, maxLength: 20 });
  const known = FORMATS[format ?? ''];
  return known
    ? fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...known) }, any)
    : fc.oneof({ weight: 4, arbitrary: any }, unicode);
}

function object(schema: JsonSchema, resolve: Resolve): fc.Arbitrary<unknown> {
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) => {
    const isRequired = schema.required?.includes(name) ?? false;
    const known = MEMBERS[name];
    const any = nearlyFitting(member, resolve);
    const value = known ? fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...known) }, any) : any;
    const present = value.map((each) => ({ [name]: each }));
    return fc.option(present, { freq: isRequired ? 30 : 1, nil: {} });
  });
  const free = Object.values(schema.patternProperties ?? {})[0] ?? schema.additionalProperties;
  const others =
    typeof free === 'object'
      ? fc.dictionary(fc.string({ maxLength: 42 }), nearlyFitting(free, resolve), { maxKeys: 22 })
      : fc.dictionary(fc.string({ maxLength: 9 }), fc.constantFrom(...JUNK), { maxKeys: 2 });
  const rarely = typeof free === 'object' ? 1 : 6;
  return fc
    .tuple(fc.oneof({ weight: rarely, arbitrary: fc.constant({}) }, others), ...members)
    .map((parts) => Object.assign({}, ...parts));
}

/** A value with some of its members replaced by junk, taken away or joined by unknown ones. */
export function mutated(value: unknown): fc.Arbitrary<unknown> {
  const paths = pathsOf(value);
  const change = fc.record({
    path: fc.constantFrom(...paths),
    how: fc.constantFrom('replace', 'remove', 'add'),
    junk: fc.constantFrom(...JUNK),
  });
  return fc
    .array(change, { maxLength: 3 })
    .map((changes) => changes.reduce((last, each) => changed(last, each.path, each), value));
}

interface Change {
  readonly how: string;
  readonly junk: unknown;
}

function pathsOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, each]) => pathsOf(each, [...path, key]))];
}

function changed(value: unknown, path: readonly string[], change: Change): unknown {
  const [key, ...rest] = path;
  if (key === undefined || typeof value !== 'object' || value === null) {
    return change.how === 'replace' ? change.junk : { ...Object(value), unknown: change.junk };
  }
  const { [key]: member, ...others } = value as Record<string, unknown>;
  if (rest.length === 0 && change.how === 'remove') return others;
  return { ...others, [key]: changed(member, rest, change) };
}
