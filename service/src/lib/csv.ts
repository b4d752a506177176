/**
 * These signs make a spreadsheet read a cell as a formula; East Asian spreadsheets accept
 * full-width signs too.
 */
const FORMULA_START = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
/** Spreadsheets drop blanks, control characters and zero-width characters before the sign. */
const BLANK_START = /^[\s\p{Cc}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]+/u;
const NEEDS_QUOTES = /[",\r\n]/;

/** A number of ours, as in `-12.30`: a spreadsheet reads it as a number, never as a formula. */
export interface Decimal {
  readonly decimal: string;
}

export type CsvCell = string | Decimal | null;

/**
 * A line of CSV (RFC 4180), with its line break; null is an empty cell. Text that a spreadsheet
 * would run as a formula gets an apostrophe in front, which keeps it text (contract §4, List).
 */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: CsvCell): string {
  if (value === null) return '';
  if (typeof value !== 'string') return value.decimal;
  const isFormula = FORMULA_START.test(value) || FORMULA_START.test(value.replace(BLANK_START, ''));
  const text = isFormula ? `'${value}` : value;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
