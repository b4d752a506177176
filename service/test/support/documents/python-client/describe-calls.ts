import { type Parameter, resolve, type Schema } from '#api-reference/document-types.ts';
import { merchantCalls, type OpenApi, type PlacedCall } from '../openapi-document.ts';
import { pascalCase } from './python-text.ts';
import { type PythonTypes, pythonTypes } from './python-types.ts';

const JSON_TYPE = 'application/json';
const CSV_TYPE = 'text/csv';
/** The bodies of webhooks, which are entries of the feed, too. */
const EVENTS = ['Event', 'RefundEvent'];

export interface TypedParameter extends Parameter {
  readonly type: string;
}

/** A call of the API with the types that its function has. */
export interface PythonCall extends PlacedCall {
  readonly parametersIn: Readonly<Record<'path' | 'query' | 'header', readonly TypedParameter[]>>;
  /** null: the call has no body, or one without members. */
  readonly body: PythonBody | null;
  /** The type of the answer; of a list, that of an entry; null where the answer has no body. */
  readonly answerType: string | null;
  /** The parameter that continues a list; null: the answer is one resource. */
  readonly cursor: 'cursor' | 'after' | 'none' | null;
  readonly hasCsv: boolean;
}

export interface PythonBody {
  readonly type: string;
  readonly isRequired: boolean;
  /** The members of which only one value is valid: the client fills them in. */
  readonly constants: Readonly<Record<string, unknown>>;
  readonly amounts: readonly string[];
}

/** Describes the functions of the client, and collects their types. */
export function describeCalls(document: OpenApi): {
  readonly calls: readonly PythonCall[];
  readonly types: PythonTypes;
} {
  const types = pythonTypes(document);
  const calls = merchantCalls(document).map((call): PythonCall => {
    const parameters = typedParameters(call, types);
    const placed = (place: string) => parameters.filter((each) => each.in === place);
    const parametersIn = {
      path: placed('path'),
      query: placed('query'),
      header: placed('header'),
    };
    const answer = answerOf(call);
    const items = answer && itemsOf(document, answer);
    const answerName = `${pascalCase(call.operationId)}Answer`;
    const names = parametersIn.query.map(({ name }) => name);
    const known = (['cursor', 'after'] as const).find((name) => names.includes(name));
    const types2xx = call.responses['200']?.content ?? {};
    return {
      ...call,
      parametersIn,
      body: bodyOf(call, types),
      answerType: answer ? types.typeOf(items ?? answer, answerName, 'answer') : null,
      cursor: items ? (known ?? 'none') : null,
      hasCsv: items !== undefined && CSV_TYPE in types2xx,
    };
  });
  for (const name of EVENTS) types.typeOf({ $ref: `#/components/schemas/${name}` }, name, 'answer');
  return { calls, types };
}

function typedParameters(
  { operationId, resolved }: PlacedCall,
  types: PythonTypes,
): TypedParameter[] {
  return resolved.map((parameter) => {
    const name = `${pascalCase(operationId)}${pascalCase(parameter.name)}`;
    const { items } = parameter.schema;
    // An argument with several values may be any sequence.
    const type = items
      ? `Sequence[${types.typeOf(items, name, 'body')}]`
      : types.typeOf(parameter.schema, name, 'body');
    return { ...parameter, type };
  });
}

function bodyOf({ operationId, requestBody }: PlacedCall, types: PythonTypes): PythonBody | null {
  const schema = requestBody?.content[JSON_TYPE]?.schema;
  const members = Object.entries(schema?.properties ?? {});
  if (!schema || (!schema.$ref && members.length === 0)) return null;
  return {
    type: types.typeOf(schema, `${pascalCase(operationId)}Body`, 'body'),
    isRequired: requestBody?.required === true,
    constants: Object.fromEntries(
      members.flatMap(([name, { const: value }]) => (value === undefined ? [] : [[name, value]])),
    ),
    amounts: members.filter(([, { type }]) => type === 'number').map(([name]) => name),
  };
}

function answerOf({ responses }: PlacedCall): Schema | undefined {
  const [, good] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  return good?.content?.[JSON_TYPE]?.schema;
}

/** The schema of the entries, where an answer is a page of a list. */
function itemsOf(document: OpenApi, schema: Schema): Schema | undefined {
  const { data, hasMore } = resolve<Schema>(document, schema).properties ?? {};
  return hasMore ? data?.items : undefined;
}
