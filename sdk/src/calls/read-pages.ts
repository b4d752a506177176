import { noteAnswer } from '../answers.ts';
import { type Answer, membersOf } from './send-call.ts';

/** A page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Store it to continue the list later (`cursor`); null on the last page. */
  readonly nextCursor: string | null;
}

/** A list that the client fetches page by page, and only while you read on. */
export interface PagedList<Item> extends AsyncIterable<Item> {
  /** Iterates over whole pages, each with the cursor of the next page. */
  pages(): AsyncIterable<Page<Item>>;
}

/**
 * Makes a list that fetches a page after the previous page is used up.
 * @param fetchPage gets the cursor of the page to fetch; undefined for the first page
 * @param first      the cursor at which the list begins
 */
export function readPages<Item extends object>(
  fetchPage: (cursor: string | undefined) => Promise<Answer>,
  first?: string,
): PagedList<Item> {
  const pages = () => fetchPages<Item>(fetchPage, first);
  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const { items } of pages()) yield* items;
    },
  };
}

async function* fetchPages<Item extends object>(
  fetchPage: (cursor: string | undefined) => Promise<Answer>,
  first: string | undefined,
): AsyncGenerator<Page<Item>, void, undefined> {
  let cursor = first;
  for (;;) {
    const answer = await fetchPage(cursor);
    const { data, hasMore, nextCursor: next } = membersOf(answer);
    // A repeated cursor would make an endless loop.
    const hasNext = hasMore === true && typeof next === 'string' && next !== cursor;
    const nextCursor = hasNext ? next : null;
    const items = (Array.isArray(data) ? data : []) as Item[];
    yield noteAnswer({ items, nextCursor }, answer);
    if (nextCursor === null) return;
    cursor = nextCursor;
  }
}
