// Loaded into every test process. `TEST_CPU_FILE=cpu.jsonl npm test` appends one line for each test
// file at its end: the CPU seconds of its process and of all its children that have ended. A file of
// a batch has a line of its own, and the batch one for all.
import { appendFileSync, readFileSync } from 'node:fs';

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
  return (user + system) / 1e6 + childSeconds();
}

/**
 * Node.js does not tell the processor time of children; where there is no /proc, it is left out.
 */
function childSeconds() {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    // After the name in parentheses; the 14th and 15th field are those of the children.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}
