/** The undo list of the open transaction: tables note here how each write is taken back. */
export class Journal {
  #undo: (() => void)[] | null = null;

  begin(): void {
    this.#undo = [];
  }

  commit(): void {
    this.#undo = null;
  }

  rollback(): void {
    const undo = this.#undo ?? [];
    this.#undo = null;
    while (undo.length > 0) undo.pop()?.();
  }

  note(undo: () => void): void {
    this.#undo?.push(undo);
  }
}

/** Rows by their key, in the order of insertion. */
export class Table<Row extends object> {
  readonly #rows = new Map<string, Row>();
  readonly #journal: Journal;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  get(key: string): Row | undefined {
    return this.#rows.get(key);
  }

  all(): Row[] {
    return [...this.#rows.values()];
  }

  /** The rows of these keys; those that do not exist are left out. */
  some(keys: readonly string[]): Row[] {
    return [...new Set(keys)].flatMap((key) => this.#rows.get(key) ?? []);
  }

  /** Read at every step, so that no list of all rows is made first. */
  where(isWanted: (row: Row) => boolean): Row[] {
    const found: Row[] = [];
    for (const row of this.#rows.values()) if (isWanted(row)) found.push(row);
    return found;
  }

  put(key: string, row: Row): void {
    const before = this.#rows.get(key);
    this.#journal.note(() => {
      if (before === undefined) this.#rows.delete(key);
      else this.#rows.set(key, before);
    });
    this.#rows.set(key, row);
  }

  /** @returns the changed row; undefined where none has the key */
  patch(key: string, changes: Partial<Row>): Row | undefined {
    const before = this.#rows.get(key);
    if (before === undefined) return undefined;
    const after = { ...before, ...changes };
    this.put(key, after);
    return after;
  }

  remove(key: string): void {
    const before = this.#rows.get(key);
    if (before === undefined) return;
    this.#journal.note(() => this.#rows.set(key, before));
    this.#rows.delete(key);
  }
}

/** Reads the columns of an `unnest` as rows. */
export function unnest<Row extends object>(
  columns: readonly unknown[],
  names: readonly (keyof Row & string)[],
): Row[] {
  const lists = columns as readonly (readonly unknown[])[];
  return (lists[0] ?? []).map(
    (_, row) =>
      Object.fromEntries(names.map((name, column) => [name, lists[column]?.[row]])) as Row,
  );
}

/** Reads a parameter that a statement takes as one JSON text. */
export function fromJson<Value>(value: unknown): Value {
  return JSON.parse(String(value)) as Value;
}
