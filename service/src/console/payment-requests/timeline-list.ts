import { html } from 'ghtml';
import { instant } from '#console/components/instant.ts';
import { timeline } from '#console/components/timeline.ts';
import type { Visit } from '#console/shell/visit.ts';
import type { RequestDetails } from './read-details.ts';
import { happenedAt } from './timeline-entry.ts';
import { wordsOf } from './timeline-words.ts';

/** The time of day to the millisecond, in `2026-03-01T12:00:00.000Z`. */
const UTC_TIME = { from: 11, to: 23 };

/** The one timeline, newest first. */
export function timelineList(visit: Visit, shown: RequestDetails): string {
  const items = shown.entries.map((entry) => {
    const at = happenedAt(entry);
    // People compare the entry with the lines of their own logs.
    const utc = at.toISOString().slice(UTC_TIME.from, UTC_TIME.to);
    const when = html`!${instant(visit, at)} <span class="mono">${utc} UTC</span>`;
    return { ...wordsOf(visit, shown, entry), when };
  });
  return timeline(items);
}
