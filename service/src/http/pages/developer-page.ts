import { html } from 'ghtml';
import type { Page } from './page.ts';
import type { PageScript } from './scripts.ts';
import { readStyle } from './style.ts';

const BRAND = 'Payment Requests API';
const MARK = `<svg viewBox="0 0 28 28" aria-hidden="true" focusable="false"><rect x="1" y="1"
 width="26" height="26" rx="7" fill="none" stroke="currentColor" stroke-width="2"/><path d="M11
 9 6 14l5 5m6-10 5 5-5 5" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"
 stroke-linejoin="round"/></svg>`;
const STYLE = readStyle('docs/reference', 'docs/header', 'base/code', 'docs/code');
const TRY_STYLE = `${STYLE}${readStyle('docs/try')}`;

/** The parts of the documentation, in the order of the header. */
const SECTIONS = {
  reference: ['/docs', 'Reference'],
  guides: ['/docs/guides', 'Guides'],
  problems: ['/problems', 'Problems'],
  try: ['/docs/try', 'Try calls'],
} as const;

export interface DeveloperPage extends Pick<Page, 'title' | 'body'> {
  /** null: no page of these parts. */
  readonly section: keyof typeof SECTIONS | null;
  /** Calls can be tried in the sandbox alone. */
  readonly isSandbox: boolean;
  /** The text that was searched for. */
  readonly query?: string;
  readonly scripts?: readonly PageScript[];
}

/**
 * A page for developers, under the header that reference, guides, problems and trials share. It is
 * in English only, and the same for every reader: a script fills in the values of a signed-in
 * merchant (`data-own`).
 */
export function developerPage(page: DeveloperPage): Page {
  const { title, body, scripts = [] } = page;
  return {
    // Problems are JSON for programs, and the other pages Markdown.
    vary: 'Accept',
    language: 'en',
    languages: ['en'],
    title: title === BRAND ? title : `${title} · ${BRAND}`,
    look: {
      brand: BRAND,
      mark: MARK,
      style: page.section === 'try' ? TRY_STYLE : STYLE,
      isForDevelopers: true,
      links: linksOf(page),
    },
    scripts: ['docs', 'code-tabs', 'copy-fields', ...scripts],
    body: html`!${OWN_VALUES}!${body}
<p class="copy-status" role="status" data-copied="Copied."
 data-marked="The code is marked: copy it by the keyboard."></p>`,
  };
}

const OWN_VALUES = `<p class="own" hidden>The code has the values of
<strong data-own="name"></strong> (<code data-own="id"></code>)<span hidden>: username
<code data-own="username"></code>, API key <code data-own="apiKey"></code></span>.</p>`;

function linksOf({ section, isSandbox, query = '' }: DeveloperPage): string {
  const links = Object.entries(SECTIONS)
    .filter(([name]) => isSandbox || name !== 'try')
    .map(([name, [address, text]]) => {
      const mark = name === section && query === '' ? ' aria-current="true"' : '';
      return html`<a href="${address}"!${mark}>${text}</a>`;
    });
  return html`<nav class="parts" aria-label="Documentation">!${links.join('\n')}</nav>
<form class="search" role="search" action="/docs" method="get"><input name="q" type="search"
 aria-label="Search calls, fields, problem codes and guides" placeholder="Search" value="${query}"
 maxlength="100" autocomplete="off"><button class="button quiet">Search</button></form>`;
}

export interface Columns {
  /** HTML of the text. */
  readonly text: string;
  /** HTML beside the text, which a narrow page has before it. */
  readonly beside?: string;
  /** HTML that a narrow page has behind the part beside. */
  readonly more?: string;
  /** HTML of the menu on wide pages, and its name; empty: the text leads on. */
  readonly menu: string;
  readonly label: string;
}

/** Menu, text, and what stands beside the text where a page is wide. */
export function columns({ menu, label, text, beside = '', more = '' }: Columns): string {
  const nav = menu && html`<nav class="menu" aria-label="${label}">!${menu}</nav>`;
  return html`<div class="docs">!${nav}
<div class="text">!${text}</div>
!${beside && html`<div class="beside">!${beside}</div>`}
!${more && html`<div class="text">!${more}</div>`}</div>`;
}

export interface MenuLink {
  readonly address: string;
  readonly title: string;
  /** The heading above it and its neighbours. */
  readonly group?: string;
}

/** The method of a call; reading has another colour than writing. */
export function methodMark(method: string): string {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`;
}

/** The links of a menu, with that of the page marked. */
export function menuList(links: readonly MenuLink[], current?: string): string {
  const items = links.map(({ address, title }) => {
    const mark = address === current ? ' aria-current="page"' : '';
    return html`<li><a href="${address}"!${mark}>${title}</a></li>`;
  });
  return html`<ul>!${items.join('\n')}</ul>`;
}

/** A menu of links under the headings of their groups. */
export function groupedMenu(links: readonly MenuLink[], current?: string): string {
  return [...Map.groupBy(links, ({ group = '' }) => group)]
    .map(([group, members]) => html`<p>${group}</p>!${menuList(members, current)}`)
    .join('\n');
}

/** Links to the pages before and behind a page, in the order of reading. */
export function neighbours(links: readonly MenuLink[], current: string): string {
  const place = links.findIndex(({ address }) => address === current);
  const link = (to: MenuLink | undefined, before: string, behind: string) =>
    to ? html`<a href="${to.address}">${before}${to.title}${behind}</a>` : '<span></span>';
  return html`<nav class="pair" aria-label="Next pages">!${link(links[place - 1], '← ', '')}
!${link(links[place + 1], '', ' →')}</nav>`;
}

/** Only a sandbox has the page on which calls are tried: elsewhere its address leads here. */
export function noDocumentPage(path: string, isSandbox: boolean): Page {
  const isTry = path === SECTIONS.try[0];
  const [title, lead] = isTry
    ? ['Calls are tried in the sandbox', 'Here they would move real money.']
    : ['There is no page here', 'The address may be incomplete, or the page has another name.'];
  const next = isTry
    ? '<p>Open <code>/docs/try</code> at the address of your sandbox.</p>'
    : '<p>Search above, or begin with one of these.</p>';
  return developerPage({
    section: isTry ? 'try' : null,
    isSandbox,
    title,
    body: `<h1>${title}</h1><p class="lead">${lead}</p>${next}<ul>
<li><a href="/docs">All calls</a></li><li><a href="/docs/guides">All guides</a></li>
<li><a href="/problems">All problems</a></li></ul>`,
  });
}
