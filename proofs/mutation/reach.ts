import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Area } from './areas.ts';
import { runTest, type Trials } from './run-test.ts';

export interface Reach {
  readonly test: string;
  /** The mutants and marked statements that the test runs. */
  readonly ids: ReadonlySet<string>;
  /** How long it takes without a mutant. */
  readonly milliseconds: number;
  /** The mutants that it has killed so far: quick tests that kill most are tried first. */
  kills: number;
}

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
    const startedAt = performance.now();
    const ended = await runTest(trials, test, { env: { PROOF_COVERAGE_FILE: file } });
    const milliseconds = performance.now() - startedAt;
    if (ended === null) break;
    if (ended.isFailed) throw new Error(`${test} fails without a mutant: ${ended.by}.`);
    const ids = new Set<string>(JSON.parse(readFileSync(file, 'utf8')));
    reaches.push({ test, ids, milliseconds, kills: 0 });
    trials.note(`${test} runs ${ids.size} places in ${Math.round(milliseconds)} ms`);
  }
  return reaches;
}
