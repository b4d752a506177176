import type { Members } from './send-call.ts';

/**
 * Goes through a list that is answered page by page, each fetched when the one before is used up.
 * @param fetchPage given the cursor of the page before; undefined for the first
 */
export async function* readPages<Item>(
  fetchPage: (cursor: string | undefined) => Promise<Members>,
): AsyncGenerator<Item, void, undefined> {
  let cursor: string | undefined;
  for (;;) {
    const { data, hasMore, nextCursor } = await fetchPage(cursor);
    yield* (Array.isArray(data) ? data : []) as Item[];
    // The same cursor twice would go round for ever.
    if (hasMore !== true || typeof nextCursor !== 'string' || nextCursor === cursor) return;
    cursor = nextCursor;
  }
}
