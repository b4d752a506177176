import { systemClock } from './clock.ts';

/** A failing run is tried again after 100 ms, doubling up to 5 s: quick to heal, no busy spin. */
const FIRST_BACKOFF_MS = 100;
const LONGEST_BACKOFF_MS = 5_000;
/** Statements take milliseconds; a run may meet one silent connection (12 s) and still goes on. */
const LONGEST_RUN_MS = 15_000;

/** When a loop last ended a run, well or not. */
export interface LoopTurn {
  readonly name: string;
  readonly intervalMs: number;
  /** A longer run waits for something that does not come. */
  readonly longestRunMs: number;
  /** Since the end of its last run; since its start before the first. */
  readonly sinceMs: number;
}

export interface Loop {
  /** Asks for a run now; calls during a run are gathered into one run after it. */
  wake(): void;
  /** Ends after the run in progress; resolves when it is over. */
  stop(): Promise<void>;
  /** How long each loop that this one stands for has not turned. */
  turns(): readonly LoopTurn[];
}

export interface LoopOptions {
  /** For the log, metrics and readiness. */
  readonly name: string;
  /** The longest pause between two runs when nobody wakes the loop. */
  readonly intervalMs: number;
  /** The longest that a good run takes; 15,000 ms when left out. */
  readonly longestRunMs?: number;
  /** One bounded piece of work. `true` means more is waiting: run again without a pause. */
  readonly run: (signal: AbortSignal) => Promise<boolean>;
  readonly onError: (error: unknown) => void;
}

/**
 * Runs `run` for ever: at start, every `intervalMs`, when woken, and at once after a run that left
 * work behind. Never two runs at a time.
 */
export function startLoop(options: LoopOptions): Loop {
  const { name, intervalMs, longestRunMs = LONGEST_RUN_MS, run, onError } = options;
  const stopping = new AbortController();
  let woken = false;
  let endPause: (() => void) | undefined;
  // Pauses take real time, so their watch does too.
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
    while (!stopping.signal.aborted) {
      woken = false;
      let pauseMs = intervalMs;
      try {
        if (await run(stopping.signal)) pauseMs = 0;
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

  const over = runForEver();
  return {
    wake() {
      woken = true;
      endPause?.();
    },
    async stop() {
      stopping.abort();
      endPause?.();
      await over;
    },
    turns: () => [{ name, intervalMs, longestRunMs, sinceMs: systemClock.steadyMs() - turnedAtMs }],
  };
}

/** Several loops that are woken and stopped as one. */
export function joinLoops(loops: readonly Loop[]): Loop {
  return {
    wake() {
      for (const loop of loops) loop.wake();
    },
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
    turns: () => loops.flatMap((loop) => loop.turns()),
  };
}
