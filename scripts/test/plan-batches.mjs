import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../toolchain/toolchain.mjs';

/**
 * A process loads the service once for so many files: loading takes 0.6 s of CPU, as long as the
 * tests of most files. A batch of more files would be the last to end, alone.
 */
const FILES_IN_BATCH = 12;

/** Files that take long: they start a browser or other processes, or make thousands of calls. */
const TAKES_LONG = [
  /WITHOUT_BROWSER/,
  /hostile-receivers|local-project|spawn-chaos|failpoints\/trial|packed-sdk/,
  /runMoneySeed|5,000 calls made from the document/,
];

/** Files that wait at their top level, or change or watch their process or its modules. */
const OWNS_PROCESS = [
  /^(?!.*\basync\b)[^\s/*].*\bawait\b/m,
  // Tests of access name a variable `process`, too; `freePort` comes from `service-process.ts`.
  /(?<![\w.-])process\.(?!(?:getuid|pid|cpuUsage|execPath|read|call|token|askToken|origin|access)\b|\s)/,
  /\bmock\b/,
  /\bglobalThis\b/,
  /check-schema/,
];

/**
 * Plans the processes of a whole run. node:test takes files by their names, not in the order they
 * are given: each process has a file whose name begins with its turn. Long files come first, so
 * that none of them is the last to end, alone, and short files last.
 *
 * @param {readonly string[]} files paths from the project's folder
 * @param {string} folder for the file of each process
 * @returns {string[]} the files for node:test
 */
export function planBatches(files, folder) {
  const [long, others] = divide(files, TAKES_LONG);
  const [short, shared] = divide(others, OWNS_PROCESS);
  const count = Math.ceil(shared.length / FILES_IN_BATCH);
  // Neighbours test the same thing, often by processes that start: each batch gets a few of them.
  const batches = Array.from({ length: count }, (_, first) =>
    shared.filter((_file, index) => index % count === first),
  );
  const turns = [...long.map(loadAlone), ...batches.map(loadBatch), ...short.map(loadAlone)];
  return turns.map(({ name, text }, index) => {
    const turn = `${index}`.padStart(`${turns.length}`.length, '0');
    const path = join(folder, `${turn}-${name}.test.mjs`);
    writeFileSync(path, text);
    return path;
  });
}

/** @param {string} file */
function loadAlone(file) {
  const name = file.replace(/\.test\.ts$/, '').replaceAll('/', '-');
  return { name, text: `import '${pathToFileURL(join(ROOT, file))}';\n` };
}

/** @param {readonly string[]} batch @param {number} index */
function loadBatch(batch, index) {
  const loader = pathToFileURL(join(ROOT, 'scripts', 'test', 'run-batch.mjs'));
  const list = JSON.stringify(batch, null, 2);
  const text = `import { runBatch } from '${loader}';\nrunBatch(${list});\n`;
  return { name: `batch-${index + 1}`, text };
}

/**
 * @param {readonly string[]} files @param {readonly RegExp[]} marks
 * @returns {[string[], string[]]} the files whose text has a mark, and the others
 */
function divide(files, marks) {
  const marked = files.filter((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    return marks.some((mark) => mark.test(text));
  });
  return [marked, files.filter((file) => !marked.includes(file))];
}
