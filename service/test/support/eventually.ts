import { setTimeout as wait } from 'node:timers/promises';

/** Loops answer in milliseconds. On a machine with twelve times the work it can do, half a minute was
 *  seen; a minute and a half is a fault. No good run waits for it. */
const PATIENCE_MS = 90_000;
const SHORTEST_PAUSE_MS = 10;
/** A long wait may take a tenth longer: every look takes CPU from what is waited for. */
const SHARE_OF_WAIT = 0.1;
const LONGEST_PAUSE_MS = 250;

/** Asks until `check` gives something, and gives that; throws its last failure after that time. */
export async function eventually<Result>(
  check: () => Result | undefined | false | Promise<Result | undefined | false>,
  what = 'the condition',
  patienceMs = PATIENCE_MS,
): Promise<Result> {
  const start = performance.now();
  let failure: unknown = new Error(`${what} did not come true in time`);
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs = performance.now() - start) {
    try {
      const result = await check();
      if (result !== undefined && result !== false) return result;
    } catch (error) {
      failure = error;
    }
    const pauseMs = Math.max(SHORTEST_PAUSE_MS, SHARE_OF_WAIT * waitedMs);
    await wait(Math.min(pauseMs, LONGEST_PAUSE_MS));
  }
  throw failure;
}
