import cluster, { type Worker } from 'node:cluster';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#telemetry/log/log.ts';
import { createRestartDelay, type RestartDelay } from './restart-delay.ts';
import { type WorkerProcess, watchWorker } from './worker-process.ts';

/** After the processes' own grace period: time to exit. */
const EXIT_MARGIN_MS = 2_000;

export interface SupervisorOptions {
  readonly count: number;
  readonly clock: Clock;
  readonly log: Log;
  /** The time that a stopping process may take. */
  readonly graceMs: number;
}

/** A place for one process at a time; the next process fills the place of an ended one. */
export interface ProcessPlace {
  /** Counted from 1; the label of the process's metrics. */
  readonly number: number;
  /** null: the process ended, and the next one has not started yet. */
  readonly process: WorkerProcess | null;
  readonly restarts: number;
}

export interface Supervisor {
  readonly places: readonly ProcessPlace[];
  /**
   * Starts the first process, then the others. Another process that ends before it has started is
   * restarted, like each process that ends later.
   *
   * @returns the port of all processes; null without the api role.
   * @throws  ProcessNotStarted when the first process ends before it has started.
   */
  start(): Promise<number | null>;
  /** Stops all processes and waits for their ends. @returns whether all of them drained */
  stop(): Promise<boolean>;
  /** The processes that run, as in "process 2". */
  unfinished(): readonly string[];
}

interface Place extends ProcessPlace {
  process: WorkerProcess | null;
  restarts: number;
  readonly delay: RestartDelay;
}

/**
 * Starts `count` processes of this very command and keeps them running: an ended process is
 * restarted after 100 ms to 10 s.
 */
export function superviseProcesses(options: SupervisorOptions): Supervisor {
  const { count, clock, log } = options;
  const places = Array.from({ length: count }, (_, index): Place => {
    const delay = createRestartDelay();
    return { number: index + 1, process: null, restarts: 0, delay };
  });
  const timers = new Set<NodeJS.Timeout>();
  let isStopping = false;
  /** Whether any process has ever started: the settings are then right. */
  let hasServed = false;

  function startIn(place: Place): WorkerProcess {
    const startedMs = clock.steadyMs();
    const process = watchWorker(fork());
    place.process = process;
    void process.started.then(() => {
      hasServed = true;
    }, noop);
    void process.ended.then((end) => {
      place.process = null;
      // A first process that cannot start ends the start, which reports the reason.
      if (isStopping || !hasServed) return;
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
    for (const process of running) process.drain();
    const overdue = setTimeout(() => {
      for (const { number, process } of places) {
        if (!process) continue;
        log.error({ process: number, processPid: process.pid }, 'process did not stop in time');
        process.kill();
      }
    }, options.graceMs + EXIT_MARGIN_MS);
    const areGood = await Promise.all(running.map(endsWell));
    clearTimeout(overdue);
    return areGood.every(Boolean);
  }

  return {
    places,
    async start() {
      const [first, ...others] = places;
      // Alone: a fault of all processes, such as a port in use, is then reported once.
      const port = first ? await startIn(first).started : null;
      if (!isStopping) {
        await Promise.all(others.map((place) => startIn(place).started.catch(noop)));
      }
      return port;
    },
    stop,
    unfinished: () =>
      places.flatMap(({ number, process }) => (process ? [`process ${number}`] : [])),
  };
}

/** A process that must stop while Node.js still loads it has no work to finish. */
async function endsWell(process: WorkerProcess): Promise<boolean> {
  const { exitCode, signal } = await process.ended;
  return exitCode === 0 || (signal === 'SIGTERM' && !process.hasStarted());
}

/** `--` keeps Node.js from reading this command's --env-file as its own option of that name. */
function fork(): Worker {
  const ours = process.execArgv.filter((option) => option !== '--');
  cluster.setupPrimary({ execArgv: [...ours, '--'] });
  return cluster.fork();
}

function noop(): void {}
