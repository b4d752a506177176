import { html } from 'ghtml';

export interface PagerOptions {
  /** The address of the list, with its filters and without a cursor. */
  readonly firstHref: string;
  /** null: this is the last page. */
  readonly nextCursor: string | null;
  readonly isFirst: boolean;
  readonly labels: { readonly first: string; readonly next: string; readonly name: string };
}

/** Links to the first and the next page of a list; nothing where one page holds all. */
export function pager({ firstHref, nextCursor, isFirst, labels }: PagerOptions): string {
  if (isFirst && nextCursor === null) return '';
  const glue = firstHref.includes('?') ? '&' : '?';
  const first = isFirst ? '' : html`<a rel="first" href="${firstHref}">${labels.first}</a>`;
  const next =
    nextCursor === null
      ? ''
      : html`<a rel="next" href="${firstHref}${glue}cursor=${nextCursor}">${labels.next}</a>`;
  return html`<nav class="pager" aria-label="${labels.name}">!${first}!${next}</nav>`;
}
