import { html } from 'ghtml';
import { type Parameter, type ReferenceDocument, resolve } from '../document-types.ts';
import type { Entry } from '../list-entries.ts';

const FORM = 'application/x-www-form-urlencoded';

/** A call for a shell, with an example's body; its secrets come from variables. */
export function curlOf(document: ReferenceDocument, entry: Entry, body: unknown): string {
  const { method, path, call } = entry;
  const origin = (call.servers ?? document.servers)[0]?.url ?? '';
  const types = Object.keys(call.requestBody?.content ?? {});
  const verb = method === 'GET' ? 'curl' : `curl -X ${method}`;
  const lines = [
    `${verb} "${origin}${filledPath(document, entry, path)}"`,
    ...credentialsOf(entry),
    ...(body === undefined ? [] : bodyOf(types[0] ?? '', body)),
  ];
  return lines.join(' \\\n  ');
}

/** A block that shows a value as JSON; a keyboard reaches what scrolls. */
export function jsonBlock(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return html`<pre tabindex="0"><code>${text}</code></pre>`;
}

function credentialsOf({ call: { security = [] } }: Entry): string[] {
  const [first = {}] = security;
  if ('clientCredentials' in first) return ['-u "$USERNAME:$PASSWORD"'];
  if (!('accessToken' in first)) return [];
  return ['-H "x-api-key: $API_KEY"', '-H "Authorization: Bearer $TOKEN"'];
}

function bodyOf(type: string, body: unknown): string[] {
  if (type === FORM) {
    return Object.entries(body as Record<string, string>).map(
      ([name, value]) => `-d ${quoted(`${name}=${value}`)}`,
    );
  }
  return [`-H "Content-Type: ${type}"`, `-d ${quoted(JSON.stringify(body, null, 2))}`];
}

/** A word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function filledPath(document: ReferenceDocument, { call }: Entry, path: string): string {
  const parameters = (call.parameters ?? []).map((each) => resolve<Parameter>(document, each));
  return path.replace(/\{(\w+)\}/g, (placeholder, name) => {
    const example = parameters.find((each) => each.in === 'path' && each.name === name)?.example;
    return example === undefined ? placeholder : String(example);
  });
}
