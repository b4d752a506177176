import type { Database, Executor } from '#database/database.ts';
import { DatabaseUnavailable } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import { type Loop, startLoop } from '#lib/loop.ts';
import { ReplicaLag } from './replica-lag.ts';
import { findPrimaryPlace, findReplicaPlace } from './replica-store.ts';

/** The result of a read, and the most seconds by which the result may be old. */
export interface OverviewAnswer<Result> {
  readonly result: Result;
  /** Seconds behind the primary at most; null: the primary answered. */
  readonly lagSeconds: number | null;
}

/** Runs the reads of lists and reports, which may be slightly old. */
export interface OverviewReads {
  /** Reads on the replica while it is usable, else on the primary. `work` may run twice. */
  read<Result>(work: (db: Executor) => Promise<Result>): Promise<OverviewAnswer<Result>>;
}

/** Sends every read to the primary, for a service without a replica. */
export function readPrimary(db: Executor): OverviewReads {
  return { read: async (work) => ({ result: await work(db), lagSeconds: null }) };
}

export interface ReplicaDeps {
  readonly primary: Executor;
  readonly replica: Database;
  readonly clock: Pick<Clock, 'steadyMs'>;
  /** `DATABASE_REPLICA_LAG`, in milliseconds. */
  readonly mostLagMs: number;
  /** Called at each change: whether the replica is used, and the reason against its use. */
  readonly onChange: (isUsed: boolean, reason: string) => void;
}

export interface ReplicaReads extends OverviewReads {
  /** Seconds behind the primary at most; Infinity when it is not known. */
  lagSeconds(): number;
  /**
   * Compares once, and then in a loop. An error of a comparison is a reason not to use the replica.
   */
  start(): Promise<Loop>;
}

/** A comparison is two small statements; a list is at most this much older than it states. */
const COMPARE_EVERY_MS = 500;
/** An SQLSTATE: the replica may cancel a statement, or lack a migration that the primary has. */
const REFUSED_STATEMENT = /^[0-9A-Z]{5}$/;

/** Reads on a physical replica whose lag is measured against the primary's log. */
export function createReplicaReads(deps: ReplicaDeps): ReplicaReads {
  const { primary, replica, clock, mostLagMs, onChange } = deps;
  const lag = new ReplicaLag(mostLagMs + COMPARE_EVERY_MS);
  let wasUsed: boolean | null = null;
  /** A place that the primary had not reached: a lost leader's log goes on elsewhere. */
  let foreignPlace: number | null = null;

  function note(reason: string): void {
    const isUsed = lag.at(clock.steadyMs()) <= mostLagMs;
    if (isUsed !== wasUsed) onChange(isUsed, reason);
    wasUsed = isUsed;
  }

  async function compare(): Promise<boolean> {
    const askedAtMs = clock.steadyMs();
    try {
      const ours = await findPrimaryPlace(primary);
      lag.sawPrimary(ours.place ?? 0, askedAtMs);
      const theirs = await findReplicaPlace(replica);
      if (theirs.place === null) throw new Error('it is no replica');
      if (theirs.system !== ours.system) throw new Error('it is a replica of another server');
      if (theirs.database !== ours.database) throw new Error('it is another database');
      if (theirs.place > (ours.place ?? 0)) {
        const later = await findPrimaryPlace(primary);
        if (theirs.place > (later.place ?? 0)) foreignPlace = theirs.place;
      }
      if (theirs.place === foreignPlace) throw new Error('it has another history');
      lag.sawReplica(theirs.place);
      note('it is too far behind');
    } catch (error) {
      lag.forget();
      note(error instanceof DatabaseUnavailable ? 'it does not answer' : messageOf(error));
    }
    return false;
  }

  return {
    lagSeconds: () => lag.at(clock.steadyMs()) / 1e3,
    async start() {
      await compare();
      const onError = () => {};
      return startLoop({
        name: 'compare-replica',
        intervalMs: COMPARE_EVERY_MS,
        run: compare,
        onError,
      });
    },
    async read(work) {
      const startedMs = clock.steadyMs();
      const lagMs = lag.at(startedMs);
      if (lagMs > mostLagMs) return { result: await work(primary), lagSeconds: null };
      try {
        const result = await work(replica);
        // The read may have waited, and the replica may have replayed nothing meanwhile.
        const waitedMs = clock.steadyMs() - startedMs;
        return { result, lagSeconds: (lagMs + waitedMs) / 1e3 };
      } catch (error) {
        if (!isReplicasFault(error)) throw error;
        return { result: await work(primary), lagSeconds: null };
      }
    },
  };
}

function isReplicasFault(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  return error instanceof Error && 'code' in error && REFUSED_STATEMENT.test(String(error.code));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'it cannot be compared';
}
