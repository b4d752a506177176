// Reads the comments and the string literals of a source file. The scanner knows as much of each
// language as it takes not to mistake a string or a regular expression for a comment.

/** @typedef {import('./sentences.mjs').Block} Block */
/** @typedef {{ line: number, text: string, isWholeLine: boolean, isBlock: boolean }} RawComment */
/**
 * @typedef {object} SourceTexts
 * @property {readonly Block[]} comments
 * @property {readonly Block[]} strings
 */

/** The tokens that matter, in the order in which they are tried. */
const SCRIPT_TOKENS = new RegExp(
  [
    /(?<block>\/\*[\s\S]*?\*\/)/,
    /(?<line>\/\/[^\n]*)/,
    /(?<string>'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*")/,
    /(?<tick>`)/,
    /(?<open>\{)/,
    /(?<close>\})/,
    /(?<slash>\/)/,
    /(?<word>[\w$]+)/,
    /(?<space>\s+)/,
    /(?<other>.)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gy',
);
const SQL_TOKENS =
  /(?<block>\/\*[\s\S]*?\*\/)|(?<line>--[^\n]*)|(?<string>'(?:[^']|'')*')|(?<other>[\s\S])/gy;
const SHELL_TOKENS =
  /(?<string>'[^']*'|"(?:[^"\\]|\\[\s\S])*")|(?<line>(?<=^|\s)#[^\n]*)|(?<other>[\s\S])/gmy;
/** A slash after one of these begins a regular expression; after anything else it divides. */
const BEFORE_PATTERN = /^(?:[=(,:;!&|?{}[+\-*%<>~^]|return|typeof|case|of|in|await|yield|throw|)$/;
const PATTERN = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/y;
const TEMPLATE_TEXT = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*/y;
/** Comments that speak to a program. */
const DIRECTIVE = /^(?:!|biome-ignore|@ts-|shellcheck |\/ ?<|Up Migration|Down Migration)/;

/**
 * @param {string} source
 * @param {string} path whose ending names the language
 * @returns {SourceTexts}
 */
export function readSource(source, path) {
  if (path.endsWith('.sql')) return scanPlain(source, SQL_TOKENS);
  if (/\.(?:[cm]?[jt]s|json)$/.test(path)) return scanScript(source);
  return scanPlain(source, SHELL_TOKENS);
}

/**
 * @param {string} source
 * @param {RegExp} tokens
 * @returns {SourceTexts}
 */
function scanPlain(source, tokens) {
  /** @type {RawComment[]} */
  const comments = [];
  for (const match of source.matchAll(tokens)) {
    const { block, line } = match.groups ?? {};
    if (block ?? line) comments.push(rawComment(source, match.index, match[0]));
  }
  return { comments: joinComments(comments), strings: [] };
}

/**
 * @param {string} source
 * @returns {SourceTexts}
 */
function scanScript(source) {
  /** @type {RawComment[]} */
  const comments = [];
  /** @type {Block[]} */
  const strings = [];
  /** How many braces are open in each template's expression, the innermost last. */
  const depths = [0];
  let before = '';
  let at = 0;
  while (at < source.length) {
    SCRIPT_TOKENS.lastIndex = at;
    const match = SCRIPT_TOKENS.exec(source);
    if (match === null) break;
    const groups = match.groups ?? {};
    const token = match[0];
    let end = at + token.length;
    if (groups.block ?? groups.line) {
      comments.push(rawComment(source, at, token));
    } else if (groups.string) {
      strings.push({ line: lineOf(source, at), text: token.slice(1, -1) });
      before = token;
    } else if (groups.tick || (groups.close && depths.length > 1 && depths.at(-1) === 0)) {
      if (groups.close) depths.pop();
      const text = matchAt(TEMPLATE_TEXT, source, end);
      if (groups.tick) strings.push({ line: lineOf(source, at), text });
      end += text.length;
      if (source.startsWith('${', end)) depths.push(0);
      end += source.startsWith('${', end) ? 2 : 1;
      before = source.startsWith('${', end - 2) ? '{' : '`';
    } else if (groups.slash && BEFORE_PATTERN.test(before)) {
      end = at + (matchAt(PATTERN, source, at).length || 1);
      before = token;
    } else if (!groups.space) {
      const depth = (depths.pop() ?? 0) + (groups.open ? 1 : groups.close ? -1 : 0);
      depths.push(depth);
      before = token;
    }
    at = end;
  }
  return { comments: joinComments(comments), strings };
}

/**
 * @param {RegExp} pattern sticky
 * @param {string} source
 * @param {number} at
 */
function matchAt(pattern, source, at) {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0] ?? '';
}

/**
 * @param {string} source
 * @param {number} at
 * @param {string} token
 * @returns {RawComment}
 */
function rawComment(source, at, token) {
  const lineStart = source.lastIndexOf('\n', at - 1) + 1;
  return {
    line: lineOf(source, at),
    text: token
      .replace(/^(?:\/\*+|\/\/|--|#)|\*\/$/g, '')
      .replace(/^\s*\* ?/gm, '')
      .trim(),
    isWholeLine: source.slice(lineStart, at).trim() === '',
    isBlock: token.startsWith('/*'),
  };
}

/**
 * Comment lines that follow each other are one comment.
 * @param {readonly RawComment[]} comments
 * @returns {readonly Block[]}
 */
function joinComments(comments) {
  /** @type {{ line: number, text: string, next: number }[]} */
  const joined = [];
  for (const { line, text, isWholeLine, isBlock } of comments) {
    const last = joined.at(-1);
    if (DIRECTIVE.test(text)) continue;
    const next = isWholeLine && !isBlock ? line + 1 : 0;
    if (last !== undefined && next > 0 && last.next === line) {
      last.text += ` ${text}`;
      last.next = next;
    } else joined.push({ line, text, next });
  }
  return joined.filter(({ text }) => /[a-z]/i.test(text)).map(({ line, text }) => ({ line, text }));
}

/**
 * @param {string} source
 * @param {number} at
 */
function lineOf(source, at) {
  return source.slice(0, at).split('\n').length;
}
