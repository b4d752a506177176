import { html } from 'ghtml';

/** A cell without a value. */
const NONE = '–';

/** A text, or a dash. */
export function optional(text: string | null): string {
  return text === null ? NONE : html`${text}`;
}

/** An identifier or a URL, in letters of one width; or a dash. */
export function mono(text: string | null): string {
  return text === null ? NONE : html`<span class="mono">${text}</span>`;
}

/** An identifier that is short enough for one line; or a dash. */
export function identifier(text: string | null): string {
  return text === null ? NONE : html`<span class="mono id">${text}</span>`;
}
