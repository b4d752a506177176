import { html } from 'ghtml';
import type { Tone } from './badge.ts';

export interface TimelineItem {
  /** HTML of the instant. */
  readonly when: string;
  readonly title: string;
  readonly tone: Tone;
  /** HTML, a line each. */
  readonly lines: readonly string[];
  /** HTML below the lines. */
  readonly details?: string;
}

/** A list of events, newest first. */
export function timeline(items: readonly TimelineItem[]): string {
  const entries = items.map(({ when, title, tone, lines, details = '' }) => {
    const told = lines.map((line) => `<p>${line}</p>`).join('');
    return html`<li class="${tone}"><p class="when">!${when}</p>
<div class="told"><p class="what">${title}</p>!${told}!${details}</div></li>`;
  });
  return `<ol class="timeline" reversed>${entries.join('\n')}</ol>`;
}
