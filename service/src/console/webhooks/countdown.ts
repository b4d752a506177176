import { html } from 'ghtml';
import type { Visit } from '#console/shell/visit.ts';

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

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** A duration in its two largest units, in signs that English and French share: `23 h 5 min`. */
export function duration(ms: number): string {
  const left = Math.max(0, Math.floor(ms / SECOND_MS) * SECOND_MS);
  if (left >= HOUR_MS) return both(left, HOUR_MS, 'h', MINUTE_MS, 'min');
  if (left >= MINUTE_MS) return both(left, MINUTE_MS, 'min', SECOND_MS, 's');
  return `${left / SECOND_MS} s`;
}

function both(ms: number, large: number, name: string, small: number, smallName: string): string {
  const rest = Math.floor((ms % large) / small);
  const whole = `${Math.floor(ms / large)} ${name}`;
  return rest === 0 ? whole : `${whole} ${rest} ${smallName}`;
}
