import type { Executor } from './database.ts';

type Values = readonly unknown[];

/** A store's function: it runs one prepared statement, on the pool or in a transaction. */
type Run<Args extends Values, Result> = (db: Executor, ...args: Args) => Promise<Result>;

/** The values of a statement; without it, the arguments are the values, in their order. */
type ToValues<Args extends Values> = (...args: Args) => Values;

function reading<Row, Args extends Values, Result>(
  name: string,
  text: string,
  toValues: ToValues<Args> | undefined,
  toResult: (rows: Row[]) => Result,
): Run<Args, Result> {
  const statement = { name, text };
  return async (db, ...args) =>
    toResult(await db.query<Row>(statement, toValues ? toValues(...args) : args));
}

/** All rows. */
export function allRows<Row, Args extends Values = []>(
  name: string,
  text: string,
  toValues?: ToValues<Args>,
): Run<Args, Row[]> {
  return reading(name, text, toValues, (rows: Row[]) => rows);
}

/** The column of a statement with one column. */
export function allValues<Value, Args extends Values = []>(
  name: string,
  text: string,
  toValues?: ToValues<Args>,
): Run<Args, Value[]> {
  return reading(name, text, toValues, (rows: Record<string, Value>[]) =>
    rows.flatMap((row) => Object.values(row)),
  );
}

/** The second column of a statement, by the values of its first one. */
export function valuesByKey<Key, Value, Args extends Values = []>(
  name: string,
  text: string,
  toValues?: ToValues<Args>,
): Run<Args, ReadonlyMap<Key, Value>> {
  return reading(
    name,
    text,
    toValues,
    (rows: object[]) => new Map(rows.map((row) => Object.values(row) as [Key, Value])),
  );
}

/** The first row; undefined: there is none. */
export function firstRow<Row, Args extends Values = []>(
  name: string,
  text: string,
  toValues?: ToValues<Args>,
): Run<Args, Row | undefined> {
  return reading(name, text, toValues, ([row]: Row[]) => row);
}

/** The first row; null: there is none. */
export function firstRowOrNull<Row, Args extends Values = []>(
  name: string,
  text: string,
  toValues?: ToValues<Args>,
): Run<Args, Row | null> {
  return reading(name, text, toValues, ([row]: Row[]) => row ?? null);
}

/** The first row, or `otherwise`. */
export function firstRowOr<Row, Args extends Values = []>(
  name: string,
  text: string,
  otherwise: Row,
  toValues?: ToValues<Args>,
): Run<Args, Row> {
  return reading(name, text, toValues, ([row]: Row[]) => row ?? otherwise);
}

/** The value of a statement with one column; `otherwise` without a row, and in place of NULL. */
export function firstValue<Value, Args extends Values = []>(
  name: string,
  text: string,
  otherwise: Value,
  toValues?: ToValues<Args>,
): Run<Args, Value> {
  return reading(
    name,
    text,
    toValues,
    ([row]: Record<string, Value>[]) => Object.values(row ?? {})[0] ?? otherwise,
  );
}

/** The row of a statement that always has one; it throws an `Error` with `missing` else. */
export function oneRow<Row, Args extends Values = []>(
  name: string,
  text: string,
  missing: string,
  toValues?: ToValues<Args>,
): Run<Args, Row> {
  return reading(name, text, toValues, ([row]: Row[]) => {
    if (row === undefined) throw new Error(missing);
    return row;
  });
}

/** How many rows a statement returns. */
export function rowCount<Args extends Values = []>(
  name: string,
  text: string,
  toValues?: ToValues<Args>,
): Run<Args, number> {
  return reading(name, text, toValues, ({ length }) => length);
}

/** Whether a statement returns a row. */
export function hasRows<Args extends Values = []>(
  name: string,
  text: string,
  toValues?: ToValues<Args>,
): Run<Args, boolean> {
  return reading(name, text, toValues, ({ length }) => length > 0);
}

/** Runs a statement for its effect. */
export function execute<Args extends Values = []>(
  name: string,
  text: string,
  toValues?: ToValues<Args>,
): Run<Args, void> {
  return reading(name, text, toValues, () => undefined);
}

/** The values of a statement are fields of its argument, in this order. */
export function valuesOf<Name extends string>(...names: readonly Name[]) {
  return (argument: Readonly<Record<Name, unknown>>): Values => names.map((name) => argument[name]);
}
