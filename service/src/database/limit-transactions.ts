import { DatabaseUnavailable } from '#database/connection/database-unavailable.ts';
import type { Database } from './database.ts';

/** Of a pool of 10. Two keep the next one ready while one commits. */
const MOST_AT_ONCE = 2;
/** More would wait for longer than a caller does. */
const MOST_WAITING = 100;
/** As long as for a connection of the pool: nothing was done, and the caller tries again. */
const LONGEST_WAIT_MS = 2_000;

/**
 * The same database, with two transactions at once. For work that waits for one lock, such as the
 * end of the audit log's chain: while that lock is held, its transactions leave the connections of
 * the pool to all other work. A transaction that gets no turn in time throws DatabaseUnavailable.
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
