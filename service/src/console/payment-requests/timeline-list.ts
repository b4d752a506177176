import { html } from 'ghtml';
import { emptyState, tabs, timeline } from '#console/components/parts.ts';
import { instant } from '#console/components/values.ts';
import type { Visit } from '#console/shell/visit.ts';
import { pageTexts } from '#http/pages/texts.ts';
import type { RequestDetails } from './read-details.ts';
import { REQUEST_TEXTS } from './texts.ts';
import type { RequestEntry } from './timeline-entry.ts';
import { type EntryGroup, groupsOf, partOf, TIMELINE_PARTS } from './timeline-groups.ts';
import { type ShownEntry, wordsOf } from './timeline-words.ts';

const TIMELINE_TEXTS = pageTexts('console.payment-requests.timeline');

/** The time of day to the millisecond, in `2026-03-01T12:00:00.000Z`. */
const UTC_TIME = { from: 11, to: 23 };

/** The one timeline by what happened, newest first, or the part that the address asks for. */
export function timelineList(visit: Visit, shown: RequestDetails): string {
  const { text } = REQUEST_TEXTS[visit.language];
  const asked = TIMELINE_PARTS.find((part) => part === visit.query.get('show'));
  const links = [undefined, ...TIMELINE_PARTS].map((part) => ({
    href: part ? `?show=${part}#timeline` : '?#timeline',
    name: text(`filter.${part ?? 'all'}`),
    isCurrent: part === asked,
  }));
  const entries = shown.entries.filter((entry) => !asked || partOf(entry) === asked);
  const items = groupsOf(entries).map((group) => groupItem(visit, shown, group));
  const list = items.length > 0 ? timeline(items) : emptyState(text('filterEmpty'));
  return tabs(text('filters'), links) + list;
}

/** A group under the words of its lead. */
function groupItem(visit: Visit, shown: RequestDetails, { lead, rest }: EntryGroup) {
  const { tone, title, lines, details = '' } = wordsOf(visit, shown, lead);
  const others = rest.map((entry) => [entry, wordsOf(visit, shown, entry)] as const);
  const steps = others.map(([, each]) => {
    const told = each.lines.map((line) => `<p>${line}</p>`).join('');
    return html`<li class="${each.tone}"><p class="step">${each.title}</p>!${told}
!${each.details ?? ''}</li>`;
  });
  const list = steps.length > 0 ? `<ul class="steps">${steps.join('')}</ul>` : '';
  const codes = [[lead, wordsOf(visit, shown, lead)] as const, ...others]
    .map(([entry, each]) => codesOf(entry, each))
    .join('');
  const technical = TIMELINE_TEXTS[visit.language].text('technical');
  const fold = html`<details class="exchange"><summary>${technical}</summary>
<ul class="plain small">!${codes}</ul></details>`;
  return {
    tone,
    title,
    lines,
    when: instant(visit, lead.at),
    details: details + list + fold,
  };
}

/** People compare the entry with the lines of their own logs. */
function codesOf(entry: RequestEntry, { title, codes = [] }: ShownEntry): string {
  const utc = entry.at.toISOString().slice(UTC_TIME.from, UTC_TIME.to);
  return html`<li><span class="mono">${utc} UTC</span> ${title} !${codes.join(' ')}</li>`;
}
