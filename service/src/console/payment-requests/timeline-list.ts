import { html } from 'ghtml';
import { answerKind, eventWord } from '#console/components/badges.ts';
import { emptyState, tabs, timeline } from '#console/components/parts.ts';
import { instant, relativeText } from '#console/components/values.ts';
import type { Visit } from '#console/shell/visit.ts';
import type { RequestDetails } from './read-details.ts';
import { refundSimulation } from './simulations.ts';
import { REQUEST_TEXTS, TIMELINE_TEXTS } from './texts.ts';
import type { RequestEntry } from './timeline-entry.ts';
import { type ShownEntry, wordsOf } from './timeline-words.ts';

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
  const others = rest.map((entry): Told => [entry, wordsOf(visit, shown, entry)]);
  const list = stepsOf(deliveriesIn(others).map((each) => foldAttempts(visit, shown, each)));
  const codes = [[lead, wordsOf(visit, shown, lead)] as const, ...others]
    .map(([entry, each]) => codesOf(entry, each))
    .join('');
  const refund = shown.refunds.find(({ id }) => id === refundIdOf(lead));
  const simulation = refund ? refundSimulation(visit, shown.paymentRequest, refund) : '';
  const technical = TIMELINE_TEXTS[visit.language].text('technical');
  const fold = html`<details class="exchange"><summary>${technical}</summary>
<ul class="plain small">!${codes}</ul></details>`;
  return {
    tone,
    title,
    lines,
    when: instant(visit, lead.at),
    details: details + list + simulation + fold,
  };
}

type Told = readonly [entry: RequestEntry, words: ShownEntry];

/** The attempts of one delivery together, at the place of the first; other entries alone. */
function deliveriesIn(told: readonly Told[]): readonly (readonly Told[])[] {
  return [...Map.groupBy(told, ([entry]) => attemptOf(entry)?.deliveryId ?? entry).values()];
}

/** The latest attempt under the number of attempts; the earlier ones are folded. */
function foldAttempts(visit: Visit, { deliveries }: RequestDetails, told: readonly Told[]) {
  const { text } = TIMELINE_TEXTS[visit.language];
  const [entry, words] = told.at(-1) as Told;
  const last = attemptOf(entry);
  if (told.length === 1 || !last) return words;
  const next = deliveries.find(({ id }) => id === last.deliveryId)?.nextAttemptAt;
  const title = text(next ? 'attemptsNext' : 'attempts', {
    type: eventWord(visit.language, last.eventType),
    count: told.length,
    kind: answerKind(last),
    status: `${last.httpStatus}`,
    next: next ? relativeText(visit, next) : '',
  });
  const count = told.length - 1;
  const earlier = stepsOf(told.slice(0, -1).map(([, each]) => each));
  return {
    ...words,
    title,
    details: html`!${words.details ?? ''}<details class="exchange">
<summary>${text('attemptsEarlier', { count })}</summary>!${earlier}</details>`,
  };
}

function stepsOf(list: readonly ShownEntry[]): string {
  const steps = list.map(({ tone, title, lines, details = '' }) => {
    const told = lines.map((line) => `<p>${line}</p>`).join('');
    return html`<li class="${tone}"><p class="step">${title}</p>!${told}!${details}</li>`;
  });
  return steps.length > 0 ? `<ul class="steps">${steps.join('')}</ul>` : '';
}

/** People compare the entry with the lines of their own logs. */
function codesOf(entry: RequestEntry, { title, codes = [] }: ShownEntry): string {
  const utc = entry.at.toISOString().slice(UTC_TIME.from, UTC_TIME.to);
  return html`<li><span class="mono">${utc} UTC</span> ${title} !${codes.join(' ')}</li>`;
}

/** The parts of the timeline that people ask for alone. */
export const TIMELINE_PARTS = ['money', 'webhooks', 'payer'] as const;
export type TimelinePart = (typeof TIMELINE_PARTS)[number];

/** Entries about one thing that happened. */
export interface EntryGroup {
  /** The entry that names it. */
  readonly lead: RequestEntry;
  /** The other entries, oldest first. */
  readonly rest: readonly RequestEntry[];
}

/** The part that an entry belongs to; null: it stands in the whole timeline alone. */
export function partOf(entry: RequestEntry): TimelinePart | null {
  switch (entry.kind) {
    case 'MOVEMENT':
      return 'money';
    case 'EVENT':
      return 'webhooks';
    case 'ACT':
      if (entry.act.action === 'WEBHOOK_REDELIVERED') return 'webhooks';
      return /REFUND|CASE|PROPOSAL/.test(entry.act.action) ? 'money' : null;
    case 'HISTORY':
      return partOfHistory(entry.entry);
  }
}

function partOfHistory(entry: HistoryEntry): TimelinePart | null {
  switch (entry.type) {
    case 'WEBHOOK_ATTEMPTED':
      return 'webhooks';
    case 'LINK_OPENED':
    case 'PAYER_STEP':
      return 'payer';
    case 'STATUS_CHANGED':
      return entry.details.status === 'PAID' ? 'money' : null;
    case 'PART_RECEIVED':
    case 'MONEY_RETURNED':
    case 'REFUND_CHANGED':
    case 'CASE_SETTLED':
      return 'money';
    default:
      return null;
  }
}

type HistoryEntry = Extract<RequestEntry, { kind: 'HISTORY' }>['entry'];

/**
 * Groups the entries by what happened: a refund, a run of the payer's steps, or the change of one
 * instant with its money and its webhook.
 *
 * @param entries newest first
 * @returns the group whose lead is the newest comes first
 */
export function groupsOf(entries: readonly RequestEntry[]): readonly EntryGroup[] {
  const keyOf = groupKeys(entries);
  const members = Map.groupBy(entries, keyOf);
  const groups = [...members.values()].map((group): EntryGroup => {
    const [lead = group[0]] = group.toSorted((one, other) => placeOf(one) - placeOf(other));
    return { lead: lead as RequestEntry, rest: group.filter((each) => each !== lead).reverse() };
  });
  const at = ({ lead }: EntryGroup) => lead.at.getTime();
  return groups.sort((one, other) => at(other) - at(one));
}

/** The entry that names a group has the lowest place. */
function placeOf(entry: RequestEntry): number {
  if (entry.kind === 'HISTORY') {
    const { type } = entry.entry;
    if (type === 'WEBHOOK_ATTEMPTED') return 5;
    return type === 'STATUS_CHANGED' || type === 'REFUND_CHANGED' ? 0 : 1;
  }
  return { MOVEMENT: 2, ACT: 3, EVENT: 4 }[entry.kind];
}

/** Moves of money and status; a webhook about one may be made later. */
const CHANGES = new Set(['STATUS_CHANGED', 'MONEY_RETURNED']);

function groupKeys(entries: readonly RequestEntry[]): (entry: RequestEntry) => string {
  const changes = entries.filter((each) => each.kind === 'HISTORY' && CHANGES.has(each.entry.type));
  const refunds = entries.filter((entry) => refundIdOf(entry) !== null);
  const sentAt = new Map(
    entries.flatMap((each) => (each.kind === 'EVENT' ? [[each.event.id, each.at] as const] : [])),
  );
  let run = 0;
  return (entry) => {
    if (partOf(entry) === 'payer') return `payer ${run}`;
    const attempt = attemptOf(entry);
    if (!attempt) run += 1;
    const about = attempt ?? (entry.kind === 'EVENT' ? entry.event : null);
    const at = (sentAt.get(attempt?.eventId ?? '') ?? entry.at).getTime();
    const isOfRefund = about?.eventType.startsWith('REFUND');
    const refund = isOfRefund ? refunds.find((each) => each.at.getTime() <= at) : entry;
    const refundId = refund && refundIdOf(refund);
    if (refundId) return `refund ${refundId}`;
    // A second status in the same millisecond is another thing that happened.
    const change = changes.includes(entry)
      ? entry
      : changes.find((each) => (about ? each.at.getTime() <= at : each.at.getTime() === at));
    return change ? `change ${changes.indexOf(change)}` : `${at}`;
  };
}

function attemptOf(entry: RequestEntry) {
  const isAttempt = entry.kind === 'HISTORY' && entry.entry.type === 'WEBHOOK_ATTEMPTED';
  return isAttempt ? entry.entry.details : null;
}

function refundIdOf(entry: RequestEntry): string | null {
  if (entry.kind === 'EVENT') return null;
  if (entry.kind === 'MOVEMENT') return entry.movement.refundId;
  const { details } = entry.kind === 'ACT' ? entry.act : entry.entry;
  return 'refundId' in details && typeof details.refundId === 'string' ? details.refundId : null;
}
