import Turndown from 'turndown';
import type { Page } from '#http/pages/page.ts';

/** Menus, buttons, and what a script fills in: they lead a reader of the page, and say nothing. */
const NO_TEXT = /(?:^|\s)(?:own|copy-status|crumbs|button)(?:\s|$)/;

const converter = new Turndown({
  headingStyle: 'atx',
  codeBlockStyle: 'fenced',
  bulletListMarker: '-',
});
const escapeText = converter.escape;
// A search shows the words of its address: no reader of Markdown may take them for HTML.
converter.escape = (text) => escapeText(text).replaceAll('<', '\\<');
converter.addRule('no text', {
  filter: ({ nodeName, className }) => nodeName === 'NAV' || NO_TEXT.test(className),
  replacement: () => '',
});
for (const label of ['legend', 'label', 'summary'] as const) {
  converter.addRule(label, {
    filter: label,
    replacement: (text) => (label === 'legend' ? '' : `\n\n**${text}**\n\n`),
  });
}

/** A page of the documentation as Markdown: its text, without what leads from page to page. */
export function pageMarkdown({ body }: Page): string {
  return `${converter.turndown(body).trim()}\n`;
}
