import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from '../lib/lock.mjs';
import { npmFailure, runNpm } from '../toolchain/npm.mjs';
import { CLONE_STATE, INSTALL_LOCK, ROOT } from '../toolchain/toolchain.mjs';

const FOLDER = join(ROOT, 'bench', 'peers');
/** The hash of the lock file that was last installed whole. */
const STAMP = join(FOLDER, 'node_modules', '.installed-lock');

/**
 * Installs what the service is measured beside, exactly as bench/peers/package-lock.json names it
 * and only when that has changed. No other command needs it, so that no other one installs it.
 * Install scripts never run.
 */
export async function ensureBenchPeers() {
  const wanted = createHash('sha256')
    .update(readFileSync(join(FOLDER, 'package-lock.json')))
    .digest('hex');
  if (readStamp() === wanted) return;
  await withLock(
    INSTALL_LOCK,
    () => console.error('Waiting for another start that installs.'),
    async (lock) => {
      if (readStamp() === wanted) return;
      console.error('Installing the peers of the measurements (bench/peers).');
      // First, so that an installation that is cut off never passes for whole.
      rmSync(STAMP, { force: true });
      const { exitCode, output } = await runNpm({
        nodePath: process.execPath,
        args: ['ci', '--ignore-scripts', '--include=dev', '--prefer-offline'],
        cwd: FOLDER,
        cacheFallback: join(CLONE_STATE, 'npm-cache'),
        onSpawn: lock.alsoHeldBy,
      });
      if (exitCode !== 0) throw npmFailure(output, 'install the peers of the measurements');
      writeFileSync(STAMP, wanted);
    },
  );
}

function readStamp() {
  try {
    return readFileSync(STAMP, 'utf8');
  } catch {
    return '';
  }
}
