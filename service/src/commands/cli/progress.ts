import type { Clock } from '#lib/clock.ts';

/** A line a second is enough to see that work goes on. */
const SHORTEST_PAUSE_MS = 1_000;

export interface Progress {
  /** Shows how far a check is; at most once a second. */
  show(message: string): void;
  /** Takes the line away, so that the report stands alone. */
  clear(): void;
}

/** Progress on one line of a terminal, which each message replaces; silent elsewhere. */
export function createProgress(
  stream: { readonly isTTY?: boolean; write(text: string): unknown },
  clock: Clock,
): Progress {
  if (!stream.isTTY) return { show() {}, clear() {} };
  let shownAtMs = clock.now().getTime();
  let isShown = false;
  return {
    show(message) {
      const nowMs = clock.now().getTime();
      if (nowMs - shownAtMs < SHORTEST_PAUSE_MS) return;
      shownAtMs = nowMs;
      isShown = true;
      stream.write(`\r\x1b[K${message}`);
    },
    clear() {
      if (isShown) stream.write('\r\x1b[K');
      isShown = false;
    },
  };
}
