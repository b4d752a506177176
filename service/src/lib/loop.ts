import { systemClock } from './clock.ts';

/**
 * A failing run is repeated after 100 ms, doubling up to 5 s: a quick recovery without a busy spin.
 */
const FIRST_BACKOFF_MS = 100;
const LONGEST_BACKOFF_MS = 5_000;
/** Statements take milliseconds; a run may meet one silent connection (12 s) and still continue. */
const LONGEST_RUN_MS = 15_000;

/** First runs take some ms each; one that takes longer holds up no other loop. */
const FIRST_RUN_MS = 100;

/** Every loop polls as often as it says, from its start. */
const AS_OFTEN = {
  factor: 1,
  upToMs: 0,
  seldomFromMs: Number.POSITIVE_INFINITY,
  startsPaused: false,
};
let slowness = AS_OFTEN;

/**
 * Lets the loops that are made from now on pause longer, up to a time; null: as long as they say.
 * With `startsPaused` they pause before their first run, too. Between two wakes of a loop with the
 * interval `seldomFromMs` or a longer one, so much time must pass. For tests alone: on a clock that
 * stands still, polls find nothing.
 */
export function slowLoops(slower: typeof slowness | null): void {
  slowness = slower ?? AS_OFTEN;
}

/** The progress of a loop: the end of its last run, successful or not. */
export interface LoopTurn {
  readonly name: string;
  readonly intervalMs: number;
  /** A run beyond this time waits in vain. */
  readonly longestRunMs: number;
  /** The time since the end of the last run; before the first end, since the start. */
  readonly sinceMs: number;
}

export interface Loop {
  /**
   * Requests a run now; requests during a run cause a single run after it.
   *
   * @param passedMs by how much a test has moved the clock; left out: long enough for every loop
   */
  wake(passedMs?: number): void;
  /** Stops after the run in progress; resolves at the end of that run. */
  stop(): Promise<void>;
  /** The time since the last turn of each loop that this loop stands for. */
  turns(): readonly LoopTurn[];
}

export interface LoopOptions {
  /** The name in the log, metrics and readiness. */
  readonly name: string;
  /** The longest pause between two runs when nobody wakes the loop. */
  readonly intervalMs: number;
  /** The longest time of a good run; by default 15,000 ms. */
  readonly longestRunMs?: number;
  /** A bounded piece of work. `true` means that more work is waiting: run again without a pause. */
  readonly run: (signal: AbortSignal, wake: () => void) => Promise<boolean>;
  /** Ends with what runs have left under way: the loop stops after it. */
  readonly over?: () => Promise<unknown>;
  readonly onError: (error: unknown) => void;
}

/** A loop as data: the process that starts the loop counts and logs its failed runs. */
export interface LoopWork extends Omit<LoopOptions, 'onError'> {
  /** The log line of a failed run; by default "background loop failed". */
  readonly failure?: string;
}

/**
 * Runs `run` for ever: at start, every `intervalMs`, when woken, and immediately after a run that
 * left work. Never two runs at a time.
 */
export function startLoop(options: LoopOptions): Loop {
  const { name, longestRunMs = LONGEST_RUN_MS, run, over, onError } = options;
  const { factor, upToMs, seldomFromMs, startsPaused } = slowness;
  const leastMs = options.intervalMs >= seldomFromMs ? options.intervalMs : 0;
  let missingMs = leastMs;
  const intervalMs = Math.max(options.intervalMs, Math.min(options.intervalMs * factor, upToMs));
  const stopping = new AbortController();
  let woken = false;
  let endPause: (() => void) | undefined;
  // Pauses take real time, so their watch uses real time too.
  let turnedAtMs = systemClock.steadyMs();

  const pause = (delayMs: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(done, delayMs);
      function done(): void {
        clearTimeout(timer);
        endPause = undefined;
        resolve();
      }
      endPause = done;
    });

  async function runForEver(): Promise<void> {
    let failures = 0;
    if (startsPaused) await pause(intervalMs);
    while (!stopping.signal.aborted) {
      woken = false;
      missingMs = leastMs;
      let pauseMs = intervalMs;
      try {
        if (await run(stopping.signal, wake)) pauseMs = 0;
        failures = 0;
      } catch (error) {
        if (stopping.signal.aborted) return;
        onError(error);
        pauseMs = Math.min(FIRST_BACKOFF_MS * 2 ** failures++, LONGEST_BACKOFF_MS);
      }
      turnedAtMs = systemClock.steadyMs();
      if (pauseMs > 0 && !(woken && failures === 0) && !stopping.signal.aborted)
        await pause(pauseMs);
    }
  }

  function wake(passedMs = Number.POSITIVE_INFINITY): void {
    missingMs -= passedMs;
    if (missingMs > 0) return;
    woken = true;
    endPause?.();
  }

  const stopped = runForEver();
  return {
    wake,
    async stop() {
      stopping.abort();
      endPause?.();
      await stopped;
      await over?.();
    },
    turns: () => [{ name, intervalMs, longestRunMs, sinceMs: systemClock.steadyMs() - turnedAtMs }],
  };
}

/** Several loops that are woken and stopped as one loop. */
export function joinLoops(loops: readonly Loop[]): Loop {
  return {
    wake(passedMs) {
      for (const loop of loops) loop.wake(passedMs);
    },
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
    turns: () => loops.flatMap((loop) => loop.turns()),
  };
}

/**
 * The first run of each work follows the first run of the work before it. All of them at once would
 * open all connections of the pool, and the first statements of a connection are its dearest.
 */
export function oneAfterAnother(works: readonly LoopWork[]): LoopWork[] {
  let earlier: Promise<void> = Promise.resolve();
  return works.map((work, index) => {
    if (work.intervalMs >= slowness.seldomFromMs) return work;
    const before = earlier;
    const own = Promise.withResolvers<void>();
    earlier = own.promise;
    setTimeout(own.resolve, (index + 1) * FIRST_RUN_MS).unref();
    const run: LoopWork['run'] = async (signal, wake) => {
      await before;
      try {
        return !signal.aborted && (await work.run(signal, wake));
      } finally {
        own.resolve();
      }
    };
    return { ...work, run };
  });
}
