import { html } from 'ghtml';
import type { Html } from './texts.ts';

/** Marks that turn the direction of what follows: a name could rewrite the amount beside it. */
const DIRECTION_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A merchant's words as pages show them; the template still has to escape them. */
export function shownText(text: string): string {
  return text.replace(DIRECTION_MARKS, '');
}

/** A value as HTML: a text is escaped, HTML stays. */
export function shownValue(value: string | Html): string {
  return typeof value === 'string' ? html`${shownText(value)}` : value.html;
}
