import type { RequestLogDeps } from './request-log.ts';

/** One line for all: lines by the thousand would add to what is too much already. */
const PAUSE_MS = 10_000;

/** Counts calls that were refused for too much load; logs the first at once, the rest summed. */
export function reportShedCalls({
  clock,
  log,
  metrics,
}: RequestLogDeps): (caller: 'merchant' | 'person') => void {
  let count = 0;
  let nextLineMs = Number.NEGATIVE_INFINITY;
  return (caller) => {
    metrics.callShed(caller);
    count += 1;
    const nowMs = clock.steadyMs();
    if (nowMs < nextLineMs) return;
    log.warn({ count }, 'calls refused: too much to do');
    count = 0;
    nextLineMs = nowMs + PAUSE_MS;
  };
}
