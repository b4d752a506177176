import { html } from 'ghtml';
import { instant } from '#console/components/instant.ts';
import type { Visit } from '#console/shell/visit.ts';
import type { Story } from './read-story.ts';
import { happenedAt } from './timeline-entry.ts';
import { wordsOf } from './timeline-words.ts';

/** The one timeline, newest first. */
export function timelineList(visit: Visit, story: Story): string {
  const items = story.entries.map((entry) => {
    const { title, tone, lines, details = '' } = wordsOf(visit, story, entry);
    const told = lines.map((line) => html`<p>!${line}</p>`).join('');
    return html`<li class="${tone}"><p class="when">!${instant(visit, happenedAt(entry))}</p>
<div class="told"><p class="what">${title}</p>!${told}!${details}</div></li>`;
  });
  return `<ol class="timeline" reversed>${items.join('\n')}</ol>`;
}
