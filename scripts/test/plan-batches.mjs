import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../toolchain/toolchain.mjs';
import { needsBrowser } from './chromium.mjs';

/**
 * Each process more takes 4 s of CPU: it loads the service, and compiles and optimises its code.
 * Few files are over before a second process has done so.
 */
const LEAST_FILES_IN_BATCH = 24;
/** Long waits, browsers and short processes run beside the batches of most files. */
const OTHERS_AT_ONCE = 2;
/** They share a browser, too, whose start takes 2 s; each file takes several times as long. */
const BROWSER_FILES_IN_BATCH = 6;

/**
 * Files that need a process of their own: they or their imports wait at their top level, or they
 * change or watch their process or its modules, or mock its timers or its time: who clears a mocked
 * timer after its test takes away a mocked timer of another one, and identifiers never go back behind
 * those that other files have made.
 */
const NEEDS_OWN_PROCESS = [
  /^(?!.*\basync\b)[^\s/*].*\bawait\b/m,
  /(?<![\w.-])process\.(?:on|once|chdir|umask|seteuid|memoryUsage|env\.\w+ =)/,
  /(?:delete |assign\()(?:process\.env|globalThis)\b/,
  /\bmock\.method\(/,
  /\bmock\.timers\.enable\(/,
  /check-schema/,
];
/** Files that take up to a minute, mostly waiting: side by side with others, not after each other. */
const TAKES_LONG = [
  /local-project|spawn-chaos|failpoints\/trial|packed-sdk/,
  /runMoneySeed|5,000 calls made from the document/,
  /hostile-receivers|callers that do not read their answers|a caller that sends slowly/,
];

/**
 * Plans the processes of a run of many files. The batches of most files come first and last as long
 * as all the others together. A run ends soon after the processors have nothing more to do when the
 * short processes come last.
 *
 * @param {readonly string[]} files paths from the project's folder
 * @param {number} atOnce how many processes run side by side
 * @returns {string[][]} the files of each process, in the order of their starts
 */
export function planBatches(files, atOnce) {
  const long = files.filter((file) => holdsOneOf(file, TAKES_LONG));
  const short = files.filter((file) => !long.includes(file) && holdsOneOf(file, NEEDS_OWN_PROCESS));
  const shared = files.filter((file) => !long.includes(file) && !short.includes(file));
  const browser = shared.filter(needsBrowser);
  const others = shared.filter((file) => !browser.includes(file));
  const most = Math.ceil(others.length / LEAST_FILES_IN_BATCH);
  const alone = (/** @type {string} */ file) => [file];
  return [
    ...split(others, Math.min(most, atOnce - OTHERS_AT_ONCE)),
    ...long.map(alone),
    ...split(browser, Math.ceil(browser.length / BROWSER_FILES_IN_BATCH)),
    ...short.map(alone),
  ];
}

/** @param {readonly string[]} files @param {number} count @returns {string[][]} */
function split(files, count) {
  // Neighbours test the same thing, often by processes that start: each batch gets a few of them.
  return Array.from({ length: count }, (_, first) =>
    files.filter((_file, index) => index % count === first),
  );
}

/** @param {string} file @param {readonly RegExp[]} marks @returns {boolean} */
function holdsOneOf(file, marks) {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return marks.some((mark) => mark.test(text));
}
