import { html } from 'ghtml';
import { methodMark } from '#http/pages/developer-page.ts';
import type { Page } from '#http/pages/page.ts';
import { PROBLEMS } from '#http/problems/kinds.ts';
import { problemName } from '#http/problems/responses.ts';
import { PROBLEM_CODES } from '#lib/problem.ts';
import { linkTo } from '../guides/guide-page.ts';
import type { Guide } from '../guides/render-guide.ts';
import type { Entry } from '../list-entries.ts';
import { type Findable, KINDS, search, wordsLike, wordsOf } from '../search.ts';
import { addressOf, breakable, type Overview, referencePage } from './layout.ts';

/** A reader decides among so many without scrolling; the others of a kind are folded. */
const MOST_BEST = 5;
const MOST_OF_KIND = 3;

/** Everything to find. Made once: to take the marks out of all guides costs half a search. */
export function findables(guides: readonly Guide[], entries: readonly Entry[]): Findable[] {
  const ofGuides = guides.map((guide) => {
    const { title, body } = guide;
    const text = textOf(body.replace(NO_SENTENCES, '<p>'));
    const words = `${title} ${textOf(body)}`.toLowerCase();
    const { address } = linkTo(guide);
    return { ...GUIDE, kind: 'Guides', title, address, text, words } as const;
  });
  const ofProblems = PROBLEM_CODES.map((place) => {
    const { title, meaning: text, status } = PROBLEMS[place];
    const address = `/problems/${problemName(place)}`;
    const words = `${place} ${title} ${text}`.toLowerCase();
    const mark = methodMark(`${status}`);
    return { kind: 'Problems', title, address, mark, place, text, words } as const;
  });
  return [...ofGuides, ...entries.map(callToFind), ...ofProblems];
}

const GUIDE = { mark: methodMark('GUIDE'), place: '' };

/** Code with its caption, tables and headings: excerpts come from paragraphs. */
const NO_SENTENCES = /<div class="code">.*?<\/pre>|<(table|h\d|legend|label)\b.*?<\/\1>/gs;

/** The text of HTML that `html` has escaped, with a line for each paragraph. */
function textOf(body: string): string {
  const text = body
    .replace(/\s+|<\/?(?:a|code|em|strong)\b[^>]*>/g, (part) => (part[0] === '<' ? '' : ' '))
    .replace(/ *(<[^>]*> *)+/g, '\n')
    .trim();
  return text.replace(/&#(\d+);/g, (_mark, code) => String.fromCodePoint(Number(code)));
}

export function callToFind(entry: Entry): Findable {
  const { summary: title, method, path: place, call, words } = entry;
  const text = (call.description ?? '').replace(/`|\[|\]\([^)]*\)/g, '');
  const mark = methodMark(entry.isWebhook ? 'EVENT' : method);
  return { kind: 'Calls', title, address: addressOf(entry), mark, place, text, words };
}

/** The pages that have all words of a search, or the words nearest to them. */
export function searchPage({ entries, findable, isSandbox }: Overview, query: string): Page {
  const meant = wordsLike(query, findable);
  const all = search(findable, meant);
  const instead = meant === query ? '' : html`Showing results for <strong>${meant}</strong>: `;
  const rest = KINDS.map((kind) => {
    const members = all.slice(MOST_BEST).filter((each) => each.kind === kind);
    if (members.length === 0) return '';
    const [first, more] = [members.slice(0, MOST_OF_KIND), members.slice(MOST_OF_KIND)];
    return html`<h2>${kind} (${members.length})</h2>!${listOf(first, meant)}!${
      more.length > 0 ? folded(`${more.length} more ${kind.toLowerCase()}`, more, meant) : ''
    }`;
  });
  const found = html`<p role="status">!${instead}${all.length} found.
<a href="/docs">Show everything</a></p>
!${listOf(all.slice(0, MOST_BEST), meant)}!${rest.join('\n')}`;
  const words = wordsOf(query).join(' and ');
  const nothing = html`<p role="status">No page has <strong>${words}</strong>. Try fewer words, the
name of a field or the code of a problem.</p><ul><li><a href="/docs/guides">All guides</a></li>
<li><a href="/problems">All problems</a></li><li><a href="/docs">All calls</a></li></ul>`;
  return referencePage({
    title: `Search: ${query}`,
    isSandbox,
    entries,
    query,
    text: html`<h1>Search: ${query}</h1>
<div id="results">!${all.length > 0 ? found : nothing}</div>`,
  });
}

function folded(summary: string, members: readonly Findable[], query: string): string {
  return html`<details><summary>${summary}</summary>!${listOf(members, query)}</details>`;
}

/** Links with what they are about; with a search, also the words around its first word. */
export function listOf(all: readonly Findable[], query = ''): string {
  const anyWord = new RegExp(`(${wordsOf(query).map(RegExp.escape).join('|')})`, 'i');
  const marked = (text: string) =>
    text
      .split(new RegExp(anyWord, 'gi'))
      .map((part, at) => (at % 2 ? html`<mark>${part}</mark>` : html`${part}`))
      .join('');
  const lines = all.map(({ mark, address, title, place, text }) => {
    const sentences = text.split(/(?<=\n|[.?!] )/);
    const at = sentences.findIndex((each) => anyWord.test(each));
    const [shown = ''] = sentences.slice(Math.max(at, 0)).join('').split('\n');
    const excerpt = marked(shown.replace(/:$/, ' …'));
    return html`<li>!${mark} <a href="${address}">!${query ? marked(title) : title}</a>
!${place && html`<code>!${breakable(place)}</code>`}!${query && `<p>${excerpt}</p>`}</li>`;
  });
  return html`<ul class="calls">!${lines.join('\n')}</ul>`;
}
