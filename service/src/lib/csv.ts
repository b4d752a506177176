import { formatInstant } from './instant.ts';
import { formatAmount } from './money.ts';

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

/** The first line of a CSV list, and the line of each row; both with their line break. */
export interface CsvForm<Row> {
  readonly header: string;
  lineOf(row: Row): string;
}

/**
 * The columns of these members, named as JSON lists name them: `receivedAt` is `receivedDateTime`,
 * `amountCents` is `amount`.
 */
export function memberColumns<Row>(
  ...names: readonly (keyof Row & string)[]
): Readonly<Record<string, (row: Row) => CsvCell>> {
  return Object.fromEntries(
    names.map((name) => [
      name.replace(/At$/, 'DateTime').replace(/Cents$/, ''),
      (row: Row): CsvCell => {
        const value = row[name];
        if (value instanceof Date) return formatInstant(value);
        if (typeof value !== 'number') return value === null ? null : String(value);
        return { decimal: name.endsWith('Cents') ? formatAmount(value) : `${value}` };
      },
    ]),
  );
}

/** The CSV form of these columns, each named by the path of its value in the JSON list. */
export function csvForm<Row>(
  columns: Readonly<Record<string, (row: Row) => CsvCell>>,
): CsvForm<Row> {
  const cells = Object.values(columns);
  return {
    header: csvLine(Object.keys(columns)),
    lineOf: (row) => csvLine(cells.map((cellOf) => cellOf(row))),
  };
}

/** The CSV form whose columns are these members. */
export function memberForm<Row>(...names: readonly (keyof Row & string)[]): CsvForm<Row> {
  return csvForm(memberColumns<Row>(...names));
}

function csvCell(value: CsvCell): string {
  if (value === null) return '';
  if (typeof value !== 'string') return value.decimal;
  const isFormula = FORMULA_START.test(value) || FORMULA_START.test(value.replace(BLANK_START, ''));
  const text = isFormula ? `'${value}` : value;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
