import { DatabaseUnavailable } from '#database/connection/database-unavailable.ts';
import type { Database } from './database.ts';

/** A pool has 10 connections. With two transactions, the next is ready while one commits. */
const MOST_AT_ONCE = 2;
/** Further transactions would wait for longer than a caller does. */
const MOST_WAITING = 100;
/**
 * A turn has the bound of a pool connection: after 2 s without work done, the caller tries again.
 */
const LONGEST_WAIT_MS = 2_000;

/**
 * Limits a database to two transactions at once, for work that waits for one lock, such as the end
 * of the audit log's chain. While that lock is held, the other connections of the pool stay free
 * for all other work. A transaction that waits too long for its turn throws DatabaseUnavailable.
 */
export function limitTransactions(db: Database): Database {
  const waiting = new Set<() => void>();
  let running = 0;

  function takeTurn(): Promise<void> {
    if (running < MOST_AT_ONCE) {
      running += 1;
      return Promise.resolve();
    }
    if (waiting.size >= MOST_WAITING) return Promise.reject(noTurn());
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(late);
        waiting.delete(begin);
        resolve();
      };
      const late = setTimeout(() => {
        waiting.delete(begin);
        reject(noTurn());
      }, LONGEST_WAIT_MS);
      waiting.add(begin);
    });
  }

  /** Hands the turn to the transaction that has waited longest. */
  function endTurn(): void {
    const [next] = waiting;
    if (next) next();
    else running -= 1;
  }

  return {
    ...db,
    async transaction(work) {
      await takeTurn();
      try {
        return await db.transaction(work);
      } finally {
        endTurn();
      }
    },
  };
}

function noTurn(): DatabaseUnavailable {
  return new DatabaseUnavailable(new Error('too many transactions wait for one lock'));
}
