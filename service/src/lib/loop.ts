/** A failing run is tried again after 100 ms, doubling up to 5 s: quick to heal, no busy spin. */
const FIRST_BACKOFF_MS = 100;
const LONGEST_BACKOFF_MS = 5_000;

export interface Loop {
  /** Asks for a run now; calls during a run are gathered into one run after it. */
  wake(): void;
  /** Ends after the run in progress; resolves when it is over. */
  stop(): Promise<void>;
}

export interface LoopOptions {
  /** The longest pause between two runs when nobody wakes the loop. */
  readonly intervalMs: number;
  /** One bounded piece of work. `true` means more is waiting: run again without a pause. */
  readonly run: (signal: AbortSignal) => Promise<boolean>;
  readonly onError: (error: unknown) => void;
}

/**
 * Runs `run` for ever: at start, every `intervalMs`, when woken, and at once after a run that left
 * work behind. Never two runs at a time.
 */
export function startLoop({ intervalMs, run, onError }: LoopOptions): Loop {
  const stopping = new AbortController();
  let woken = false;
  let endPause: (() => void) | undefined;

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
  };
}
