import { html } from 'ghtml';
import type { Tone } from './badge.ts';

export interface Tile {
  readonly label: string;
  /** HTML. */
  readonly value: string;
  /** A line under the number. */
  readonly note?: string;
  /** The list of what the number counts; the whole tile leads there. */
  readonly href?: string | null;
  /** Left out: the number asks for nothing. */
  readonly tone?: Tone;
}

/** Numbers that are read at a glance, each with its name; `lead`: those that a page is about. */
export function tiles(list: readonly Tile[], size: '' | 'lead' = ''): string {
  return `<div class="tiles ${size}">${list.map(tile).join('')}</div>`;
}

function tile({ label, value, note, href, tone = 'neutral' }: Tile): string {
  const name = href ? html`<a href="${href}">${label}</a>` : html`${label}`;
  return html`<section class="card tile ${tone}"><h3>!${name}</h3><p class="number">!${value}</p>
!${note ? html`<p class="small">${note}</p>` : ''}</section>`;
}
