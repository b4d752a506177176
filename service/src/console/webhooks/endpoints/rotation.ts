import { html } from 'ghtml';
import { choiceField } from '#console/components/choice-field.ts';
import { postForm } from '#console/components/form.ts';
import type { ConsolePage, ConsoleRedirect, Visit } from '#console/shell/visit.ts';
import { findOwnEndpoint } from '#webhooks/endpoints/find-own.ts';
import { rotateSecret } from '#webhooks/endpoints/rotate-secret.ts';
import { changeDeps, type WebhookPagesDeps } from '../deps.ts';
import { merchantHref, merchantPath } from '../paths.ts';
import { ENDPOINT_ACT_TEXTS } from './act-texts.ts';
import { endpointFacts } from './endpoint-facts.ts';

/** The usual day, and what teams ask for; the API takes any number of hours up to a week. */
const OVERLAPS = [24, 1, 72, 168, 0];

/** Asks for how long both secrets sign. */
export async function showRotation({ db }: WebhookPagesDeps, visit: Visit): Promise<ConsolePage> {
  const { text } = ENDPOINT_ACT_TEXTS[visit.language];
  const endpoint = await findOwnEndpoint(db, visit.merchantId, visit.params.id ?? '');
  const choices = OVERLAPS.map(
    (hours) => [`${hours}`, hours === 0 ? text('overlapNone') : text('hours', { hours })] as const,
  );
  const isRunning = endpoint.previousSigningSecretUntil !== null;
  const force = html`<p class="notice wait">${text('running')}</p><p><label class="choice"
><input type="checkbox" name="force" value="yes" required> ${text('force')}</label></p>`;
  const overlap = choiceField({ name: 'overlap', label: text('overlap'), value: '24', choices });
  const body = html`!${overlap}
!${isRunning ? force : ''}<p class="actions"><button class="button">${text('rotateGo')}</button>
<a class="button quiet" href="${merchantHref(visit, 'endpoints', endpoint.id)}"
>${text('cancel')}</a></p>`;
  return {
    title: text('rotateTitle'),
    section: 'endpoints',
    scripts: ['console-countdown'],
    body: html`<h1>${text('rotateTitle')}</h1><p>${text('rotateLead')}</p>
!${endpointFacts(visit, endpoint)}
!${postForm(visit, { action: merchantPath(visit, 'endpoints', endpoint.id, 'rotate'), body })}`,
  };
}

/** Rotates the signing secret; the page of the secrets shows the new one. */
export async function rotate(
  deps: WebhookPagesDeps,
  visit: Visit,
  form: URLSearchParams,
): Promise<ConsoleRedirect> {
  const { merchantId, params, actor } = visit;
  const asked = Number(form.get('overlap') ?? '');
  const overlapHours = OVERLAPS.includes(asked) ? asked : undefined;
  const isForced = form.get('force') === 'yes';
  const rotation = { id: params.id ?? '', overlapHours, isForced, faults: [] };
  const change = changeDeps(deps, actor);
  await deps.db.transaction((tx) => rotateSecret(tx, change, merchantId, rotation));
  return { to: merchantHref(visit, 'endpoints', rotation.id, 'secrets'), done: 'rotated' };
}
