import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../toolchain/toolchain.mjs';

/**
 * A process loads the service once for so many files: loading takes 0.6 s of CPU, as long as the
 * tests of most files. A batch of more files would be the last to end, alone.
 */
const FILES_IN_BATCH = 12;

/**
 * Files that need a process of their own: they or their imports wait at their top level, they
 * change or watch their process or its modules, or they start a browser.
 */
const NEEDS_OWN_PROCESS = [
  /^(?!.*\basync\b)[^\s/*].*\bawait\b/m,
  // Tests of access name a variable `process`, too; file names such as `service-process.ts` have it.
  /(?<![\w.-])process\.(?!(?:getuid|pid|cpuUsage|execPath|read|call|token|askToken|origin|access)\b|\s)/,
  /\bmock\b/,
  /\bglobalThis\b/,
  /WITHOUT_BROWSER/,
  /hostile-receivers|check-schema/,
  // They wait for other processes for a minute: side by side with others, not one after the other.
  /local-project|spawn-chaos|failpoints\/trial|packed-sdk/,
  // They take minutes, and would be the last to end, alone.
  /runMoneySeed|5,000 calls made from the document/,
];

/**
 * Plans the processes of a whole run.
 *
 * @param {readonly string[]} files paths from the project's folder
 * @param {string} folder for the files that load the files of a batch
 * @returns {string[]} the files for node:test, those of a single file first: they take longest
 */
export function planBatches(files, folder) {
  const single = files.filter(needsOwnProcess);
  const shared = files.filter((file) => !single.includes(file));
  const loader = pathToFileURL(join(ROOT, 'scripts', 'test', 'run-batch.mjs'));
  const count = Math.ceil(shared.length / FILES_IN_BATCH);
  const batches = Array.from({ length: count }, (_, first) => {
    // Neighbours test the same thing, often by processes that start: each batch gets a few of them.
    const batch = shared.filter((_file, index) => index % count === first);
    const path = join(folder, `batch-${first + 1}.test.mjs`);
    const list = JSON.stringify(batch, null, 2);
    writeFileSync(path, `import { runBatch } from '${loader}';\nrunBatch(${list});\n`);
    return path;
  });
  return [...single, ...batches];
}

/** @param {string} file @returns {boolean} */
function needsOwnProcess(file) {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return NEEDS_OWN_PROCESS.some((mark) => mark.test(text));
}
