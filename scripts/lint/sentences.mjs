// Splits texts into sentences, and Markdown into its blocks of prose.

/** @typedef {{ readonly line: number, readonly text: string }} Block */

/**
 * @param {string} text
 * @returns {readonly string[]}
 */
export function splitSentences(text) {
  return text
    .replace(/\s+/g, ' ')
    .split(/(?<=[.!?]["'”’)*_\]]*) (?=["'“‘(*_[`]*[A-Z`])| (?=@(?:param|returns|throws) )/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

/**
 * Paragraphs, list items, headings and cells of tables; code stays out.
 * @param {string} markdown
 * @returns {readonly Block[]}
 */
export function readMarkdown(markdown) {
  /** @type {{ line: number, text: string }[]} */
  const blocks = [];
  let isOpen = false;
  let isCode = false;
  for (const [index, line] of markdown.split('\n').entries()) {
    const isFence = /^\s*(?:```|~~~)/.test(line);
    if (isFence) isCode = !isCode;
    const prose = isFence || isCode ? '' : withoutLinks(line.replace(/^[\s>]+/, '')).trim();
    const last = blocks.at(-1);
    if (prose === '') {
      isOpen = false;
    } else if (prose.startsWith('|')) {
      isOpen = false;
      for (const cell of prose.split('|')) addBlock(index + 1, cell.trim());
    } else if (/^#+ /.test(prose)) {
      isOpen = false;
      addBlock(index + 1, prose.replace(/^#+ /, ''));
    } else if (isOpen && last !== undefined && !/^(?:[-*+]|\d+\.) /.test(prose)) {
      last.text += ` ${prose}`;
    } else {
      isOpen = true;
      addBlock(index + 1, prose.replace(/^(?:[-*+]|\d+\.) /, ''));
    }
  }
  return blocks;

  /**
   * @param {number} line
   * @param {string} text
   */
  function addBlock(line, text) {
    if (/[a-z]/i.test(text)) blocks.push({ line, text });
  }
}

/** @param {string} line */
function withoutLinks(line) {
  return line.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1');
}
