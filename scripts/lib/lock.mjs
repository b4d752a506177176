import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode, Failure, fileFailure } from './failure.mjs';
import { livingPid, processIdentity } from './process-identity.mjs';

/**
 * @typedef {object} Lock
 * @property {(pid: number) => void} alsoHeldBy the lock lives on while that process does, even when
 *   we were killed: a package manager that nobody watches still writes
 * @property {() => void} release
 */

// A lock file is written in one short call: one that is still empty after this was left by a crash.
const HALF_WRITTEN_MS = 10_000;
// The longest that a lock is held is an installation on a slow line; after this, give up in words.
const LONGEST_WAIT_MS = 15 * 60_000;
const POLL_MS = 200;

/**
 * Takes the lock if no living process has it; what a dead one left is taken over.
 * @param {string} path of the lock file @returns {Lock | { heldBy: number }} heldBy: a pid; 0:
 * unknown
 */
export function tryLock(path) {
  const holders = [processIdentity(process.pid) ?? ''];
  // Twice around is the usual stale lock; more only while several processes compete for it.
  for (let attempt = 0; attempt < 10; attempt += 1) {
    try {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, holders.join('\n'), { flag: 'wx' });
      return lockAt(path, holders);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw fileFailure(error, `write to ${dirname(path)}`);
    }
    const holder = livingHolder(path);
    if (holder !== undefined) return { heldBy: holder };
    removeStale(path);
  }
  return { heldBy: 0 };
}

/**
 * Runs the function while it holds the lock, waiting for it as long as another one works.
 * @template T
 * @param {string} path @param {() => void} onWait called once when there is a wait
 * @param {(lock: Lock) => Promise<T>} run
 */
export async function withLock(path, onWait, run) {
  const giveUpAt = Date.now() + LONGEST_WAIT_MS;
  for (let waited = false; ; waited = true) {
    const lock = tryLock(path);
    if ('release' in lock) {
      try {
        return await run(lock);
      } finally {
        lock.release();
      }
    }
    if (!waited) onWait();
    if (Date.now() > giveUpAt) {
      throw new Failure(`Process ${lock.heldBy} holds ${path} for too long; end it and try again.`);
    }
    await sleep(POLL_MS);
  }
}

/** @param {string} path @param {string[]} holders @returns {Lock} */
function lockAt(path, holders) {
  return {
    alsoHeldBy(pid) {
      holders.push(processIdentity(pid) ?? '');
      writeFileSync(`${path}.next`, holders.join('\n'));
      renameSync(`${path}.next`, path);
    },
    release: () => rmSync(path, { force: true }),
  };
}

/** @param {string} path @returns {number | undefined} a pid; 0: just being written */
function livingHolder(path) {
  try {
    const text = readFileSync(path, 'utf8');
    if (text === '') return Date.now() - statSync(path).mtimeMs < HALF_WRITTEN_MS ? 0 : undefined;
    return text
      .split('\n')
      .map(livingPid)
      .find((pid) => pid !== undefined);
  } catch {
    return undefined;
  }
}

/**
 * Removes a lock whose holders are all dead. Only one process at a time does so, and it looks
 * again: else a slow one could remove the lock that a quick one has just taken.
 * @param {string} path
 */
function removeStale(path) {
  const guard = `${path}.stale`;
  try {
    writeFileSync(guard, '', { flag: 'wx' });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw fileFailure(error, `write to ${dirname(path)}`);
    const age = Date.now() - (statSync(guard, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > HALF_WRITTEN_MS) rmSync(guard, { force: true });
    return;
  }
  try {
    if (livingHolder(path) === undefined) rmSync(path, { force: true });
  } finally {
    rmSync(guard, { force: true });
  }
}
