import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Names one process for as long as the machine is up. A bare pid is not enough: numbers are used
 * again, in a restarted container almost at once and even for ourselves.
 * @param {number} pid
 * @returns {string | undefined} `pid:start:boot`, or undefined when there is no such process
 */
export function processIdentity(pid) {
  if (process.platform !== 'linux') return identityByPs(pid);
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold spaces; the fields after it start with the third, state.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${pid}:${fields[19]}:${boot}`;
  } catch {
    return undefined;
  }
}

/** @param {number} pid */
function identityByPs(pid) {
  const { stdout } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
  const start = stdout?.trim().replaceAll(/\s+/g, '-').replaceAll(':', '.');
  return start ? `${pid}:${start}:` : undefined;
}

/**
 * @param {string} identity as processIdentity gave it, now or in an earlier run
 * @returns {number | undefined} the pid, if that very process still runs
 */
export function livingPid(identity) {
  const pid = Number(identity.split(':')[0]);
  return Number.isInteger(pid) && processIdentity(pid) === identity ? pid : undefined;
}
