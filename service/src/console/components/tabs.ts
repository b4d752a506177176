import { html } from 'ghtml';
import { countBadge } from './badge.ts';

export interface Tab {
  readonly href: string;
  readonly name: string;
  readonly isCurrent: boolean;
  /** The rows behind the tab, as the language writes the number. */
  readonly count?: string;
  /** HTML after the link. */
  readonly more?: string;
}

/** Links between the views of one thing. */
export function tabs(label: string, list: readonly Tab[]): string {
  const items = list.map(({ href, name, isCurrent, count, more = '' }) => {
    const mark = isCurrent ? ' aria-current="page"' : '';
    const number = count === undefined ? '' : ` ${countBadge(count)}`;
    return html`<li><a href="${href}"!${mark}>${name}!${number}</a>!${more}</li>`;
  });
  return html`<nav aria-label="${label}"><ul class="tabs">!${items.join('')}</ul></nav>`;
}
