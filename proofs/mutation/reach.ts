import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Area } from './areas.ts';
import { runTest, type Trials } from './run-test.ts';

export interface Reach {
  readonly test: string;
  /** The mutants and marked statements that the test runs. */
  readonly ids: ReadonlySet<string>;
  /** Its time of the processor without a mutant. */
  readonly cpuSeconds: number;
  /** The mutants that it has killed so far: quick tests that kill most are tried first. */
  kills: number;
}

/** No test of an area takes so much. */
const MOST_CPU_SECONDS = 120;

/**
 * Runs the tests of an area without a mutant, one after the other: each must pass, and notes the
 * places that it runs.
 *
 * @throws Error for a test that fails without a mutant
 */
export async function reachOf(
  trials: Trials,
  { tests }: Pick<Area, 'tests'>,
): Promise<readonly Reach[]> {
  const reaches: Reach[] = [];
  const file = join(trials.folder, 'coverage.json');
  for (const test of tests) {
    if (trials.stop.aborted) break;
    if (!existsSync(join(trials.folder, test))) throw new Error(`There is no test ${test}.`);
    rmSync(file, { force: true });
    const options = { env: { PROOF_COVERAGE_FILE: file }, mostCpuSeconds: MOST_CPU_SECONDS };
    const ended = await runTest(trials, test, options);
    if (ended === null) break;
    if (ended.isFailed) throw new Error(`${test} fails without a mutant: ${ended.by}.`);
    const { ids, cpuSeconds } = JSON.parse(readFileSync(file, 'utf8'));
    reaches.push({ test, ids: new Set<string>(ids), cpuSeconds, kills: 0 });
    trials.note(`${test} runs ${ids.length} places in ${cpuSeconds.toFixed(1)} s of CPU`);
  }
  return reaches;
}
