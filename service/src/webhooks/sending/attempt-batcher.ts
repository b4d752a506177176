import { createBatcher } from '#database/batcher.ts';
import type { DatabaseDeps } from '#database/database.ts';
import type { Log } from '#telemetry/log/log.ts';
import { type AttemptRecord, type RecordedAttempt, recordAttempts } from './record-store.ts';
import {
  type DestinationNotice,
  destinationsOf,
  type SettledAttempt,
  updateBreakers,
} from './update-breakers.ts';

/** The rows of one statement: a few hundred KiB at most. */
const MAX_BATCH = 100;
/** A process has 1,024 slots, and a slot is free only when its attempt is recorded. */
const MAX_QUEUE = 1_024;
/**
 * The pause after a batch of a few, while nothing waits for a slot: at a hundred events a second
 * each attempt would pay for a statement and a commit of its own. A crash repeats what waits.
 */
const GATHER_MS = 25;
const FEW = 4;
/** The pause while the database is unavailable; each failure in a row doubles it. */
const FIRST_BACKOFF_MS = 100;
const LONGEST_BACKOFF_MS = 2_000;

/** An attempt to be written, and what it says about its destination. */
export type EndedAttempt = AttemptRecord & Omit<SettledAttempt, 'isDestinationWatched'>;

/** A written attempt, with what an operator should know of it. */
export interface WrittenAttempt extends RecordedAttempt {
  /** About the endpoint; or about the URL, its origin, or both. */
  readonly notices: readonly DestinationNotice[];
}

export type AttemptRecorder = ReturnType<typeof createAttemptRecorder>;

export interface AttemptRecorderDeps extends DatabaseDeps {
  readonly log: Pick<Log, 'warn'>;
  /** Whether deliveries wait for the slots of attempts that are not recorded; left out: they do. */
  readonly isBusy?: () => boolean;
}

interface Ended {
  readonly attempt: EndedAttempt;
  readonly giveUpAtMs: number;
}

/** Batches ended attempts: one commit and one connection, however many attempts end at once. */
export function createAttemptRecorder(deps: AttemptRecorderDeps) {
  const write = createBatcher<Ended, WrittenAttempt | null>({
    run: (batch) =>
      writeAttempts(
        deps,
        batch.map(({ attempt }) => attempt),
      ),
    maxBatch: MAX_BATCH,
    maxQueue: MAX_QUEUE,
    isSerial: true,
    pauseMs: (failures, size) =>
      failures === 0 && size <= FEW && deps.isBusy?.() === false ? GATHER_MS : backoffMs(failures),
    mayRetry: ({ giveUpAtMs }, nextTryMs) => giveUpAtMs > nextTryMs,
    clock: deps.clock,
  });
  return {
    /**
     * Writes an attempt and counts it for its destination's circuit breaker. While the database is
     * unavailable, the write is tried again until `giveUpAtMs` (steady clock): after the lease's
     * end it could hit no row.
     *
     * @returns the written attempt; null when the lease was lost
     * @throws DatabaseUnavailable when the time is over; the database's error when the row is bad
     */
    record: (attempt: EndedAttempt, giveUpAtMs: number) => write({ attempt, giveUpAtMs }),
  };
}

function backoffMs(failures: number): number {
  if (failures === 0) return 0;
  return Math.min(FIRST_BACKOFF_MS * 2 ** (failures - 1), LONGEST_BACKOFF_MS);
}

/**
 * Writes a batch and settles its destinations. Exported for `proofs/simulation`.
 *
 * @returns in the attempts' order: the written attempt; null when its lease was lost
 */
export async function writeAttempts(
  deps: Pick<AttemptRecorderDeps, 'db' | 'log'>,
  attempts: readonly EndedAttempt[],
): Promise<(WrittenAttempt | null)[]> {
  const recorded = await recordAttempts(deps.db, attempts);
  const byLease = new Map(recorded.map((row) => [leaseOf(row), row]));
  const ended = attempts.flatMap((attempt) => {
    const row = byLease.get(leaseOf(attempt));
    // An attempt that a call of the sandbox brought forward counts for no breaker.
    return row && !attempt.isAdvanced ? [{ ...attempt, ...row }] : [];
  });
  const notices = await settle(deps, ended);
  return attempts.map((attempt) => {
    const row = byLease.get(leaseOf(attempt));
    if (!row) return null;
    // A notice is reported once, with the first attempt of its destination.
    const about = destinationsOf(attempt).flatMap((key) => notices.get(key) ?? []);
    for (const { destination } of about) notices.delete(destination);
    return { ...row, notices: about };
  });
}

/** Never throws: the attempts are written, and the circuit breakers learn from later attempts. */
async function settle(
  { db, log }: Pick<AttemptRecorderDeps, 'db' | 'log'>,
  ended: readonly SettledAttempt[],
) {
  try {
    const notices = await updateBreakers(db, ended);
    return new Map(notices.map((notice) => [notice.destination, notice]));
  } catch (error) {
    log.warn({ err: error }, 'webhook destinations not settled');
    return new Map<string, DestinationNotice>();
  }
}

function leaseOf({ id, leaseToken }: Pick<AttemptRecord, 'id' | 'leaseToken'>): string {
  return `${id} ${leaseToken}`;
}
