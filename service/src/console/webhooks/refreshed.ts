import { html } from 'ghtml';

/**
 * A part of a page that changes by itself: the page script `console-refresh` reads the page again
 * every other second and replaces the part. Without scripts, a reload does the same.
 *
 * @param isLive false: nothing more will change by itself
 */
export function refreshed(id: string, body: string, isLive: boolean): string {
  return html`<div id="${id}"!${isLive ? ' data-refresh' : ''}>!${body}</div>`;
}
