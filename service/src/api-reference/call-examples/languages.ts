import { FORM_TYPE } from '#http/forms/read-forms.ts';
import type { CallDescription } from './describe-call.ts';
import { parameterName, snakeCase } from './python-names.ts';
import { type LiteralStyle, singleQuoted, writeLiteral } from './write-literal.ts';

export interface Language {
  readonly label: string;
  /** The name in highlight.js. */
  readonly highlighted: string;
  readonly render: (call: CallDescription) => string;
}

/** The languages of the reference; a test runs each call in each of them. */
export const LANGUAGES: readonly Language[] = [
  { label: 'curl', highlighted: 'bash', render: renderCurl },
  { label: 'TypeScript', highlighted: 'typescript', render: renderTypeScript },
  { label: 'Python', highlighted: 'python', render: renderPython },
  { label: 'PHP', highlighted: 'php', render: renderPhp },
];

export function renderCurl({ method, url, auth, type, body }: CallDescription): string {
  const lines = [`${method === 'GET' ? 'curl' : `curl -X ${method}`} "${url}"`];
  if (auth === 'BASIC') lines.push('-u "$API_USERNAME:$API_PASSWORD"');
  if (auth === 'TOKEN') {
    lines.push('-H "x-api-key: $API_KEY"', '-H "Authorization: Bearer $TOKEN"');
  }
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  if (body !== undefined && type === FORM_TYPE) {
    lines.push(...Object.entries(body as object).map((pair) => `-d ${quoted(pair.join('='))}`));
  } else if (body !== undefined) {
    const json = JSON.stringify(body, null, 2).replaceAll('\n', '\n  ');
    lines.push(`-H "Content-Type: ${type}"`, `-d ${quoted(json)}`);
  }
  return lines.join(' \\\n  ');
}

const TYPESCRIPT: LiteralStyle = {
  text: singleQuoted,
  key: (name) => (/^[A-Za-z_]\w*$/.test(name) ? `${name}: ` : `${singleQuoted(name)}: `),
  object: ['{', '}'],
  emptyObject: '{}',
  array: ['[', ']'],
  none: 'null',
  words: String,
  indent: '  ',
};
/** The sample reads its variables there; the service itself reads them in `config.ts` alone. */
const NODE_ENVIRONMENT = 'node:process';

function renderTypeScript(call: CallDescription): string {
  const { id, auth, url, ids, query, body, answer, baseUrl, authUrl } = call;
  if (auth === 'NONE') {
    return `const answer = await fetch('${url}');\nconsole.log(await answer.json());`;
  }
  const head = `import { env } from '${NODE_ENVIRONMENT}';
import { createClient } from '@payment-requests/sdk';

const client = createClient({
  baseUrl: '${baseUrl}',
  authUrl: '${authUrl}',
  username: env.API_USERNAME ?? '',
  password: env.API_PASSWORD ?? '',
  apiKey: env.API_KEY ?? '',
});`;
  if (auth === 'BASIC') return `// ${OWN_TOKENS}\n${head}`;
  const members = (value: unknown) => (isEmpty(value) ? [] : [writeLiteral(value, TYPESCRIPT)]);
  const given = [...ids.map(singleQuoted), ...members(query), ...members(body)];
  const sent = `client.${id}(${given.join(', ')})`;
  if (answer === 'NOTHING') return `${head}\nawait ${sent};`;
  return answer === 'LIST'
    ? `${head}\nfor await (const entry of ${sent}) {\n  console.log(entry);\n}`
    : `${head}\nconst answer = await ${sent};\nconsole.log(answer);`;
}

const OWN_TOKENS = 'The client makes this call itself, and keeps the token until its end.';

const PYTHON: LiteralStyle = {
  text: (text) => JSON.stringify(text),
  key: (name) => `${JSON.stringify(name)}: `,
  object: ['{', '}'],
  emptyObject: '{}',
  array: ['[', ']'],
  none: 'None',
  words: (word) => (word ? 'True' : 'False'),
  indent: '    ',
};

function renderPython(call: CallDescription): string {
  const { id, auth, url, ids, query, body, answer, baseUrl, authUrl } = call;
  if (auth === 'NONE') {
    return `from urllib.request import urlopen

with urlopen("${url}", timeout=15) as answer:
    print(answer.read().decode())`;
  }
  const head = `from os import environ

from payment_requests import Client

client = Client(
    base_url="${baseUrl}",
    auth_url="${authUrl}",
    username=environ["API_USERNAME"],
    password=environ["API_PASSWORD"],
    api_key=environ["API_KEY"],
)`;
  if (auth === 'BASIC') return `# ${OWN_TOKENS}\n${head}`;
  const filters = Object.entries(query).map(([name, value]) => `${parameterName(name)}="${value}"`);
  const bodies = isEmpty(body) ? [] : [writeLiteral(body, PYTHON)];
  const given = [...ids.map((each) => JSON.stringify(each)), ...bodies, ...filters];
  const sent = `client.${snakeCase(id)}(${given.join(', ')})`;
  if (answer === 'NOTHING') return `${head}\n${sent}`;
  return answer === 'LIST'
    ? `${head}\nfor entry in ${sent}:\n    print(entry)`
    : `${head}\nanswer = ${sent}\nprint(answer)`;
}

const PHP: LiteralStyle = {
  text: singleQuoted,
  key: (name) => `${singleQuoted(name)} => `,
  object: ['[', ']'],
  // An empty array would be written as a list.
  emptyObject: 'new stdClass()',
  array: ['[', ']'],
  none: 'null',
  words: String,
  indent: '    ',
};

function renderPhp({ method, url, auth, type, body }: CallDescription): string {
  const own = "getenv('API_USERNAME') . ':' . getenv('API_PASSWORD')";
  const headers: string[] = {
    BASIC: [`'Authorization: Basic ' . base64_encode(${own})`],
    TOKEN: ["'x-api-key: ' . getenv('API_KEY')", "'Authorization: Bearer ' . getenv('TOKEN')"],
    NONE: [],
  }[auth];
  if (body !== undefined) headers.push(`'Content-Type: ${type}'`);
  const written = writeLiteral(body, PHP).replaceAll('\n', '\n        ');
  const encode = type === FORM_TYPE ? 'http_build_query' : 'json_encode';
  const content = `${encode}(${written})`;
  const lines = [
    `'method' => '${method}',`,
    ...(headers.length > 0
      ? ["'header' => [", ...headers.map((each) => `    ${each},`), '],']
      : []),
    ...(body === undefined ? [] : [`'content' => ${content},`]),
    "'follow_location' => 0,",
    "'ignore_errors' => true,",
    "'timeout' => 15,",
  ].map((line) => `        ${line}`);
  return `<?php
$url = '${url}';
$context = stream_context_create([
    'http' => [
${lines.join('\n')}
    ],
]);
echo file_get_contents($url, false, $context), "\\n";`;
}

const isEmpty = (value: unknown) => Object.keys(value ?? {}).length === 0;
