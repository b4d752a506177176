// Loaded into every test process. `TEST_CPU_FILE=cpu.jsonl npm test` appends one line for each test
// file at its end: the CPU seconds of its process and of all that it started, browsers included. A
// file of a batch has a line of its own, and the batch one for all.
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';

const { NODE_TEST_CONTEXT, TEST_CPU_FILE } = process.env;
/** Linux counts processor time in hundredths of a second, on every architecture. */
const TICKS_PER_SECOND = 100;

if (NODE_TEST_CONTEXT && TEST_CPU_FILE) {
  process.once('exit', startCpuNote(process.argv[1] ?? ''));
}

/** @param {string} file @returns {() => void} appends the line of what was used since */
export function startCpuNote(file) {
  if (!TEST_CPU_FILE) return () => {};
  const startedAt = Date.now();
  const before = cpuSeconds();
  return () => {
    const wallSeconds = (Date.now() - startedAt) / 1000;
    const line = JSON.stringify({ file, cpuSeconds: cpuSeconds() - before, wallSeconds });
    appendFileSync(TEST_CPU_FILE, `${line}\n`);
  };
}

function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + ticksOf(process.pid).started / TICKS_PER_SECOND;
}

/**
 * Node.js does not tell the processor time of other processes; where there is no /proc, it is left
 * out.
 * @param {number} pid
 * @returns {{ own: number, started: number }} the ticks of this process, and of all that it started
 */
function ticksOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // After the name in parentheses, the 12th to the 15th field: user, system, and the same of
    // children that have ended.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15).map(Number);
    let started = endedUser + endedSystem;
    for (const task of readdirSync(`/proc/${pid}/task`)) {
      const children = readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8');
      for (const child of children.split(' ').filter(Boolean)) {
        const ticks = ticksOf(Number(child));
        started += ticks.own + ticks.started;
      }
    }
    return { own: user + system, started };
  } catch {
    // It has just ended: its parent's next reading has its time.
    return { own: 0, started: 0 };
  }
}
