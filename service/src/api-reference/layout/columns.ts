import { html } from 'ghtml';

export interface Columns {
  /** HTML of the text. */
  readonly text: string;
  /** HTML beside the text, which a narrow page has before it. */
  readonly beside?: string;
  /** HTML that a narrow page has behind the part beside. */
  readonly more?: string;
  /** HTML of the menu on wide pages, and its name. */
  readonly menu: string;
  readonly label: string;
}

/** Menu, text, and what stands beside the text where a page is wide. */
export function columns({ menu, label, text, beside = '', more = '' }: Columns): string {
  return html`<div class="docs"><nav class="menu" aria-label="${label}">!${menu}</nav>
<div class="text">!${text}</div>
!${beside && html`<div class="beside">!${beside}</div>`}
!${more && html`<div class="text">!${more}</div>`}</div>`;
}

export interface MenuLink {
  readonly address: string;
  readonly title: string;
}

/** The links of a menu, with that of the page marked. */
export function menuList(links: readonly MenuLink[], current?: string): string {
  const items = links.map(({ address, title }) => {
    const mark = address === current ? ' aria-current="page"' : '';
    return html`<li><a href="${address}"!${mark}>${title}</a></li>`;
  });
  return html`<ul>!${items.join('\n')}</ul>`;
}

/** Links to the pages before and behind a page, in the order of reading. */
export function neighbours(links: readonly MenuLink[], current: string): string {
  const place = links.findIndex(({ address }) => address === current);
  const link = (to: MenuLink | undefined, before: string, behind: string) =>
    to ? html`<a href="${to.address}">${before}${to.title}${behind}</a>` : '<span></span>';
  return html`<nav class="pair" aria-label="Next pages">!${link(links[place - 1], '← ', '')}
!${link(links[place + 1], '', ' →')}</nav>`;
}
