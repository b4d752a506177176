import { codeBlock } from '#http/pages/code-block.ts';
import { codeTabs } from '#http/pages/code-tabs.ts';
import { type Parameter, type ReferenceDocument, resolve } from '../document-types.ts';
import type { Entry } from '../list-entries.ts';

const FORM = 'application/x-www-form-urlencoded';
const PYTHON_WORDS: Readonly<Record<string, string>> = {
  true: 'True',
  false: 'False',
  null: 'None',
};

const JAVASCRIPT_HEADERS = {
  NONE: [],
  BASIC: [`authorization: \`Basic \${btoa(\`\${env.API_USERNAME}:\${env.API_PASSWORD}\`)}\``],
  TOKEN: ["'x-api-key': env.API_KEY", `authorization: \`Bearer \${env.TOKEN}\``],
} as const;

/** The sample reads its variables there; the service itself reads them in `config.ts` alone. */
const NODE_ENVIRONMENT = 'node:process';

/** A call with an example's body. */
interface Sample {
  readonly method: string;
  readonly url: string;
  readonly auth: 'BASIC' | 'TOKEN' | 'NONE';
  /** The media type of the body. */
  readonly type: string;
  readonly body: unknown;
}

/** A call in each language, behind tabs; the secrets come from variables of the environment. */
export function callSamples(document: ReferenceDocument, entry: Entry, body: unknown): string {
  const sample = sampleOf(document, entry, body);
  const name = `${entry.method} ${entry.path}`;
  return codeTabs('language', 'Language', [
    { label: 'curl', body: codeBlock(curlOf(sample), 'bash', name) },
    { label: 'JavaScript', body: codeBlock(javaScriptOf(sample), 'js', name) },
    { label: 'Python', body: codeBlock(pythonOf(sample), 'python', name) },
  ]);
}

/** A call with curl, with its first example. */
export function curlSample(document: ReferenceDocument, entry: Entry): string {
  const [{ examples = {} } = {}] = Object.values(entry.call.requestBody?.content ?? {});
  return curlOf(sampleOf(document, entry, Object.values(examples)[0]?.value));
}

function sampleOf(document: ReferenceDocument, entry: Entry, body: unknown): Sample {
  const { method, path, call } = entry;
  const origin = (call.servers ?? document.servers)[0]?.url ?? '';
  const [type = ''] = Object.keys(call.requestBody?.content ?? {});
  const url = `${origin}${filledPath(document, entry, path)}`;
  return { method, url, auth: authOf(entry), type, body };
}

/** How a call shows who makes it. */
export function authOf({ call: { security = [] } }: Pick<Entry, 'call'>): Sample['auth'] {
  const [first = {}] = security;
  if ('clientCredentials' in first) return 'BASIC';
  return 'accessToken' in first ? 'TOKEN' : 'NONE';
}

function curlOf({ method, url, auth, type, body }: Sample): string {
  const lines = [`${method === 'GET' ? 'curl' : `curl -X ${method}`} "${url}"`];
  if (auth === 'BASIC') lines.push('-u "$API_USERNAME:$API_PASSWORD"');
  if (auth === 'TOKEN') {
    lines.push('-H "x-api-key: $API_KEY"', '-H "Authorization: Bearer $TOKEN"');
  }
  if (body !== undefined && type === FORM) {
    lines.push(...Object.entries(body as object).map((pair) => `-d ${quoted(pair.join('='))}`));
  } else if (body !== undefined) {
    lines.push(`-H "Content-Type: ${type}"`, `-d ${quoted(jsonOf(body))}`);
  }
  return lines.join(' \\\n  ');
}

function javaScriptOf({ method, url, auth, type, body }: Sample): string {
  const headers: string[] = [...JAVASCRIPT_HEADERS[auth]];
  if (body !== undefined && type !== FORM) headers.push(`'content-type': '${type}'`);
  const made = `${type === FORM ? 'new URLSearchParams' : 'JSON.stringify'}(${jsonOf(body)})`;
  const parts = [
    `method: '${method}'`,
    ...(headers.length > 0 ? [`headers: {\n    ${headers.join(',\n    ')},\n  }`] : []),
    ...(body === undefined ? [] : [`body: ${made}`]),
  ];
  const setting = auth === 'NONE' ? '' : `import { env } from '${NODE_ENVIRONMENT}';\n\n`;
  return `${setting}const answer = await fetch('${url}', {
  ${parts.join(',\n  ')},
});
console.log(answer.status, await answer.text());`;
}

function pythonOf({ method, url, auth, type, body }: Sample): string {
  const own = auth === 'BASIC' ? 'auth=(env["API_USERNAME"], env["API_PASSWORD"])' : '';
  const headers =
    'headers={"x-api-key": env["API_KEY"], "Authorization": f"Bearer {env[\'TOKEN\']}"}';
  const value = JSON.stringify(body, null, 2)
    ?.replace(/"(?:\\.|[^"\\])*"|true|false|null/g, (word) => PYTHON_WORDS[word] ?? word)
    .replaceAll('\n', '\n    ');
  const parts = [
    `"${method}", "${url}"`,
    ...(own ? [own] : []),
    ...(auth === 'TOKEN' ? [headers] : []),
    ...(body === undefined ? [] : [`${type === FORM ? 'data' : 'json'}=${value}`]),
  ];
  const setting = auth === 'NONE' ? '' : 'from os import environ as env\n';
  return `${setting}import requests

answer = requests.request(
    ${parts.join(',\n    ')},
)
print(answer.status_code, answer.text)`;
}

/** JSON that stands two spaces deep. */
const jsonOf = (body: unknown) => JSON.stringify(body, null, 2)?.replaceAll('\n', '\n  ');

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
