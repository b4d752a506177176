import { html } from 'ghtml';
import type { Visit } from '#console/shell/visit.ts';
import { pageTexts } from '#http/pages/texts.ts';

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

/**
 * A part of a page that changes by itself: the page script `console-refresh` reads the page again
 * every other second and replaces the part. Without scripts, a reload does the same.
 *
 * @param isLive false: nothing more will change by itself
 */
export function refreshed(id: string, body: string, isLive: boolean): string {
  return html`<div id="${id}"!${isLive ? ' data-refresh' : ''}>!${body}</div>`;
}

const INDENT = '  ';

/**
 * Breaks JSON text into lines without touching a value: `10.00` stays as it was sent, which a
 * parser would shorten. Text that is no JSON comes out with other white space at most. Pure.
 */
export function indentJson(text: string): string {
  let out = '';
  let depth = 0;
  const line = () => `\n${INDENT.repeat(Math.max(depth, 0))}`;
  // Strings are one token, so that brackets and commas within them stand for themselves.
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[{[]\s*[}\]]|[^\s]/gu)) {
    if (token === '{' || token === '[') {
      depth += 1;
      out += token + line();
    } else if (token === '}' || token === ']') {
      depth -= 1;
      out += line() + token;
    } else if (token === ',') out += token + line();
    else out += token === ':' ? ': ' : token;
  }
  return out;
}

/** How attempts ended and why deliveries were given up: in English as the API says it. */
export const OUTCOME_TEXTS = pageTexts('console.webhooks.outcomes');
