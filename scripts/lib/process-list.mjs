import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** @typedef {{ pid: number, group: number, command: string }} ListedProcess */

/**
 * Every process of this machine that we may look at. A small Linux has no `ps`, but /proc.
 * @returns {ListedProcess[]}
 */
export function listProcesses() {
  if (process.platform !== 'linux') return listByPs();
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).flatMap((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // After the name in parentheses: state, parent, process group.
      const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (state === 'Z') return [];
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      return [{ pid, group: Number(group), command }];
    } catch {
      // It has just ended.
      return [];
    }
  });
}

function listByPs() {
  const { stdout } = spawnSync('ps', ['-ww', '-eo', 'pid=,pgid=,args='], { encoding: 'utf8' });
  return (stdout ?? '').split('\n').flatMap((line) => {
    const [, pid, group, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return command === undefined ? [] : [{ pid: Number(pid), group: Number(group), command }];
  });
}
