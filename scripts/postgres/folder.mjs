import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, realpathSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Failure, fileFailure } from '../lib/failure.mjs';
import { makeSystemState, SYSTEM_STATE } from './programs.mjs';

/** @typedef {import('./account.mjs').Account} Account */

/**
 * Makes the folder that holds PostgreSQL's data, owned by its account: the preferred one or, where
 * the account cannot enter that (a clone under root's home), one of the system's state folder that
 * is named for it.
 * @param {string} preferred @param {Account | undefined} account
 * @returns {string} the folder in use
 */
export function ensurePostgresFolder(preferred, account) {
  if (!account) return makeFolder(preferred);
  const fallback = systemFolderFor(preferred);
  const isInFallback = existsSync(join(fallback, 'data')) && !existsSync(join(preferred, 'data'));
  if (!isInFallback) {
    makeFolder(preferred, account);
    if (canUse(preferred, account)) return preferred;
    if (existsSync(join(preferred, 'data'))) {
      throw new Failure(
        `PostgreSQL's data lies in ${preferred}, which user ${account.name} can no longer enter: ` +
          `open the folders above it (chmod o+x), or move the data away to start anew.`,
      );
    }
    // An empty folder would mislead a person who looks for the data.
    rmSync(preferred, { recursive: true });
  }
  makeSystemState();
  makeFolder(fallback, account);
  if (canUse(fallback, account)) return fallback;
  throw new Failure(
    `User ${account.name}, under whom PostgreSQL runs, can enter neither ${preferred} ` +
      `nor ${fallback}: choose another LOCAL_DIR.`,
  );
}

/** The folder in the system's state that stands in for this one. @param {string} preferred */
export function systemFolderFor(preferred) {
  const path = join(realpathSync(dirname(preferred)), basename(preferred));
  return join(SYSTEM_STATE, createHash('sha256').update(path).digest('hex').slice(0, 16));
}

/** @param {string} folder @param {Account} [account] @returns {string} the folder */
function makeFolder(folder, account) {
  try {
    mkdirSync(dirname(folder), { recursive: true });
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
    if (account) chownSync(folder, account.uid, account.gid);
    return folder;
  } catch (error) {
    throw fileFailure(error, `write to ${folder}`);
  }
}

/** @param {string} folder @param {Account} account */
function canUse(folder, { uid, gid }) {
  const test = ['-c', 'cd "$1" && test -w .', 'sh', folder];
  return spawnSync('sh', test, { cwd: '/', uid, gid }).status === 0;
}
