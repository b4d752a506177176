import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../toolchain/toolchain.mjs';
import { needsBrowser } from './chromium.mjs';

/**
 * A process loads the service once for so many files: loading takes 0.2 s of CPU, and the first
 * calls run code that is not compiled yet. A batch of more files would be the last to end, alone.
 */
const FILES_IN_BATCH = 24;
/** They share a browser, too, whose start takes 2 s; each file takes several times as long. */
const BROWSER_FILES_IN_BATCH = 6;

/**
 * Files that need a process of their own: they or their imports wait at their top level, or they
 * change or watch their process or its modules. Mocked timers end with their test.
 */
const NEEDS_OWN_PROCESS = [
  /^(?!.*\basync\b)[^\s/*].*\bawait\b/m,
  /(?<![\w.-])process\.(?:on|once|chdir|umask|seteuid|memoryUsage|env\.\w+ =)/,
  /(?:delete |assign\()(?:process\.env|globalThis)\b/,
  /\bmock\.method\(/,
  /hostile-receivers|check-schema/,
  // They wait for other processes for a minute: side by side with others, not one after the other.
  /local-project|spawn-chaos|failpoints\/trial|packed-sdk/,
  // They take minutes, and would be the last to end, alone.
  /runMoneySeed|5,000 calls made from the document/,
];

/**
 * Plans the processes of a run of many files.
 *
 * @param {readonly string[]} files paths from the project's folder
 * @returns {string[][]} the files of each process, those of a single file first: they take longest
 */
export function planBatches(files) {
  const single = files.filter(needsOwnProcess);
  const shared = files.filter((file) => !single.includes(file));
  const browser = shared.filter(needsBrowser);
  const others = shared.filter((file) => !browser.includes(file));
  const batches = spread(split(browser, BROWSER_FILES_IN_BATCH), split(others, FILES_IN_BATCH));
  return [...single.map((file) => [file]), ...batches];
}

/** @param {readonly string[]} files @param {number} most @returns {string[][]} */
function split(files, most) {
  const count = Math.ceil(files.length / most);
  // Neighbours test the same thing, often by processes that start: each batch gets a few of them.
  return Array.from({ length: count }, (_, first) =>
    files.filter((_file, index) => index % count === first),
  );
}

/**
 * A browser's batch, then two others: eight browsers at once took the processors from each other
 * until a test of every page ran beyond its limit.
 * @param {readonly string[][]} browser @param {readonly string[][]} others
 */
function spread(browser, others) {
  const mixed = browser.flatMap((batch, index) => [
    batch,
    ...others.slice(2 * index, 2 * index + 2),
  ]);
  return [...mixed, ...others.slice(2 * browser.length)];
}

/** @param {string} file @returns {boolean} */
function needsOwnProcess(file) {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return NEEDS_OWN_PROCESS.some((mark) => mark.test(text));
}
