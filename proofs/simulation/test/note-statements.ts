import type { Database, Executor } from '#database/database.ts';

/** A database that tells of each statement of its transactions, before it runs. */
export function noteStatements(
  db: Database,
  note: (name: string, values: readonly unknown[]) => void,
): Database {
  const noting = (tx: Executor): Executor => ({
    query(statement, values = []) {
      note(statement.name, values);
      return tx.query(statement, values);
    },
  });
  return Object.create(db, {
    query: { value: db.query.bind(db) },
    transaction: {
      value: (work: (tx: Executor) => Promise<unknown>) => db.transaction((tx) => work(noting(tx))),
    },
  });
}
