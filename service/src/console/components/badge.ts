import { html } from 'ghtml';

export type Tone = 'good' | 'bad' | 'wait' | 'plain';

/** A word with a colour; the word alone carries the meaning. */
export function badge(word: string, tone: Tone): string {
  return html`<span class="badge ${tone}">${word}</span>`;
}
