import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode, Failure, fileFailure } from '../lib/failure.mjs';
import { processIdentity } from '../lib/process-identity.mjs';
import { listProcesses } from '../lib/process-list.mjs';

/** @type {readonly { signal: NodeJS.Signals, waitMs: number }[]} */
const STOP_SIGNALS = [
  // Fast shutdown: writes everything to disk, for which a slow disk takes a while.
  { signal: 'SIGINT', waitMs: 30_000 },
  // Immediate shutdown: at once, and the next start recovers.
  { signal: 'SIGQUIT', waitMs: 5_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
];
const POLL_MS = 50;

/**
 * Ends the server that an earlier run left behind on this data, and removes the lock file that a
 * killed one left. The caller has made sure that no other run of ours uses the data.
 * @param {string} dataDir @param {(note: string) => void} note
 */
export async function endOrphanedPostgres(dataDir, note) {
  const pid = readPostmasterFile(dataDir)?.pid;
  if (pid === undefined) return;
  const identity = isPostgresOf(pid, dataDir) ? processIdentity(pid) : undefined;
  if (identity) {
    note(`taking over from an earlier start (PostgreSQL, process ${pid})`);
    await end(pid, identity);
  }
  // Its number may belong to another process by now, which PostgreSQL would take for its rival.
  try {
    rmSync(join(dataDir, 'postmaster.pid'), { force: true });
  } catch (error) {
    throw fileFailure(error, `write to ${dataDir}`);
  }
}

/**
 * PostgreSQL's lock file: the first line is the process, the eighth how it stands.
 * @param {string} dataDir
 */
export function readPostmasterFile(dataDir) {
  try {
    const lines = readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n');
    const pid = Number(lines[0]);
    return Number.isInteger(pid) && pid > 0 ? { pid, status: lines[7]?.trim() } : undefined;
  } catch (error) {
    if (errorCode(error) === 'EACCES') throw fileFailure(error, `read ${dataDir}`);
    return undefined;
  }
}

/** @param {number} pid @param {string} dataDir */
function isPostgresOf(pid, dataDir) {
  const command = listProcesses().find((listed) => listed.pid === pid)?.command ?? '';
  return command.includes('postgres') && `${command} `.includes(` ${dataDir} `);
}

/** @param {number} pid @param {string} identity */
async function end(pid, identity) {
  for (const { signal, waitMs } of STOP_SIGNALS) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (errorCode(error) === 'ESRCH') return;
      throw new Failure(
        `PostgreSQL of an earlier start (process ${pid}) belongs to another user: end it first.`,
      );
    }
    for (const giveUpAt = Date.now() + waitMs; Date.now() < giveUpAt; await sleep(POLL_MS)) {
      if (processIdentity(pid) !== identity) return;
    }
  }
  throw new Failure(`PostgreSQL of an earlier start (process ${pid}) does not end; end it first.`);
}
