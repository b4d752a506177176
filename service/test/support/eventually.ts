import { setTimeout as wait } from 'node:timers/promises';

/** Loops answer in milliseconds; ten seconds is a machine in trouble, not a slow service. */
const PATIENCE_MS = 10_000;
const PAUSE_MS = 10;

/** Asks until `check` gives something, and gives that; throws its last failure after 10 s. */
export async function eventually<Result>(
  check: () => Result | undefined | false | Promise<Result | undefined | false>,
  what = 'the condition',
): Promise<Result> {
  const deadline = performance.now() + PATIENCE_MS;
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
