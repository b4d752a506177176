import type { Page } from 'playwright-core';

/** Longer words may be broken anywhere, and so may facts, code and addresses. */
const LONGEST_WORD = 12;

/** The words of the page's content that stand on more than one line (WCAG 1.4.4). */
export function brokenWords(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const WORD = /(?<![\\p{L}\\d])\\p{L}{2,${LONGEST_WORD}}(?![\\p{L}\\d])/gu;
    const broken = [];
    const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { currentNode: node } = texts;
      const { parentElement: parent } = node;
      const isLeftOut = parent.closest('svg, .unseen, code, dd, .contact li');
      if (isLeftOut || !parent.checkVisibility()) continue;
      for (const { 0: word, index } of node.data.matchAll(WORD)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1) broken.push(word);
      }
    }
    return broken;
  })()`);
}
