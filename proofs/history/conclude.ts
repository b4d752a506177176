import { checkHistory, type Verdict } from './check-history.ts';
import { drain } from './drain.ts';
import { type History, readHistory } from './history.ts';
import { readBooks } from './read-books.ts';
import type { Workload } from './workload.ts';

export interface Conclusion {
  readonly history: History;
  readonly workload: Workload;
  /** Reaches PostgreSQL itself, past every proxy that a nemesis may have left broken. */
  readonly databaseUrl: string;
  readonly merchantIds: readonly string[];
  /** For each of settling, draining and reading to the end; default two minutes. */
  readonly limitMs?: number;
}

/**
 * Ends a run whose faults are healed: stops new calls, repeats unknown outcomes, drains the work
 * and reads the lists to their end. Then it compares the history with the rows, and closes the
 * history.
 */
export async function conclude(run: Conclusion): Promise<Verdict> {
  const { history, workload, databaseUrl, merchantIds, limitMs = 120_000 } = run;
  await workload.stop();
  history.append({ kind: 'phase', phase: 'settle' });
  await workload.settle(limitMs);
  history.append({ kind: 'phase', phase: 'drain' });
  await drain(databaseUrl, limitMs);
  await workload.finishLists(limitMs);
  history.append({ kind: 'phase', phase: 'end' });
  const books = await readBooks(databaseUrl, merchantIds);
  history.close();
  return checkHistory(readHistory(history.path), books);
}
