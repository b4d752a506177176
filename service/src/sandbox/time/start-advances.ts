import { type Loop, startLoop } from '#lib/loop.ts';
import type { Log } from '#telemetry/log/log.ts';
import type { Metrics } from '#telemetry/metrics/metrics.ts';
import { ADVANCES_CHANNEL, claimAdvances, releaseAdvance } from './advance-store.ts';
import { type CarryOutDeps, carryOutAdvance } from './carry-out-advance.ts';

export interface AdvancesDeps extends CarryOutDeps {
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Finds the advances of a process that is gone; a notification wakes for a new one. */
const POLL_INTERVAL_MS = 1_000;
/**
 * Seven listeners that hang hold up no other advance, and eight hold up the next one for seconds.
 * Each advance uses a connection for milliseconds at a time: the pool keeps connections for calls.
 */
const MOST_AT_ONCE = 8;
const NAME = 'sandbox-advances';

/** Starts the loop that carries out advances, each until it is over. */
export function startAdvances(deps: AdvancesDeps): Loop {
  const running = new Set<Promise<void>>();
  const onError = (err: unknown) => {
    deps.metrics.loopFailed(NAME);
    deps.log.error({ loop: NAME, err }, 'background loop failed');
  };
  const loop = startLoop({
    name: NAME,
    intervalMs: POLL_INTERVAL_MS,
    async run(signal) {
      for (const id of await claimAdvances(deps.db, MOST_AT_ONCE - running.size)) {
        const done = carryOutAdvance(deps, id, signal)
          // Another process goes on at once.
          .then(() => (signal.aborted ? releaseAdvance(deps.db, id) : undefined))
          .catch(onError)
          .then(() => void running.delete(done));
        running.add(done);
      }
      return false;
    },
    over: () => Promise.all(running),
    onError,
  });
  const stopListening = deps.db.listen(ADVANCES_CHANNEL, () => loop.wake());
  return {
    ...loop,
    async stop() {
      await Promise.all([loop.stop(), stopListening()]);
    },
  };
}
