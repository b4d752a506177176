import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { dropLeftDatabases } from './test-database.ts';

/** The surroundings of the trials of an area. */
export interface Trials {
  /** The mutated tree. */
  readonly folder: string;
  readonly databaseUrl: string;
  readonly stop: AbortSignal;
  readonly note: (text: string) => void;
}

export interface Ended {
  readonly isFailed: boolean;
  /** The test's name, as far as one has failed. */
  readonly by: string;
  readonly isLate: boolean;
}

/** The slowest of the nearest tests takes a minute on a busy machine. */
const LONGEST_TEST_MS = 180_000;

interface RunOptions {
  readonly env: Readonly<Record<string, string>>;
  /** Time of the processor; an endless loop uses more. */
  readonly mostCpuSeconds: number;
}

/** Runs a test file until its first test fails. @returns null: the run is stopped */
export async function runTest(
  { folder, databaseUrl, stop }: Trials,
  test: string,
  { env, mostCpuSeconds }: RunOptions,
): Promise<Ended | null> {
  if (stop.aborted) return null;
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
  const mutation = join(folder, 'proofs/mutation');
  const options = ['--import', join(mutation, 'note-coverage.ts')];
  options.push('--test-reporter', join(mutation, 'stop-at-failure.ts'));
  // The kernel ends what uses more time of the processor: a busy machine makes no difference.
  const limited = ['-c', 'ulimit -t "$0" && exec "$@"', String(mostCpuSeconds)];
  const child = spawn('sh', [...limited, process.execPath, ...options, test], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      ...inherited,
      ...env,
      TEST_DATABASE_URL: databaseUrl,
      NODE_COMPILE_CACHE: join(folder, 'compiled'),
    },
  });
  let isLate = false;
  const end = () => child.kill('SIGKILL');
  const timer = setTimeout(() => {
    isLate = true;
    end();
  }, LONGEST_TEST_MS);
  stop.addEventListener('abort', end);
  const told = text(child.stdout);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (exited, signal) => {
      isLate ||= signal === 'SIGXCPU';
      resolve(exited);
    });
  });
  clearTimeout(timer);
  stop.removeEventListener('abort', end);
  if (stop.aborted) return null;
  if (code !== 0) await dropLeftDatabases(databaseUrl);
  const by = isLate ? 'time limit' : await told;
  return { isFailed: code !== 0, by, isLate };
}
