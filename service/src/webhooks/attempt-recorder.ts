import { setTimeout as wait } from 'node:timers/promises';
import { type Database, DatabaseUnavailable } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import {
  type AttemptRecord,
  type RecordedAttempt,
  recordAttempts,
} from './webhook-delivery-store.ts';

/** One statement's rows: a few hundred KiB at most. */
const MOST_AT_ONCE = 100;
const FIRST_BACKOFF_MS = 100;
const LONGEST_BACKOFF_MS = 2_000;

export interface AttemptRecorder {
  /**
   * Writes an attempt, together with others that ended meanwhile; while the database is away, again
   * until `giveUpAtMs` (steady clock): after the lease's end it could hit no row.
   *
   * @returns what was written; null when the lease was lost
   * @throws what the database threw last, when the time is over or the row itself is at fault
   */
  record(attempt: AttemptRecord, giveUpAtMs: number): Promise<RecordedAttempt | null>;
}

interface Waiting {
  readonly attempt: AttemptRecord;
  readonly giveUpAtMs: number;
  readonly resolve: (recorded: RecordedAttempt | null) => void;
  readonly reject: (error: unknown) => void;
}

/** Gathers ended attempts: one commit for many, and one connection, however many end at once. */
export function createAttemptRecorder({
  db,
  clock,
}: {
  readonly db: Database;
  readonly clock: Clock;
}): AttemptRecorder {
  const waiting: Waiting[] = [];
  let writing = false;
  /** So many of the next rows go one by one, because a statement failed over one of them. */
  let alone = 0;

  async function writeAll(): Promise<void> {
    writing = true;
    let backoffMs = FIRST_BACKOFF_MS;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, alone > 0 ? 1 : MOST_AT_ONCE);
      alone = Math.max(0, alone - 1);
      try {
        answer(
          batch,
          await recordAttempts(
            db,
            batch.map(({ attempt }) => attempt),
          ),
        );
        backoffMs = FIRST_BACKOFF_MS;
      } catch (error) {
        if (error instanceof DatabaseUnavailable) {
          retryOrReject(batch, error, clock.steadyMs() + backoffMs);
          await wait(backoffMs);
          backoffMs = Math.min(backoffMs * 2, LONGEST_BACKOFF_MS);
        } else if (batch.length > 1) {
          waiting.unshift(...batch);
          alone = batch.length;
        } else {
          for (const { reject } of batch) reject(error);
        }
      }
    }
    writing = false;
  }

  function retryOrReject(batch: readonly Waiting[], error: unknown, nextTryMs: number): void {
    const again = batch.filter(({ giveUpAtMs }) => giveUpAtMs > nextTryMs);
    waiting.unshift(...again);
    for (const one of batch) if (!again.includes(one)) one.reject(error);
  }

  return {
    record: (attempt, giveUpAtMs) =>
      new Promise((resolve, reject) => {
        waiting.push({ attempt, giveUpAtMs, resolve, reject });
        if (!writing) void writeAll();
      }),
  };
}

function answer(batch: readonly Waiting[], recorded: readonly RecordedAttempt[]): void {
  const keyOf = (row: { id: string; leaseToken: string }) => `${row.id} ${row.leaseToken}`;
  const byLease = new Map(recorded.map((row) => [keyOf(row), row]));
  for (const { attempt, resolve } of batch) resolve(byLease.get(keyOf(attempt)) ?? null);
}
