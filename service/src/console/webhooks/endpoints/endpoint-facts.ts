import { html } from 'ghtml';
import { badge } from '#console/components/badge.ts';
import { facts } from '#console/components/facts.ts';
import { instant } from '#console/components/instant.ts';
import type { Visit } from '#console/shell/visit.ts';
import type { WebhookEndpoint } from '#webhooks/model/endpoint.ts';
import { ALL_EVENT_TYPES } from '#webhooks/model/event-types.ts';
import { countdown } from '../countdown.ts';
import { ENDPOINT_TEXTS } from './texts.ts';

/** The facts about an endpoint that every reader may see; no secret. */
export function endpointFacts(visit: Visit, endpoint: WebhookEndpoint): string {
  const { text } = ENDPOINT_TEXTS[visit.language];
  const { url, description, username, createdAt, previousSigningSecretUntil } = endpoint;
  return facts([
    [text('url'), html`<code>${url}</code>`],
    description === null ? null : [text('description'), html`${description}`],
    [text('status'), statusLine(visit, endpoint)],
    [text('types'), html`${typesText(visit, endpoint)}`],
    [text('username'), html`<code>${username}</code>`],
    previousSigningSecretUntil
      ? [text('overlap'), overlapLine(visit, previousSigningSecretUntil)]
      : null,
    [text('created'), instant(visit, createdAt)],
  ]);
}

function statusLine({ language }: Visit, { status, pausedReason }: WebhookEndpoint): string {
  const { text } = ENDPOINT_TEXTS[language];
  const shown = badge(text(status), status === 'ACTIVE' ? 'good' : 'warning');
  if (status === 'ACTIVE') return shown;
  const reason =
    pausedReason === 'GONE'
      ? text('GONE')
      : text(pausedReason === 'FAILING' ? 'FAILING_REASON' : 'PAUSED_BY_MERCHANT');
  return html`!${shown} ${reason}`;
}

function typesText({ language }: Visit, { eventTypes }: WebhookEndpoint): string {
  const { text } = ENDPOINT_TEXTS[language];
  if (eventTypes === null) return text('usualTypes');
  return eventTypes.includes(ALL_EVENT_TYPES) ? text('allTypes') : eventTypes.join(', ');
}

/** The time within which the listener has to know the new secret. */
function overlapLine(visit: Visit, until: Date): string {
  const { text, rich } = ENDPOINT_TEXTS[visit.language];
  const when = rich('overlapUntil', { until: { html: instant(visit, until) } });
  const left = countdown(visit, until, (time) => text('left', { left: time }));
  return html`!${when} <strong>!${left}</strong>`;
}
