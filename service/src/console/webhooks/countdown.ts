import { html } from 'ghtml';
import type { Visit } from '#console/shell/visit.ts';
import { duration } from './duration.ts';

/**
 * The time until an instant, which the page script `console-countdown` counts down.
 *
 * @param sentence makes the text around the duration, as plain text
 */
export function countdown({ now }: Visit, until: Date, sentence: (left: string) => string): string {
  const leftMs = Math.max(0, until.getTime() - now.getTime());
  return html`<span data-counted="${leftMs}" data-sentence="${sentence('#')}"
>${sentence(duration(leftMs))}</span>`;
}
