import { html } from 'ghtml';
import { type Columns, columns, developerPage, menuList } from '#http/pages/developer-page.ts';
import type { Page } from '#http/pages/page.ts';
import type { Entry } from '../list-entries.ts';

export interface ReferencePage extends Pick<Columns, 'text' | 'beside' | 'more'> {
  readonly title: string;
  readonly isSandbox: boolean;
  readonly entries: readonly Entry[];
  /** The entry that the page is about. */
  readonly current?: Entry;
  /** The text that was searched for. */
  readonly query?: string;
}

/** A page of the reference: the list of all calls beside a text. */
export function referencePage({ entries, current, ...page }: ReferencePage): Page {
  const links = groupsOf(entries).map(
    ([tag, members]) =>
      html`<p>${tag}</p>` +
      menuList(
        members.map((entry) => ({ address: addressOf(entry), title: entry.summary })),
        current && addressOf(current),
      ),
  );
  return developerPage({
    ...page,
    section: 'reference',
    body: columns({ ...page, label: 'Calls', menu: links.join('\n') }),
  });
}

/** The entries of each group, in the order of the document. */
export function groupsOf(entries: readonly Entry[]): readonly (readonly [string, Entry[]])[] {
  return [...Map.groupBy(entries, ({ tag }) => tag)];
}

export function addressOf({ id }: Pick<Entry, 'id'>): string {
  return `/docs/${id}`;
}
