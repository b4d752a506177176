import { html } from 'ghtml';
import { badge, eventTitle, type Tone } from '#console/components/badges.ts';
import { copyField, copyStatus, emptyState, facts } from '#console/components/parts.ts';
import { amount, relativeTime, requestName } from '#console/components/values.ts';
import { renderField } from '#console/forms/render-field.ts';
import { type OfRequest, rowsOfRequests } from '#console/lists/rows-of-requests.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { indentJson } from '#console/webhooks/page-parts.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { Problem } from '#lib/problem.ts';
import { type BrowsedEvent, browseFeed } from '#webhooks/feed/browse-feed.ts';
import { readFeedOnward } from '#webhooks/feed/read-onward.ts';
import { EVENT_TYPES, type WebhookEventType } from '#webhooks/model/event-types.ts';
import type { WebhookPagesDeps } from '../deps.ts';
import { merchantHref } from '../paths.ts';

const FEED_TEXTS = pageTexts('console.webhooks.feed');

type FeedQuery = ReturnType<typeof readQuery>;

interface FeedView {
  readonly events: readonly BrowsedEvent[];
  /** null: the page is at an end of the feed. */
  readonly next: { readonly name: 'before' | 'after'; readonly cursor: string } | null;
  /** The cursor is none of this feed. */
  readonly fault?: string;
}

/** The events as they lie in the feed: from the newest back, or on from a reader's cursor. */
export async function showFeed(deps: WebhookPagesDeps, visit: Visit): Promise<ConsolePage> {
  const { text, rich } = FEED_TEXTS[visit.language];
  const query = readQuery(visit);
  const { events, next, fault } = await readView(deps, visit, query);
  const heads = events.map((event) => ({ ...event, ...headOf(event.body) }));
  const shown = await rowsOfRequests(deps.db, visit.merchantId, heads, requestIdOf);
  const isFiltered = query.types.length > 0 || query.after !== null;
  const none = emptyState(
    text('none'),
    html`<p>${text(isFiltered ? 'noneFiltered' : 'noneNext')}</p>`,
  );
  return {
    title: text('title'),
    head: { under: rich('lead') },
    ...(fault && { status: 422 }),
    scripts: ['copy-fields'],
    body: html`!${filterForm(visit, query, fault)}
!${shown.length > 0 ? shown.map((event) => eventView(visit, event)).join('') : none}
!${leaves(visit, query, next)}!${copyStatus(visit)}`,
  };
}

function readQuery({ query }: Visit) {
  const asked = query.getAll('types');
  const types = EVENT_TYPES.filter((type) => asked.includes(type));
  const given = (name: string) => query.get(name)?.trim() || null;
  return { types, before: given('before'), after: given('after') };
}

async function readView(deps: WebhookPagesDeps, visit: Visit, query: FeedQuery): Promise<FeedView> {
  try {
    return await readPart(deps, visit, query);
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'VALIDATION_ERROR')) throw error;
    return { events: [], next: null, fault: FEED_TEXTS[visit.language].text('notACursor') };
  }
}

async function readPart(
  { db }: WebhookPagesDeps,
  { merchantId }: Visit,
  { types, before, after }: FeedQuery,
): Promise<FeedView> {
  const eventTypes = types.length > 0 ? types : null;
  if (after !== null) {
    const { events, next } = await readFeedOnward(db, merchantId, { eventTypes, after });
    return { events, next: next === null ? null : { name: 'after', cursor: next } };
  }
  const { events, older } = await browseFeed(db, merchantId, { eventTypes, before });
  return { events, next: older === null ? null : { name: 'before', cursor: older } };
}

function filterForm(visit: Visit, { types, after }: FeedQuery, fault?: string): string {
  const { text } = FEED_TEXTS[visit.language];
  const here = merchantHref(visit, 'events');
  const field = renderField(
    { name: 'after', label: text('after'), value: after, hint: text('afterHint') },
    { faults: { after: fault } },
  );
  const boxes = EVENT_TYPES.map(
    (type) =>
      html`<label class="choice"><input type="checkbox" name="types" value="${type}"!${
        types.includes(type) ? ' checked' : ''
      }> ${eventTitle(visit.language, type)} <code>${type}</code></label>`,
  );
  const isOpen = types.length > 0 || after !== null;
  return html`<form class="list-form" action="${here}">
<details!${isOpen ? ' open' : ''} id="filters"><summary>${text('filters')}</summary>
<fieldset><legend>${text('types')}</legend>
<div class="types">!${boxes.join('')}</div></fieldset>!${field}
<p class="actions"><button class="button">${text('show')}</button>
<a class="button quiet" href="${here}">${text('all')}</a></p></details></form>`;
}

const requestIdOf = ({ resource: { id, paymentRequestId } }: EventHead) => paymentRequestId ?? id;

function eventView(visit: Visit, event: OfRequest<BrowsedEvent & EventHead>): string {
  const { text } = FEED_TEXTS[visit.language];
  const { id, eventType, createdDateTime, sequence, resource, body, cursor } = event;
  const requestId = requestIdOf(event);
  const href = merchantHref(visit, 'payment-requests', requestId);
  const copied = { id: `cursor-${id}`, label: text('cursor'), value: cursor };
  const place = copyField(visit, copied);
  const type = badge(eventTitle(visit.language, eventType), toneOf(eventType));
  return html`<details class="attempt event"><summary>!${type}
!${amount(visit, Math.round(resource.amount * 100), resource.currency)}
<span>${event.request?.payer.name ?? ''}</span>
<span class="quiet">${event.request?.invoiceNumber ?? ''}</span>
!${relativeTime(visit, new Date(createdDateTime))}</summary>
<div class="inside">!${facts([
    [text('event'), html`<code>${eventType}</code>`],
    [
      text('request'),
      html`<a href="${href}">${event.request ? requestName(event.request) : requestId}</a>`,
    ],
    [text('sequence'), html`${sequence}`],
    [text('cursor'), place],
  ])}!${copyField(visit, {
    id: `body-${id}`,
    label: text('body'),
    value: body,
    shown: indentJson(body),
    isBlock: true,
  })}</div></details>`;
}

const toneOf = (type: WebhookEventType): Tone =>
  type.endsWith('COMPLETED') ? 'good' : type.endsWith('FAILED') ? 'bad' : 'warning';

interface EventHead {
  readonly id: string;
  readonly eventType: WebhookEventType;
  readonly createdDateTime: string;
  readonly sequence: number;
  /** A refund names its payment request. */
  readonly resource: {
    readonly id: string;
    readonly paymentRequestId?: string;
    readonly amount: number;
    readonly currency: string;
  };
}

function headOf(body: string): EventHead {
  return JSON.parse(body);
}

function leaves(visit: Visit, query: FeedQuery, next: FeedView['next']): string {
  const { text } = FEED_TEXTS[visit.language];
  const here = merchantHref(visit, 'events');
  const kept = new URLSearchParams(query.types.map((type): [string, string] => ['types', type]));
  const first = html`<a href="${here}?${kept}">${text('newest')}</a>`;
  const isFirst = query.before === null && query.after === null;
  if (isFirst && next === null) return '';
  if (next !== null) kept.set(next.name, next.cursor);
  const label = text(next?.name === 'after' ? 'onward' : 'older');
  const onward = next === null ? '' : html`<a rel="next" href="${here}?${kept}">${label}</a>`;
  return html`<nav class="pager" aria-label="${text('pages')}"
>!${isFirst ? '' : first}!${onward}</nav>`;
}
