// Finds the sentences of one file that open with a listed word, and the listed words inside.
import { listedWordsOf, opensBadly, titleOpensBadly } from './rules.mjs';
import { readMarkdown, splitSentences } from './sentences.mjs';
import { readSource } from './source-texts.mjs';

/** @typedef {import('./sentences.mjs').Block} Block */
/** @typedef {keyof typeof import('./rules.mjs').MOST_OPENERS} Kind */
/** @typedef {Block & { readonly kind: Kind, readonly opensBadly: boolean }} Finding */
/** @typedef {Block & { readonly word: string }} ListedWord */
/**
 * @typedef {object} FileReport
 * @property {readonly Finding[]} findings
 * @property {readonly ListedWord[]} words
 */

const TEST_FILE = /\.test\.[cm]?[jt]s$/;
const TITLE = /(?<![\w.])(?:it|test|describe)(?:\.\w+)*\(\s*(?:'((?:[^'\\]|\\.)+)'|`([^`]+)`)/g;
/** A literal of fewer words is a name or a label. */
const LEAST_WORDS = 3;

/**
 * @param {string} path
 * @param {string} source
 * @returns {FileReport} every text that was looked at, whether it opens badly or not
 */
export function findOpeners(path, source) {
  const findings = path.endsWith('.md') ? findInDocument(source) : findInSource(path, source);
  const words = findings
    .filter(({ kind }) => kind !== 'comments')
    .flatMap(({ line, text }) => listedWordsOf(text).map((word) => ({ line, text, word })));
  return { findings, words };
}

/**
 * @param {string} markdown
 * @returns {Finding[]}
 */
function findInDocument(markdown) {
  return readMarkdown(markdown).flatMap((block) => sentencesOf(block, 'sentences of documents'));
}

/**
 * @param {string} path
 * @param {string} source
 * @returns {Finding[]}
 */
function findInSource(path, source) {
  const { comments, strings } = readSource(source, path);
  const found = comments.flatMap((comment) => [
    finding(comment, 'comments'),
    ...sentencesOf(comment, 'sentences inside comments'),
  ]);
  if (!TEST_FILE.test(path)) return [...found, ...findTexts(strings)];
  return [...found, ...findTitles(source)];
}

/**
 * @param {readonly Block[]} strings
 * @returns {Finding[]}
 */
function findTexts(strings) {
  return strings
    .filter(({ text }) => /^[A-Z]\S* /.test(text) && text.split(/\s+/).length >= LEAST_WORDS)
    .flatMap((text) => sentencesOf(text, 'texts for people'));
}

/**
 * @param {string} source
 * @returns {Finding[]}
 */
function findTitles(source) {
  return [...source.matchAll(TITLE)].map((match) => ({
    line: source.slice(0, match.index).split('\n').length,
    text: match[1] ?? match[2] ?? '',
    kind: 'test titles',
    opensBadly: titleOpensBadly(match[1] ?? match[2] ?? ''),
  }));
}

/**
 * @param {Block} block
 * @param {Kind} kind
 * @returns {Finding[]}
 */
function sentencesOf({ line, text }, kind) {
  return splitSentences(text).map((sentence) => finding({ line, text: sentence }, kind));
}

/**
 * @param {Block} block
 * @param {Kind} kind
 * @returns {Finding}
 */
function finding({ line, text }, kind) {
  const first = splitSentences(text)[0] ?? text;
  return { line, text: first, kind, opensBadly: opensBadly(first) };
}
