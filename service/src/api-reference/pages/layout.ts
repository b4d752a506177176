import { type Columns, columns, developerPage, groupedMenu } from '#http/pages/developer-page.ts';
import type { Page } from '#http/pages/page.ts';
import type { ReferenceDocument } from '../document-types.ts';
import type { Guide } from '../guides/render-guide.ts';
import type { Entry } from '../list-entries.ts';
import type { Findable } from '../search.ts';

export interface Overview {
  readonly document: ReferenceDocument;
  readonly entries: readonly Entry[];
  readonly guides: readonly Guide[];
  readonly findable: readonly Findable[];
  readonly isSandbox: boolean;
  /** {base_url} and {auth_url}. */
  readonly publicApiUrl: string;
  readonly publicAuthUrl: string;
}

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
  const menu = menuOf(entries, addressOf, current && addressOf(current));
  return developerPage({
    ...page,
    section: 'reference',
    body: columns({ ...page, label: 'Calls', menu }),
  });
}

/** The menu of all calls, by their groups. */
export function menuOf(
  entries: readonly Entry[],
  address: (entry: Entry) => string,
  current?: string,
): string {
  const groups = groupsOf(entries).map(([tag, members]) => {
    const links = members.map((entry) => ({ address: address(entry), title: entry.summary }));
    return [tag, links] as const;
  });
  return groupedMenu(groups, current);
}

/** The entries of each group, in the order of the document. */
export function groupsOf(entries: readonly Entry[]): readonly (readonly [string, Entry[]])[] {
  return [...Map.groupBy(entries, ({ tag }) => tag)];
}

export function addressOf({ id }: Pick<Entry, 'id'>): string {
  return `/docs/${id}`;
}
