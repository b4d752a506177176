import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Area } from './areas.ts';
import type { MutatedTree } from './copy-tree.ts';
import type { Mutant, Tried, Verdict } from './mutant.ts';
import { SQL_MUTANT } from './sql-mutants.ts';
import { ACTIVE_MUTANT } from './switch-mutants.ts';

/** Seeds of the simulation for each mutant; most mutants fail within three. */
const SEEDS = 50;
/** A mutant that makes a loop endless is silent for longer than all its seeds take. */
const SILENT_MS = 60_000;
/** The slowest of the nearest tests takes a minute on a busy machine. */
const LONGEST_TEST_MS = 180_000;
const TESTS_AT_ONCE = 2;

export interface TryDeps {
  /** The tests' database; null: tests that need one fail, also without a mutant. */
  readonly databaseUrl: string | null;
  readonly note: (text: string) => void;
}

/**
 * Tries each mutant by the tests that run its place, until a test fails. Fast tests come first,
 * then the simulation, then slow tests.
 */
export async function tryMutants(
  deps: TryDeps,
  tree: MutatedTree,
  area: Area,
  mutants: readonly Mutant[],
): Promise<Tried[]> {
  const verdicts = new Map<string, Verdict>();
  const left = () => mutants.filter(({ id }) => verdicts.get(id) !== 'KILLED');
  const reaches = await reachOf(deps, tree.folder, area);
  const tryLeft = async (some: readonly Reach[]) => {
    const queue = left().values();
    const work = async () => {
      for (const mutant of queue) {
        note(verdicts, mutant, await tryByTests(deps, tree.folder, mutant, some));
      }
    };
    await Promise.all(Array.from({ length: TESTS_AT_ONCE }, work));
    deps.note(`${left().length} of ${mutants.length} are left`);
  };
  await tryLeft(reaches.filter(({ test }) => area.tests.includes(test)));
  if (area.simulations.length > 0 && left().length > 0) {
    const found = new Map<string, Verdict>();
    await simulate(tree.folder, area, left(), found);
    for (const mutant of left()) note(verdicts, mutant, found.get(mutant.id) ?? 'UNREACHED');
    deps.note(`${left().length} of ${mutants.length} are left after the simulation`);
  }
  await tryLeft(reaches.filter(({ test }) => area.slowTests.includes(test)));
  return mutants.map((mutant) => ({ mutant, verdict: verdicts.get(mutant.id) ?? 'UNREACHED' }));
}

/** A place that one test runs is reached, also where another does not run it. */
function note(verdicts: Map<string, Verdict>, { id }: Mutant, verdict: Verdict): void {
  if (verdict !== 'UNREACHED' || !verdicts.has(id)) verdicts.set(id, verdict);
}

interface Reach {
  readonly test: string;
  /** The mutants whose place the test runs; null: all, as SQL runs in the database. */
  readonly ids: ReadonlySet<string> | null;
}

/** Runs each test without a mutant: it must pass, and notes the places that it runs. */
async function reachOf(deps: TryDeps, folder: string, area: Area): Promise<Reach[]> {
  const reaches: Reach[] = [];
  for (const test of [...area.tests, ...area.slowTests]) {
    if (!existsSync(join(folder, test))) throw new Error(`There is no test ${test}.`);
    const file = join(folder, 'coverage.json');
    rmSync(file, { force: true });
    const isPassed = await passes(deps, folder, test, { PROOF_COVERAGE_FILE: file });
    if (!isPassed) throw new Error(`${test} fails without a mutant.`);
    const ids =
      area.kind === 'SQL' ? null : new Set<string>(JSON.parse(readFileSync(file, 'utf8')));
    reaches.push({ test, ids });
    deps.note(`${test} reaches ${ids?.size ?? 'all'} mutants`);
  }
  return reaches;
}

async function tryByTests(
  deps: TryDeps,
  folder: string,
  { id }: Mutant,
  reaches: readonly Reach[],
): Promise<Verdict> {
  const reaching = reaches.filter(({ ids }) => ids === null || ids.has(id));
  for (const { test } of reaching) {
    const isPassed = await passes(deps, folder, test, { [ACTIVE_MUTANT]: id, [SQL_MUTANT]: id });
    if (!isPassed) return 'KILLED';
  }
  return reaching.length > 0 ? 'SURVIVED' : 'UNREACHED';
}

function passes(
  { databaseUrl }: TryDeps,
  folder: string,
  test: string,
  env: Readonly<Record<string, string>>,
): Promise<boolean> {
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
  const noteCoverage = join(folder, 'proofs/mutation/note-coverage.ts');
  const child = spawn(process.execPath, ['--import', noteCoverage, test], {
    cwd: folder,
    stdio: 'ignore',
    timeout: LONGEST_TEST_MS,
    killSignal: 'SIGKILL',
    env: {
      ...inherited,
      ...env,
      ...(databaseUrl !== null && { TEST_DATABASE_URL: databaseUrl }),
      NODE_COMPILE_CACHE: join(folder, 'compiled'),
    },
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code === 0));
  });
}

/**
 * A single process tries all mutants. A mutant that makes the process hang or end counts as killed,
 * and another process tries the rest.
 */
async function simulate(
  folder: string,
  area: Area,
  mutants: readonly Mutant[],
  verdicts: Map<string, Verdict>,
): Promise<void> {
  let left = mutants.map(({ id }) => id);
  while (left.length > 0) {
    const tried = await simulateSome(folder, area, left, verdicts);
    if (tried.hangingId !== null) verdicts.set(tried.hangingId, 'KILLED');
    const before = left.length;
    left = left.filter((id) => !verdicts.has(id));
    if (left.length === before) throw new Error('the simulation tries no mutant');
  }
}

function simulateSome(
  folder: string,
  { simulations }: Area,
  ids: readonly string[],
  verdicts: Map<string, Verdict>,
): Promise<{ readonly hangingId: string | null }> {
  const script = join(folder, 'proofs/mutation/simulate-mutants.ts');
  const args = [script, simulations.join(','), ids.join(','), String(SEEDS)];
  const child = spawn(process.execPath, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let running: string | null = null;
  const end = () => child.kill('SIGKILL');
  let silence = setTimeout(end, SILENT_MS);
  createInterface({ input: child.stdout }).on('line', (line) => {
    const [verdict = '', id = ''] = line.split(' ');
    clearTimeout(silence);
    silence = setTimeout(end, SILENT_MS);
    running = verdict === 'START' ? id : null;
    if (verdict !== 'START') verdicts.set(id, verdict as Verdict);
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => {
      clearTimeout(silence);
      resolve({ hangingId: running });
    });
  });
}
