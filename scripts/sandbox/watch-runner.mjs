import { readFileSync } from 'node:fs';

const POLL_MS = 250;
/** npm exec starts a shell, which starts the program: npm and a shell outlive a killed runner. */
const STEPS = /\b(np[mx]|pnpm|yarn|sh|bash|dash|env)\b/;
/** npm, a shell, and a second npm are three. */
const MOST_STEPS = 5;

/**
 * Calls back once when a process between this one and the runner of the tests has ended, also by
 * SIGKILL. Linux says who the parents are; elsewhere only the own parent is watched.
 * @param {() => void} onGone
 */
export function watchRunner(onGone) {
  const chain = [{ pid: process.pid, parent: process.ppid }];
  for (let pid = process.ppid; chain.length <= MOST_STEPS; ) {
    const parent = parentOf(pid);
    if (parent === undefined || !STEPS.test(commandOf(pid))) break;
    chain.push({ pid, parent });
    pid = parent;
  }
  const timer = setInterval(() => {
    const isWhole = chain.every(({ pid, parent }) =>
      pid === process.pid ? process.ppid === parent : parentOf(pid) === parent,
    );
    if (isWhole) return;
    clearInterval(timer);
    onGone();
  }, POLL_MS);
  timer.unref();
}

/** @param {number} pid @returns {number | undefined} */
function parentOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}

/** @param {number} pid */
function commandOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split(/\0| /)[0] ?? '';
  } catch {
    // The process has just ended.
    return '';
  }
}
