import { html } from 'ghtml';

export interface PageHead {
  readonly title: string;
  /** HTML in the heading, after the title: a status badge. */
  readonly badge?: string;
  /** HTML of the line under the title. */
  readonly under?: string;
  /** HTML of the reason why a thing stands so: before the acts on phones, else below them. */
  readonly notice?: string;
  /** The page above this one. */
  readonly back?: { readonly href: string; readonly name: string };
  /** HTML of buttons and links at the top right; the primary act stands last. */
  readonly acts?: string;
}

/** The heading of a page, with its acts. */
export function pageHead(head: PageHead): string {
  const { title, badge = '', under = '', notice = '', back, acts = '' } = head;
  const crumbs = back ? html`<p class="crumbs"><a href="${back.href}">← ${back.name}</a></p>` : '';
  return html`<div class="page-head"><div>!${crumbs}<h1>${title}!${badge && ` ${badge}`}</h1>
!${under && `<p class="under">${under}</p>`}</div>
!${notice}!${acts && `<div class="actions">${acts}</div>`}</div>`;
}
