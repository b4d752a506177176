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
  /check-schema/,
];
/** Files that take up to a minute, mostly waiting: side by side with others, not after each other. */
const TAKES_LONG = [
  /local-project|spawn-chaos|failpoints\/trial|packed-sdk/,
  /runMoneySeed|5,000 calls made from the document/,
  /hostile-receivers|callers that do not read their answers|a caller that sends slowly/,
];
/** Files that wait for ten seconds or more: each of the first processes of many files has one. */
const WAITS =
  /(?:doctor-faults|listener-tools|silent-database|tracing|verify-listener|misbehaviours)\.test/;

/**
 * Plans the processes of a run of many files. A run ends soon after the processors have nothing
 * more to do when the short processes come last.
 *
 * @param {readonly string[]} files paths from the project's folder
 * @returns {string[][]} the files of each process, in the order of their starts
 */
export function planBatches(files) {
  const long = files.filter((file) => holdsOneOf(file, TAKES_LONG));
  const short = files.filter((file) => !long.includes(file) && holdsOneOf(file, NEEDS_OWN_PROCESS));
  const shared = files.filter((file) => !long.includes(file) && !short.includes(file));
  const browser = shared.filter(needsBrowser);
  const inProcess = shared.filter((file) => !browser.includes(file));
  const waiting = inProcess.filter((file) => WAITS.test(file));
  const others = [...waiting, ...inProcess.filter((file) => !waiting.includes(file))];
  const batches = spread(split(browser, BROWSER_FILES_IN_BATCH), split(others, FILES_IN_BATCH));
  const alone = (/** @type {string} */ file) => [file];
  return [...long.map(alone), ...batches, ...short.map(alone)];
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

/** @param {string} file @param {readonly RegExp[]} marks @returns {boolean} */
function holdsOneOf(file, marks) {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return marks.some((mark) => mark.test(text));
}
