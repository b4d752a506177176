const GAP = '  ';

/** Lines whose columns stand below each other; the last column is not filled up. */
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    });
  }
  return rows.map((row) => {
    const last = row.length - 1;
    return row
      .map((cell, column) => (column === last ? cell : cell.padEnd(widths[column] ?? 0)))
      .join(GAP)
      .trimEnd();
  });
}
