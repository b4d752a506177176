import { html } from 'ghtml';
import type { Visit } from '#console/shell/visit.ts';
import { localizedInstant } from '#http/negotiation/localized-values.ts';

/**
 * An instant in the time zone of the page, with UTC on hover. The page script `shown-times` writes
 * it as the browser does.
 */
export function instant({ language, timeZone }: Visit, at: Date | null): string {
  if (at === null) return '–';
  const utc = at.toISOString();
  const text = localizedInstant(language, at, timeZone);
  return html`<time datetime="${utc}" title="${utc}">${text}</time>`;
}
