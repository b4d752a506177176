/**
 * Reads columns out of rows: for each key an array with a value of every row, as a statement with
 * `unnest` takes them.
 */
export function columnsOf<Row>(rows: readonly Row[]) {
  return (...keys: readonly (keyof Row)[]): unknown[][] =>
    keys.map((key) => rows.map((row) => row[key]));
}
