import type { FastifyRequest } from 'fastify';
import type { Faults } from '#console/forms/form-field.ts';
import { readTexts } from '#console/forms/read-form.ts';
import { schemaFaultsOf } from '#console/lists/schema-faults-of.ts';
import type { Act } from '#console/shell/console-routes.ts';
import type { ConsoleAnswer, Visit } from '#console/shell/visit.ts';
import { PROBLEMS } from '#http/problems/kinds.ts';
import { Problem } from '#lib/problem.ts';
import { addEndpoint, editEndpoint, type FindFaults } from '#webhooks/endpoints/edit-by-form.ts';
import { findOwnEndpoint } from '#webhooks/endpoints/find-own.ts';
import type { WebhookEndpoint } from '#webhooks/model/endpoint.ts';
import { ALL_EVENT_TYPES } from '#webhooks/model/event-types.ts';
import { changeDeps, type WebhookPagesDeps } from '../deps.ts';
import { merchantHref } from '../paths.ts';
import { ENDPOINT_FORM_TEXTS, endpointFields, endpointForm } from './endpoint-form.ts';

export function showNewForm(_deps: WebhookPagesDeps, visit: Visit): ConsoleAnswer {
  return endpointForm(visit, null);
}

/** Adds an endpoint; the form comes back with its faults. */
export const add: Act = (deps, visit, form, request) =>
  orFormAgain(visit, null, form, async () => {
    const { types: _, eventTypes: __, ...texts } = readTexts(endpointFields(visit, null), form);
    const eventTypes = askedTypes(form);
    const body = { ...texts, ...(eventTypes && { eventTypes }) };
    const change = changeDeps(deps, visit.actor);
    const { id } = await addEndpoint(change, visit.merchantId, body as never, faultsBy(request));
    return { to: merchantHref(visit, 'endpoints', id), done: 'endpointAdded' };
  });

export async function showEditForm(deps: WebhookPagesDeps, visit: Visit): Promise<ConsoleAnswer> {
  return endpointForm(visit, await findOwn(deps, visit));
}

/** Changes an endpoint; the form comes back with its faults. */
export const edit: Act = async (deps, visit, form, request) => {
  const current = await findOwn(deps, visit);
  return orFormAgain(visit, current, form, async () => {
    const patch = patchOf(visit, current, form);
    const to = merchantHref(visit, 'endpoints', current.id);
    if (Object.keys(patch).length === 0) return { to };
    const asked = [visit.merchantId, current.id, patch as never, faultsBy(request)] as const;
    const { hasNewSecrets } = await editEndpoint(changeDeps(deps, visit.actor), ...asked);
    return { to, done: hasNewSecrets ? 'endpointMoved' : 'endpointSaved' };
  });
};

/** Finds faults by the validator that checks the API's calls. */
function faultsBy(request: FastifyRequest): FindFaults {
  return (schema, value) => schemaFaultsOf(request, schema, value);
}

function findOwn({ db }: WebhookPagesDeps, { merchantId, params }: Visit) {
  return findOwnEndpoint(db, merchantId, params.id ?? '');
}

/** The filter as the API takes it; null: the usual types. */
function askedTypes(form: URLSearchParams): readonly string[] | null {
  switch (form.get('types')) {
    case 'all':
      return [ALL_EVENT_TYPES];
    case 'some':
      return form.getAll('eventTypes');
    default:
      return null;
  }
}

/** Only the fields that differ: the audit log names the changed ones. */
function patchOf(visit: Visit, current: WebhookEndpoint, form: URLSearchParams) {
  const { url, description, username, password } = readTexts(endpointFields(visit, current), form);
  const eventTypes = askedTypes(form);
  return {
    ...(url !== current.url && { url }),
    ...(description !== (current.description ?? '') && { description: description || null }),
    ...(JSON.stringify(eventTypes) !== JSON.stringify(current.eventTypes) && { eventTypes }),
    ...(!['', current.username].includes(username) && { username }),
    ...(password !== '' && { password }),
  };
}

/** The faults that the form can show beside a field. */
function faultsOf({ code, errors }: Problem): Faults {
  if (code === 'DUPLICATE_WEBHOOK_ENDPOINT') return { url: PROBLEMS[code].detail };
  if (code !== 'VALIDATION_ERROR') return {};
  const placed = errors.map(({ field, message }) => {
    const [name = ''] = field.split('.');
    return [name === 'eventTypes' ? 'types' : name, message];
  });
  return Object.fromEntries(placed.toReversed());
}

async function orFormAgain(
  visit: Visit,
  endpoint: WebhookEndpoint | null,
  sent: URLSearchParams,
  work: () => Promise<ConsoleAnswer>,
): Promise<ConsoleAnswer> {
  if (sent.get('types') === 'some' && !sent.has('eventTypes')) {
    const types = ENDPOINT_FORM_TEXTS[visit.language].text('noTypes');
    return endpointForm(visit, endpoint, { sent, faults: { types } });
  }
  try {
    return await work();
  } catch (error) {
    const faults = error instanceof Problem ? faultsOf(error) : {};
    if (Object.keys(faults).length === 0) throw error;
    return endpointForm(visit, endpoint, { sent, faults });
  }
}
