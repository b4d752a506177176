import { type Parameter, type ReferenceDocument, resolve } from '../document-types.ts';
import type { Entry } from '../list-entries.ts';

/** The document that has the examples, and the addresses of its deployment. */
export interface ExampleSource {
  readonly document: ReferenceDocument;
  /** {base_url} and {auth_url}. */
  readonly publicApiUrl: string;
  readonly publicAuthUrl: string;
}

/** A call with the values of the document's examples; each language renders it. */
export interface CallDescription {
  /** The operationId, which is the name of the function in our clients. */
  readonly id: string;
  readonly method: string;
  readonly url: string;
  /** The values in its path, in their order. */
  readonly ids: readonly string[];
  readonly query: Readonly<Record<string, string>>;
  readonly auth: 'BASIC' | 'TOKEN' | 'NONE';
  /** The media type of the body. */
  readonly type: string;
  /** undefined: the call has none. */
  readonly body: unknown;
  readonly answer: 'LIST' | 'RESOURCE' | 'NOTHING';
  readonly baseUrl: string;
  readonly authUrl: string;
}

/** Describes a call with the first example of its body. */
export function describeCall(source: ExampleSource, entry: Entry): CallDescription {
  const { document, publicApiUrl, publicAuthUrl } = source;
  const { id, method, path, call } = entry;
  const [[type, content] = ['', undefined]] = Object.entries(call.requestBody?.content ?? {});
  const values = pathValues(document, entry);
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? name);
  const query = Object.fromEntries(queryValues(document, entry));
  const search = new URLSearchParams(query).toString();
  const origin = (call.servers ?? document.servers)[0]?.url ?? '';
  return {
    id,
    method,
    url: `${origin}${filled}${search && `?${search}`}`,
    ids: Object.values(values),
    query,
    auth: authOf(entry),
    type,
    body: Object.values(content?.examples ?? {})[0]?.value,
    answer: answerOf(document, entry),
    baseUrl: publicApiUrl,
    authUrl: publicAuthUrl,
  };
}

/** How a call shows who makes it. */
export function authOf({ call: { security = [] } }: Pick<Entry, 'call'>): CallDescription['auth'] {
  const [first = {}] = security;
  if ('clientCredentials' in first) return 'BASIC';
  return 'accessToken' in first ? 'TOKEN' : 'NONE';
}

/** The examples of the parameters in a path; each call of the path has them, if it has none. */
function pathValues(document: ReferenceDocument, { path }: Entry): Record<string, string> {
  const calls = Object.values(document.paths[path] ?? {});
  const known = calls.flatMap(({ parameters = [] }) =>
    parameters.map((each) => resolve<Parameter>(document, each)),
  );
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return Object.fromEntries(
    names.map((name) => {
      const found = known.find((each) => each.name === name && each.example !== undefined);
      return [name, String(found?.example ?? name)];
    }),
  );
}

/** The parameters of the query whose schema has an example. */
function queryValues(document: ReferenceDocument, { call }: Entry): [string, string][] {
  const parameters = (call.parameters ?? []).map((each) => resolve<Parameter>(document, each));
  return parameters.flatMap(({ name, in: place, schema }) => {
    const [example] = schema.examples ?? [];
    return place === 'query' && example !== undefined ? [[name, String(example)]] : [];
  });
}

function answerOf(document: ReferenceDocument, { call }: Entry): CallDescription['answer'] {
  const [, good] = Object.entries(call.responses).find(([status]) => /^2/.test(status)) ?? [];
  const [content] = Object.values(good?.content ?? {});
  if (!content) return 'NOTHING';
  return resolve(document, content.schema).properties?.hasMore ? 'LIST' : 'RESOURCE';
}
