/** The request to stop a program, and the steps to undo. */
export interface Stopping {
  /** Aborted as soon as a stop is asked for. */
  readonly signal: AbortSignal;
  /** Ends the started parts; the last part first. */
  onStop(undo: () => unknown): void;
  undoAll(): Promise<void>;
  /** Asks for the stop. */
  request(reason: Error): void;
}

/** Stops at Ctrl-C and at the signals of a supervisor. */
export function createStopping(): Stopping {
  const controller = new AbortController();
  const undoings: (() => unknown)[] = [];
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => controller.abort(new Error(`stopped by ${name}`)));
  }
  return {
    signal: controller.signal,
    onStop: (undo) => void undoings.push(undo),
    async undoAll() {
      for (let undo = undoings.pop(); undo; undo = undoings.pop()) await undo();
    },
    request: (reason) => controller.abort(reason),
  };
}
