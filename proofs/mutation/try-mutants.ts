import type { Area } from './areas.ts';
import type { Mutant, Tried } from './mutant.ts';
import { type Reach, reachOf } from './reach.ts';
import { runTest, type Trials } from './run-test.ts';
import { markOf, SQL_MUTANT } from './sql-mutants.ts';
import { ACTIVE_MUTANT } from './switch-mutants.ts';
import { TryingProcess } from './trying-process.ts';

/** A test with an endless loop takes more than so many times its CPU time without a mutant. */
const LATE_TIMES = 4;
/** Beside it: a process that stops at a failure has started, too. */
const LATE_SECONDS = 5;

/**
 * Tries each mutant by the tests that run its place, until a test fails: fast tests and the
 * simulation first, in one process for many mutants, then slow tests. A worker for each of the
 * surroundings tries one mutant at a time.
 *
 * @param told is called with each mutant, as soon as its verdict is known
 */
export async function tryMutants(
  workers: readonly [Trials, ...Trials[]],
  area: Area,
  mutants: readonly Mutant[],
  told: (tried: Tried) => void,
): Promise<void> {
  const [first] = workers;
  const fast = await reachOf(first, { tests: area.tests });
  const slow = await reachOf(first, { tests: area.slowTests });
  const queue = mutants.values();
  const work = async (trials: Trials) => {
    const inProcess = new TryingProcess(trials.folder, area, trials.stop);
    try {
      for (const mutant of queue) {
        const tried = await tryOne(trials, { fast, slow, inProcess }, mutant);
        if (tried === null) return;
        told(tried);
      }
    } finally {
      inProcess.end();
    }
  };
  await Promise.all(workers.map(work));
}

interface Means {
  readonly fast: readonly Reach[];
  readonly slow: readonly Reach[];
  readonly inProcess: TryingProcess;
}

/** @returns null: the run is stopped */
async function tryOne(trials: Trials, means: Means, mutant: Mutant): Promise<Tried | null> {
  const tried = await means.inProcess.try(mutant.id);
  if (tried === null) return null;
  if (tried.verdict === 'KILLED') return { mutant, ...tried };
  // A place that runs at load needs a process of its own, with the mutant on from the start.
  const slow = await tryByTests(trials, [...means.fast, ...means.slow], mutant);
  if (slow === null || slow.verdict === 'KILLED') return slow;
  const isReached = [tried.verdict, slow.verdict].includes('SURVIVED');
  return { mutant, verdict: isReached ? 'SURVIVED' : 'UNREACHED', by: null, isLate: false };
}

async function tryByTests(
  trials: Trials,
  reaches: readonly Reach[],
  mutant: Mutant,
): Promise<Tried | null> {
  const { id } = mutant;
  const env = { [ACTIVE_MUTANT]: id, [SQL_MUTANT]: id };
  const costOf = ({ cpuSeconds, kills }: Reach) => cpuSeconds / (kills + 1);
  const reaching = reaches
    .filter(({ ids }) => ids.has(markOf(id) ?? id))
    .sort((one, other) => costOf(one) - costOf(other));
  for (const reach of reaching) {
    const { test, cpuSeconds } = reach;
    const mostCpuSeconds = Math.ceil(cpuSeconds * LATE_TIMES + LATE_SECONDS);
    const ended = await runTest(trials, test, { env, mostCpuSeconds });
    if (ended === null) return null;
    const { isFailed, by, isLate } = ended;
    if (!isFailed) continue;
    reach.kills += 1;
    return { mutant, verdict: 'KILLED', by: `${test}: ${by}`, isLate };
  }
  const verdict = reaching.length > 0 ? 'SURVIVED' : 'UNREACHED';
  return { mutant, verdict, by: null, isLate: false };
}
