const GAP = '  ';

/** A forged row could otherwise steer the terminal, or make up another row. */
const CONTROL_CHARACTERS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** Lines whose columns stand below each other; the last column is not filled up. */
export function alignColumns(table: readonly (readonly string[])[]): string[] {
  const rows = table.map((row) => row.map((cell) => cell.replace(CONTROL_CHARACTERS, '\ufffd')));
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

/** Rows below their heading, or one sentence where there is no row. */
export function tableOf(
  none: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string[] {
  return rows.length === 0 ? [none] : alignColumns([head, ...rows]);
}

/** A line for each name and its value; – is a value that is not set. */
export function factsOf(facts: Readonly<Record<string, string | null>>): string[] {
  return alignColumns(Object.entries(facts).map(([name, value]) => [name, value ?? '–']));
}
