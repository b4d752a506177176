// npm test runs this under Node.js 24. It starts a PostgreSQL, runs the tests, and removes all its
// state.
import './report-whole.mjs';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describeFailure, Failure } from '../lib/failure.mjs';
import { prepareOwnPostgres } from '../postgres/prepare.mjs';
import { startPostgres } from '../postgres/server.mjs';
import { createStop, exitCodeOf, stopFromOutside } from '../start/shutdown.mjs';
import { openLogFile } from '../state/log-files.mjs';
import { findFreePort } from '../state/ports.mjs';
import { prepareLocalDir } from '../state/settings.mjs';
import { ROOT } from '../toolchain/toolchain.mjs';
import { isAllowed } from './allowed-skips.mjs';
import { ensureChromium } from './chromium.mjs';
import { joinTests } from './join-tests.mjs';
import { planBatches } from './plan-batches.mjs';
import { endStrays } from './stray-processes.mjs';
import { findTestFiles } from './test-files.mjs';
import { makeTestFolder, postgresFolderIn } from './test-folder.mjs';

/** Every process of a run loads these first. Each one says why. */
const PRELOADS = ['report-whole.mjs', 'skip-promise-hooks.mjs', 'note-cpu.mjs'];
// A test that hangs must not hold up the rest. The longest good test looks at every page by axe: it
// takes a minute, and more than five on a machine with ten times the work that it can do.
const ONE_TEST_MS = 10 * 60_000;
// All tests take minutes. A good change must not fail on a slow or busy machine; a run this long
// hangs.
const ALL_TESTS_MS = 30 * 60_000;
// The limits of the long fault runs.
const ALL_SLOW_TESTS_MS = 60 * 60_000;
const ONE_SLOW_TEST_MS = 20 * 60_000;
// How long an interrupted test runner may take to say what it was at.
const STOP_GRACE_SECONDS = 10;
// Eight files at once on two processors took 11 % more CPU, and a minute more, than five: they take
// each other's caches. With five, of which three are the batches of most files, the processors had
// nothing to do for a fifth of the time. More than eight would come near the connections below.
const FILES_AT_ONCE = Math.min(Math.max(2, availableParallelism()) + 4, 8);
// A person who names a few files gets the results under the names of the files.
const MOST_ALONE = 12;
// Every test file has pools of its own, and several run side by side.
const MAX_CONNECTIONS = 300;
// The data lives no longer than the run, so that waiting for the disk would prove nothing. Each of
// thousands of connections has its password checked: 4,096 rounds of its hash took a tenth of the
// CPU of a service's start.
const FOR_SPEED = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'scram_iterations=1',
];
// The first five calls of a statement are planned each time. Test services have thousands of
// connections that make few calls: planning took a fifth of PostgreSQL's CPU. Tests of plans plan as
// in production (`planAsInProduction`), and so do slow tests, which measure.
const PLANNED_ONCE = 'plan_cache_mode=force_generic_plan';
// A call of the database takes a third less CPU, on both sides, over a socket file than over TCP.
// The system's longest path of a socket file has 107 bytes.
const SOCKET_FILE = '.s.PGSQL.65535';
const LONGEST_SOCKET_PATH = 107;

const args = process.argv.slice(2);
const isSlow = args.includes('--slow');
/** Refuses the skips that a machine without the oracles may have: `.ci/run` proves everything. */
const isComplete = args.includes('--complete');
const OWN_FLAGS = ['--slow', '--complete'];
const flags = args.filter((arg) => arg.startsWith('-') && !OWN_FLAGS.includes(arg));
const filters = args.filter((arg) => !arg.startsWith('-'));

const stop = createStop();
stopFromOutside(stop);
let exitCode = 1;
try {
  exitCode = await main();
} catch (failure) {
  stop.request({ sentence: '', failure });
  const reason = await stop.requested;
  exitCode = exitCodeOf(reason, false);
  const { failure: first } = reason;
  console.error(first ? `npm test failed: ${describeFailure(first)}` : 'npm test was interrupted.');
}
try {
  await stop.undoAll();
} catch (failure) {
  console.error(`npm test did not stop cleanly: ${describeFailure(failure)}`);
  exitCode = 1;
}
process.exit(exitCode);

async function main() {
  const files = findTestFiles({ isSlow, filters });
  await ensureChromium(files, stop.signal);
  // Slow tests fill databases of many gigabytes.
  const folder = makeTestFolder({ isInMemory: !isSlow });
  stop.onStop(folder.remove);
  // Inside another run, such as our own tests of this, node:test would skip every file.
  const { NODE_TEST_CONTEXT: _, ...outer } = process.env;
  // Many processes load the same modules: the shared compile cache saves a tenth of a whole run.
  const env = { ...outer, NODE_COMPILE_CACHE: join(folder.path, 'compiled') };
  const isShort = filters.length > 0 && files.length <= MOST_ALONE;
  const [database, joined] = await Promise.all([
    process.env.TEST_DATABASE_URL ? {} : startTestPostgres(folder.path),
    isSlow || isShort ? undefined : joinAll(files, folder.path),
  ]);
  stop.signal.throwIfAborted();
  const resultFile = join(folder.path, 'result.json');
  const code = await runTests(joined?.tests ?? files, resultFile, {
    ...env,
    ...database,
    ...(joined && { TEST_COMMAND_LINE: joined.commandLine }),
  });
  const result = existsSync(resultFile) ? readFileSync(resultFile, 'utf8') : '';
  if (result === '') throw new Failure('The test runner ended without a result.');
  return printResult(JSON.parse(result)) || code;
}

/** @param {readonly string[]} files @param {string} folder */
function joinAll(files, folder) {
  return joinTests(planBatches(files, FILES_AT_ONCE), folder, process.env.TEST_COMMAND_LINE);
}

/**
 * @param {string} folder
 * @returns {Promise<NodeJS.ProcessEnv>} the URL of its superuser, and the folder of its socket file
 */
async function startTestPostgres(folder) {
  prepareLocalDir(folder);
  const home = postgresFolderIn(folder);
  const hasSockets = !isSlow && join(home, SOCKET_FILE).length <= LONGEST_SOCKET_PATH;
  const own = await prepareOwnPostgres(home, () => {});
  const password = randomBytes(24).toString('base64url');
  const server = await startPostgres({
    ...own,
    port: await findFreePort(),
    password,
    settings: [
      ...FOR_SPEED,
      ...(isSlow ? [] : [PLANNED_ONCE]),
      `max_connections=${MAX_CONNECTIONS}`,
      ...(hasSockets ? [`unix_socket_directories=${home}`] : []),
    ],
    log: openLogFile(folder, 'postgresql'),
    signal: stop.signal,
    note: () => {},
  });
  stop.onStop(server.stop);
  const early = new Failure('PostgreSQL has stopped in the middle of the tests.');
  server.stopping.then((failure) => stop.request({ sentence: '', failure: failure ?? early }));
  const TEST_DATABASE_URL = server.url('postgres', password, 'postgres');
  return { TEST_DATABASE_URL, ...(hasSockets && { TEST_DATABASE_SOCKETS: home }) };
}

/**
 * @param {readonly string[]} files @param {string} resultFile where the reporter writes
 * @param {NodeJS.ProcessEnv} env @returns {Promise<number>} the exit code
 */
async function runTests(files, resultFile, env) {
  const reporter = join(ROOT, 'scripts', 'test', 'result-reporter.mjs');
  const options = ['--test', `--test-concurrency=${FILES_AT_ONCE}`];
  options.push(`--test-timeout=${isSlow ? ONE_SLOW_TEST_MS : ONE_TEST_MS}`);
  // A test that fails halfway leaves a server or a child open; that must not hang the whole run.
  options.push('--test-force-exit');
  // Joined modules name their sources.
  options.push('--enable-source-maps');
  for (const name of PRELOADS) {
    options.push(`--import=${pathToFileURL(join(ROOT, 'scripts', 'test', name))}`);
  }
  options.push('--test-reporter=spec', '--test-reporter-destination=stdout');
  options.push(`--test-reporter=${reporter}`, `--test-reporter-destination=${resultFile}`);
  const guard = join(ROOT, 'scripts', 'lib', 'guard.sh');
  const command = [process.execPath, ...options, ...flags, ...files];
  const child = spawn('sh', [guard, 'INT', `${STOP_GRACE_SECONDS}`, ...command], {
    cwd: ROOT,
    env,
    stdio: ['pipe', 'inherit', 'inherit'],
    detached: true,
  });
  child.stdin.on('error', () => {});
  const end = () => child.stdin.end();
  const allMs = isSlow ? ALL_SLOW_TESTS_MS : ALL_TESTS_MS;
  const late = new Failure(`The tests have not ended within ${allMs / 60_000} minutes.`);
  const timer = setTimeout(() => stop.request({ sentence: '', failure: late }), allMs);
  stop.signal.addEventListener('abort', end);
  if (stop.signal.aborted) end();
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (exited) => resolve(exited ?? 1));
  });
  clearTimeout(timer);
  const strays = await endStrays(child.pid ?? 0);
  stop.signal.throwIfAborted();
  if (strays.length === 0) return code;
  console.error(`The tests left processes running, which are ended now:\n${strays.join('\n')}`);
  return code || 1;
}

/**
 * Prints the omitted tests and the totals. Only test:slow may omit a test: its tests need more than
 * a bare Debian machine. npm test allows the skips that `isAllowed` knows, unless --complete is
 * given.
 * @param {{ passed: number, failed: number,
 *   omitted: import('./result-reporter.mjs').OmittedTest[] }} result as the reporter wrote it
 * @returns {number} the exit code of a run without a failed test
 */
function printResult({ passed, failed, omitted }) {
  const allowed = omitted.filter((test) => isSlow || (!isComplete && isAllowed(test)));
  const refused = omitted.filter((test) => !allowed.includes(test));
  printOmitted('These tests are skipped or to do', allowed);
  printOmitted('npm test refuses tests that are skipped or to do', refused);
  console.log(`${passed} passed, ${failed} failed, ${omitted.length} skipped`);
  return Math.min(refused.length, 1);
}

/** @param {string} title @param {import('./result-reporter.mjs').OmittedTest[]} tests */
function printOmitted(title, tests) {
  const lines = tests.map(({ name, file, line, reason }) =>
    `${relative(ROOT, file)}:${line} ${name} ${reason && `(${reason})`}`.trimEnd(),
  );
  if (lines.length > 0) console.log(`${title}:\n${lines.join('\n')}`);
}
