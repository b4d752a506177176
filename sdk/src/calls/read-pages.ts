import type { Members } from './send-call.ts';

/**
 * Iterates over a paged list; fetches a page after the previous page is used up.
 * @param fetchPage gets the cursor of the previous page; undefined for the first page
 */
export async function* readPages<Item>(
  fetchPage: (cursor: string | undefined) => Promise<Members>,
): AsyncGenerator<Item, void, undefined> {
  let cursor: string | undefined;
  for (;;) {
    const { data, hasMore, nextCursor } = await fetchPage(cursor);
    yield* (Array.isArray(data) ? data : []) as Item[];
    // A repeated cursor would make an endless loop.
    if (hasMore !== true || typeof nextCursor !== 'string' || nextCursor === cursor) return;
    cursor = nextCursor;
  }
}
