import {
  accessSync,
  chmodSync,
  constants,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileFailure } from '../lib/failure.mjs';
import { tryLock } from '../lib/lock.mjs';
import { systemFolderFor } from '../postgres/folder.mjs';

const PREFIX = 'payment-requests-test-';
// A folder this young may belong to a run that has not come to lock it yet.
const YOUNG_MS = 60_000;
/** Linux keeps files of this folder in memory. On a disk, a run of the tests waits 40 % longer. */
const MEMORY = '/dev/shm';
// Twice the most that a run of all quick tests holds at a time.
const MEMORY_BYTES = 4 * 2 ** 30;

/**
 * Makes the folder of one test run, and removes those of runs that were killed.
 * @param {{ isInMemory?: boolean }} [options] isInMemory: in memory, where the machine has enough
 * @returns {{ path: string, remove: () => void }}
 */
export function makeTestFolder({ isInMemory = false } = {}) {
  const parent = isInMemory && hasMemory() ? MEMORY : tmpdir();
  for (const folder of new Set([tmpdir(), parent])) removeAbandoned(folder);
  try {
    const path = realpathSync(mkdtempSync(join(parent, PREFIX)));
    // PostgreSQL's own account must be able to pass; the folders in it are closed.
    chmodSync(path, 0o711);
    tryLock(join(path, 'lock'));
    return { path, remove: () => removeWithData(path) };
  } catch (error) {
    throw fileFailure(error, `write to ${parent}`);
  }
}

/** A folder that the person named in TMPDIR comes first. */
function hasMemory() {
  if (process.env.TMPDIR || freemem() < 2 * MEMORY_BYTES) return false;
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= MEMORY_BYTES;
  } catch {
    return false;
  }
}

/** @param {string} folder */
function removeAbandoned(folder) {
  for (const name of readdirSync(folder).filter((entry) => entry.startsWith(PREFIX))) {
    const path = join(folder, name);
    try {
      if (Date.now() - statSync(path).mtimeMs < YOUNG_MS) continue;
      if ('release' in tryLock(join(path, 'lock'))) removeWithData(path);
    } catch {
      // Another user's, or gone already.
    }
  }
}

/** @param {string} path */
function removeWithData(path) {
  rmSync(systemFolderFor(postgresFolderIn(path)), { recursive: true, force: true });
  rmSync(path, { recursive: true, force: true });
}

/** @param {string} path of a test run's folder */
export function postgresFolderIn(path) {
  return join(path, 'postgres');
}
