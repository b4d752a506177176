import { chmodSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileFailure } from '../lib/failure.mjs';
import { tryLock } from '../lib/lock.mjs';
import { systemFolderFor } from '../postgres/folder.mjs';

const PREFIX = 'payment-requests-test-';
// A folder this young may belong to a run that has not come to lock it yet.
const YOUNG_MS = 60_000;

/**
 * Makes the folder of one test run, and removes those of runs that were killed.
 * @returns {{ path: string, remove: () => void }}
 */
export function makeTestFolder() {
  removeAbandoned();
  try {
    const path = realpathSync(mkdtempSync(join(tmpdir(), PREFIX)));
    // PostgreSQL's own account must be able to pass; the folders in it are closed.
    chmodSync(path, 0o711);
    tryLock(join(path, 'lock'));
    return { path, remove: () => removeWithData(path) };
  } catch (error) {
    throw fileFailure(error, `write to ${tmpdir()}`);
  }
}

function removeAbandoned() {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(PREFIX))) {
    const path = join(tmpdir(), name);
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
