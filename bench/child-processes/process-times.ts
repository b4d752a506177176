import { readdirSync, readFileSync } from 'node:fs';

/** The unit of /proc/PID/stat: USER_HZ, which Linux fixes for programs. */
const TICKS_PER_SECOND = 100;

export interface ProcessTimes {
  /** The process that started it. */
  readonly parent: number;
  /** User and system time of all its threads. */
  readonly seconds: number;
  /** That of its children that have ended and that it waited for. */
  readonly endedChildrenSeconds: number;
}

/** undefined: the process has ended, runs on another machine, or the system has no /proc. */
export function timesOf(pid: number): ProcessTimes | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The name in parentheses may hold spaces. Field 4 is the parent; 14 to 17 are the times.
  const fields = text.slice(text.lastIndexOf(') ') + 2).split(' ');
  const field = (number: number) => Number(fields[number - 3]);
  return {
    parent: field(4),
    seconds: (field(14) + field(15)) / TICKS_PER_SECOND,
    endedChildrenSeconds: (field(16) + field(17)) / TICKS_PER_SECOND,
  };
}

/**
 * The processor time of all threads of a process so far, in milliseconds with the precision of
 * nanoseconds. 0: the process has ended, or the kernel does not tell.
 */
export function processorMsOf(pid: number): number {
  const read = (thread: string) => {
    const text = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8');
    return Number(text.split(' ')[0]) / 1e6;
  };
  try {
    return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + read(thread), 0);
  } catch {
    return 0;
  }
}
