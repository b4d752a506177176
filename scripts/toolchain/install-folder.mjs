import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from '../lib/lock.mjs';
import { npmFailure, runNpm } from './npm.mjs';
import { CLONE_STATE, INSTALL_LOCK } from './toolchain.mjs';

/**
 * Installs the packages of a folder that only a few commands need, exactly as its package-lock.json
 * names them and only when that has changed. Install scripts never run.
 * @param {string} folder @param {string} what as in "the peers of the measurements"
 */
export async function ensureInstalled(folder, what) {
  const stamp = join(folder, 'node_modules', '.installed-lock');
  const lockFile = readFileSync(join(folder, 'package-lock.json'));
  const wanted = createHash('sha256').update(lockFile).digest('hex');
  if (readOrEmpty(stamp) === wanted) return;
  await withLock(
    INSTALL_LOCK,
    () => console.error('Waiting for another start that installs.'),
    async (lock) => {
      if (readOrEmpty(stamp) === wanted) return;
      console.error(`Installing ${what}.`);
      // First, so that an installation that is cut off never passes for whole.
      rmSync(stamp, { force: true });
      const { exitCode, output } = await runNpm({
        nodePath: process.execPath,
        // `npm pack` passes its own options on by the environment.
        args: ['ci', '--ignore-scripts', '--include=dev', '--prefer-offline', '--no-dry-run'],
        cwd: folder,
        cacheFallback: join(CLONE_STATE, 'npm-cache'),
        onSpawn: lock.alsoHeldBy,
      });
      if (exitCode !== 0) throw npmFailure(output, `install ${what}`);
      writeFileSync(stamp, wanted);
    },
  );
}

/** @param {string} path */
function readOrEmpty(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
