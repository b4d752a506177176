import cluster from 'node:cluster';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#telemetry/log.ts';
import { createRestartDelay, type RestartDelay } from './restart-delay.ts';
import { type WorkerProcess, watchWorker } from './worker-process.ts';

/** After the processes' own grace period: time to exit. */
const EXIT_MARGIN_MS = 2_000;

export interface SupervisorOptions {
  readonly count: number;
  readonly clock: Clock;
  readonly log: Log;
  /** How long a process that was told to stop may take. */
  readonly graceMs: number;
}

/** A place that one process fills, and after its end another. */
export interface ProcessPlace {
  /** From 1; what its metrics are told by. */
  readonly number: number;
  /** null: it ended, and the next one is not started yet. */
  readonly process: WorkerProcess | null;
  readonly restarts: number;
}

export interface Supervisor {
  readonly places: readonly ProcessPlace[];
  /**
   * @returns the port that all share; null without the api role.
   * @throws  ProcessNotStarted when one ends before it has started.
   */
  start(): Promise<number | null>;
  /** Tells all to stop and waits for it. @returns whether all did so in good order */
  stop(): Promise<boolean>;
}

interface Place extends ProcessPlace {
  process: WorkerProcess | null;
  restarts: number;
  /** Whether any process has ever started here. */
  hasStarted: boolean;
  readonly delay: RestartDelay;
}

/**
 * Starts `count` processes of this very command and keeps them running: one that ends is started
 * again, after 100 ms to 10 s.
 */
export function superviseProcesses(options: SupervisorOptions): Supervisor {
  const { count, clock, log } = options;
  const places = Array.from({ length: count }, (_, index): Place => {
    const delay = createRestartDelay();
    return { number: index + 1, process: null, restarts: 0, hasStarted: false, delay };
  });
  const timers = new Set<NodeJS.Timeout>();
  let isStopping = false;

  function startIn(place: Place): WorkerProcess {
    const startedMs = clock.steadyMs();
    const process = watchWorker(cluster.fork());
    place.process = process;
    void process.ended.then((end) => {
      place.process = null;
      place.hasStarted ||= process.hasStarted();
      // What has never started is the start's to tell.
      if (isStopping || !place.hasStarted) return;
      const delayMs = place.delay.next(clock.steadyMs() - startedMs);
      const told = { process: place.number, processPid: process.pid, ...end };
      log.error({ ...told, delaySeconds: delayMs / 1000 }, 'process ended, starting another');
      const timer = setTimeout(() => {
        timers.delete(timer);
        place.restarts += 1;
        startIn(place);
      }, delayMs);
      timers.add(timer);
    });
    return process;
  }

  async function stop(): Promise<boolean> {
    isStopping = true;
    for (const timer of timers) clearTimeout(timer);
    const running = places.flatMap(({ process }) => process ?? []);
    for (const process of running) process.end('SIGTERM');
    const overdue = setTimeout(() => {
      for (const { process } of places) process?.end('SIGKILL');
    }, options.graceMs + EXIT_MARGIN_MS);
    const ends = await Promise.all(running.map(({ ended }) => ended));
    clearTimeout(overdue);
    return ends.every(({ exitCode }) => exitCode === 0);
  }

  return {
    places,
    async start() {
      const [first, ...others] = places;
      // Alone: what is wrong for all, such as a port in use, is then said once.
      const port = first ? await startIn(first).started : null;
      await Promise.all(others.map((place) => startIn(place).started));
      return port;
    },
    stop,
  };
}
