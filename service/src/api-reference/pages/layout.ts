import { html } from 'ghtml';
import {
  type Columns,
  columns,
  developerPage,
  groupedMenu,
  type MenuLink,
} from '#http/pages/developer-page.ts';
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
  const menu = groupedMenu(entries.map(linkTo), current && addressOf(current));
  return developerPage({
    ...page,
    section: 'reference',
    body: columns({ ...page, label: 'Calls', menu }),
  });
}

/** The entries of each group, in the order of the document. */
export function groupsOf(entries: readonly Entry[]): readonly (readonly [string, Entry[]])[] {
  return [...Map.groupBy(entries, ({ tag }) => tag)];
}

/** The link of a call, in the menu and beside other calls. */
export function linkTo(entry: Entry): MenuLink {
  return { address: addressOf(entry), title: entry.summary, group: entry.tag };
}

/** A path, which breaks before a slash rather than within a word. */
export const breakable = (path: string): string => html`${path}`.replaceAll('/', '<wbr>/');

export function addressOf({ id }: Pick<Entry, 'id'>): string {
  return `/docs/${id}`;
}
