import type { Database, Executor } from './database.ts';

/**
 * A database whose transactions are parts of the caller's transaction: for a use case that begins
 * its own, where the caller writes more in the same one. An error of `work` must end the caller's
 * transaction, too.
 */
export function joinTransaction(tx: Executor): Database {
  return {
    query: (statement, values) => tx.query(statement, values),
    transaction: (work) => work(tx),
    listen: refuse,
    poolUse: refuse,
    close: refuse,
  };
}

function refuse(): never {
  throw new Error('a transaction is no pool of connections');
}
