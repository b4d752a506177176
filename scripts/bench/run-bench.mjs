// npm run bench runs this under Node.js 24. It starts a PostgreSQL as durable as in production,
// runs the measurements, and removes all its state.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describeFailure, Failure } from '../lib/failure.mjs';
import { prepareOwnPostgres } from '../postgres/prepare.mjs';
import { startPostgres } from '../postgres/server.mjs';
import { buildInCheckout } from '../release/build-release.mjs';
import { bundleService } from '../release/bundle-service.mjs';
import { createStop, stopFromOutside } from '../start/shutdown.mjs';
import { openLogFile } from '../state/log-files.mjs';
import { findFreePort } from '../state/ports.mjs';
import { prepareLocalDir } from '../state/settings.mjs';
import { makeTestFolder, postgresFolderIn } from '../test/test-folder.mjs';
import { CLONE_STATE, ROOT } from '../toolchain/toolchain.mjs';
import { makeLogFiles } from './make-log-files.mjs';
import { ensureBenchPeers } from './peers.mjs';

// PostgreSQL's defaults fit a very small machine; these settings fit a few GiB of memory.
// The server counts what statements and their plans cost, and not what commits do.
const SETTINGS = [
  'shared_buffers=512MB',
  'max_wal_size=4GB',
  'min_wal_size=3GB',
  'max_connections=100',
  'shared_preload_libraries=pg_stat_statements',
  'pg_stat_statements.track_planning=on',
  'pg_stat_statements.track_utility=off',
];
// A quarter of a machine with 24 GiB, as PostgreSQL recommends: it holds the indexes that each
// creation writes to.
const GROWTH_SETTINGS = ['shared_buffers=6GB', 'max_wal_size=8GB'];

// Programs outside the table: bench/programs/<name>.ts receives all arguments.
const PROGRAMS = [
  'attack',
  'bank-files',
  'console',
  'forms',
  'growth',
  'hostile-statements',
  'messages',
  'overload',
  'parsers',
  'processes',
  'webhook-isolation',
];

const stop = createStop();
stopFromOutside(stop);
let exitCode = 1;
try {
  exitCode = await main();
} catch (failure) {
  stop.request({ sentence: '', failure });
  const { failure: first, sentence } = await stop.requested;
  console.error(`npm run bench failed: ${first ? describeFailure(first) : sentence}`);
}
try {
  await stop.undoAll();
} catch (failure) {
  console.error(`npm run bench did not stop cleanly: ${describeFailure(failure)}`);
  exitCode = 1;
}
process.exit(exitCode);

async function main() {
  const args = process.argv.slice(2);
  const [first = ''] = args;
  const isTable = !PROGRAMS.includes(first);
  if (isTable && !args.includes('--without-peers')) await ensureBenchPeers();
  const folder = makeTestFolder();
  stop.onStop(folder.remove);
  const url = process.env.BENCH_DATABASE_URL || (await startBenchPostgres(folder.path, first));
  const program = await buildServiceUnderTest();
  const script = join(ROOT, 'bench', isTable ? 'run.ts' : `programs/${first}.ts`);
  const child = spawn(process.execPath, [script, ...args], {
    cwd: ROOT,
    env: { ...process.env, BENCH_DATABASE_URL: url, BENCH_SERVICE: program },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  stop.signal.addEventListener('abort', () => child.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (exited) => resolve(exited ?? 1));
  });
}

/**
 * Builds what operators run, a release, with the packages of the checkout.
 * @returns {Promise<string>} its program
 */
async function buildServiceUnderTest() {
  // All runs share this folder: Node.js keeps compiled code by the paths of modules.
  const folder = join(CLONE_STATE, 'bench-release');
  // A module that the checkout no longer has must not stay.
  rmSync(folder, { recursive: true, force: true });
  buildInCheckout(folder);
  await bundleService(folder);
  return join(folder, 'service', 'src', 'cli.js');
}

/**
 * @param {string} folder
 * @param {string} run
 * @returns {Promise<string>} the URL of its superuser
 */
async function startBenchPostgres(folder, run) {
  prepareLocalDir(folder);
  const own = await prepareOwnPostgres(postgresFolderIn(folder), () => {});
  const password = randomBytes(24).toString('base64url');
  const server = await startPostgres({
    ...own,
    port: await findFreePort(),
    password,
    settings: run === 'growth' ? [...SETTINGS, ...GROWTH_SETTINGS] : SETTINGS,
    log: openLogFile(folder, 'postgresql'),
    signal: stop.signal,
    note: () => {},
  });
  stop.onStop(server.stop);
  const failure = new Failure('PostgreSQL has stopped in the middle of the measurements.');
  server.stopping.then(() => stop.request({ sentence: '', failure }));
  const url = server.url('postgres', password, 'postgres');
  await makeLogFiles(url);
  return url;
}
