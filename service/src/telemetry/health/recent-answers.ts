import { DatabaseUnavailable } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import type { AnsweredCall } from '#telemetry/log/request-log.ts';
import { reasonOf } from './readiness.ts';

/** A process whose database works again is ready after at most 10 s, also without calls. */
const WINDOW_MS = 10_000;
/**
 * Successful calls outvote earlier refusals: under load the process is ready again within seconds.
 */
const MOST_ANSWERS = 20;
/** Any restart of a database refuses a call or two. */
const LEAST_REFUSED = 3;
/** Calls that write no new row succeed with a full disk: fewer than half may be refused. */
const LEAST_SHARE = 1 / 3;

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The latest calls, for readiness: a probe's own write cannot see the faults of calls. */
export type RecentAnswers = ReturnType<typeof createRecentAnswers>;

/** Records whether the latest calls that write succeeded, or were refused by the database. */
export function createRecentAnswers(clock: Pick<Clock, 'steadyMs'>) {
  const latest: { readonly atMs: number; readonly cause: unknown; readonly isRefused: boolean }[] =
    [];

  return {
    answered({ method, status, fault }: AnsweredCall) {
      const isRefused = isRefusedByDatabase(fault);
      const isDone = status < 400 && !SAFE_METHODS.has(method);
      if (!isRefused && !isDone) return;
      latest.push({ atMs: clock.steadyMs(), cause: fault, isRefused });
      if (latest.length > MOST_ANSWERS) latest.shift();
    },
    /**
     * The reason for which new calls would be refused, by the last seconds' calls; null when they
     * would not.
     */
    refusal() {
      const sinceMs = clock.steadyMs() - WINDOW_MS;
      const recent = latest.filter(({ atMs }) => atMs > sinceMs);
      const refused = recent.filter((answer) => answer.isRefused);
      if (refused.length < LEAST_REFUSED) return null;
      if (refused.length < recent.length * LEAST_SHARE) return null;
      const reason = reasonOf(refused.at(-1)?.cause);
      return `${reason}; it refused ${refused.length} of the last ${recent.length} calls`;
    },
  };
}

/**
 * A refusal because of too many calls, without a fault of the database, is left out: a process that
 * leaves the rotation would leave its load to the others. A lock concerns few rows.
 */
function isRefusedByDatabase(fault: unknown): boolean {
  if (!(fault instanceof DatabaseUnavailable) || fault.isLockWait) return false;
  return fault.cause instanceof Error && 'code' in fault.cause;
}
