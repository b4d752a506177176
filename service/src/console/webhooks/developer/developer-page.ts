import { html } from 'ghtml';
import { checklist } from '#console/checklist/checklist.ts';
import { copyField, copyStatus, emptyState, type Fact, facts } from '#console/components/parts.ts';
import { table } from '#console/components/table.ts';
import { type ListColumns, show, titled } from '#console/lists/columns.ts';
import type { Show } from '#console/shell/console-routes.ts';
import type { Visit } from '#console/shell/visit.ts';
import type { CodeBlock, WebhookPagesDeps } from '#console/webhooks/deps.ts';
import { duration } from '#console/webhooks/page-parts.ts';
import { merchantHref } from '#console/webhooks/paths.ts';
import { codeTabs } from '#http/pages/code-tabs.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { listOwnEndpoints } from '#webhooks/endpoints/list.ts';
import { webhookHeaders } from '#webhooks/https/webhook-headers.ts';
import type { WebhookEndpoint } from '#webhooks/model/endpoint.ts';

const DEVELOPER_TEXTS = pageTexts('console.webhooks.developer');

const SECOND_MS = 1_000;

/** The page for the merchant's developer: this environment's values, and code that is proven. */
export const showDeveloperPage: Show = async (deps, visit) => {
  const { db, webhooks } = deps;
  const { text } = DEVELOPER_TEXTS[visit.language];
  const endpoints = await listOwnEndpoints(db, visit.merchantId);
  const blocks = await webhooks.readCode();
  const { origin } = new URL(webhooks.publicApiUrl);
  const parts = [
    ['addresses', addresses(visit, webhooks, origin)],
    ['variables', variables(visit, webhooks, endpoints)],
    ['endpoints', endpointTable(visit, endpoints)],
    ['code', codeView(visit, { blocks, sdkUrl: `${origin}/sdk.tgz` })],
    ['rules', rules(visit, webhooks.retryScheduleSeconds)],
    ['headers', headerTable(visit)],
  ] as const;
  const links = parts.map(([name]) => html`<li><a href="#${name}">${text(name)}</a></li>`);
  const cards = parts.map(
    ([name, body]) => html`<section class="card" id="${name}"><h2>${text(name)}</h2>!${body}
</section>`,
  );
  return {
    title: text('title'),
    head: { under: html`${text('lead')}` },
    scripts: ['copy-fields', 'code-tabs'],
    body: html`<div class="with-contents">
<nav aria-label="${text('onPage')}"><h2>${text('onPage')}</h2>
<ul class="plain">!${links.join('')}</ul></nav>
<div>!${await checklist(deps, visit, visit.merchantId)}!${cards.join('')}</div></div>
!${copyStatus(visit)}`,
  };
};

function addresses(visit: Visit, webhooks: WebhookPagesDeps['webhooks'], origin: string): string {
  const { text } = DEVELOPER_TEXTS[visit.language];
  const copied = (id: string, label: string, value: string): Fact => [
    label,
    copyField(visit, { id, label, value }),
  ];
  const linked = (label: string, href: string): Fact => [
    label,
    html`<a href="${href}">${href}</a>`,
  ];
  return facts([
    [text('environment'), html`<code>${webhooks.environment}</code>`],
    copied('merchant-id', text('merchant'), visit.merchantId),
    copied('api-url', text('api'), webhooks.publicApiUrl),
    copied('token-url', text('token'), webhooks.publicAuthUrl),
    copied('sdk-url', text('sdk'), `${origin}/sdk.tgz`),
    linked(text('document'), `${origin}/openapi.json`),
    linked(text('reference'), `${origin}/docs`),
    linked(text('guides'), `${origin}/docs/guides/receive-webhooks`),
  ]);
}

function endpointTable(visit: Visit, endpoints: readonly WebhookEndpoint[]): string {
  const { text } = DEVELOPER_TEXTS[visit.language];
  if (endpoints.length === 0) {
    const add = html`<p><a class="button quiet" href="${merchantHref(visit, 'endpoints', 'new')}"
>${text('addEndpoint')}</a></p>`;
    return emptyState(text('noEndpoints'), visit.can('endpoints.change') ? add : '');
  }
  const { secrets, ...open } = ENDPOINTS;
  const columns = visit.can('endpoints.secret') ? ENDPOINTS : open;
  return table(text('endpoints'), titled(visit, text, columns), endpoints);
}

const ENDPOINTS: ListColumns<WebhookEndpoint> = {
  url: show.link(
    ({ id, url }, visit) =>
      [merchantHref(visit, 'endpoints', id), html`<code>${url}</code>`] as const,
  ),
  username: show.cell(({ username }) => html`<code>${username}</code>`),
  secrets: show.link(({ id }, visit) => {
    const href = merchantHref(visit, 'endpoints', id, 'secrets');
    return [href, html`${DEVELOPER_TEXTS[visit.language].text('showSecrets')}`] as const;
  }),
};

/** With the one endpoint's username; secrets are shown on their own page alone. */
function variables(
  visit: Visit,
  { publicApiUrl, publicAuthUrl }: WebhookPagesDeps['webhooks'],
  endpoints: readonly WebhookEndpoint[],
): string {
  const { text } = DEVELOPER_TEXTS[visit.language];
  const [only] = endpoints.length === 1 ? endpoints : [];
  const value = `BASE_URL=${publicApiUrl}
AUTH_URL=${publicAuthUrl}
LISTENER_USERNAME=${only?.username ?? ''}
LISTENER_PASSWORD=
SIGNING_SECRET=`;
  const hint = text('variablesHint', { secrets: endpoints.length > 1 ? 'many' : 'one' });
  return html`<p class="quiet">${hint}</p>
!${copyField(visit, { id: 'variables', label: text('variables'), value, isBlock: true })}`;
}

const EXPLAINED = [
  'authorization',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
  'user-agent',
] as const;

/** The names are those of the function that sends: a renamed header changes here, too. */
function headerTable(visit: Visit): string {
  const { text } = DEVELOPER_TEXTS[visit.language];
  const names = Object.keys(
    webhookHeaders({ id: '', timestamp: 0, authorization: '', signature: '' }),
  );
  const shown = EXPLAINED.filter((name) => names.includes(name));
  return table(text('headers'), titled(visit, text, HEADERS), shown);
}

const HEADERS: ListColumns<(typeof EXPLAINED)[number]> = {
  header: show.cell((name) => html`<code>${name}</code>`),
  contents: show.text((name, { language }) => DEVELOPER_TEXTS[language].text(name)),
};

function rules({ language }: Visit, schedule: readonly number[]): string {
  const { text } = DEVELOPER_TEXTS[language];
  const waits = schedule.map((seconds) => duration(seconds * SECOND_MS)).join(', ');
  const lines = [
    text('answer'),
    text('repeat'),
    text('schedule', { count: schedule.length, waits }),
  ];
  return html`<ul>!${lines.map((line) => html`<li>${line}</li>`).join('')}</ul>
<p>${text('tryLead')}</p>`;
}

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

interface CodeViewOptions {
  readonly blocks: readonly CodeBlock[];
  /** The address of the SDK's package on this service. */
  readonly sdkUrl: string;
}

/** The verification of a webhook: with the SDK, in a framework, or in another language. */
function codeView(visit: Visit, { blocks, sdkUrl }: CodeViewOptions): string {
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
