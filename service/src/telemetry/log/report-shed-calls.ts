import type { RequestLogDeps } from './request-log.ts';

/** A single line for all refused calls: thousands of lines would add to the overload. */
const PAUSE_MS = 10_000;

/**
 * Counts calls that were refused because of overload; logs the first immediately, the others
 * summed.
 */
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
