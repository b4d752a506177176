import { html } from 'ghtml';
import { copyField } from '#console/components/copy-field.ts';
import type { Visit } from '#console/shell/visit.ts';
import { codeTabs } from '#http/pages/code-tabs.ts';
import { pageTexts } from '#http/pages/texts.ts';
import type { CodeBlock } from '../deps.ts';

const DEVELOPER_TEXTS = pageTexts('console.webhooks.developer');

/** The blocks of the guide on webhooks: those of the SDK, by framework, and by other language. */
const SDK = ['receive.js', 'inbox.js', 'inbox.sql'] as const;
const FRAMEWORKS: Readonly<Record<string, string>> = {
  'listener-node-http.js': 'Node.js',
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

/** The verification of a webhook: with the SDK, in a framework, or in another language. */
export function codeView(visit: Visit, { blocks, sdkUrl }: CodeViewOptions): string {
  const { text } = DEVELOPER_TEXTS[visit.language];
  if (blocks.length === 0) return html`<p>${text('noCode')}</p>`;
  const panel = (name: string, label: string) => {
    const { code = '', coloured = '' } = blocks.find((block) => block.name === name) ?? {};
    const id = `code-${name.replace(/\W/g, '-')}`;
    const block = copyField(visit, { id, label: name, value: code, coloured, isBlock: true });
    return { label, body: html`<p class="hint"><code>${name}</code></p>!${block}` };
  };
  const group = (key: 'frameworks' | 'languages', names: Readonly<Record<string, string>>) => {
    const panels = Object.entries(names).map(([name, label]) => panel(name, label));
    return html`<h3>${text(key)}</h3>!${codeTabs(key, text(key), panels)}`;
  };
  const install = { id: 'install', label: text('install'), value: `npm install ${sdkUrl}` };
  const sdk = SDK.map((name) => panel(name, text(name)));
  return html`<p class="quiet">${text('codeLead')}</p><h3>${text('sdkGroup')}</h3>
<p>${text('install')}</p>!${copyField(visit, { ...install, isBlock: true })}
!${codeTabs('sdk', text('sdkGroup'), sdk)}!${group('frameworks', FRAMEWORKS)}
!${group('languages', LANGUAGES)}`;
}
