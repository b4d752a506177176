import { html } from 'ghtml';
import { formOf } from '#console/forms/form-field.ts';
import { button, formPage } from '#console/forms/render-form.ts';
import type { Act } from '#console/shell/console-routes.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { findOwnEndpoint } from '#webhooks/endpoints/find-own.ts';
import { rotateSecret } from '#webhooks/endpoints/rotate-secret.ts';
import type { WebhookEndpoint } from '#webhooks/model/endpoint.ts';
import { changeDeps, type WebhookPagesDeps } from '../deps.ts';
import { merchantHref } from '../paths.ts';
import { ENDPOINT_ACT_TEXTS } from './act-texts.ts';
import { endpointFacts } from './endpoint-facts.ts';

/** The usual day, and what teams ask for; the API takes any number of hours up to a week. */
const OVERLAPS = [24, 1, 72, 168, 0];

function rotationFields({ language }: Visit, endpoint: WebhookEndpoint) {
  const { text } = ENDPOINT_ACT_TEXTS[language];
  const words = (hours: number) => (hours === 0 ? text('overlapNone') : text('hours', { hours }));
  const label = html`${text('force')}`;
  const force = { name: 'force', kind: 'check', label, isRequired: true } as const;
  const overlap = {
    name: 'overlap',
    kind: 'choice',
    label: text('overlap'),
    value: '24',
    options: OVERLAPS.map((hours) => [`${hours}`, html`${words(hours)}`] as const),
  } as const;
  if (endpoint.previousSigningSecretUntil === null) return formOf(overlap);
  return formOf(overlap, html`<p class="notice warning">${text('running')}</p>`, force);
}

/** Asks for how long both secrets sign. */
export async function showRotation({ db }: WebhookPagesDeps, visit: Visit): Promise<ConsolePage> {
  const { text } = ENDPOINT_ACT_TEXTS[visit.language];
  const endpoint = await findOwnEndpoint(db, visit.merchantId, visit.params.id ?? '');
  return formPage(visit, {
    title: text('rotateTitle'),
    back: { href: merchantHref(visit, 'endpoints', endpoint.id), name: text('endpoint') },
    scripts: ['console-countdown'],
    lead: html`<p>${text('rotateLead')}</p>
!${endpointFacts(visit, endpoint)}`,
    items: rotationFields(visit, endpoint),
    buttons: button(text('rotateGo')),
  });
}

/** Rotates the signing secret; the page of the secrets shows the new one. */
export const rotate: Act = async (deps, visit, form) => {
  const { merchantId, params, actor } = visit;
  const asked = Number(form.get('overlap') ?? '');
  const overlapHours = OVERLAPS.includes(asked) ? asked : undefined;
  const isForced = form.get('force') === 'yes';
  const rotation = { id: params.id ?? '', overlapHours, isForced, faults: [] };
  const change = changeDeps(deps, actor);
  await deps.db.transaction((tx) => rotateSecret(tx, change, merchantId, rotation));
  return { to: merchantHref(visit, 'endpoints', rotation.id, 'secrets'), done: 'rotated' };
};
