import { html } from 'ghtml';
import { methodMark } from '#http/pages/developer-page.ts';
import type { Page } from '#http/pages/page.ts';
import { PROBLEMS } from '#http/problems/kinds.ts';
import { problemName } from '#http/problems/responses.ts';
import { PROBLEM_CODES } from '#lib/problem.ts';
import type { Guide } from '../guides/render-guide.ts';
import type { Entry } from '../list-entries.ts';
import { type Findable, KINDS, search, wordsLike, wordsOf } from '../search.ts';
import { addressOf, type Overview, referencePage } from './layout.ts';

/** A reader decides among so many without scrolling. */
const MOST_BEST = 5;
/** Two lines, with the word in the first. */
const EXCERPT = { length: 170, before: 60 } as const;

/** Everything to find. Made once: to take the marks out of all guides costs half a search. */
export function findables(guides: readonly Guide[], entries: readonly Entry[]): Findable[] {
  return [
    ...guides.map(guideToFind),
    ...entries.map(callToFind),
    ...PROBLEM_CODES.map(problemToFind),
  ];
}

function guideToFind({ name, title, body }: Guide): Findable {
  const words = `${title} ${textOf(body)}`.toLowerCase();
  const text = textOf(body.replace(/<pre[\s\S]*?<\/pre>/g, ' '));
  return {
    kind: 'Guides',
    title,
    address: `/docs/guides/${name}`,
    mark: '',
    place: '',
    text,
    words,
  };
}

/** The text of HTML that `html` has escaped. */
function textOf(body: string): string {
  const text = body
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return text.replace(/&#(\d+);/g, (_mark, code) => String.fromCodePoint(Number(code)));
}

export function callToFind(entry: Entry): Findable {
  const { summary: title, method, path: place, call, words } = entry;
  const text = (call.description ?? '').replace(/`|\[|\]\([^)]*\)/g, '');
  const mark = methodMark(method);
  return { kind: 'Calls', title, address: addressOf(entry), mark, place, text, words };
}

function problemToFind(place: (typeof PROBLEM_CODES)[number]): Findable {
  const { title, meaning: text, status } = PROBLEMS[place];
  const words = `${place} ${title} ${text}`.toLowerCase();
  const mark = methodMark(`${status}`);
  const address = `/problems/${problemName(place)}`;
  return { kind: 'Problems', title, address, mark, place, text, words };
}

/** The pages that have all words of a search, or the words nearest to them. */
export function searchPage({ entries, findable, isSandbox }: Overview, query: string): Page {
  const meant = wordsLike(query, findable);
  const all = search(findable, meant);
  const instead = meant === query ? '' : html` for <strong>${meant}</strong>`;
  const best = all.slice(0, MOST_BEST).map((each) => bestOf(each, meant));
  const rest = KINDS.map((kind) => {
    const members = all.slice(MOST_BEST).filter((each) => each.kind === kind);
    return members.length > 0 ? html`<h2>${kind} (${members.length})</h2>!${listOf(members)}` : '';
  });
  const found = html`<p role="status">${all.length} found!${instead}.
<a href="/docs">Show everything</a></p>
<ul class="best">!${best.join('\n')}</ul>!${rest.join('\n')}`;
  const nothing = html`<p role="status">Nothing has all of these words. Try one word, such as
<code>expiry</code> or <code>webhook</code>, or <a href="/docs">see all calls</a>.</p>`;
  return referencePage({
    title: `Search: ${query}`,
    isSandbox,
    entries,
    query,
    text: html`<h1>Search</h1><div id="results">!${all.length > 0 ? found : nothing}</div>`,
  });
}

function bestOf({ kind, title, address, text, place }: Findable, query: string): string {
  return html`<li><a href="${address}">!${marked(title, query)}</a>
<span class="kind">${kind.slice(0, -1)}</span> !${place && html`<code>${place}</code>`}
<p>!${marked(excerptOf(text, query), query)}</p></li>`;
}

const anyOf = (query: string): RegExp =>
  new RegExp(`(${wordsOf(query).map(RegExp.escape).join('|')})`, 'gi');

/** The text as HTML, with the words of the search marked. */
function marked(text: string, query: string): string {
  const parts = text.split(anyOf(query));
  return parts.map((part, at) => (at % 2 ? html`<mark>${part}</mark>` : html`${part}`)).join('');
}

/** Words around the first word of the search; the beginning where the text has none. */
function excerptOf(text: string, query: string): string {
  const at = text.search(anyOf(query));
  const from = at <= EXCERPT.before ? 0 : text.indexOf(' ', at - EXCERPT.before) + 1;
  const end = from + EXCERPT.length;
  const to = end < text.length ? text.lastIndexOf(' ', end) : text.length;
  return `${from > 0 ? '… ' : ''}${text.slice(from, to)}${to < text.length ? ' …' : ''}`;
}

/** Links with what they are about. */
export function listOf(all: readonly Findable[]): string {
  const lines = all.map(
    ({ mark, address, title, place }) => html`<li>!${mark} <a href="${address}">${title}</a>
!${place && html`<code>${place}</code>`}</li>`,
  );
  return html`<ul class="calls">!${lines.join('\n')}</ul>`;
}
