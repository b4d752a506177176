import { html } from 'ghtml';
import { facts } from '#console/components/parts.ts';
import { instant } from '#console/components/values.ts';
import type { Visit } from '#console/shell/visit.ts';
import type { WebhookEndpoint } from '#webhooks/model/endpoint.ts';
import { ALL_EVENT_TYPES } from '#webhooks/model/event-types.ts';
import { countdown } from '../countdown.ts';
import { ENDPOINT_TEXTS } from './texts.ts';

/** The facts about an endpoint that every reader may see; no secret. */
export function endpointFacts(visit: Visit, endpoint: WebhookEndpoint): string {
  const { text } = ENDPOINT_TEXTS[visit.language];
  const { description, username, createdAt, previousSigningSecretUntil } = endpoint;
  return facts([
    [text('description'), description === null ? null : html`${description}`],
    [text('types'), html`${typesText(visit, endpoint)}`],
    [text('username'), html`<code>${username}</code>`],
    [text('overlap'), previousSigningSecretUntil && overlapLine(visit, previousSigningSecretUntil)],
    [text('created'), instant(visit, createdAt)],
  ]);
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
