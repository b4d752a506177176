import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure, fileFailure } from '../lib/failure.mjs';
import { withLock } from '../lib/lock.mjs';
import { npmFailure, runNpm } from './npm.mjs';
import { CLONE_STATE, INSTALL_LOCK, ROOT } from './toolchain.mjs';

const LOCK_FILE = join(ROOT, 'package-lock.json');
/** npm's own record of what it has installed. */
const NPM_RECORD = join(ROOT, 'node_modules', '.package-lock.json');
/**
 * The hash of the lock file that was last installed whole, and the scope of that installation. It
 * goes with the folder it speaks of.
 */
const STAMP = join(ROOT, 'node_modules', '.installed-lock');

/**
 * @typedef {object} LockedPackage one entry of a lock file
 * @property {string} [version] @property {string} [integrity] @property {boolean} [link]
 * @property {string} [resolved] @property {boolean} [dev] @property {boolean} [devOptional]
 * @property {boolean} [optional] @property {string[] | string} [os]
 * @property {string[] | string} [cpu] @property {string[] | string} [libc]
 */

/**
 * @typedef {'RUN' | 'ALL'} Scope what is installed: the packages that the service, the demo shop
 * and `npm start` load, or also the tools of tests, checks and releases
 */

/**
 * Installs the dependencies exactly as package-lock.json names them, and only when that has changed
 * since the last time (contract §2). Install scripts never run.
 * @param {import('../lib/progress.mjs').Progress} progress @param {string} nodePath
 * @param {Scope} scope
 */
export async function ensureDependencies(progress, nodePath, scope) {
  await progress.step('Dependencies', async (note) => {
    if (isInstalled(scope)) return 'unchanged';
    const onWait = () => note('waiting for another start that installs');
    await withLock(INSTALL_LOCK, onWait, async (lock) => {
      if (isInstalled(scope)) return;
      note('npm ci, once for each change of package-lock.json');
      await install({ nodePath, scope, lock });
    });
    return 'installed';
  });
}

/**
 * Whether all that the service needs is installed, as package-lock.json names it. Only tests need
 * the rest, and only `npm start` the optional packages.
 */
export function hasProductionDependencies() {
  if (installedScope()) return true;
  return missingPackages().every(
    ({ dev, optional, devOptional, link, resolved }) =>
      dev || optional || devOptional || (link && resolved === 'demo-shop'),
  );
}

/** @param {Scope} scope */
function isInstalled(scope) {
  const installed = installedScope();
  if (installed === 'ALL' || installed === scope) return true;
  // Installed by hand, or by a CI step: what npm noted then tells as much.
  return missingPackages().every(({ dev }) => dev && scope === 'RUN');
}

/** @returns {Scope | undefined} undefined: nothing is installed whole for this lock file */
function installedScope() {
  const [hash, scope] = readOrEmpty(STAMP).split(' ');
  return hash === hashOfLockFile() && (scope === 'RUN' || scope === 'ALL') ? scope : undefined;
}

/** @returns {LockedPackage[]} what the lock file names for this platform and npm has not noted */
function missingPackages() {
  const wanted = packagesOf(LOCK_FILE);
  if (!wanted) throw new Failure(`${LOCK_FILE} is not there, or is not valid JSON.`);
  const installed = packagesOf(NPM_RECORD) ?? {};
  const entries = Object.entries(wanted).filter(([path]) => path.includes('node_modules/'));
  return entries.flatMap(([path, entry]) => {
    const found = installed[path];
    if (!found && entry.optional === true && !isForThisPlatform(entry)) return [];
    const isSame = found?.version === entry.version && found?.integrity === entry.integrity;
    return isSame ? [] : [entry];
  });
}

function hashOfLockFile() {
  return createHash('sha256').update(readOrEmpty(LOCK_FILE)).digest('hex');
}

/** @param {string} path */
function readOrEmpty(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** @param {string} path @returns {Record<string, LockedPackage> | undefined} */
function packagesOf(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/** @param {LockedPackage} entry */
function isForThisPlatform({ os, cpu, libc }) {
  // Which C library this is, npm tells by means of its own; what names one is left to npm.
  const fits = (/** @type {string[] | string | undefined} */ list, /** @type {string} */ mine) =>
    list === undefined || [list].flat().includes(mine);
  return libc === undefined && fits(os, process.platform) && fits(cpu, process.arch);
}

/** @param {{ nodePath: string, scope: Scope, lock: import('../lib/lock.mjs').Lock }} options */
async function install({ nodePath, scope, lock }) {
  // `npm ci` removes node_modules first. A service may run from that folder, and loads some modules
  // later: the tools for tests are therefore added to what `npm start` has installed.
  const command = installedScope() === 'RUN' ? ['install', '--no-save'] : ['ci'];
  try {
    // The records go first, so that an installation that is cut off never passes for whole.
    rmSync(STAMP, { force: true });
    if (command[0] === 'ci') rmSync(NPM_RECORD, { force: true });
  } catch (error) {
    throw fileFailure(error, `write to ${join(ROOT, 'node_modules')}`);
  }
  // Before npm reads it: a lock file that changes meanwhile is not what was installed.
  const hash = hashOfLockFile();
  const tools = scope === 'ALL' ? '--include=dev' : '--omit=dev';
  const { exitCode, output } = await runNpm({
    nodePath,
    args: [...command, '--ignore-scripts', tools, '--include=optional', '--prefer-offline'],
    cwd: ROOT,
    cacheFallback: join(CLONE_STATE, 'npm-cache'),
    onSpawn: lock.alsoHeldBy,
  });
  if (exitCode !== 0) throw npmFailure(output, 'install the dependencies');
  // npm skips an optional package that it cannot fetch; one that is for this platform we need.
  if (missingPackages().some(({ dev, optional }) => optional && !(dev && scope === 'RUN'))) {
    throw npmFailure(output, 'install the dependencies');
  }
  writeFileSync(STAMP, `${hash} ${scope}`);
}
