import { CELL_MARK, cellMark } from '#lib/cells/cell-mark.ts';
import { randomCode } from '#lib/cells/random-code.ts';
import { SHORT_CODE } from '#lib/text-forms.ts';

/** The code opens the payer's page, so nobody may guess the code: 62^16 is 95 bits. */
const LENGTH = 16;

/** A new short code: the cell's mark and 16 base62 characters from a CSPRNG (contract §4). */
export function newShortCode(cell: number): string {
  return cellMark(cell) + randomCode(LENGTH);
}

const FORM = new RegExp(SHORT_CODE);

/** Whether a text has the form of a short code; the database is asked for no other text. */
export function isShortCode(text: string): boolean {
  return FORM.test(text);
}

/** Marks behind a link in a sentence, a bracket or a quotation, and blanks without a width. */
const MARKS = String.raw`\s.,;:!?'"()<>[\]{}*_~/«»…‘’“”\u200b-\u200d\u2060\ufeff`;
/** A few marks: a longer tail is no mistake of pasting. */
const PASTED = new RegExp(`^((?:${CELL_MARK})?[0-9A-Za-z]{16})[${MARKS}]{0,8}$`);

/** The short code of a link that was pasted with such marks behind it; null: there is none. */
export function readPastedCode(text: string): string | null {
  return PASTED.exec(text)?.[1] ?? null;
}
