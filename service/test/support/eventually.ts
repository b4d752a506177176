import { setTimeout as wait } from 'node:timers/promises';

/** Loops answer in milliseconds. On a machine with twelve times the work it can do, half a minute was
 *  seen; a minute and a half is a fault. No good run waits for it. */
const PATIENCE_MS = 90_000;
const PAUSE_MS = 10;

/** Asks until `check` gives something, and gives that; throws its last failure after that time. */
export async function eventually<Result>(
  check: () => Result | undefined | false | Promise<Result | undefined | false>,
  what = 'the condition',
  patienceMs = PATIENCE_MS,
): Promise<Result> {
  const deadline = performance.now() + patienceMs;
  let failure: unknown = new Error(`${what} did not come true in time`);
  while (performance.now() < deadline) {
    try {
      const result = await check();
      if (result !== undefined && result !== false) return result;
    } catch (error) {
      failure = error;
    }
    await wait(PAUSE_MS);
  }
  throw failure;
}
