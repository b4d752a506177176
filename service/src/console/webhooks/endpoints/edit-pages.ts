import type { ConsoleAnswer, Visit } from '#console/shell/visit.ts';
import { PROBLEMS } from '#http/problems/kinds.ts';
import { type FieldFault, Problem } from '#lib/problem.ts';
import { addEndpoint, editEndpoint, type FindFaults } from '#webhooks/endpoints/edit-by-form.ts';
import { findOwnEndpoint } from '#webhooks/endpoints/find-own.ts';
import type { WebhookEndpoint } from '#webhooks/model/endpoint.ts';
import { changeDeps, type WebhookPagesDeps } from '../deps.ts';
import { merchantHref } from '../paths.ts';
import {
  askedTypes,
  type EndpointFields,
  endpointForm,
  fieldsOf,
  NEW_FIELDS,
  readFields,
} from './endpoint-form.ts';
import { ENDPOINT_FORM_TEXTS } from './form-texts.ts';

export function showNewForm(visit: Visit): ConsoleAnswer {
  return endpointForm(visit, { id: null, fields: NEW_FIELDS });
}

/** Adds an endpoint; the form comes back with its faults. */
export function add(
  deps: WebhookPagesDeps,
  visit: Visit,
  form: URLSearchParams,
  findFaults: FindFaults,
): Promise<ConsoleAnswer> {
  const fields = readFields(form);
  return orFormAgain(visit, { id: null, fields }, async () => {
    const { username, url, description } = fields;
    const eventTypes = askedTypes(fields);
    const body = {
      url,
      description,
      username,
      password: form.get('password') ?? '',
      ...(eventTypes && { eventTypes }),
    };
    const { id } = await addEndpoint(
      changeDeps(deps, visit.actor),
      visit.merchantId,
      body as never,
      findFaults,
    );
    return { to: merchantHref(visit, 'endpoints', id), done: 'created' };
  });
}

export async function showEditForm(deps: WebhookPagesDeps, visit: Visit): Promise<ConsoleAnswer> {
  const endpoint = await findOwnEndpoint(deps.db, visit.merchantId, visit.params.id ?? '');
  return endpointForm(visit, { id: endpoint.id, fields: fieldsOf(endpoint) });
}

/** Changes an endpoint; the form comes back with its faults. */
export async function edit(
  deps: WebhookPagesDeps,
  visit: Visit,
  form: URLSearchParams,
  findFaults: FindFaults,
): Promise<ConsoleAnswer> {
  const current = await findOwnEndpoint(deps.db, visit.merchantId, visit.params.id ?? '');
  const fields = readFields(form);
  return orFormAgain(visit, { id: current.id, fields }, async () => {
    const patch = patchOf(current, fields, form.get('password') ?? '');
    const to = merchantHref(visit, 'endpoints', current.id);
    if (Object.keys(patch).length === 0) return { to };
    const { hasNewSecrets } = await editEndpoint(
      changeDeps(deps, visit.actor),
      visit.merchantId,
      current.id,
      patch as never,
      findFaults,
    );
    return { to, done: hasNewSecrets ? 'moved' : 'saved' };
  });
}

/** Only the fields that differ: the audit log names the changed ones. */
function patchOf(current: WebhookEndpoint, fields: EndpointFields, password: string) {
  const before = fieldsOf(current);
  const types = (of: EndpointFields) => JSON.stringify(askedTypes(of));
  return {
    ...(fields.url !== before.url && { url: fields.url }),
    ...(fields.description !== before.description && { description: fields.description || null }),
    ...(types(fields) !== types(before) && { eventTypes: askedTypes(fields) }),
    ...(!['', before.username].includes(fields.username) && { username: fields.username }),
    ...(password !== '' && { password }),
  };
}

/** The faults that the form can show beside a field. */
function faultsOf({ code, errors }: Problem): readonly FieldFault[] {
  if (code === 'VALIDATION_ERROR') return errors;
  if (code !== 'DUPLICATE_WEBHOOK_ENDPOINT') return [];
  return [{ field: 'url', code: 'INVALID_VALUE', message: PROBLEMS[code].detail }];
}

async function orFormAgain(
  visit: Visit,
  shown: { readonly id: string | null; readonly fields: EndpointFields },
  work: () => Promise<ConsoleAnswer>,
): Promise<ConsoleAnswer> {
  const { types, eventTypes } = shown.fields;
  if (types === 'some' && eventTypes.length === 0) {
    const message = ENDPOINT_FORM_TEXTS[visit.language].text('noTypes');
    const fault: FieldFault = { field: 'eventTypes', code: 'REQUIRED', message };
    return endpointForm(visit, { ...shown, faults: [fault] });
  }
  try {
    return await work();
  } catch (error) {
    const faults = error instanceof Problem ? faultsOf(error) : [];
    if (faults.length === 0) throw error;
    return endpointForm(visit, { ...shown, faults });
  }
}
