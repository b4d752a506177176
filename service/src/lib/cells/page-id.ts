import { CELL_MARK, cellMark } from './cell-mark.ts';
import { randomCode } from './random-code.ts';

/** Knowing an id opens a page: 62^22 is 131 bits. */
const LENGTH = 22;
const PAGE_ID = new RegExp(`^(?:${CELL_MARK})?[A-Za-z0-9]{${LENGTH}}$`);

/** The id of a payer's page, in its URL: the cell's mark and 22 base62 characters. */
export function newPageId(cell: number): string {
  return cellMark(cell) + randomCode(LENGTH);
}

/** Whether a text has the form of a page's id; the database is asked for no other text. */
export function isPageId(text: string): boolean {
  return PAGE_ID.test(text);
}
