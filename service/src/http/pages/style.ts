import { readFileSync } from 'node:fs';

const FOLDER = new URL('../../../browser/styles/', import.meta.url);

/**
 * Reads sheets of `service/browser/styles` in the order of the cascade, without the comments and
 * line breaks, which only the source needs.
 */
export function readStyle(...sheets: readonly string[]): string {
  const css = sheets.map((name) => readFileSync(new URL(`${name}.css`, FOLDER), 'utf8')).join('');
  return css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The style of every page: system fonts, one column, light and dark, down to 320 px. */
export const PAGE_STYLE = readStyle('base/tokens', 'base/document', 'base/frame');
/** With the parts of the payer's pages, which pages for developers have not. */
export const PAYER_STYLE = `${PAGE_STYLE} ${readStyle('payer/page')}`;
