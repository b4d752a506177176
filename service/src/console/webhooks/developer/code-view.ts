import { html } from 'ghtml';
import { copyField } from '#console/components/copy-field.ts';
import type { Visit } from '#console/shell/visit.ts';
import { pageTexts } from '#http/pages/texts.ts';
import type { CodeBlock } from '../deps.ts';

const DEVELOPER_TEXTS = pageTexts('console.webhooks.developer');

/** The blocks of the guide that belong to the SDK, in the order of reading. */
const SDK_BLOCKS = {
  'receive.js': 'verify',
  'inbox.js': 'inbox',
  'inbox.sql': 'tables',
} as const;
/** The listeners of the SDK by framework, and the check in other languages. */
const FRAMEWORKS: Readonly<Record<string, string>> = {
  'listener-node-http.js': 'Node.js (node:http)',
  'listener-express.js': 'Express',
  'listener-fastify.js': 'Fastify',
  'listener-next.js': 'Next.js',
  'listener-hono.js': 'Hono',
};
const LANGUAGES: Readonly<Record<string, string>> = {
  'webhooks.py': 'Python',
  'webhooks.php': 'PHP',
  'webhooks.go': 'Go',
  'Webhooks.java': 'Java',
  'Webhooks.cs': 'C#',
  'webhooks.rb': 'Ruby',
};

export interface CodeViewOptions {
  readonly blocks: readonly CodeBlock[];
  /** The address of the SDK's package on this service. */
  readonly sdkUrl: string;
}

/** The verification of a webhook: the SDK first, then every framework and language to open. */
export function codeView(visit: Visit, { blocks, sdkUrl }: CodeViewOptions): string {
  const { text } = DEVELOPER_TEXTS[visit.language];
  if (blocks.length === 0) return html`<p>${text('noCode')}</p>`;
  const show = (name: string, title: string, isOpen = false) => {
    const found = blocks.find((block) => block.name === name);
    if (!found) return '';
    const code = copyField(visit, {
      id: idOf(name),
      label: name,
      value: found.code,
      isBlock: true,
    });
    return html`<details class="attempt"!${isOpen ? ' open' : ''}><summary>${title}
<code>${name}</code></summary><div class="inside">!${code}</div></details>`;
  };
  const install = copyField(visit, {
    id: 'install',
    label: text('install'),
    value: `npm install ${sdkUrl}`,
    isBlock: true,
  });
  const sdk = Object.entries(SDK_BLOCKS).map(([name, key], at) => show(name, text(key), at === 0));
  const more = (names: Readonly<Record<string, string>>) =>
    Object.entries(names)
      .map(([name, title]) => show(name, title))
      .join('');
  return html`<p class="quiet">${text('codeLead')}</p><h3>${text('sdkGroup')}</h3>
<p>${text('install')}</p>!${install}!${sdk.join('')}!${more(FRAMEWORKS)}
<h3>Python, PHP, Go, Java, C#, Ruby</h3>!${more(LANGUAGES)}`;
}

function idOf(name: string): string {
  return `code-${name.replace(/\W/g, '-')}`;
}
