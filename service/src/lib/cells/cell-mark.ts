/** The first cell: its names carry no mark (decision 0062). */
export const FIRST_CELL = 1;
/** Three digits bound the mark, and with it every short code and id. */
export const LAST_CELL = 999;

/** The mark of every cell but the first, for patterns. No short code or new page id has `-`. */
export const CELL_MARK = 'c(?:[2-9]|[1-9]\\d{1,2})-';

const MARKED = new RegExp(`^(${CELL_MARK})(.*)$`, 's');

/** The mark with which a cell begins its names; empty for the first cell. */
export function cellMark(cell: number): string {
  return cell === FIRST_CELL ? '' : `c${cell}-`;
}

/** The rest of a text that a cell has marked; null: the text is another cell's. */
export function ownText(cell: number, text: string): string | null {
  const [, mark = '', rest = text] = MARKED.exec(text) ?? [];
  return mark === cellMark(cell) ? rest : null;
}
