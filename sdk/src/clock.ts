/** The client's source of time. A test gives its own clock and never waits. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Waits; rejects with the signal's reason as soon as the signal is aborted. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (delayMs, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const end = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', end);
        resolve();
      }, delayMs);
      signal?.addEventListener('abort', end, { once: true });
    }),
};
