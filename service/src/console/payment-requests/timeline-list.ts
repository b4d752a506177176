import { html } from 'ghtml';
import { instant } from '#console/components/instant.ts';
import type { Visit } from '#console/shell/visit.ts';
import type { RequestDetails } from './read-details.ts';
import { happenedAt } from './timeline-entry.ts';
import { wordsOf } from './timeline-words.ts';

/** The time of day to the millisecond, in `2026-03-01T12:00:00.000Z`. */
const UTC_TIME = { from: 11, to: 23 };

/** The one timeline, newest first. */
export function timelineList(visit: Visit, shown: RequestDetails): string {
  const items = shown.entries.map((entry) => {
    const { title, tone, lines, details = '' } = wordsOf(visit, shown, entry);
    const told = lines.map((line) => html`<p>!${line}</p>`).join('');
    const at = happenedAt(entry);
    // People compare the entry with the lines of their own logs.
    const utc = at.toISOString().slice(UTC_TIME.from, UTC_TIME.to);
    return html`<li class="${tone}"><p class="when">!${instant(visit, at)}
<span class="mono">${utc} UTC</span></p>
<div class="told"><p class="what">${title}</p>!${told}!${details}</div></li>`;
  });
  return `<ol class="timeline" reversed>${items.join('\n')}</ol>`;
}
