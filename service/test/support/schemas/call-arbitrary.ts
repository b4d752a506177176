import fc from 'fast-check';
import {
  anyCharacter,
  type JsonSchema,
  JUNK,
  mutated,
  nearlyFitting,
  type Resolve,
} from './schema-arbitrary.ts';

export interface FuzzedCall {
  readonly operationId: string;
  readonly method: string;
  /** With `{id}` where the id goes. */
  readonly path: string;
  /** Which of the caller's own; or another text. */
  readonly id: { readonly own: number } | { readonly junk: string };
  readonly credentials: 'good' | 'narrow' | 'none' | 'noToken' | 'badToken' | 'otherKey';
  readonly query: readonly (readonly [string, string])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly schema: JsonSchema;
}

interface Content {
  readonly schema: JsonSchema;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
}

export interface FuzzedDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const FORM = 'application/x-www-form-urlencoded';

/** Calls to every operation of the document: right ones, nearly right ones, and nonsense. */
export function fuzzedCalls(document: FuzzedDocument): fc.Arbitrary<FuzzedCall> {
  const resolve: Resolve = (ref) => {
    const [, , group = '', name = ''] = ref.split('/');
    return document.components[group]?.[name] as JsonSchema;
  };
  const calls = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      // In a call with a body, more can go wrong.
      weight: operation.requestBody ? 3 : 1,
      arbitrary: callsOf(operation, method, path, resolve),
    })),
  );
  return fc.oneof(...calls);
}

function callsOf(
  operation: Operation,
  method: string,
  path: string,
  resolve: Resolve,
): fc.Arbitrary<FuzzedCall> {
  return fc.record({
    operationId: fc.constant(operation.operationId),
    method: fc.constant(method.toUpperCase()),
    path: fc.constant(path),
    id: fc.oneof(
      { weight: 6, arbitrary: fc.nat().map((own) => ({ own })) },
      fc.uuid().map((junk) => ({ junk })),
      fc.string({ unit: anyCharacter, maxLength: 60 }).map((junk) => ({ junk })),
    ),
    credentials: fc.oneof(
      { weight: 20, arbitrary: fc.constant('good' as const) },
      fc.constantFrom('narrow', 'none', 'noToken', 'badToken', 'otherKey'),
    ),
    query: queries(operation, resolve),
    headers: headers(operation),
    body: bodies(operation, resolve),
  });
}

function queries(operation: Operation, resolve: Resolve) {
  const known = operation.parameters.filter((each) => each.in === 'query');
  const one = known.map(({ name, schema }) =>
    nearlyFitting(schema, resolve).map((value) => [value].flat().map((each) => pair(name, each))),
  );
  const unknown = fc.tuple(fc.string(), fc.string()).map((each) => [each]);
  const rarely = { weight: 1, arbitrary: unknown };
  if (one.length === 0) return fc.oneof({ weight: 20, arbitrary: fc.constant([]) }, rarely);
  const any = fc.oneof({ weight: 12, arbitrary: fc.oneof(...one) }, rarely);
  return fc.array(any, { maxLength: 3 }).map((pairs) => pairs.flat());
}

function pair(name: string, value: unknown): readonly [string, string] {
  return [name, textOf(value)];
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The header texts that fetch can send: visible ASCII between spaces. */
const headerText = fc.string({ maxLength: 300 }).map((text) => text.trim());

const HEADERS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  // Few keys, so that they meet again, with the same call and with others.
  'Idempotency-Key': fc.oneof(fc.constantFrom('a', 'b', 'c'), headerText),
  'If-Match': fc.oneof(fc.constantFrom('"1"', '"2"', 'W/"1"', '*', '"1", "2"'), headerText),
  'If-None-Match': fc.oneof(fc.constantFrom('"1"', 'W/"1"', '*', '"0"'), headerText),
  Prefer: fc.oneof(fc.constantFrom('handling=strict', 'handling=lenient'), headerText),
  'X-Request-Id': headerText,
  Accept: fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom('application/json', '*/*', 'text/html') },
    { weight: 1, arbitrary: fc.constant('text/csv') },
    headerText,
  ),
};

function headers(operation: Operation): fc.Arbitrary<Record<string, string>> {
  const names = operation.parameters
    .flatMap(({ $ref }) => $ref?.split('/').at(-1) ?? [])
    .concat('Accept');
  const known = names.map((name) =>
    fc.option(HEADERS[name]?.map((value) => ({ [name]: value })) ?? fc.constant({}), {
      freq: 1,
      nil: {},
    }),
  );
  const types = Object.keys(operation.requestBody?.content ?? {});
  const type = fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(...types, 'application/json') },
    fc.constantFrom('', 'text/plain', 'application/json; charset=latin1', 'application/xml', '/'),
  );
  const contentType = type.map((value) => (value === '' ? {} : { 'Content-Type': value }));
  const parts = operation.requestBody ? [...known, contentType] : known;
  return fc.tuple(...parts).map((all) => Object.assign({}, ...all));
}

function bodies(operation: Operation, resolve: Resolve) {
  const content = Object.entries(operation.requestBody?.content ?? {})[0];
  if (!content) return fc.constant(undefined);
  const [type, { schema, examples }] = content;
  const values = Object.values(examples ?? {}).map(({ value }) => mutated(value));
  const value = fc.oneof(nearlyFitting(schema, resolve), ...values);
  const write = (each: unknown) => (type === FORM ? writeForm(each) : JSON.stringify(each));
  return fc.oneof(
    { weight: 16, arbitrary: value.map(write) },
    { weight: 4, arbitrary: fc.tuple(value.map(write), fc.nat(), damage).map(broken) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
}

function writeForm(value: unknown): string {
  const fields = Object.entries(Object(value)).map(([name, each]): [string, string] => [
    name,
    textOf(each),
  ]);
  return new URLSearchParams(fields).toString();
}

type Damage = (text: string, at: number) => string;

/** Texts that no JSON library writes. */
const damage = fc.constantFrom<Damage>(
  (text, at) => text.slice(0, at % (text.length + 1)),
  (text) => text.replace('{', '{"amount":1,"amount":2,'),
  (text) => text.replace('{', '{"__proto__":{"type":"ECOMM"},'),
  (text) => text.replace(/\d+(\.\d+)?/, '1e400'),
  (text) => text.replace(/\d+(\.\d+)?/, '-0'),
  (text) => text.replace(/\d+(\.\d+)?/, '10.000000000000000000001'),
  (text) => text.replace(/\d+(\.\d+)?/, '1e1'),
  (text) => `\ufeff${text}`,
  (text) => `${'['.repeat(9)}${text}${']'.repeat(9)}`,
  (text) => text.replace('}', `,"metadata":{"a":"${'x'.repeat(70_000)}"}}`),
  (text, at) => text.slice(0, at % (text.length + 1)) + text,
  (text) => text.replaceAll('"', "'"),
  () => String(JUNK[0]),
);

function broken([text = '', at, hurt]: readonly [string | undefined, number, Damage]): string {
  return hurt(text, at);
}
