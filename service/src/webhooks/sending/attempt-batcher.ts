import { setTimeout as wait } from 'node:timers/promises';
import { type Database, DatabaseUnavailable } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#telemetry/log/log.ts';
import { type AttemptRecord, type RecordedAttempt, recordAttempts } from './record-store.ts';
import {
  type DestinationNotice,
  destinationsOf,
  type SettledAttempt,
  settleDestinations,
} from './update-breakers.ts';

/** One statement's rows: a few hundred KiB at most. */
const MOST_AT_ONCE = 100;
const FIRST_BACKOFF_MS = 100;
const LONGEST_BACKOFF_MS = 2_000;

/** An attempt to be written, and what it says about its destination. */
export type EndedAttempt = AttemptRecord & Omit<SettledAttempt, 'isDestinationWatched'>;

/** What was written, with what an operator should know of it. */
export interface WrittenAttempt extends RecordedAttempt {
  /** About the endpoint; or about the URL, its origin, or both. */
  readonly notices: readonly DestinationNotice[];
}

export interface AttemptRecorder {
  /**
   * Writes an attempt, together with others that ended meanwhile, and counts it for its
   * destination's breaker; while the database is away, again
   * until `giveUpAtMs` (steady clock): after the lease's end it could hit no row.
   *
   * @returns what was written; null when the lease was lost
   * @throws what the database threw last, when the time is over or the row itself is at fault
   */
  record(attempt: EndedAttempt, giveUpAtMs: number): Promise<WrittenAttempt | null>;
}

interface Waiting {
  readonly attempt: EndedAttempt;
  readonly giveUpAtMs: number;
  readonly resolve: (written: WrittenAttempt | null) => void;
  readonly reject: (error: unknown) => void;
}

/** Gathers ended attempts: one commit for many, and one connection, however many end at once. */
export function createAttemptRecorder({
  db,
  clock,
  log,
}: {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
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
        await write(batch);
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

  async function write(batch: readonly Waiting[]): Promise<void> {
    const recorded = await recordAttempts(
      db,
      batch.map(({ attempt }) => attempt),
    );
    const byLease = new Map(recorded.map((row) => [leaseOf(row), row]));
    const ended = batch.flatMap(({ attempt }) => {
      const row = byLease.get(leaseOf(attempt));
      return row ? [{ ...attempt, ...row }] : [];
    });
    const notices = await settle(ended);
    for (const { attempt, resolve } of batch) {
      const row = byLease.get(leaseOf(attempt));
      // Reported once, with the first attempt that ended.
      const keys = destinationsOf(attempt);
      const about = row ? keys.flatMap((key) => notices.get(key) ?? []) : [];
      for (const { destination } of about) notices.delete(destination);
      resolve(row ? { ...row, notices: about } : null);
    }
  }

  /** Never throws: the attempts are written, and the breakers learn from the next ones. */
  async function settle(ended: readonly SettledAttempt[]) {
    try {
      const notices = await settleDestinations(db, ended);
      return new Map(notices.map((notice) => [notice.destination, notice]));
    } catch (error) {
      log.warn({ err: error }, 'webhook destinations not settled');
      return new Map<string, DestinationNotice>();
    }
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

function leaseOf({ id, leaseToken }: Pick<AttemptRecord, 'id' | 'leaseToken'>): string {
  return `${id} ${leaseToken}`;
}
