import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode, Failure } from '../lib/failure.mjs';
import { tryLock } from '../lib/lock.mjs';
import { readJsonFile, writePrivateFile } from '../lib/private-file.mjs';
import { livingPid, processIdentity } from '../lib/process-identity.mjs';

// A process of a killed run notices the end of its parent within a moment, and then stops in order.
const OWN_END_MS = 10_000;
const POLL_MS = 50;

/**
 * Makes this run the only one that uses LOCAL_DIR.
 * @param {string} localDir @returns {import('../lib/lock.mjs').Lock}
 */
export function lockLocalDir(localDir) {
  const lock = tryLock(join(localDir, 'start.lock'));
  if ('release' in lock) return lock;
  throw new Failure(
    `npm start runs already with ${localDir} (process ${lock.heldBy}): stop that one first, ` +
      'or give this one its own folder and ports: LOCAL_DIR=.local-2 BASE_PORT=5000 npm start.',
  );
}

/**
 * Ends the processes of an earlier run that was killed, if any is still there.
 * @param {string} localDir
 */
export async function endEarlierParts(localDir) {
  const found = readJsonFile(partsPath(localDir));
  const identities = Array.isArray(found) ? found.filter((item) => typeof item === 'string') : [];
  const living = () => identities.map(livingPid).filter((pid) => pid !== undefined);
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGKILL'])) {
    for (const pid of living()) endProcess(pid, signal);
    const giveUpAt = Date.now() + OWN_END_MS;
    while (living().length > 0 && Date.now() < giveUpAt) await sleep(POLL_MS);
  }
}

/** Notes what runs, for a later run to find. @param {string} localDir @param {number[]} pids */
export function noteParts(localDir, pids) {
  const identities = pids.map(processIdentity).filter((identity) => identity !== undefined);
  writePrivateFile(partsPath(localDir), JSON.stringify(identities));
}

/** @param {string} localDir */
function partsPath(localDir) {
  return join(localDir, 'parts.json');
}

/** @param {number} pid @param {NodeJS.Signals} signal */
function endProcess(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (errorCode(error) === 'ESRCH') return;
    throw new Failure(`Process ${pid} of an earlier start belongs to another user: end it first.`);
  }
}
