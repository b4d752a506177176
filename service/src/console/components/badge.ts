import { html } from 'ghtml';

/** States of things: docs/design.md says which word has which. */
export const TONES = ['good', 'info', 'warning', 'bad', 'neutral'] as const;
export type Tone = (typeof TONES)[number];

/** A word with a colour; the word alone carries the meaning. Several words are a `long` badge. */
export function badge(word: string, tone: Tone): string {
  return html`<span class="badge ${tone}!${word.includes(' · ') ? ' long' : ''}">${word}</span>`;
}

/** A badge with the reason of its state behind it; null: the state needs none. */
export function badgeWithReason(shown: string, reason: string | null): string {
  return shown + (reason === null ? '' : html`<span class="reason">${reason}</span>`);
}

/** A number beside a word, such as the cases that wait. */
export function countBadge(count: string, tone: Tone = 'neutral'): string {
  return html`<span class="count ${tone}">${count}</span>`;
}
