import type { LoopWork } from '#lib/loop.ts';
import { type RoundDeps, runRound } from './run-round.ts';

/** A look at the lease costs a statement; a person who asks for a round waits so long. */
const INTERVAL_MS = 5_000;
/** A round of 10 minutes, and the file in its hands. */
const LONGEST_RUN_MS = 690_000;

/** Looks at a bank's server by its interval; each connection has a loop of its own. */
export function connectionLoop(deps: RoundDeps): LoopWork {
  return {
    name: `bank-connection-${deps.connection.number}`,
    intervalMs: INTERVAL_MS,
    longestRunMs: LONGEST_RUN_MS,
    async run(signal) {
      await runRound(deps, signal);
      return false;
    },
    failure: 'bank connection: a round could not be noted',
  };
}
