import type { Meter } from '@opentelemetry/api';
import type { LoopTurn } from '#lib/loop.ts';
import { boundLabel } from './bounded-labels.ts';

/** After so many pauses without a run the loop waits in vain. */
const MOST_INTERVALS = 3;
/**
 * Beyond the limit of readiness. Each wait of a run ends within its own bound, a statement within
 * 12 s. A loop that stands still a minute longer does not continue without a new process. A shorter
 * limit would restart processes that recover by themselves.
 */
const LIVENESS_MARGIN_MS = 60_000;
const MOST_LOOPS = 20;

/**
 * The reason for which the process is not ready: a background loop that has not turned in time;
 * null: none.
 */
export function stalledLoop(turns: readonly LoopTurn[]): string | null {
  return firstBeyond(turns, readyLimitMs);
}

/** The reason to restart the process: a loop that stands still; null: none. */
export function deadLoop(turns: readonly LoopTurn[]): string | null {
  return firstBeyond(turns, (turn) => readyLimitMs(turn) + LIVENESS_MARGIN_MS);
}

function firstBeyond(turns: readonly LoopTurn[], limitMs: (turn: LoopTurn) => number) {
  const found = turns.find((turn) => turn.sinceMs > limitMs(turn));
  if (!found) return null;
  return `the background loop ${found.name} has not turned for ${seconds(found.sinceMs)} s`;
}

function readyLimitMs({ intervalMs, longestRunMs }: LoopTurn): number {
  return Math.max(MOST_INTERVALS * intervalMs, longestRunMs);
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1e3);
}

export function measureLoops(meter: Meter) {
  const since = meter.createObservableGauge('background_loop_last_turn_seconds', {
    description: 'How long ago each background loop ended its last run, by loop.',
  });
  const stalled = meter.createObservableGauge('background_loop_stalled', {
    description:
      '1 when the loop has not turned for 3 intervals or its longest run, else 0; by loop.',
  });
  const boundLoop = boundLabel(MOST_LOOPS);
  return {
    /** Read at each collection. */
    observeLoops: (read: () => readonly LoopTurn[]) =>
      meter.addBatchObservableCallback(
        (result) => {
          for (const turn of read()) {
            const loop = boundLoop(turn.name);
            result.observe(since, turn.sinceMs / 1e3, { loop });
            result.observe(stalled, stalledLoop([turn]) === null ? 0 : 1, { loop });
          }
        },
        [since, stalled],
      ),
  };
}
