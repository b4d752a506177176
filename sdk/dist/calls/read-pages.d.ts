import { type Answer } from './send-call.js';
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
export declare function readPages<Item extends object>(fetchPage: (cursor: string | undefined) => Promise<Answer>, first?: string): PagedList<Item>;
