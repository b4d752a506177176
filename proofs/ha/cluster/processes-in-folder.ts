import { readdirSync, readlinkSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** Killed processes are gone within a second; the bound is for a machine with other work. */
const KILLED_MS = 10_000;
const LOOK_MS = 50;

/**
 * The processes whose working directory lies in a folder. PostgreSQL, Patroni and etcd leave the
 * process that started them. Their working directory still shows the cluster to which they belong.
 */
export function processesIn(folder: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && isIn(folder, pid));
}

function isIn(folder: string, pid: number): boolean {
  try {
    const directory = readlinkSync(`/proc/${pid}/cwd`).replace(/ \(deleted\)$/, '');
    return directory === folder || directory.startsWith(`${folder}/`);
  } catch {
    // The process has ended, or is of another user.
    return false;
  }
}

/** Sends a signal to each of the processes that still runs. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // The process has ended meanwhile.
    }
  }
}

/** Kills every process of the folder. @throws Error when one does not end */
export async function killAllIn(folder: string): Promise<void> {
  const endsMs = performance.now() + KILLED_MS;
  for (let left = processesIn(folder); left.length > 0; left = processesIn(folder)) {
    if (performance.now() > endsMs) throw new Error(`Processes do not end: ${left.join(', ')}.`);
    signalAll(left, 'SIGKILL');
    await wait(LOOK_MS);
  }
}
