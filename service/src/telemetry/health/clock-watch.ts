import type { Executor } from '#database/database.ts';
import type { Clock, DatabaseClock } from '#lib/clock.ts';
import { type Loop, startLoop } from '#lib/loop.ts';
import type { Log } from '#telemetry/log/log.ts';
import type { Metrics } from '#telemetry/metrics/metrics.ts';
import { compareClocks } from './compare-clocks.ts';

/** A clock drifts by milliseconds in this time. */
const COMPARE_EVERY_MS = 60_000;
/** A step of the host's clock, or the end of a host's sleep, is noticed within this time. */
const LOOK_INTERVAL_MS = 1_000;
/** Between two readings, more than NTP slews in a minute. */
const MOST_STEP_MS = 1_000;
/** Webhook receivers allow minutes; a host that is this far off is faulty. */
const MOST_OFFSET_MS = 30_000;

export interface ClockWatchDeps {
  readonly db: Executor;
  readonly clock: Clock | DatabaseClock;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'observeClock' | 'loopFailed'>;
}

export interface ClockWatch {
  /**
   * The reason for which the process is not ready: a wrong clock, or a clock without a comparison;
   * null: neither.
   */
  fault(): string | null;
  /** Compares the clocks now, then every minute. Resolves after the first try. */
  start(): Promise<Loop>;
}

/** A clock that cannot follow the database belongs to a test, and is right. */
export function createClockWatch(deps: ClockWatchDeps): ClockWatch {
  const { clock } = deps;
  return 'follow' in clock ? watchClock({ ...deps, clock }) : NO_WATCH;
}

const NO_WATCH: ClockWatch = {
  fault: () => null,
  start: async () => ({ wake() {}, stop: async () => {}, turns: () => [] }),
};

type WatchedDeps = ClockWatchDeps & { readonly clock: DatabaseClock };

function watchClock({ db, clock, log, metrics }: WatchedDeps): ClockWatch {
  let offsetMs = Number.NaN;
  let comparedAtMs = Number.NEGATIVE_INFINITY;
  let hostAheadOfSteadyMs = 0;
  metrics.observeClock(() => offsetMs / 1e3);

  const hostAhead = () => clock.hostNow().getTime() - clock.steadyMs();

  function fault(): string | null {
    if (Number.isNaN(offsetMs)) return 'this host’s clock was not yet compared with the database’s';
    if (Math.abs(offsetMs) <= MOST_OFFSET_MS) return null;
    const direction = offsetMs > 0 ? 'ahead of' : 'behind';
    const seconds = Math.round(Math.abs(offsetMs) / 1e3);
    return `this host’s clock is ${seconds} s ${direction} the database’s: synchronise both (NTP)`;
  }

  async function compareWhenDue(): Promise<boolean> {
    const isDue = clock.steadyMs() - comparedAtMs >= COMPARE_EVERY_MS;
    const hasStepped = Math.abs(hostAhead() - hostAheadOfSteadyMs) > MOST_STEP_MS;
    if (!isDue && !hasStepped) return false;
    const before = fault();
    offsetMs = await compareClocks(db, clock);
    comparedAtMs = clock.steadyMs();
    hostAheadOfSteadyMs = hostAhead();
    const now = fault();
    if (now !== null) log.error({ reason: now, offsetMs: Math.round(offsetMs) }, 'clock is wrong');
    else if (before !== null) log.info({ offsetMs: Math.round(offsetMs) }, 'clocks compared');
    return false;
  }

  const onError = (error: unknown) => {
    metrics.loopFailed('compare-clocks');
    log.error({ loop: 'compare-clocks', err: error }, 'background loop failed');
  };

  return {
    fault,
    async start() {
      await compareWhenDue().catch(onError);
      return startLoop({
        name: 'compare-clocks',
        intervalMs: LOOK_INTERVAL_MS,
        run: compareWhenDue,
        onError,
      });
    },
  };
}
