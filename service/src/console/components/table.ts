import { html } from 'ghtml';

export interface Column<Row> {
  /** Empty: the first column names the rows of a comparison. */
  readonly title: string;
  /** HTML of the heading; left out: the title. */
  readonly head?: string;
  /** HTML. */
  readonly cell: (row: Row) => string;
  readonly isMoney?: true;
  /** A class of the column's cells. */
  readonly className?: string;
  /** The address of the rows in the order of this column; null: they are in it. */
  readonly sortHref?: string | null;
  /** The cell names its row, for screen readers. */
  readonly isRowHeader?: true;
}

/** A column of texts or marks; the cell is HTML. */
export const column = <Row>(title: string, cell: (row: Row) => string): Column<Row> => ({
  title,
  cell,
});

/** A column of numbers. */
export const moneyColumn = <Row>(title: string, cell: (row: Row) => string): Column<Row> => ({
  title,
  cell,
  isMoney: true,
});

/** The column that names each row. */
export const rowHeader = <Row>(title: string, cell: (row: Row) => string): Column<Row> => ({
  title,
  cell,
  isRowHeader: true,
});

/** A cell without a value; the cards of a phone leave it out. */
export const NONE = '–';

export interface TableLook<Row> {
  readonly className?: string;
  readonly rowClass?: (row: Row) => string;
}

/** A table that scrolls sideways on narrow screens, where a list shows each row as a card. */
export function table<Row>(
  caption: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { className = '', rowClass = () => '' }: TableLook<Row> = {},
): string {
  const classOf = ({ isMoney, className = '' }: Column<Row>) =>
    classed([isMoney && 'money', className].filter(Boolean).join(' '));
  const head = columns.map((column) => {
    const { title, head = html`${title}`, sortHref } = column;
    const inner = sortHref ? html`<a href="${sortHref}">!${head}</a>` : head;
    if (title === '') return '<td></td>';
    const sorted = sortHref === null ? ' aria-sort="descending"' : '';
    return html`<th scope="col"!${classOf(column)}!${sorted}>!${inner}</th>`;
  });
  const lines = rows.map((row) => {
    const cells = columns.map((column) => {
      const inner = column.cell(row);
      return column.isRowHeader
        ? `<th scope="row"${classOf(column)}>${inner}</th>`
        : html`<td!${classOf(column)} data-label="${column.title}"!${
            inner === NONE || inner === '' ? ' data-empty' : ''
          }>!${inner}</td>`;
    });
    return `<tr${classed(rowClass(row))}>${cells.join('')}</tr>`;
  });
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}">
<table!${classed(className)}><caption>${caption}</caption><thead><tr>!${head.join('')}</tr></thead>
<tbody>!${lines.join('\n')}</tbody></table></div>`;
}

function classed(names: string): string {
  return names && html` class="${names}"`;
}

/** A table below its own heading, whose rows are cards on phones. */
export function titledTable<Row>(
  ...[caption, columns, rows]: Parameters<typeof table<Row>>
): string {
  return html`<h2>${caption}</h2><div class="list-rows">!${table(caption, columns, rows)}</div>`;
}
