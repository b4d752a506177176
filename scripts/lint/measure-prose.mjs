// Compares what was found in all files with the limits.
import { MOST_OPENERS, MOST_USES } from './rules.mjs';

/** @typedef {import('./find-openers.mjs').FileReport & { readonly path: string }} Report */
/**
 * @typedef {object} Measure
 * @property {string} name
 * @property {string} figure
 * @property {boolean} isOver
 * @property {readonly string[]} found
 */

/**
 * @param {readonly Report[]} reports
 * @param {{ openers?: Readonly<Record<string, number>>, uses?: Readonly<Record<string, number>> }}
 * [limits]
 * @returns {{ openers: Measure[], words: Measure[] }}
 */
export function measureProse(reports, { openers = MOST_OPENERS, uses = MOST_USES } = {}) {
  return {
    openers: Object.entries(openers).map(([kind, limit]) => measureOpeners(reports, kind, limit)),
    words: Object.entries(uses).map(([word, limit]) => measureWord(reports, word, limit)),
  };
}

/**
 * @param {readonly Report[]} reports
 * @param {string} kind
 * @param {number} limit in percent
 * @returns {Measure}
 */
function measureOpeners(reports, kind, limit) {
  const all = reports.flatMap(({ path, findings }) =>
    findings.filter((finding) => finding.kind === kind).map((finding) => ({ path, ...finding })),
  );
  const found = all.filter(({ opensBadly }) => opensBadly);
  const share = all.length === 0 ? 0 : (100 * found.length) / all.length;
  const figure = `${found.length} of ${all.length} (${share.toFixed(1)} %, limit ${limit} %)`;
  return { name: kind, figure, isOver: share > limit, found: found.map(toLine) };
}

/**
 * @param {readonly Report[]} reports
 * @param {string} word
 * @param {number} limit
 * @returns {Measure}
 */
function measureWord(reports, word, limit) {
  const found = reports.flatMap(({ path, words }) =>
    words.filter((use) => use.word === word).map((use) => ({ path, ...use })),
  );
  const figure = `${found.length}, limit ${limit}`;
  return {
    name: `uses of "${word}"`,
    figure,
    isOver: found.length > limit,
    found: found.map(toLine),
  };
}

/** @param {{ path: string, line: number, text: string }} finding */
function toLine({ path, line, text }) {
  return `${path}:${line}: ${text.replace(/\s+/g, ' ')}`;
}
