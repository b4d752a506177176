import { html } from 'ghtml';
import { codeBlock } from '#http/pages/code-block.ts';
import { menuList, methodMark } from '#http/pages/developer-page.ts';
import type { Page } from '#http/pages/page.ts';
import { PROBLEMS } from '#http/problems/kinds.ts';
import { problemName } from '#http/problems/responses.ts';
import { PROBLEM_CODES } from '#lib/problem.ts';
import type { ReferenceDocument } from '../document-types.ts';
import type { Guide } from '../guides/render-guide.ts';
import type { Entry } from '../list-entries.ts';
import { renderMarkdown } from '../markdown/render-markdown.ts';
import { search, wordsLike } from '../search.ts';
import { addressOf, groupsOf, referencePage } from './layout.ts';

export interface SearchableGuide extends Guide {
  /** All that a search looks at, in lower case. */
  readonly words: string;
}

export interface Overview {
  readonly document: ReferenceDocument;
  readonly entries: readonly Entry[];
  readonly guides: readonly SearchableGuide[];
  readonly isSandbox: boolean;
  /** {base_url} and {auth_url}. */
  readonly publicApiUrl: string;
  readonly publicAuthUrl: string;
}

/** The first page of the reference: what a developer needs, and all calls. */
export function overviewPage(overview: Overview): Page {
  const { document, entries, isSandbox } = overview;
  const { title, summary, description } = document.info;
  const rules = renderMarkdown(description, { addressOf: (href) => href, lowerBy: 1 });
  return referencePage({
    title,
    isSandbox,
    entries,
    text: html`<h1>${title}</h1>
<p class="lead">${summary}</p>
!${addressesOf(overview)}
<section id="credentials"><h2>Where your credentials come from</h2>
!${credentials(overview)}</section>
<section id="tools"><h2>Guides, SDK and tools</h2>!${tools(overview)}</section>
<section id="calls"><h2>Calls</h2>!${callsOf(document, entries)}</section>
<section id="rules"><h2>How it works</h2>!${rules}</section>`,
  });
}

const SEARCHED_PROBLEMS = PROBLEM_CODES.map((code) => {
  const { title, meaning } = PROBLEMS[code];
  const words = `${code} ${title} ${meaning}`.toLowerCase();
  return { title: `${code}: ${title}`, address: `/problems/${problemName(code)}`, words };
});

/** The calls, guides and problems that have all words of a search, or the words nearest to them. */
export function searchPage({ entries, guides, isSandbox }: Overview, query: string): Page {
  const meant = wordsLike(query, [...entries, ...guides, ...SEARCHED_PROBLEMS]);
  const calls = search(entries, meant, ({ summary }) => summary);
  const texts = search(guides, meant, ({ title }) => title);
  const problems = search(SEARCHED_PROBLEMS, meant, ({ title }) => title);
  const count = calls.length + texts.length + problems.length;
  const instead = meant === query ? '' : html` for <strong>${meant}</strong>`;
  const found = html`<p role="status">${count} found!${instead}.
<a href="/docs">Show everything</a></p>
!${calls.length > 0 ? html`<h2>Calls</h2>!${listOf(calls)}` : ''}
!${texts.length > 0 ? html`<h2>Guides</h2>!${guideList(texts)}` : ''}
!${problems.length > 0 ? html`<h2>Problems</h2>!${menuList(problems)}` : ''}`;
  const nothing = html`<p role="status">Nothing has all of these words. Try one word, such as
<code>expiry</code> or <code>webhook</code>, or <a href="/docs">see all calls</a>.</p>`;
  return referencePage({
    title: `Search: ${query}`,
    isSandbox,
    entries,
    query,
    text: html`<h1>Search</h1><div id="results">!${count > 0 ? found : nothing}</div>`,
  });
}

/** Made once: to take the marks out of all guides costs a search half its time. */
export function searchable(guide: Guide): SearchableGuide {
  const text = guide.body.replace(/<[^>]*>/g, ' ');
  return { ...guide, words: `${guide.title} ${text}`.toLowerCase() };
}

function addressesOf({ isSandbox, publicApiUrl, publicAuthUrl }: Overview): string {
  const lines = `BASE_URL=${publicApiUrl}\nAUTH_URL=${publicAuthUrl}`;
  const title = isSandbox ? 'Sandbox: no money moves' : 'Production';
  return codeBlock(lines, 'bash', title);
}

function credentials({ isSandbox }: Overview): string {
  const prefix = isSandbox ? 'sbx_' : 'prd_';
  return html`<p>The operator of this service registers you as a merchant, with
<code>payreq merchant create</code>, and gives you once:</p>
<ul>
<li>a <strong>username</strong> and a <strong>password</strong> for the
<a href="/docs/createAccessToken">token call</a>;</li>
<li>an <strong>API key</strong> for every other call;</li>
<li>a <strong>listener username, password and signing secret</strong>, with which your listener
verifies <a href="/docs/paymentCompleted">webhooks</a>.</li>
</ul>
<p>They work in one environment only; here the username begins with <code>${prefix}</code>. Ask the
operator for new ones when they are lost or seen by others. A service that <code>npm start</code>
runs on your machine has its credentials in <code>.local/credentials.json</code>.</p>`;
}

function tools({ guides, document, isSandbox }: Overview): string {
  const origin = document.servers[0]?.url ?? '';
  const trial = '<li><a href="/docs/try">Try calls</a>: send them from your browser.</li>';
  return html`<ul>
<li><strong>README</strong>: the first payment with curl, in the project’s <code>README.md</code>,
with <code>docs/guides/</code> beside it.</li>
<li><strong>SDK</strong> for JavaScript and TypeScript, with webhook verification:
<code>npm i ${origin}/sdk.tgz</code>.</li>
<li><a href="/checkout.js"><code>checkout.js</code></a> opens the payment window from your checkout
page.</li>
<li><a href="/openapi.json"><code>openapi.json</code></a>: this reference as OpenAPI 3.1, for client
generators.</li>
<li><a href="/problems">Problems</a>: what each refusal means, and what to do.</li>
!${isSandbox ? trial : ''}
</ul>
!${
    guides.length > 0
      ? html`<h3>Guides</h3><div class="two-columns">!${guideList(guides)}</div>`
      : ''
  }`;
}

function guideList(guides: readonly Guide[]): string {
  return menuList(guides.map(({ name, title }) => ({ address: `/docs/guides/${name}`, title })));
}

function callsOf({ tags }: ReferenceDocument, entries: readonly Entry[]): string {
  return groupsOf(entries)
    .map(([name, members]) => {
      const description = tags.find((tag) => tag.name === name)?.description ?? '';
      const anchor = `tag/${name.toLowerCase().replaceAll(' ', '-')}`;
      return html`<h3 id="${anchor}">${name}</h3><p>${description}</p>!${listOf(members)}`;
    })
    .join('\n');
}

function listOf(entries: readonly Entry[]): string {
  const lines = entries.map(
    (
      entry,
    ) => html`<li>!${methodMark(entry.method)} <a href="${addressOf(entry)}">${entry.summary}</a>
<code>${entry.path}</code></li>`,
  );
  return html`<ul class="calls">!${lines.join('\n')}</ul>`;
}
