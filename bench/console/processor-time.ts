import type { Database } from '../../service/src/database/database.ts';
import { processorMsOf } from '../child-processes/process-times.ts';

const BACKENDS = {
  name: 'console-bench-backends',
  text: 'SELECT pid FROM pg_stat_activity WHERE datname = current_database()',
};

/**
 * The processor time of the service and of the database's sessions. A busy machine makes calls wait
 * for a core; this time stays nearly the same, and is that of a call on a machine without other
 * work, whose rows are in memory.
 */
export interface ProcessorTime {
  /** Looks up the database's sessions again: the service opens more under load. */
  refresh(): Promise<void>;
  /** The time so far in milliseconds; 0 where the kernel does not tell. */
  readMs(): number;
}

/** @param pid the service's process; the database's server must be on this machine */
export function watchProcessorTime(pid: number, db: Database): ProcessorTime {
  let backends: number[] = [];
  /** A session that has ended keeps its time. */
  const known = new Map<number, number>();
  return {
    async refresh() {
      backends = (await db.query<{ pid: number }>(BACKENDS)).map((each) => each.pid);
    },
    readMs() {
      for (const each of [pid, ...backends])
        known.set(each, processorMsOf(each) || (known.get(each) ?? 0));
      return [...known.values()].reduce((sum, ms) => sum + ms, 0);
    },
  };
}
