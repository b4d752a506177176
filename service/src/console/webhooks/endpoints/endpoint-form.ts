import type { FastifyRequest } from 'fastify';
import { html } from 'ghtml';
import { eventTitle } from '#console/components/badges.ts';
import { type Faults, formOf, readTexts } from '#console/forms/form-field.ts';
import type { ShownForm } from '#console/forms/render-field.ts';
import { button, formPage } from '#console/forms/render-form.ts';
import { schemaFaultsOf } from '#console/lists/schema-faults-of.ts';
import type { Act } from '#console/shell/console-routes.ts';
import type { ConsoleAnswer, ConsolePage, Visit } from '#console/shell/visit.ts';
import { changeDeps, type WebhookPagesDeps } from '#console/webhooks/deps.ts';
import { merchantHref } from '#console/webhooks/paths.ts';
import type { ConsoleLanguage } from '#http/negotiation/choose-language.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { PROBLEMS } from '#http/problems/kinds.ts';
import { Problem } from '#lib/problem.ts';
import { addEndpoint, editEndpoint, type FindFaults } from '#webhooks/endpoints/edit-by-form.ts';
import { findOwnEndpoint } from '#webhooks/endpoints/find-own.ts';
import { NewEndpointSchema } from '#webhooks/endpoints/schemas.ts';
import type { WebhookEndpoint } from '#webhooks/model/endpoint.ts';
import { ALL_EVENT_TYPES, EVENT_TYPES } from '#webhooks/model/event-types.ts';
import { ENDPOINT_TEXTS } from './endpoint-page.ts';

export const ENDPOINT_FORM_TEXTS = pageTexts('console.webhooks.endpoints.form');

const RULES = NewEndpointSchema.properties;

/** Which events an endpoint wants. */
function typesOf({ eventTypes }: Pick<WebhookEndpoint, 'eventTypes'>) {
  if (eventTypes === null) return 'usual';
  return eventTypes.includes(ALL_EVENT_TYPES) ? 'all' : 'some';
}

/** @param endpoint null: a new one */
export function endpointFields({ language }: Visit, endpoint: WebhookEndpoint | null) {
  const { text } = ENDPOINT_FORM_TEXTS[language];
  const isNew = endpoint === null;
  const types = endpoint ? typesOf(endpoint) : 'usual';
  return formOf(
    {
      legend: text('address'),
      className: 'card',
      fields: [
        {
          name: 'url',
          kind: 'url',
          label: text('url'),
          hint: isNew ? text('urlHint') : `${text('urlHint')} ${text('moveHint')}`,
          value: endpoint?.url ?? 'https://',
          rule: RULES.url,
          isRequired: true,
        },
        {
          name: 'description',
          label: text('description'),
          hint: text('descriptionHint'),
          value: endpoint?.description,
          rule: RULES.description,
        },
      ],
    },
    {
      className: 'card',
      fields: [
        {
          name: 'types',
          kind: 'radio',
          label: text('types'),
          value: types,
          options: [
            ['usual', html`${text('usual')}`],
            ['all', html`${text('all')}`],
            ['some', html`${text('some')}`],
          ],
          inner: [
            {
              name: 'eventTypes',
              kind: 'boxes',
              value: types === 'all' ? EVENT_TYPES : endpoint?.eventTypes,
              options: EVENT_TYPES.map((type) => [
                type,
                html`${eventTitle(language, type)} <code>${type}</code>`,
              ]),
            },
          ],
        },
      ],
    },
    { legend: text('basic'), className: 'card', fields: credentialFields(language, endpoint) },
  );
}

/** Username and password of the listener; without them new ones are made. */
function credentialFields(language: ConsoleLanguage, endpoint: WebhookEndpoint | null) {
  const { text } = ENDPOINT_FORM_TEXTS[language];
  const isNew = endpoint === null;
  return formOf(
    {
      name: 'username',
      label: text('username'),
      hint: text(isNew ? 'usernameHint' : 'usernameKeep'),
      value: endpoint?.username,
      rule: RULES.username,
    },
    // A password is never sent back.
    {
      name: 'password',
      kind: 'password',
      label: text('password'),
      hint: text(isNew ? 'passwordHint' : 'passwordKeep'),
      rule: RULES.password,
    },
  );
}

/** The form for a new endpoint or for a change; 422 with the faults that it was sent with. */
export function endpointForm(
  visit: Visit,
  endpoint: WebhookEndpoint | null,
  shown: ShownForm = {},
): ConsolePage {
  const { text } = ENDPOINT_FORM_TEXTS[visit.language];
  const [title, save] = endpoint
    ? (['editTitle', 'save'] as const)
    : (['addTitle', 'add'] as const);
  const own = endpoint ? ['endpoints', endpoint.id] : ['endpoints'];
  return formPage(visit, {
    title: text(title),
    back: {
      href: merchantHref(visit, ...own),
      name: endpoint ? text('endpoint') : ENDPOINT_TEXTS[visit.language].text('allEndpoints'),
    },
    refusal: shown.faults && text('faults'),
    ...shown,
    items: endpointFields(visit, endpoint),
    buttons: button(text(save)),
  });
}

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
