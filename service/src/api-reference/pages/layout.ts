import { html } from 'ghtml';
import type { Look, Page } from '#http/pages/page.ts';
import { readStyle } from '#http/pages/style.ts';
import type { Entry } from '../list-entries.ts';

const LOOK: Look = {
  brand: 'Payment Requests API',
  mark: `<svg viewBox="0 0 28 28" aria-hidden="true" focusable="false"><rect x="1" y="1" width="26"
 height="26" rx="7" fill="none" stroke="currentColor" stroke-width="2"/><path d="M11 9 6 14l5 5m6
-10 5 5-5 5" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"
 stroke-linejoin="round"/></svg>`,
  style: readStyle('docs/reference'),
};

export interface ReferencePage {
  readonly title: string;
  readonly entries: readonly Entry[];
  /** The entry that the page is about. */
  readonly current?: Entry;
  /** HTML of the text. */
  readonly text: string;
}

/** A page of the reference: the list of all calls beside a text. For developers: English only. */
export function referencePage({ title, entries, current, text }: ReferencePage): Page {
  return {
    language: 'en',
    languages: ['en'],
    title: title === LOOK.brand ? title : `${title} · ${LOOK.brand}`,
    look: LOOK,
    body: html`<div class="docs">
<nav aria-label="Calls"><p><a href="/docs">API reference</a></p>
!${navigation(entries, current)}</nav>
<div>!${text}</div>
</div>`,
  };
}

/** The entries of each group, in the order of the document. */
export function groupsOf(entries: readonly Entry[]): readonly (readonly [string, Entry[]])[] {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) groups.set(entry.tag, [...(groups.get(entry.tag) ?? []), entry]);
  return [...groups];
}

export function addressOf({ id }: Pick<Entry, 'id'>): string {
  return `/docs/${id}`;
}

function navigation(entries: readonly Entry[], current: Entry | undefined): string {
  return groupsOf(entries)
    .map(([tag, members]) => {
      const links = members.map((entry) => {
        const mark = entry === current ? ' aria-current="page"' : '';
        return html`<li><a href="${addressOf(entry)}"!${mark}>${entry.summary}</a></li>`;
      });
      return html`<p>${tag}</p><ul>!${links.join('\n')}</ul>`;
    })
    .join('\n');
}
