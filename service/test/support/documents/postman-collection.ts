import type { ReferenceDocument } from '#api-reference/document-types.ts';
import { type PlacedCall, placedCalls, readOpenApi } from './openapi-document.ts';
import {
  ACCESS_TOKEN_SCRIPT,
  COLLECTION_VARIABLES,
  ID_VARIABLES,
  STORED_IDS,
} from './postman-variables.ts';

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
const DESCRIPTION = `Every call of the API, made from the OpenAPI document of a sandbox.

Set the variables of this collection: base_url, auth_url, username, password and api_key. A script
buys the access token before the first call and keeps it until shortly before its end.`;

/** docs/guides/payment-requests.postman_collection.json (Postman Collection v2.1). */
export async function renderPostmanCollection(): Promise<string> {
  return `${JSON.stringify(collectionOf(JSON.parse(await readOpenApi())), null, 2)}\n`;
}

function collectionOf(document: ReferenceDocument): object {
  const calls = placedCalls(document);
  return {
    info: { name: 'Payment Requests API', description: DESCRIPTION, schema: SCHEMA },
    auth: bearer('{{access_token}}'),
    event: [scriptOf('prerequest', ACCESS_TOKEN_SCRIPT)],
    variable: COLLECTION_VARIABLES.map(([key, value]) => ({ key, value, type: 'string' })),
    item: document.tags.map(({ name, description }) => ({
      name,
      description,
      item: calls.filter(({ tags }) => tags.includes(name)).flatMap(itemsOf),
    })),
  };
}

/** An item for the call, and one for each further example of its body. */
function itemsOf(call: PlacedCall): object[] {
  const [[type = '', content] = []] = Object.entries(call.requestBody?.content ?? {});
  const examples = Object.entries(content?.examples ?? {}).filter(
    ([name]) => !isRefused(call, name),
  );
  const storing = STORED_IDS[call.operationId];
  const event = storing && { event: [scriptOf('test', storing)] };
  if (examples.length === 0) {
    return [{ name: call.summary, ...event, request: requestOf(call) }];
  }
  return examples.map(([, { summary, value }], index) => ({
    name: index === 0 ? call.summary : `${call.summary}: ${summary}`,
    ...event,
    request: { ...requestOf(call, type), body: bodyOf(type, value) },
  }));
}

/** Whether the document shows the example as one that is refused. */
function isRefused({ responses }: PlacedCall, name: string): boolean {
  const shown = Object.entries(responses).filter(([, { content }]) =>
    Object.values(content ?? {}).some(({ examples }) => examples?.[name] !== undefined),
  );
  const hasExamples = Object.entries(responses).some(
    ([status, { content }]) =>
      status.startsWith('2') && Object.values(content ?? {}).some(({ examples }) => examples),
  );
  return hasExamples && !shown.some(([status]) => status.startsWith('2'));
}

function requestOf(call: PlacedCall, type?: string): object {
  const schemes = (call.security ?? []).flatMap((each) => Object.keys(each));
  const isWithKey = schemes.includes('apiKey');
  const headers = call.resolved.filter((each) => each.in === 'header');
  return {
    method: call.method,
    ...(!isWithKey && { auth: schemes.length > 0 ? BASIC : { type: 'noauth' } }),
    header: [
      ...(isWithKey ? [{ key: 'x-api-key', value: '{{api_key}}' }] : []),
      ...(type ? [{ key: 'Content-Type', value: type }] : []),
      ...headers.map(({ name, description }) => ({
        key: name,
        value: name === 'Idempotency-Key' ? '{{$guid}}' : '',
        description,
        disabled: !(name === 'Idempotency-Key' && call.operationId === 'createPaymentRequest'),
      })),
    ],
    url: urlOf(call),
    description: call.description ?? '',
  };
}

function urlOf({ path, resolved }: PlacedCall): object {
  if (path === '/oauth2/token') return { raw: '{{auth_url}}', host: ['{{auth_url}}'] };
  const [host, rest] = path.startsWith('/v1/')
    ? ['{{base_url}}', path.slice('/v1'.length)]
    : ['{{origin}}', path];
  const segments = rest
    .slice(1)
    .split('/')
    .map((segment) => segment.replace(/^\{(\w+)\}$/, ':$1'));
  const query = resolved.filter((each) => each.in === 'query');
  const variable = resolved.filter((each) => each.in === 'path');
  return {
    raw: `${host}/${segments.join('/')}`,
    host: [host],
    path: segments,
    ...(query.length > 0 && {
      query: query.map(({ name, description }) => ({
        key: name,
        value: '',
        description,
        disabled: true,
      })),
    }),
    ...(variable.length > 0 && {
      variable: variable.map(({ name, description }) => ({
        key: name,
        value: `{{${idVariableOf(rest, name)}}}`,
        description,
      })),
    }),
  };
}

function idVariableOf(path: string, name: string): string {
  if (name !== 'id') return 'replay_id';
  const [, collection = '', first = ''] = path.split('/');
  return ID_VARIABLES[collection === 'sandbox' ? first : collection] ?? 'id';
}

function bodyOf(type: string, value: unknown): object {
  if (type === 'application/x-www-form-urlencoded') {
    const fields = Object.entries(value as Record<string, string>);
    return { mode: 'urlencoded', urlencoded: fields.map(([key, text]) => ({ key, value: text })) };
  }
  const options = { raw: { language: 'json' } };
  return { mode: 'raw', raw: JSON.stringify(value, null, 2), options };
}

function scriptOf(listen: 'prerequest' | 'test', exec: readonly string[]): object {
  return { listen, script: { type: 'text/javascript', exec } };
}

function bearer(token: string): object {
  return { type: 'bearer', bearer: [{ key: 'token', value: token, type: 'string' }] };
}

const BASIC = {
  type: 'basic',
  basic: [
    { key: 'username', value: '{{username}}', type: 'string' },
    { key: 'password', value: '{{password}}', type: 'string' },
  ],
};
