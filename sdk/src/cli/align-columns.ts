const GAP = '  ';

const CONTROL_CHARACTERS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** An answer could otherwise steer the terminal, or make up another line. */
export function withoutControls(text: string): string {
  return text.replace(CONTROL_CHARACTERS, '\ufffd');
}

/** Lines whose columns stand below each other; the last column is not filled up. */
export function alignColumns(table: readonly (readonly string[])[]): string[] {
  const rows = table.map((row) => row.map(withoutControls));
  const widthOf = (column: number) => Math.max(...rows.map((row) => (row[column] ?? '').length));
  return rows.map((row) => {
    const cells = row.map((cell, at) => (at < row.length - 1 ? cell.padEnd(widthOf(at)) : cell));
    return cells.join(GAP).trimEnd();
  });
}
