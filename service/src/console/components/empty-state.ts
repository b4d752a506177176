import { html } from 'ghtml';

/** Shown instead of an empty list: why it is empty, and the next step as HTML. */
export function emptyState(reason: string, nextStep = ''): string {
  return html`<div class="empty"><p>${reason}</p>!${nextStep}</div>`;
}
