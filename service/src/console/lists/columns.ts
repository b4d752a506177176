import { html } from 'ghtml';
import { type ShownStatus, type StatusKind, statusBadge } from '#console/components/badges.ts';
import { type Column, NONE } from '#console/components/table.ts';
import { amountOrNone, day, relativeTime, shortId } from '#console/components/values.ts';
import type { Visit } from '#console/shell/visit.ts';

export interface ListColumn<Row> {
  /** The value of the filter `order` that sorts by the column; the heading leads to it. */
  readonly order?: string;
  /** Numbers stand at the right edge. */
  readonly isNumber?: true;
  /** HTML. */
  cell(row: Row, visit: Visit): string;
}

/** Columns by name, in their order; each has the word `column.<name>`. */
export type ListColumns<Row> = Readonly<Record<string, ListColumn<Row>>>;

/**
 * The columns of a table, by the keys of their titles.
 *
 * @param naming the place of the column that names the rows; -1: none does
 */
export function titled<Row>(
  visit: Visit,
  text: (key: never) => string,
  columns: ListColumns<Row>,
  naming = 0,
): Column<Row>[] {
  return Object.entries(columns).map(([title, { isNumber, cell }], index) => ({
    title: text(title as never),
    cell: (row) => cell(row, visit),
    ...(isNumber && { isMoney: isNumber }),
    ...(index === naming && { isRowHeader: true }),
  }));
}

/** Max35Text of ISO 20022, in which banks write references. */
const LONGEST_REFERENCE = 35;

/** The kinds of columns, each made of what a row has. */

type Of<Row, Value> = (row: Row, visit: Visit) => Value | null;

function column<Row, Value>(
  of: Of<Row, Value>,
  render: (value: Value, visit: Visit) => string,
): ListColumn<Row> {
  return {
    cell(row, visit) {
      const value = of(row, visit);
      return value === null ? NONE : render(value, visit);
    },
  };
}

export const text = <Row>(of: Of<Row, string>) => column(of, (value) => html`${value}`);

/** An identifier or a URL, in letters of one width. */
export const code = <Row>(of: Of<Row, string>) =>
  column(of, (value) => html`<span class="mono">${value}</span>`);

/** A reference as banks write it; a longer one is an id, and shortened. */
export const reference = <Row>(of: Of<Row, string>) =>
  column(of, (value) =>
    value.length > LONGEST_REFERENCE ? shortId(value) : html`<span class="mono">${value}</span>`,
  );

/** A URL, which wraps behind its slashes. */
export const url = <Row>(of: Of<Row, string>) =>
  column(of, (value) => html`<span class="mono">!${wrappedUrl(value)}</span>`);

export function wrappedUrl(value: string): string {
  return html`${value}`.replace(/(?<=[^/:])\/(?=[^/])/g, '/<wbr>');
}

/** An identifier that is short enough for one line. */
export const id = <Row>(of: Of<Row, string>) =>
  column(of, (value) => html`<span class="mono id">${value}</span>`);

/** An instant by its distance from now; the page of the row has it in full. */
export const age = <Row>(of: Of<Row, Date>) => column(of, (at, visit) => relativeTime(visit, at));

/** A calendar date. */
export const date = <Row>(of: Of<Row, string>) => column(of, (value, visit) => day(visit, value));

export const count = <Row>(of: Of<Row, number>): ListColumn<Row> => ({
  ...column(of, (value) => `${value}`),
  isNumber: true,
});

/** An amount in cents; left out: in the currency of the deployment. */
export const money = <Row>(
  of: Of<Row, number>,
  currencyOf: (row: Row, visit: Visit) => string = (_, { currency }) => currency,
): ListColumn<Row> => ({
  isNumber: true,
  cell: (row, visit) => amountOrNone(visit, of(row, visit), currencyOf(row, visit)),
});

export const status = <Row>(kind: StatusKind, of: (row: Row) => string) =>
  column(of, (value, visit) => statusBadge(visit, `${kind}.${value}` as ShownStatus));

/** A cell of its own; HTML. */
export const cell = <Row>(of: Of<Row, string>) => column(of, (value) => value);

/** A link, as its address and its HTML. */
export const link = <Row>(
  of: (row: Row, visit: Visit) => readonly [href: string, inner: string] | null | '',
) =>
  column(
    (row: Row, visit) => of(row, visit) || null,
    ([href, inner]) => html`<a href="${href}">!${inner}</a>`,
  );

/** The kinds of columns by name, for tables whose pages have texts and sums of the same names. */
export const show = {
  ...{ text, code, reference, url, id, age, date, count, money, status, cell, link },
};
