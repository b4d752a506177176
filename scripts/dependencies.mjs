import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Failure, fileFailure } from './failure.mjs';
import { withLock } from './lock.mjs';
import { npmFailure, runNpm } from './npm.mjs';
import { CLONE_STATE, INSTALL_LOCK, ROOT } from './toolchain.mjs';

/**
 * @typedef {object} LockedPackage one entry of a lock file
 * @property {string} [version] @property {string} [integrity] @property {boolean} [link]
 * @property {boolean} [optional] @property {string[] | string} [os]
 * @property {string[] | string} [cpu] @property {string[] | string} [libc]
 */

/**
 * Installs the dependencies exactly as package-lock.json names them, and only when npm's own record
 * of what is installed differs from it. Install scripts never run.
 * @param {import('./progress.mjs').Progress} progress @param {string} nodePath
 */
export async function ensureDependencies(progress, nodePath) {
  await progress.step('Dependencies', async (note) => {
    if (isInstalled()) return 'unchanged';
    const onWait = () => note('waiting for another start that installs');
    await withLock(INSTALL_LOCK, onWait, async (lock) => {
      if (isInstalled()) return;
      note('npm ci, once for each change of package-lock.json');
      await install(nodePath, lock);
    });
    return 'installed';
  });
}

function isInstalled() {
  const wanted = packagesOf(join(ROOT, 'package-lock.json'));
  if (!wanted) throw new Failure(`There is no readable package-lock.json in ${ROOT}.`);
  const installed = packagesOf(join(ROOT, 'node_modules', '.package-lock.json'));
  if (!installed) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes('node_modules/')) return true;
    const found = installed[path];
    if (!found) return entry.optional === true && !isForThisPlatform(entry);
    return found.version === entry.version && found.integrity === entry.integrity;
  });
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

/** @param {string} nodePath @param {import('./lock.mjs').Lock} lock */
async function install(nodePath, lock) {
  try {
    // npm's record goes first, so that an installation that is cut off never passes for whole.
    rmSync(join(ROOT, 'node_modules', '.package-lock.json'), { force: true });
  } catch (error) {
    throw fileFailure(error, `write to ${join(ROOT, 'node_modules')}`);
  }
  const { exitCode, output } = await runNpm({
    nodePath,
    args: ['ci', '--ignore-scripts', '--include=dev', '--include=optional', '--prefer-offline'],
    cwd: ROOT,
    cacheFallback: join(CLONE_STATE, 'npm-cache'),
    onSpawn: lock.alsoHeldBy,
  });
  if (exitCode !== 0) throw npmFailure(output, 'install the dependencies');
  // npm skips an optional package that it cannot fetch; one that is for this platform we need.
  if (!isInstalled()) throw npmFailure(output, 'install the dependencies');
}
