import { html } from 'ghtml';
import { postForm, type TextInput, textField } from '#console/components/form.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import type { FieldFault } from '#lib/problem.ts';
import type { WebhookEndpoint } from '#webhooks/model/endpoint.ts';
import { ALL_EVENT_TYPES, EVENT_TYPES } from '#webhooks/model/event-types.ts';
import { merchantHref, merchantPath } from '../paths.ts';
import { ENDPOINT_FORM_TEXTS } from './form-texts.ts';

/** The fields as the form shows them; a password is never sent back. */
export interface EndpointFields {
  readonly url: string;
  readonly description: string;
  readonly types: 'usual' | 'all' | 'some';
  readonly eventTypes: readonly string[];
  readonly username: string;
}

export const NEW_FIELDS: EndpointFields = {
  url: 'https://',
  description: '',
  types: 'usual',
  eventTypes: [],
  username: '',
};

export function fieldsOf(endpoint: WebhookEndpoint): EndpointFields {
  const { url, description, eventTypes, username } = endpoint;
  const isAll = eventTypes?.includes(ALL_EVENT_TYPES) ?? false;
  const types = eventTypes === null ? 'usual' : isAll ? 'all' : 'some';
  return { url, description: description ?? '', types, eventTypes: eventTypes ?? [], username };
}

export function readFields(form: URLSearchParams): EndpointFields {
  const types = form.get('types');
  return {
    url: form.get('url')?.trim() ?? '',
    description: form.get('description')?.trim() ?? '',
    types: types === 'all' || types === 'some' ? types : 'usual',
    eventTypes: form.getAll('eventTypes'),
    username: form.get('username')?.trim() ?? '',
  };
}

/** The filter as the API takes it; null: the usual types. */
export function askedTypes({ types, eventTypes }: EndpointFields): readonly string[] | null {
  if (types === 'usual') return null;
  return types === 'all' ? [ALL_EVENT_TYPES] : eventTypes;
}

export interface EndpointFormOptions {
  /** null: a new endpoint. */
  readonly id: string | null;
  readonly fields: EndpointFields;
  readonly faults?: readonly FieldFault[];
}

type LineName = 'url' | 'description' | 'username' | 'password';

/** The form for a new endpoint or for a change; 422 with the faults that it was sent with. */
export function endpointForm(visit: Visit, options: EndpointFormOptions): ConsolePage {
  const { text } = ENDPOINT_FORM_TEXTS[visit.language];
  const { id, fields, faults = [] } = options;
  const faultOf = (name: string) =>
    faults.find(({ field }) => field === name || field.startsWith(`${name}.`))?.message;
  const title = text(id === null ? 'addTitle' : 'editTitle');
  const back =
    id === null ? merchantHref(visit, 'endpoints') : merchantHref(visit, 'endpoints', id);
  const line = (input: Omit<TextInput, 'label' | 'fault'> & { readonly name: LineName }) =>
    textField({ ...input, label: text(input.name), fault: faultOf(input.name) });
  const isNew = id === null;
  const body = html`
!${line({
    name: 'url',
    value: fields.url,
    type: 'url',
    hint: isNew ? text('urlHint') : `${text('urlHint')} ${text('moveHint')}`,
    maxLength: 2048,
    isRequired: true,
  })}
!${line({
    name: 'description',
    value: fields.description,
    hint: text('descriptionHint'),
    maxLength: 250,
  })}
!${typeChoices(visit, fields, faultOf('eventTypes'))}
!${line({
    name: 'username',
    value: fields.username,
    hint: text(isNew ? 'usernameHint' : 'usernameKeep'),
    maxLength: 100,
  })}
!${line({
    name: 'password',
    type: 'password',
    hint: text(isNew ? 'passwordHint' : 'passwordKeep'),
    maxLength: 256,
    autocomplete: 'new-password',
  })}
<p class="actions"><button class="button">${text(isNew ? 'add' : 'save')}</button>
<a class="button quiet" href="${back}">${text('cancel')}</a></p>`;
  const parts = id === null ? ['endpoints', 'new'] : ['endpoints', id, 'edit'];
  return {
    title,
    section: 'endpoints',
    ...(faults.length > 0 && { status: 422 }),
    body: html`<h1>${title}</h1>!${faults.length > 0 ? faultSummary(visit) : ''}
!${postForm(visit, { action: merchantPath(visit, ...parts), body })}`,
  };
}

function faultSummary({ language }: Visit): string {
  const { text } = ENDPOINT_FORM_TEXTS[language];
  return html`<p class="notice bad" role="alert">${text('faults')}</p>`;
}

function typeChoices({ language }: Visit, fields: EndpointFields, fault?: string): string {
  const { text } = ENDPOINT_FORM_TEXTS[language];
  const radio = (value: EndpointFields['types'], label: string) =>
    html`<label class="choice"><input type="radio" name="types" value="${value}"!${
      fields.types === value ? ' checked' : ''
    }> ${label}</label>`;
  const box = (type: string) =>
    html`<label class="choice"><input type="checkbox" name="eventTypes" value="${type}"!${
      fields.eventTypes.includes(type) ? ' checked' : ''
    }> <code>${type}</code></label>`;
  return html`<fieldset class="field!${fault ? ' bad' : ''}"><legend>${text('types')}</legend>
!${fault ? html`<span class="fault">${fault}</span>` : ''}
!${radio('usual', text('usual'))}!${radio('all', text('all'))}!${radio('some', text('some'))}
<div class="inner">!${EVENT_TYPES.map(box).join('')}</div></fieldset>`;
}
