import { html } from 'ghtml';
import {
  columns,
  developerPage,
  groupedMenu,
  type MenuLink,
  neighbours,
} from '#http/pages/developer-page.ts';
import type { Page } from '#http/pages/page.ts';
import type { Guide } from './render-guide.ts';

/** Fewer headings are seen without a table of contents. */
const FEWEST_HEADINGS = 2;
const HEADING = /<h2 id="([^"]*)">(.*?)<\/h2>/g;

/** A guide with the menu of all, its contents beside it, and the guides before and behind it. */
export function guidePage(guide: Guide, ordered: readonly Guide[], isSandbox: boolean): Page {
  const { name, title, body } = guide;
  const links = ordered.map(linkTo);
  const isIndex = name === '';
  const [lead = ''] = /^<p>.*?<\/p>/s.exec(body) ?? [];
  return developerPage({
    section: 'guides',
    isSandbox,
    title: isIndex ? 'Guides' : title,
    body: columns({
      label: 'Guides',
      // The index is its own menu.
      menu: isIndex ? '' : groupedMenu(links, addressOf(guide)),
      text: html`<h1>${title}</h1>!${lead.replace('<p>', '<p class="lead">')}`,
      beside: isIndex ? '' : contentsOf(body),
      more: html`!${body.slice(lead.length)}!${isIndex ? '' : neighbours(links, addressOf(guide))}`,
    }),
  });
}

/** The link of a guide, under its heading of the index. */
export const linkTo = (guide: Guide): MenuLink => ({ ...guide, address: addressOf(guide) });

function addressOf({ name }: Guide): string {
  return `/docs/guides/${name}`;
}

function contentsOf(body: string): string {
  const headings = [...body.matchAll(HEADING)];
  if (headings.length < FEWEST_HEADINGS) return '';
  const items = headings.map(
    ([, anchor, text]) => html`<li><a href="#${anchor}">!${text}</a></li>`,
  );
  return html`<nav class="contents" aria-label="On this page"><p>On this page</p>
<ul>!${items.join('\n')}</ul></nav>`;
}
