import { spawnSync } from 'node:child_process';
import {
  accessSync,
  constants,
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure, fileFailure } from '../lib/failure.mjs';
import { withLock } from '../lib/lock.mjs';
import { npmFailure, runNpm } from './npm.mjs';

/** The project's folder. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
/** The state of this clone, independent of LOCAL_DIR: the toolchain and the lock on installing. */
export const CLONE_STATE = join(ROOT, '.local');

/** Every installation into this clone holds this lock. */
export const INSTALL_LOCK = join(CLONE_STATE, 'install.lock');

// The first Node.js that runs TypeScript without a flag and without a warning.
const OLDEST_NODE = [24, 12];
const PINNED = join(ROOT, 'scripts', 'toolchain', 'pinned');
const INSTALLED = join(CLONE_STATE, 'toolchain');

/**
 * Finds the Node.js that the project runs on, and installs it first where the running one is older.
 * @param {import('../lib/progress.mjs').Progress} progress
 * @returns {Promise<string>} the path of its program
 */
export async function ensureToolchain(progress) {
  let nodePath = process.execPath;
  await progress.step('Node.js', async (note) => {
    if (isNewEnough(process.versions.node)) return process.versions.node;
    const { name, version } = pinnedPackage();
    nodePath = join(INSTALLED, 'node_modules', name, 'bin', 'node');
    if (isInstalled(name, version)) return `${version} (from an earlier start)`;
    note(`installing ${version} beside ${process.versions.node}`);
    const onWait = () => note('waiting for another start that installs');
    await withLock(INSTALL_LOCK, onWait, async (lock) => {
      if (!isInstalled(name, version)) await install({ name, version, lock });
    });
    return `${version} (installed)`;
  });
  return nodePath;
}

/** @param {string} version such as 24.12.0 */
export function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE;
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}

/** @returns {{ name: string, version: string }} the npm package with Node.js for this platform */
function pinnedPackage() {
  const name = `node-${process.platform}-${process.arch}`;
  const { optionalDependencies } = JSON.parse(readFileSync(join(PINNED, 'package.json'), 'utf8'));
  const version = optionalDependencies[name];
  if (version !== undefined) return { name, version };
  throw new Failure(
    `Node.js ${OLDEST_NODE.join('.')} or newer is needed; this is ${process.versions.node}, and ` +
      `there is no newer one in npm for ${process.platform}-${process.arch}: ` +
      'install Node.js 24 (nodejs.org) and try again.',
  );
}

/** @param {string} name @param {string} version */
function isInstalled(name, version) {
  const folder = join(INSTALLED, 'node_modules', name);
  try {
    accessSync(join(folder, 'bin', 'node'), constants.X_OK);
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version === version;
  } catch {
    return false;
  }
}

/**
 * Installs beside, proves that it runs, then moves it into place: an installation that is cut off
 * leaves nothing that a later start could take for whole.
 * @param {{ name: string, version: string, lock: import('../lib/lock.mjs').Lock }} options
 */
async function install({ name, version, lock }) {
  const fresh = `${INSTALLED}.new`;
  const old = `${INSTALLED}.old`;
  try {
    rmSync(fresh, { recursive: true, force: true });
    mkdirSync(fresh, { recursive: true });
    cpSync(PINNED, fresh, { recursive: true });
    const what = `install Node.js ${version}`;
    const { output } = await runNpm({
      nodePath: process.execPath,
      args: ['ci', '--ignore-scripts', '--include=optional'],
      cwd: fresh,
      cacheFallback: join(CLONE_STATE, 'npm-cache'),
      onSpawn: lock.alsoHeldBy,
    });
    const nodePath = join(fresh, 'node_modules', name, 'bin', 'node');
    const { status, stdout, error } = spawnSync(nodePath, ['--version'], { encoding: 'utf8' });
    // npm skips an optional package that it cannot fetch, without a word and with exit code 0.
    if (error) throw npmFailure(output, what);
    if (status !== 0 || stdout.trim() !== `v${version}`) {
      throw new Failure(`Node.js ${version} from npm does not run on this machine.`);
    }
    rmSync(old, { recursive: true, force: true });
    try {
      renameSync(INSTALLED, old);
    } catch {
      // There was none.
    }
    renameSync(fresh, INSTALLED);
    rmSync(old, { recursive: true, force: true });
  } catch (error) {
    throw error instanceof Failure ? error : fileFailure(error, `write to ${CLONE_STATE}`);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}
